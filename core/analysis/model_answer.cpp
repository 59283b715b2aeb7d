#include "core/analysis/model_answer.h"

#include "core/analysis/answer.h"
#include "core/analysis/model_heads.h"
#include "core/model/evaluation.h"
#include "core/statistics/intervals.h"

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

/// Of which runs a difference is: "(last 128 tokens of 4 windows)".
std::string basisInWords(const StudyCell& cell, const SampleMean& difference)
{
    const std::int64_t counted = cell.windows.front()->counted;
    return " (" + std::string(counted < cell.n ? fmt::format("last {} tokens of ", counted) : "") +
           (difference.count == 1       ? "one window, which decides nothing)"
            : difference.count < fewest ? fmt::format("{} windows, which decide nothing)", difference.count)
                                        : fmt::format("{} windows)", difference.count));
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

std::string lossesInWords(const StudyResult& study, std::span<const std::string> labels, std::size_t base,
                          std::int64_t n)
{
    const StudyCell& own = *cellOf(study, n, base);
    if (!std::isfinite(own.quality()->loss))
        return "the model says no tokens, so it has no loss";
    std::optional<SampleMean> best;
    std::size_t which = 0;
    for (std::size_t policy = 0; policy < labels.size(); ++policy)
        if (const StudyCell* cell = cellOf(study, n, policy); cell && policy != base)
            if (const auto difference = pairedDifference(*cell, own);
                difference && (!best || difference->mean < best->mean)) {
                best = difference;
                which = policy;
            }
    if (!best)
        return "the model as it is has a loss of " + formatNumber(own.quality()->loss, 4) + " nats a token";
    const std::string basis = basisInWords(own, *best);
    if (best->count < fewest)
        return labels[which] + " has " + inNats(*best) + (best->mean < 0 ? " less" : " more") +
               " loss than the model as it is" + basis;
    if (best->mean < 0 && isSure(*best))
        return labels[which] + " beats the model as it is by " + inNats(*best) + basis;
    return "nothing that was run beats the model as it is" +
           std::string(best->mean < 0 ? " beyond its 95 % interval" : "") + ": nearest is " + labels[which] +
           (best->mean < 0 ? ", −" : ", +") + inNats(*best) + basis;
}

/// Where not even the best predicts anything; empty: it does.
std::string chanceInWords(const StudyResult& study, std::size_t base, std::int64_t n, int vocabulary)
{
    const double own = cellOf(study, n, base)->quality()->loss;
    double least = own;
    for (const StudyCell& cell : study.cells)
        if (cell.n == n && !cell.windows.empty())
            least = std::min(least, cell.quality()->loss);
    return predictsWorseThanChance(least, vocabulary) ? ", but all of it is " + worseThanChance(own, least, vocabulary)
                                                      : "";
}

/// The two whose entropy grows fastest with ln n; empty where that needs another length.
std::string dispersionInWords(const Architecture& architecture, const StudyResult& study, std::int64_t n,
                              std::size_t policy)
{
    struct Head {
        std::size_t layer, head;
        double slope;
        std::string name() const { return std::to_string(layer) + "." + std::to_string(head); }
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
    return "heads " + heads[0].name() + " and " + heads[1].name() + " disperse most (slope " +
           formatNumber(heads[0].slope, 3) + ", " + formatNumber(heads[1].slope, 3) + ")";
}

std::string differenceInWords(const SampleMean& difference, const std::string& a, const std::string& b,
                              const std::string& basis)
{
    if (!std::isfinite(difference.mean))
        return "neither A, " + a + ", nor B, " + b + ", has a loss";
    const std::string size = inNats(difference) + (difference.mean < 0 ? " less" : " more") + " loss than A, " + a;
    if (difference.count < fewest || isSure(difference))
        return "B, " + b + ", has " + size + basis;
    return "B, " + b + ", does not differ from A, " + a + ", beyond its 95 % interval: it has " +
           (difference.mean < 0 ? "−" : "+") + inNats(difference) + basis;
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
            words = fmt::format("the mean entropy of head {}.{} changes most, {} to {} nats", layer, head,
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
        lossesInWords(study, request.captured ? std::span<const std::string>{} : labels, *base, n) +
        chanceInWords(study, *base, n, architecture.vocabulary);
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
    const std::string losses =
        request.captured ? "A, " + labels[a] + ", and B, " + labels[b] + ", are put on the same run"
                         : differenceInWords(*difference, labels[a], labels[b], basisInWords(*first, *difference));
    const std::string heads = changeInWords(architecture, study, n, a, b);
    return "At n = " + lengthInWords(static_cast<double>(n)) + " " + losses + (heads.empty() ? "" : "; " + heads);
}

}  // namespace attnscope
