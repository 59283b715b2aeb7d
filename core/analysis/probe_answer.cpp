#include "core/analysis/probe_answer.h"

#include "core/analysis/model_answer.h"
#include "core/base/measured_text.h"
#include "core/statistics/exact_tests.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double differsBelow = 0.05;
constexpr std::size_t mostPoliciesNamed = 3;

struct ComparedPolicy {
    std::string label;
    double value = 0;                    ///< the share right, or the probability
    double right = 0;                    ///< the share
    double change = 0;                   ///< of the value; of a probability that of ln p
    std::optional<double> p;             ///< adjusted; none: the same in every sample, or samples that share text
    bool byAsMuch = false;               ///< in every sample: p is the sign test's
    std::optional<double> chanceP = {};  ///< adjusted, that it is right more often than chance; none: not known
    bool differs() const { return p && *p < differsBelow; }
    bool beatsChance() const { return chanceP && *chanceP < differsBelow; }
};

void adjustByHolm(std::span<ComparedPolicy> policies, std::optional<double> ComparedPolicy::*p)
{
    std::vector<double> all;
    for (const ComparedPolicy& policy : policies)
        if (policy.*p)
            all.push_back(*(policy.*p));
    const std::vector<double> adjusted = holm(all);
    std::size_t at = 0;
    for (ComparedPolicy& policy : policies)
        if (policy.*p)
            policy.*p = adjusted[at++];
}

class ProbeWords {
public:
    ProbeWords(const ProbeRequest& request, bool probability)
        : m_request(request), m_probability(probability && request.task == ProbeTask::Needle)
    {
    }

    std::string first(const ComparedPolicy& one) const
    {
        return m_probability ? "the geometric mean of the probability of the needle's answer is " + number(one)
               : needle()    ? fmt::format("the needle is found in {} of {} samples", number(one), all())
                             : "the second copy is known to " + number(one) + " %";
    }
    std::string another(const ComparedPolicy& other) const
    {
        return (m_probability ? ""
                : needle()    ? "in "
                              : "to ") +
               number(other) + (needle() ? "" : " %") + " with " + other.label + tested(other);
    }
    std::string tested(const ComparedPolicy& other) const
    {
        if (!other.p)
            return other.change == 0 ? ", the same in every sample" : std::string();
        return (other.byAsMuch ? ", by as much in every sample, sign test p = " : ", p = ") + formatNumber(*other.p, 2);
    }
    /// "40 of 40", "0.84", "62.1 %"
    std::string inShort(const ComparedPolicy& one) const
    {
        return number(one) + (m_probability ? "" : needle() ? " of " + all() : " %");
    }
    /// "finds 40 of 40", "gives the answer a probability of 0.84 (geometric mean)", "knows 62.1 % of the second copy"
    std::string does(const ComparedPolicy& one) const
    {
        return m_probability ? "gives the answer a probability of " + number(one) + " (geometric mean)"
               : needle()    ? "finds " + inShort(one)
                             : "knows " + inShort(one) + " of the second copy";
    }
    /// Beside the first: "finds 0", "gives it 0.2", "knows 20 %"
    std::string doesToo(const ComparedPolicy& one) const
    {
        return m_probability ? "gives it " + number(one) : needle() ? "finds " + number(one) : "knows " + inShort(one);
    }
    std::string rest(std::span<const ComparedPolicy> others) const
    {
        return (m_probability ? "" : needle() ? "in " : "to ") + range(others) + " with " + count(others);
    }
    /// "1 to 2", "3 to 4 %"
    std::string range(std::span<const ComparedPolicy> others) const
    {
        const auto [least, most] = std::ranges::minmax(others, {}, &ComparedPolicy::value);
        const std::string from = number(least), to = number(most);
        return (from == to ? from : from + " to " + to) + (needle() ? "" : " %");
    }
    static std::string count(std::span<const ComparedPolicy> others)
    {
        return std::to_string(others.size()) + (others.size() == 1 ? " other" : " others");
    }

private:
    bool needle() const { return m_request.task == ProbeTask::Needle; }
    std::string number(const ComparedPolicy& one) const
    {
        return m_probability ? formatNumber(one.value, 2)
               : needle()    ? std::to_string(std::llround(one.right * m_request.samples *
                                                           static_cast<double>(m_request.depths.size())))
                             : formatNumber(100 * one.right, 3);
    }
    std::string all() const { return std::to_string(m_request.samples * std::ssize(m_request.depths)); }

    const ProbeRequest& m_request;
    bool m_probability;
};

/// All that was run at n, beside the model as it is or else the first.
struct ComparedPolicies {
    ComparedPolicy base;
    bool asItIs = false;  ///< the base is the model as it is
    bool sharesText = false;
    std::vector<ComparedPolicy> others = {};  ///< the best first

