#include "core/analysis/probe_answer.h"

#include "core/analysis/model_answer.h"
#include "core/base/measured_text.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double differsBelow = 0.05;
constexpr std::size_t mostPoliciesNamed = 3;

struct ComparedPolicy {
    std::string label;
    double right = 0;         ///< the share, or the probability
    double change = 0;        ///< of the share, or of ln p
    std::optional<double> p;  ///< adjusted; none: no difference, or the same in every sample
    bool tested = true;       ///< the samples share no text
    bool differs() const { return !tested || (p ? *p < differsBelow : change != 0); }
};

void adjustByHolm(std::vector<ComparedPolicy>& others)
{
    std::vector<double> all;
    for (const ComparedPolicy& other : others)
        if (other.p)
            all.push_back(*other.p);
    const std::vector<double> adjusted = holm(all);
    std::size_t at = 0;
    for (ComparedPolicy& other : others)
        if (other.p)
            other.p = adjusted[at++];
}

class ProbeWords {
public:
    ProbeWords(const ProbeRequest& request, bool probability)
        : m_request(request), m_probability(probability && request.task == ProbeTask::Needle)
    {
    }

    std::string first(double right) const
    {
        return m_probability ? "the needle's answer has the probability " + found(right)
               : needle()    ? fmt::format("the needle is found in {} of {} samples", found(right), all())
                             : "the second copy is known to " + share(right) + " %";
    }
    std::string another(const ComparedPolicy& other) const
    {
        const std::string so = m_probability ? found(other.right)
                               : needle()    ? "in " + found(other.right)
                                             : "to " + share(other.right) + " %";
        return so + " with " + other.label + tested(other);
    }
    static std::string tested(const ComparedPolicy& other)
    {
        return !other.tested       ? std::string()
               : other.p           ? ", p = " + formatNumber(*other.p, 2)
               : other.change == 0 ? ", the same in every sample"
                                   : ", by as much in every sample";
    }
    /// "40 of 40", "0.84", "62.1 %"
    std::string inShort(double right) const
    {
        return m_probability ? found(right) : needle() ? found(right) + " of " + all() : share(right) + " %";
    }
    /// "finds 40 of 40", "gives the answer the probability 0.84", "knows 62.1 % of the second copy"
    std::string does(double right) const
    {
        return (m_probability ? "gives the answer the probability "
                : needle()    ? "finds "
                              : "knows ") +
               inShort(right) + (needle() ? "" : " of the second copy");
    }
    /// Beside the first: "finds 0", "gives it 0.2", "knows 20 %"
    std::string doesToo(double right) const
    {
        return m_probability ? "gives it " + found(right)
               : needle()    ? "finds " + found(right)
                             : "knows " + share(right) + " %";
    }
    std::string rest(std::span<const ComparedPolicy> others) const
    {
        return (m_probability ? "" : needle() ? "in " : "to ") + range(others) + " with " + number(others);
    }
    /// "1 to 2", "3 to 4 %"
    std::string range(std::span<const ComparedPolicy> others) const
    {
        const auto [least, most] = std::ranges::minmax(others, {}, &ComparedPolicy::right);
        const auto one = [&](double right) { return needle() ? found(right) : share(right); };
        const std::string from = one(least.right), to = one(most.right);
        return (from == to ? from : from + " to " + to) + (needle() ? "" : " %");
    }
    static std::string number(std::span<const ComparedPolicy> others)
    {
        return std::to_string(others.size()) + (others.size() == 1 ? " other" : " others");
    }

private:
    bool needle() const { return m_request.task == ProbeTask::Needle; }
    std::string found(double right) const
    {
        if (m_probability)
            return formatNumber(right, 2);
        return std::to_string(std::llround(right * m_request.samples * static_cast<double>(m_request.depths.size())));
    }
    std::string all() const { return std::to_string(m_request.samples * std::ssize(m_request.depths)); }
    static std::string share(double right) { return formatNumber(100 * right, 3); }

    const ProbeRequest& m_request;
    bool m_probability;
};

/// All that was run at n, beside the model as it is or else the first.
struct ComparedPolicies {
    std::string baseLabel;  ///< empty: the model as it is
    double right = 0;
    bool sharesText = false;
    std::vector<ComparedPolicy> others = {};  ///< the best first
    std::ptrdiff_t tests() const
    {
        return std::ranges::count_if(others, [](const ComparedPolicy& other) { return other.p.has_value(); });
    }
    bool noneDiffers() const { return !others.empty() && std::ranges::none_of(others, &ComparedPolicy::differs); }
    std::span<const ComparedPolicy> named() const
    {
        return std::span(others).first(std::min(mostPoliciesNamed, others.size()));
    }
    std::span<const ComparedPolicy> rest() const { return std::span(others).subspan(named().size()); }
};

/// Nothing while the cells of the first to be named are not all there.
std::optional<ComparedPolicies> comparedAt(const ProbeRequest& request, std::span<const ProbeCell> cells,
                                           std::span<const std::string> labels, std::int64_t n, bool probability)
{
    probability = probability && request.task == ProbeTask::Needle;
    const auto valueOf = [&](const ProbeMeans& means) {
        return probability ? std::exp(-means.loss.mean) : means.right.mean;
    };
    const auto own = asItIs(request.policies);
    const std::size_t base = own.value_or(0);
    const ProbeCell reference = overDepths(cells, request, n, base);
    if (reference.scores.empty() || labels.size() != request.policies.size())
        return std::nullopt;
    ComparedPolicies all{.baseLabel = own ? std::string() : labels[base],
                         .right = valueOf(meansOf(reference, nullptr)),
                         .sharesText = reference.sharesText};
    for (std::size_t policy = 0; policy < labels.size(); ++policy) {
        const ProbeCell cell = overDepths(cells, request, n, policy);
        if (policy == base || cell.scores.empty())
            continue;
        const ProbeMeans means = meansOf(cell, &reference);
        all.others.push_back({labels[policy], valueOf(means),
                              probability ? -means.lossChange.mean : means.rightChange.mean,
                              probability ? means.lossP : means.rightP, !reference.sharesText});
    }
    adjustByHolm(all.others);
    std::ranges::stable_sort(all.others, std::greater{}, &ComparedPolicy::right);
    return all;
}

