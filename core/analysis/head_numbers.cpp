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

Result<std::vector<HeadNumbers>> headNumbers(const HeadSet& heads, const HeadNumbersRequest& request, std::stop_token stop)
{
    std::vector<HeadNumbers> all;
    for (int head = 0; head < heads.headCount(); ++head)
        all.push_back(TRY(numbersOf(heads, head, request, stop)));
    return all;
}

}  // namespace attnscope
