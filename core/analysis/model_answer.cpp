#include "core/analysis/model_answer.h"

#include "core/analysis/model_heads.h"
#include "core/base/each.h"
#include "core/base/measured_text.h"
#include "core/model/evaluation.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr std::int64_t fewest = 3;  ///< windows without which a difference decides nothing

/// Its 95 % interval, Student's over the windows, has no 0 in it.
bool isSure(const SampleMean& difference)
{
    const auto half = difference.count >= fewest ? halfInterval(difference) : std::nullopt;
    return half && std::abs(difference.mean) > *half;
}

std::string windowsInWords(std::int64_t fewestOf, std::int64_t mostOf)
{
    return mostOf == 1          ? "one window"
           : fewestOf == mostOf ? fmt::format("{} windows", mostOf)
                                : fmt::format("{} to {} windows", fewestOf, mostOf);
}

std::string countedInWords(std::int64_t least, std::int64_t most, bool whole)
{
    const std::string tokens = lengthInWords(double(most));
    return whole           ? std::string()
           : least == most ? fmt::format("last {} tokens of ", tokens)
                           : fmt::format("at most the last {} tokens of ", tokens);
}

std::string scoredIn(const StudyCell& cell, std::int64_t windows)
{
    const std::int64_t counted = cell.windows.front()->counted;
    return countedInWords(counted, counted, counted == cell.n) + windowsInWords(windows, windows);
}

/// Of which runs a difference is: "(last 128 tokens of 4 windows)", with how it was judged after a semicolon.
std::string basisInWords(const StudyCell& cell, const SampleMean& difference, const std::string& judged = {})
{
    const std::string after = judged.empty() ? ")" : "; " + judged + ")";
    return " (" + scoredIn(cell, difference.count) +
           (difference.count == 1       ? ", which decides nothing)"
            : difference.count < fewest ? ", which decide nothing)"
                                        : after);
}

std::string underWay(const StudyResult& study)
{
    return fmt::format("Nothing is said before all runs are done: {} of {} so far", study.done, study.runs);
}

const StudyCell* cellOf(const StudyResult& study, std::int64_t n, std::size_t policy)
{
    const auto found = std::ranges::find_if(study.cells, [&](const StudyCell& cell) {
        return cell.n == n && cell.policy == policy && !cell.windows.empty();
    });
    return found == study.cells.end() ? nullptr : &*found;
}

/// Its size to a thousandth of a nat, as the table has it.
std::string inNats(const SampleMean& difference)
{
    const auto thousandths = [](double value) {
        char text[40];
        std::snprintf(text, sizeof text, "%.3f", std::abs(value));
        return std::string(text);
    };
    return thousandths(difference.mean) +
           (difference.standardError ? " ± " + thousandths(*difference.standardError) : "") + " nats";
}

/// "0.150 ± 0.029 nats less loss".
std::string lossInWords(const SampleMean& difference)
{
    return inNats(difference) + (difference.mean < 0 ? " less loss" : " more loss");
}

/// A policy beside the model as it is.
struct Compared {
    std::size_t policy;
    SampleMean difference;  ///< of its loss less the model's, over windows
    bool beats = false;     ///< by the paired t-test over them, by Holm corrected for all that were compared
};

/// All that were run at n, the least loss first: the best of k is judged as one of k.
std::vector<Compared> comparedWith(const StudyResult& study, std::size_t policies, std::size_t base, std::int64_t n)
{
    const StudyCell& own = *cellOf(study, n, base);
    std::vector<Compared> all;
    std::vector<double> p;
    for (std::size_t policy = 0; policy < policies; ++policy)
        if (const StudyCell* cell = cellOf(study, n, policy); cell && policy != base)
            if (const auto difference = pairedDifference(*cell, own); difference && std::isfinite(difference->mean)) {
                all.push_back({policy, *difference});
                p.push_back(pairedTTest(each(cell->windows, &StudyWindow::loss), each(own.windows, &StudyWindow::loss))
                                .value_or(1));
            }
    const std::vector<double> corrected = holm(p);
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i].beats = all[i].difference.mean < 0 && all[i].difference.count >= fewest && corrected[i] < 0.05;
    std::ranges::stable_sort(all, {}, [](const Compared& one) { return one.difference.mean; });
    return all;
}