    std::ptrdiff_t tests() const
    {
        return std::ranges::count_if(others, [](const ComparedPolicy& other) { return other.p.has_value(); });
    }
    /// Of what was tested.
    bool noneDiffers() const
    {
        return !others.empty() && !sharesText && std::ranges::none_of(others, &ComparedPolicy::differs);
    }
    bool nothingBeatsChance() const
    {
        return base.chanceP && !base.beatsChance() && std::ranges::none_of(others, &ComparedPolicy::beatsChance);
    }
    /// What is the furthest above chance.
    const ComparedPolicy& surest() const
    {
        const ComparedPolicy* best = &base;
        for (const ComparedPolicy& other : others)
            if (std::pair(other.chanceP.value_or(1), -other.right) < std::pair(best->chanceP.value_or(1), -best->right))
                best = &other;
        return *best;
    }
    std::span<const ComparedPolicy> named() const
    {
        return std::span(others).first(std::min(mostPoliciesNamed, others.size()));
    }
    std::span<const ComparedPolicy> rest() const { return std::span(others).subspan(named().size()); }
};

/// Of this many answers chance takes any.
double evenOdds(const ProbeRequest& request, std::int64_t vocabulary)
{
    return request.task == ProbeTask::Repeat ? static_cast<double>(vocabulary)
           : request.keys > 1                ? static_cast<double>(request.keys)
                                             : static_cast<double>(needleValues().size());
}

/// Samples are tries, or of repeated tokens, which are drawn, each of them.
double chanceTest(const ProbeCell& cell, const ProbeRequest& request, std::int64_t vocabulary)
{
    double right = 0, asked = 0;
    for (const ProbeScore& score : cell.scores) {
        right += score.right * score.asked;
        asked += score.asked;
    }
    return binomialTail(std::llround(right), std::llround(asked), 1 / evenOdds(request, vocabulary));
}

/// Of needles at the best depth, by Bonferroni corrected for all: depths of a sample have its words and its text in
/// common, so they are no tries of their own. Nothing of a vocabulary that is not known, or of samples that share text.
std::optional<double> chanceTest(std::span<const ProbeCell> cells, const ProbeRequest& request, std::int64_t n,
                                 std::size_t policy, std::int64_t vocabulary)
{
    std::optional<double> least;
    double depths = 0;
    for (const ProbeCell& cell : cells) {
        if (cell.n != n || cell.policy != policy || cell.scores.empty())
            continue;
        if (vocabulary <= 0 || cell.sharesText)
            return {};
        least = std::min(least.value_or(1), chanceTest(cell, request, vocabulary));
        ++depths;
    }
    return least ? std::optional(std::min(1.0, depths * *least)) : least;
}

/// Nothing while the cells of the first to be named are not all there.
std::optional<ComparedPolicies> comparedAt(const ProbeRequest& request, std::span<const ProbeCell> cells,
                                           std::span<const std::string> labels, std::int64_t n, bool probability,
                                           std::int64_t vocabulary)
{
    probability = probability && request.task == ProbeTask::Needle;
    const auto own = asItIs(request.policies);
    const std::size_t base = own.value_or(0);
    const ProbeCell reference = overDepths(cells, request, n, base);
    if (reference.scores.empty() || labels.size() != request.policies.size())
        return std::nullopt;
    const auto found = [&](std::size_t policy, const ProbeCell& cell) {
        const ProbeMeans means = meansOf(cell, &reference);
        constexpr double rounding = 1e-12;
        const double change = probability ? -means.lossChange.mean : means.rightChange.mean;
        ComparedPolicy one{.label = labels[policy],
                           .value = probability ? std::exp(-means.loss.mean) : means.right.mean,
                           .right = means.right.mean,
                           .change = std::abs(change) > rounding ? change : 0,
                           .p = probability ? means.lossP : means.rightP,
                           .chanceP = chanceTest(cells, request, n, policy, vocabulary)};
        one.byAsMuch = !one.p && one.change != 0 && std::isfinite(one.change) && !reference.sharesText;
        if (one.byAsMuch)
            one.p = signTestOfEqual(std::ssize(cell.scores));
        return one;
    };
    std::vector<ComparedPolicy> all{found(base, reference)};
    for (std::size_t policy = 0; policy < labels.size(); ++policy)
        if (const ProbeCell cell = overDepths(cells, request, n, policy); policy != base && !cell.scores.empty())
            all.push_back(found(policy, cell));
    adjustByHolm(all, &ComparedPolicy::chanceP);
    ComparedPolicies compared{
        .base = std::move(all.front()), .asItIs = own.has_value(), .sharesText = reference.sharesText};
    all.erase(all.begin());
    adjustByHolm(all, &ComparedPolicy::p);
    std::ranges::stable_sort(all, std::greater{}, &ComparedPolicy::value);
    compared.others = std::move(all);
    return compared;
}

std::string percentOf(double answers) { return formatNumber(100 / answers, 3) + " %"; }

/// Behind a result that stands alone: ", right no more often than chance (6.25 %)", or nothing.
std::string noMoreThanChance(const ComparedPolicy& one, const ProbeRequest& request, std::int64_t vocabulary)
{
    if (!one.chanceP || one.beatsChance())
        return {};
    const double of = evenOdds(request, vocabulary);
    return (one.right * of > 1 ? ", not shown to be right more often than chance ("
                               : ", right no more often than chance (") +
           percentOf(of) + ")";
}

