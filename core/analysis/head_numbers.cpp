#include "core/analysis/head_numbers.h"

#include "core/analysis/length_statistics.h"
#include "core/attention/engines.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// n/16, n/8, ..., n: those of at least 8 tokens.
std::vector<std::int64_t> lengthsUpTo(std::int64_t n)
{
    std::vector<std::int64_t> lengths;
    for (std::int64_t length = n; length >= std::max<std::int64_t>(8, n / 16) || length == n; length /= 2) {
        lengths.insert(lengths.begin(), length);
        if (length < 16)
            break;
    }
    return lengths;
}

double meanEntropy(const std::vector<RowSummary>& rows)
{
    return meanOverRows(rows, [](const RowSummary& row) { return row.visible > 0 ? std::optional<double>(row.entropy) : std::nullopt; }).mean;
}

Result<HeadNumbers> numbersOf(const HeadSet& heads, int head, const HeadNumbersRequest& request, std::stop_token stop)
{
    const auto statistics = TRY(lengthStatistics(heads, head, {.attention = request.attention, .methods = {request.method}, .lengths = lengthsUpTo(request.n),
                                                              .nTrain = request.nTrain, .temperature = request.temperature, .engine = request.engine}, stop));
    HeadNumbers numbers;
    const LengthStatistics& whole = statistics.back();
    numbers.absent = whole.absent;
    if (!whole.absent.empty())
        return numbers;
    numbers.entropy = meanEntropy(whole.rows);
    const double uniform = meanOverRows(whole.rows, [](const RowSummary& row) { return row.visible > 0 ? std::optional(std::log(double(row.visible))) : std::nullopt; }).mean;
    numbers.share = uniform > 0 ? numbers.entropy / uniform : 0;
    std::vector<double> x, y;
    for (const LengthStatistics& at : statistics)
        if (at.absent.empty()) {
            x.push_back(std::log(double(at.n)));
            y.push_back(meanEntropy(at.rows));
        }
    if (x.size() >= 2)
        numbers.slope = slopeOf(x, y);
    const auto prepared = TRY(prepareHead(heads, head, request.attention));
    const Engine* engine = TRY(chooseEngine(request.engine));
    numbers.ran = whatRuns(request.engine, prepared, request.attention.normaliser).note;
    if (double(request.n) < request.nTrain)
        return numbers;
    numbers.keepsEntropy = TRY(ifDefined(
        measuredMultiplier(prepared, request.attention.normaliser, request.nTrain, request.temperature, *engine, stop, keepsEntropyRows)(double(request.n))));
    return numbers;
}

}  // namespace

std::span<const HeadMeasure> headMeasures()
{
    static constexpr HeadMeasure all[] = {
        {"entropy", "entropy", "Mean entropy", "Mean entropy (nats)", "Mean entropy of the rows that count", "%1 nats",
         [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.entropy) : std::nullopt; }},
        {"share", "share", "Entropy over ln n", "Mean entropy over mean $\\ln$ of the keys seen", "1: uniform over all keys that a row sees; 0: one key alone", "%1 of ln n",
         [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.share) : std::nullopt; }},
        {.id = "keeps", .column = "keeps_entropy", .label = "Multiplier for H(N)", .title = "Multiplier $m$ that keeps the entropy of $N$",
         .about = "Measured: the m for which the mean row entropy of n tokens is that of the first N", .unit = "m = %1", .value = [](const HeadNumbers& head) { return head.keepsEntropy; }, .solved = true},
        {.id = "slope", .column = "slope", .label = "Slope of H over ln n", .title = "Slope of the mean entropy over $\\ln n$",
         .about = "A straight line through the mean entropies at several lengths: 1 for uniform rows, 0 for rows that do not disperse", .unit = "%1 nats per e-fold of n",
         .value = [](const HeadNumbers& head) { return head.slope; }, .lengths = 2},
    };
    return all;
}

const HeadMeasure& headMeasure(std::string_view id)
{
    const auto all = headMeasures();
    const auto found = std::ranges::find_if(all, [&](const HeadMeasure& one) { return id == one.id; });
    return found == all.end() ? all.front() : *found;
}

Result<std::vector<HeadNumbers>> headNumbers(const HeadSet& heads, const HeadNumbersRequest& request, std::stop_token stop)
{
    std::vector<HeadNumbers> all;
    for (int head = 0; head < heads.headCount(); ++head)
        all.push_back(TRY(numbersOf(heads, head, request, stop)));
    return all;
}

}  // namespace attnscope