std::string lossesInWords(const StudyResult& study, std::span<const std::string> labels, std::size_t base,
                          std::int64_t n)
{
    const StudyCell& own = *cellOf(study, n, base);
    if (!std::isfinite(own.quality()->loss))
        return "the model says no tokens, so it has no loss";
    const std::vector<Compared> others = comparedWith(study, labels.size(), base, n);
    if (others.empty())
        return "the model as it is has a loss of " + formatNumber(own.quality()->loss, 4) + " nats a token (" +
               scoredInWords(own) + ")";
    const std::string judged = others.size() > 1 ? holmInWords(others.size()) : "";
    const auto best = std::ranges::find_if(others, &Compared::beats);
    if (best != others.end())
        return labels[best->policy] + " beats the model as it is by " + inNats(best->difference) +
               basisInWords(own, best->difference, judged);
    const std::size_t policy = others.front().policy;
    const SampleMean& difference = others.front().difference;
    if (difference.count < fewest)
        return labels[policy] + " has " + lossInWords(difference) + " than the model as it is" +
               basisInWords(own, difference);
    const bool less = difference.mean < 0;
    return "nothing that was run beats the model as it is" +
           std::string(!less            ? ""
                       : judged.empty() ? " beyond its 95 % interval"
                                        : " beyond chance") +
           ": nearest is " + labels[policy] + ", with " + lossInWords(difference) +
           basisInWords(own, difference, less ? judged : "");
}

/// Before what is compared, where not even the best predicts anything; empty: it does.
std::string chanceInWords(const StudyResult& study, std::optional<std::size_t> base, std::int64_t n, int vocabulary)
{
    const StudyCell* cell = base ? cellOf(study, n, *base) : nullptr;
    if (!cell)
        return {};
    const double own = cell->quality()->loss;
    double least = own;
    for (const StudyCell& other : study.cells)
        if (other.n == n && !other.windows.empty())
            least = std::min(least, other.quality()->loss);
    return predictsWorseThanChance(least, vocabulary)
               ? "the model predicts this text " + worseThanChance(own, least, vocabulary) + "; "
               : "";
}

/// The two whose entropy grows fastest with ln n; empty where that needs another length.
std::string dispersionInWords(const Architecture& architecture, const StudyResult& study, std::int64_t n,
                              std::size_t policy)
{
    struct Head {
        std::size_t layer, head;
        double slope;
    };
    std::vector<Head> heads;
    const auto numbers = headNumbers(architecture, study, n, policy);
    for (std::size_t layer = 0; layer < numbers.size(); ++layer)
        for (std::size_t head = 0; head < numbers[layer].size(); ++head)
            if (const auto slope = numbers[layer][head].slope; slope && std::isfinite(*slope))
                heads.push_back({layer, head, *slope});
    if (heads.size() < 2)
        return {};
    std::ranges::stable_sort(heads, std::greater{}, &Head::slope);
    const Head &first = heads[0], &second = heads[1];
    const std::string both = first.layer == second.layer
                                 ? fmt::format("layer {}, heads {} and {}", first.layer, first.head, second.head)
                                 : fmt::format("layer {}, head {} and layer {}, head {}", first.layer, first.head,
                                               second.layer, second.head);
    return both + " disperse most (slope " + formatNumber(first.slope, 3) + ", " + formatNumber(second.slope, 3) + ")";
}

std::string differenceInWords(const SampleMean& difference, const std::string& a, const std::string& b,
                              const std::string& basis)
{
    if (!std::isfinite(difference.mean))
        return "neither A, " + a + ", nor B, " + b + ", has a loss";
    if (difference.count < fewest || isSure(difference))
        return "B, " + b + ", has " + lossInWords(difference) + " than A, " + a + basis;
    return "B, " + b + ", does not differ from A, " + a + ", beyond its 95 % interval: it has " +
           lossInWords(difference) + basis;
}