/// Of this many answers chance takes any.
double evenOdds(const ProbeRequest& request, std::int64_t vocabulary)
{
    return request.task == ProbeTask::Repeat ? static_cast<double>(vocabulary)
           : request.keys > 1                ? static_cast<double>(request.keys)
                                             : static_cast<double>(needleValues().size());
}

/// Right no more often than chance; of a model whose vocabulary is not known nobody can say.
bool isChance(double right, const ProbeRequest& request, std::int64_t vocabulary)
{
    return vocabulary > 0 && right <= 1 / evenOdds(request, vocabulary);
}

/// Not even the best of them is right more often than chance.
bool isChance(const ComparedPolicies& compared, const ProbeRequest& request, std::int64_t vocabulary)
{
    return isChance(compared.others.empty() ? compared.right : std::max(compared.right, compared.others.front().right),
                    request, vocabulary);
}

std::string percentOf(double answers) { return formatNumber(100 / answers, 3) + " %"; }

/// Behind a result that stands alone: ", no more than chance (6.25 %)", or nothing.
std::string noMoreThanChance(double right, const ProbeRequest& request, std::int64_t vocabulary)
{
    return isChance(right, request, vocabulary)
               ? ", no more than chance (" + percentOf(evenOdds(request, vocabulary)) + ")"
               : std::string();
}

}  // namespace

std::string probeInWords(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability, std::int64_t vocabulary)
{
    const auto compared = comparedAt(request, cells, labels, n, probability);
    if (!compared)
        return {};
    const ProbeWords words(request, probability);
    std::vector<std::string> parts;
    for (const ComparedPolicy& other : compared->named())
        parts.push_back(words.another(other));
    if (!compared->rest().empty())
        parts.push_back(words.rest(compared->rest()));
    std::string said = "At n = " + lengthInWords(static_cast<double>(n)) +
                       (isChance(*compared, request, vocabulary) ? " nothing is better than chance: "
                        : compared->noneDiffers()                ? " no difference counts: "
                                                                 : " ") +
                       words.first(compared->right) +
                       (compared->baseLabel.empty() ? " as the model is" : " with " + compared->baseLabel);
    for (std::size_t i = 0; i < parts.size(); ++i)
        said += (i > 0 && i + 1 == parts.size() ? "; and " : "; ") + parts[i];
    if (compared->sharesText)
        said += "; " + std::string(sharesTextNote);
    return said + (compared->tests() > 1 ? "; each p " + holmInWords(compared->tests()) : "") +
           (vocabulary > 0 ? "; chance: " + chanceOfProbe(request, vocabulary) : "");
}

ShortAnswer probeInShort(const ProbeRequest& request, std::span<const ProbeCell> cells,
                         std::span<const std::string> labels, std::int64_t n, bool probability, std::int64_t vocabulary)
{
    const auto compared = comparedAt(request, cells, labels, n, probability);
    if (!compared)
        return {};
    const ProbeWords words(request, probability);
    const std::string at = " at n = " + lengthInWords(static_cast<double>(n)),
                      first = compared->baseLabel.empty() ? "the model as it is" : compared->baseLabel;
    const auto best = std::ranges::find_if(
        compared->others, [](const ComparedPolicy& other) { return other.change > 0 && other.differs(); });
    ShortAnswer answer;
    if (best != compared->others.end()) {
        answer.use = best->label + " " + words.does(best->right) + at +
                     noMoreThanChance(best->right, request, vocabulary) + "; " + first + " " +
                     words.doesToo(compared->right) + noMoreThanChance(compared->right, request, vocabulary);
    } else {
        answer.use = (compared->baseLabel.empty() ? "The model as it is" : first) + " " + words.does(compared->right) +
                     at + noMoreThanChance(compared->right, request, vocabulary) +
                     (compared->others.empty()  ? ""
                      : compared->noneDiffers() ? "; no difference from that counts"
                                                : "; nothing that was run does better by more than chance");
    }
    if (isChance(*compared, request, vocabulary))
        answer.use = "Nothing is better than chance" + at + ": " + first + " " + words.does(compared->right) +
                     ", chance alone gives " + percentOf(evenOdds(request, vocabulary));
    const auto add = [&](const std::string& about, const std::string& said) { answer.facts.push_back({about, said}); };
    add(compared->baseLabel.empty() ? "The model as it is" : first, words.inShort(compared->right));
    for (const ComparedPolicy& other : compared->named())
        add(other.label, words.inShort(other.right) + ProbeWords::tested(other));
    if (!compared->rest().empty())
        add(ProbeWords::number(compared->rest()), words.range(compared->rest()));
    if (compared->sharesText)
        add("Samples", std::string(sharesTextNote));
    if (compared->tests() > 1)
        add("Each p", holmInWords(compared->tests()));
    if (vocabulary > 0)
        add("Chance", chanceOfProbe(request, vocabulary));
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