/// "any of the 2 values told: 50 %; Softmax Plus with 6 of 8: binomial test p = 0.29, Holm-corrected for 2 comparisons"
std::string besideChance(const ComparedPolicies& compared, const ProbeRequest& request, std::int64_t vocabulary)
{
    const ComparedPolicy& best = compared.surest();
    const std::string chance = chanceOfProbe(request, vocabulary);
    if (!best.chanceP)
        return chance;
    const bool ofModel = compared.asItIs && &best == &compared.base;
    return chance + "; " + (ofModel ? "the model as it is" : best.label) + " with " +
           ProbeWords(request, false).inShort(best) + ": binomial test p = " + formatNumber(*best.chanceP, 2) +
           (request.task == ProbeTask::Needle && request.depths.size() > 1
                ? fmt::format(", at the best of {} depths by Bonferroni", request.depths.size())
                : "") +
           (compared.others.empty() ? "" : ", " + holmInWords(compared.others.size() + 1));
}

}  // namespace

std::string probeInWords(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability, std::int64_t vocabulary)
{
    const auto compared = comparedAt(request, cells, labels, n, probability, vocabulary);
    if (!compared)
        return {};
    const ProbeWords words(request, probability);
    std::vector<std::string> parts;
    for (const ComparedPolicy& other : compared->named())
        parts.push_back(words.another(other));
    if (!compared->rest().empty())
        parts.push_back(words.rest(compared->rest()));
    std::string said = "At n = " + lengthInWords(static_cast<double>(n)) +
                       (compared->nothingBeatsChance() ? " nothing is shown to be right more often than chance: "
                        : compared->noneDiffers()      ? " no difference counts: "
                                                       : " ") +
                       words.first(compared->base) +
                       (compared->asItIs ? " as the model is" : " with " + compared->base.label);
    for (std::size_t i = 0; i < parts.size(); ++i)
        said += (i > 0 && i + 1 == parts.size() ? "; and " : "; ") + parts[i];
    if (compared->sharesText)
        said += "; " + std::string(sharesTextNote);
    return said + (compared->tests() > 1 ? "; each p " + holmInWords(compared->tests()) : "") +
           (vocabulary > 0 ? "; chance: " + besideChance(*compared, request, vocabulary) : "");
}

ShortAnswer probeInShort(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability, std::int64_t vocabulary)
{
    const auto compared = comparedAt(request, cells, labels, n, probability, vocabulary);
    if (!compared)
        return {};
    const ProbeWords words(request, probability);
    const ComparedPolicy& base = compared->base;
    const std::string at = " at n = " + lengthInWords(static_cast<double>(n)),
                      first = compared->asItIs ? "the model as it is" : base.label,
                      firstOfAll = compared->asItIs ? "The model as it is" : base.label;
    const auto best = std::ranges::find_if(
        compared->others, [](const ComparedPolicy& other) { return other.change > 0 && other.differs(); });
    ShortAnswer answer;
    if (compared->nothingBeatsChance()) {
        answer.use = "Nothing is shown to be right more often than chance" + at + ": " + first + " " +
                     ProbeWords(request, false).does(base) + ", chance alone gives " +
                     percentOf(evenOdds(request, vocabulary));
    } else if (best != compared->others.end()) {
        answer.use = best->label + " " + words.does(*best) + at + noMoreThanChance(*best, request, vocabulary) + "; " +
                     first + " " + words.doesToo(base) + noMoreThanChance(base, request, vocabulary);
    } else {
        answer.use = firstOfAll + " " + words.does(base) + at + noMoreThanChance(base, request, vocabulary) +
                     (compared->others.empty()  ? ""
                      : compared->sharesText    ? "; differences from that are not tested"
                      : compared->noneDiffers() ? "; no difference from that counts"
                                                : "; nothing that was run does better by more than chance");
    }
    const auto add = [&](const std::string& about, const std::string& said) { answer.facts.push_back({about, said}); };
    add(firstOfAll, words.inShort(base));
    for (const ComparedPolicy& other : compared->named())
        add(other.label, words.inShort(other) + words.tested(other));
    if (!compared->rest().empty())
        add(ProbeWords::count(compared->rest()), words.range(compared->rest()));
    if (compared->sharesText)
        add("Samples", std::string(sharesTextNote));
    if (compared->tests() > 1)
        add("Each p", holmInWords(compared->tests()));
    if (vocabulary > 0)
        add("Chance", besideChance(*compared, request, vocabulary));
    return answer;
}

std::string chanceOfProbe(const ProbeRequest& request, std::int64_t vocabulary)
{
    const double of = evenOdds(request, vocabulary);
    if (request.task == ProbeTask::Repeat)
        return fmt::format("equal odds of {} tokens: {}, a loss of {} nats", inThousands(std::to_string(vocabulary)),
                           percentOf(of), formatNumber(std::log(of), 3));
    return request.keys > 1 ? fmt::format("any of the {} values told: {}", of, percentOf(of))
                            : fmt::format("any of the {} values that it may be: {}", of, percentOf(of));
}

}  // namespace attnscope