/// The head whose mean entropy differs most.
std::string changeInWords(const Architecture& architecture, const StudyResult& study, std::int64_t n, std::size_t a,
                          std::size_t b)
{
    const auto before = headNumbers(architecture, study, n, a), after = headNumbers(architecture, study, n, b);
    double most = 0;
    std::string words;
    for (std::size_t layer = 0; layer < before.size(); ++layer)
        for (std::size_t head = 0; head < before[layer].size(); ++head) {
            const HeadNumbers &one = before[layer][head], &other = after[layer][head];
            if (!one.absent.empty() || !other.absent.empty() || !(std::abs(other.entropy - one.entropy) > most))
                continue;
            most = std::abs(other.entropy - one.entropy);
            words = fmt::format("the mean entropy of layer {}, head {} changes most, {} to {} nats", layer, head,
                                formatNumber(one.entropy, 3), formatNumber(other.entropy, 3));
        }
    return words;
}

}  // namespace

std::optional<std::size_t> asItIs(std::span<const Policy> policies)
{
    const auto found = std::ranges::find_if(policies, [](Policy policy) {
        policy.trainLength = 0;  // which a method that changes nothing does not ask for
        return policy == Policy{};
    });
    return found == policies.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - policies.begin()));
}

std::string scoredInWords(const StudyCell& cell)
{
    return cell.windows.empty() ? std::string() : scoredIn(cell, std::ssize(cell.windows));
}

std::string scoredInWords(std::span<const StudyCell> cells)
{
    std::ptrdiff_t fewestWindows = 0, mostWindows = 0;
    std::int64_t leastCounted = 0, mostCounted = 0;
    bool whole = true;
    for (const StudyCell& cell : cells)
        if (const std::ptrdiff_t windows = std::ssize(cell.windows); windows > 0) {
            const std::int64_t counted = cell.windows.front()->counted;
            fewestWindows = fewestWindows == 0 ? windows : std::min(fewestWindows, windows);
            mostWindows = std::max(mostWindows, windows);
            leastCounted = leastCounted == 0 ? counted : std::min(leastCounted, counted);
            mostCounted = std::max(mostCounted, counted);
            whole = whole && counted == cell.n;
        }
    if (mostWindows == 0)
        return {};
    return countedInWords(leastCounted, mostCounted, whole) + windowsInWords(fewestWindows, mostWindows);
}

std::string studyInWords(const Architecture& architecture, const StudyRequest& request, const StudyResult& study,
                         std::span<const std::string> labels, std::int64_t n)
{
    const auto base = asItIs(request.policies);
    if (!base || !cellOf(study, n, *base))
        return {};
    if (!study.complete())
        return underWay(study);
    // as captured all policies are put on one run: there is one loss
    const std::string losses =
        chanceInWords(study, base, n, architecture.vocabulary) +
        lossesInWords(study, request.captured ? std::span<const std::string>{} : labels, *base, n);
    const std::string heads = dispersionInWords(architecture, study, n, *base);
    return "At n = " + lengthInWords(static_cast<double>(n)) + " " + losses + (heads.empty() ? "" : "; " + heads);
}

std::string besideInWords(const Architecture& architecture, const StudyRequest& request, const StudyResult& study,
                          std::span<const std::string> labels, std::int64_t n, std::size_t a, std::size_t b)
{
    const StudyCell *first = cellOf(study, n, a), *other = cellOf(study, n, b);
    const auto difference = first && other ? pairedDifference(*other, *first) : std::nullopt;
    if (!difference)
        return {};
    if (!study.complete())
        return underWay(study);
    const std::string chance = chanceInWords(study, asItIs(request.policies), n, architecture.vocabulary);
    const std::string losses =
        request.captured ? "A, " + labels[a] + ", and B, " + labels[b] + ", are put on the same run"
                         : differenceInWords(*difference, labels[a], labels[b], basisInWords(*first, *difference));
    const std::string heads = changeInWords(architecture, study, n, a, b);
    return "At n = " + lengthInWords(static_cast<double>(n)) + " " + chance + losses +
           (heads.empty() ? "" : "; " + heads);
}

}  // namespace attnscope
