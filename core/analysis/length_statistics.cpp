#include "core/analysis/length_statistics.h"

#include "core/attention/engines.h"
#include "core/attention/masks.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Result<void> checkLength(std::int64_t keys, std::int64_t n)
{
    if (n >= 1 && n <= keys)
        return {};
    const std::string most = std::to_string(keys);
    return failure(ErrorKind::InvalidArgument, "n = {} does not fit: the tensors have {} tokens; give 1 to {}", n, most,
                   most);
}

Result<void> check(const LengthRequest& request, std::int64_t keys)
{
    if (!(request.temperature > 0) || !std::isfinite(request.temperature))
        return failure(ErrorKind::InvalidArgument,
                       "the temperature must be above 0, not " + formatNumber(request.temperature));
    for (const std::int64_t n : request.lengths)
        TRY(checkLength(keys, n));
    return {};
}

/// The rows of `methods`, which are all at one length, against those of the first of them.
bool addDistances(const AttentionHead& head, const Choice& normaliser, std::span<LengthStatistics* const> methods,
                  const std::stop_token& stop)
{
    const LengthStatistics& first = *methods.front();
    for (LengthStatistics* method : methods)
        method->fromFirst.resize(first.rows.empty() ? 0 : method->rows.size());
    forEachInParallel(std::ssize(first.rows), 1, [&](std::int64_t row) {
        if (stop.stop_requested())
            return;
        const size_t r = static_cast<size_t>(row);
        std::vector<double> scales;
        for (const LengthStatistics* method : methods)
            scales.push_back(method->rows.empty() ? noScale : method->scale[r]);
        const std::vector<RowDetail> details =
            rowDetails(head, normaliser, row, first.n, scales).value_or(std::vector<RowDetail>(methods.size()));
        for (size_t m = 0; m < methods.size(); ++m)
            if (!methods[m]->rows.empty())
                methods[m]->fromFirst[r] = rowDistance(details[m], details.front());
    });
    return !stop.stop_requested();
}

Result<void> addMatrix(const AttentionHead& head, const Choice& normaliser, LengthStatistics& one,
                       const std::stop_token& stop)
{
    const AttentionHead truncated = firstTokens(head, one.n, std::ssize(one.rows));
    return meanRow(truncated, normaliser, one.scale, one.rows, stop).map([&](const std::vector<double>& mean) {
        one.matrix = matrixStatistics(mean, one.rows);
    });
}

/// What looks at every weight again.
Result<void> addComparisons(const AttentionHead& head, const LengthRequest& request, std::vector<LengthStatistics>& all,
                            const std::stop_token& stop)
{
    const Choice& normaliser = request.attention.normaliser;
    for (size_t l = 0; request.distances && l < request.lengths.size(); ++l) {
        std::vector<LengthStatistics*> methods;
        for (size_t at = l; at < all.size(); at += request.lengths.size())
            methods.push_back(&all[at]);
        if (!addDistances(head, normaliser, methods, stop))
            return stopped();
    }
    for (LengthStatistics& one : all)
        if (request.matrices && !one.rows.empty())
            TRY(addMatrix(head, normaliser, one, stop));
    return {};
}

}  // namespace

Result<std::vector<LengthStatistics>> lengthStatistics(const HeadSet& heads, int head, const LengthRequest& request,
                                                       std::stop_token stop)
{
    TRY(check(request, heads.keyCount()));  // before the work of preparing
    const AttentionHead prepared = TRY(prepareHead(heads, head, request.attention));
    return lengthStatistics(prepared, sizeOfHeads(heads), request, std::move(stop));
}

int sizeOfHeads(const HeadSet& heads) { return heads.headSize() > 0 ? heads.headSize() : ScaleContext{}.d; }

Result<std::vector<LengthStatistics>> lengthStatistics(const AttentionHead& prepared, int d,
                                                       const LengthRequest& request, std::stop_token stop)
{
    TRY(check(request, prepared.keyCount));
    const Engine* engine = TRY(chooseEngine(request.engine));
    const Choice& normaliser = request.attention.normaliser;
    const auto onAllRows = measuredMultiplier(prepared, normaliser, request.nTrain, request.temperature, *engine, stop);
    const ScaleSetting setting{request.nTrain, request.temperature, d, request.measured ? request.measured : onAllRows};
    std::vector<LengthStatistics> all;
    SummaryRequest passes{.normaliser = normaliser, .passes = {}, .extras = request.extras, .parallel = true};
    for (size_t method = 0; method < request.methods.size(); ++method)
        for (const std::int64_t n : request.lengths) {
            LengthStatistics& one = all.emplace_back(LengthStatistics{.method = method, .n = n});
            const std::int64_t rowEnd = queriesWithin(prepared, n);
            if (rowEnd == 0) {
                one.absent = fmt::format("none of the queries belongs to the first {} tokens", n);
                continue;
            }
            RowScales scales = TRY(rowScales(prepared, request.methods[method], setting, n, 0, rowEnd));
            one.absent = std::move(scales.absent);
            one.partly = std::move(scales.partly);
            one.scale = scales.scale;
            if (one.absent.empty())
                passes.passes.push_back(
                    {.prefix = n, .firstRow = 0, .lastRow = rowEnd, .scale = std::move(scales.scale)});
        }

    auto summaries = TRY(engine->summarise(prepared, passes, stop));
    auto next = summaries.begin();
    for (LengthStatistics& one : all)
        if (one.absent.empty())
            one.rows = std::move(*next++);
    return addComparisons(prepared, request, all, stop).map([&] { return std::move(all); });
}

Result<void> checkLength(const HeadSet& heads, std::int64_t n) { return checkLength(heads.keyCount(), n); }

}  // namespace attnscope
