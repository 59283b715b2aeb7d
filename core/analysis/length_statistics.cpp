#include "core/analysis/length_statistics.h"

#include "core/attention/masks.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Result<void> check(const HeadSet& heads, int head, const LengthRequest& request)
{
    if (head < 0 || head >= heads.headCount())
        return failure(ErrorKind::InvalidArgument, "there is no head " + std::to_string(head) + "; the heads are 0 to " + std::to_string(heads.headCount() - 1));
    if (!(request.temperature > 0) || !std::isfinite(request.temperature))
        return failure(ErrorKind::InvalidArgument, "the temperature must be above 0, not " + formatNumber(request.temperature));
    for (const std::int64_t n : request.lengths)
        if (n < 1 || n > heads.keyCount())
            return failure(ErrorKind::InvalidArgument,
                           "n = " + std::to_string(n) + " does not fit: the tensors have " + std::to_string(heads.keyCount()) + " tokens; give 1 to " +
                               std::to_string(heads.keyCount()));
    return {};
}

bool looksAtPositions(const Choice& mask)
{
    return mask.id != "full" && mask.id != "padding";
}

}  // namespace

std::int64_t queriesWithin(const AttentionHead& head, std::int64_t n)
{
    if (!head.positions.empty())
        return std::lower_bound(head.positions.begin(), head.positions.end(), n) - head.positions.begin();
    if (head.queryCount() != head.keyCount && !looksAtPositions(head.mask))
        return head.queryCount();
    return std::clamp<std::int64_t>(n - head.position(0), 0, head.queryCount());
}

Result<std::vector<float>> rowScales(const AttentionHead& head, const Choice& method, const ScaleSetting& setting, std::int64_t n, std::int64_t rowEnd)
{
    const auto multiplier = bindScale(method);
    if (!multiplier)
        return tl::unexpected<Error>(multiplier.error());
    const Result<Counts> counts = countsOf(method);
    if (!counts)
        return tl::unexpected<Error>(counts.error());

    ScaleContext context{.keys = static_cast<double>(unmaskedKeys(head.mask, n)), .nTrain = setting.nTrain, .d = setting.d, .measured = setting.measured};
    const bool shared = *counts != Counts::Row;  // one value for all rows, which may be dear: a root to find
    std::vector<float> scales(static_cast<size_t>(rowEnd));
    for (std::int64_t row = 0; row < rowEnd; ++row) {
        if (shared && row > 0) {
            scales[static_cast<size_t>(row)] = scales.front();
            continue;
        }
        context.rowKeys = static_cast<double>(head.visible(row, n).count());
        context.position = static_cast<double>(head.position(row));
        if (!shared && context.rowKeys == 0)
            continue;  // a row that sees no key has no scale, and needs none
        const Result<double> m = (*multiplier)(context);
        if (!m)
            return tl::unexpected<Error>(m.error());
        scales[static_cast<size_t>(row)] = static_cast<float>(*m / setting.temperature);
    }
    return scales;
}

Result<std::vector<LengthStatistics>> lengthStatistics(const HeadSet& heads, int head, const LengthRequest& request, std::stop_token stop)
{
    if (const Result<void> fine = check(heads, head, request); !fine)
        return tl::unexpected<Error>(fine.error());
    const Result<const Engine*> engine = chooseEngine(request.engine);
    if (!engine)
        return tl::unexpected<Error>(engine.error());
    const Result<AttentionHead> prepared = prepareHead(heads, head, request.attention);
    if (!prepared)
        return tl::unexpected<Error>(prepared.error());

    const Choice& normaliser = request.attention.normaliser;
    const ScaleSetting setting{request.nTrain, request.temperature, heads.headSize() > 0 ? heads.headSize() : 64,
                               measuredMultiplier(*prepared, normaliser, request.nTrain, request.temperature, **engine, stop)};
    std::vector<LengthStatistics> all;
    SummaryRequest passes{.normaliser = normaliser, .passes = {}, .order = request.order, .parallel = true};
    for (size_t method = 0; method < request.methods.size(); ++method)
        for (const std::int64_t n : request.lengths) {
            LengthStatistics& one = all.emplace_back(LengthStatistics{.method = method, .n = n, .absent = {}, .scale = {}, .rows = {}});
            const std::int64_t rowEnd = queriesWithin(*prepared, n);
            if (rowEnd == 0) {
                one.absent = "none of the queries belongs to the first " + std::to_string(n) + " tokens";
                continue;
            }
            Result<std::vector<float>> scale = rowScales(*prepared, request.methods[method], setting, n, rowEnd);
            if (scale) {
                one.scale = *scale;
                passes.passes.push_back({.prefix = n, .firstRow = 0, .lastRow = rowEnd, .scale = std::move(*scale)});
            } else if (scale.error().kind == ErrorKind::Undefined) {
                one.absent = scale.error().message;
            } else {
                return tl::unexpected<Error>(scale.error());
            }
        }

    auto summaries = (*engine)->summarise(*prepared, passes, stop);
    if (!summaries)
        return tl::unexpected<Error>(summaries.error());
    auto next = summaries->begin();
    for (LengthStatistics& one : all)
        if (one.absent.empty())
            one.rows = std::move(*next++);
    return all;
}

MeanOverRows meanOverRows(const std::vector<RowSummary>& rows, const std::function<std::optional<double>(const RowSummary&)>& value)
{
    // Welford's recurrence: stable when the spread is small beside the mean
    MeanOverRows out;
    double squares = 0;
    for (const RowSummary& row : rows) {
        const std::optional<double> x = value(row);
        if (!x)
            continue;
        ++out.count;
        const double step = *x - out.mean;
        out.mean += step / static_cast<double>(out.count);
        squares += step * (*x - out.mean);
    }
    if (out.count > 1)
        out.standardError = std::sqrt(squares / static_cast<double>(out.count - 1) / static_cast<double>(out.count));
    return out;
}

}  // namespace attnscope
