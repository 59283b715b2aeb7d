#include "core/attention/row_detail.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/row_logits.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

Result<std::vector<RowDetail>> rowDetails(const AttentionHead& head, const Choice& asked, std::int64_t row,
                                          std::int64_t prefix, std::span<const double> scales)
{
    if (row < 0 || row >= head.queryCount() || prefix < 0 || prefix > head.keyCount)
        return failure(ErrorKind::InvalidArgument, "row {} over {} keys, but the head has {} queries and {} keys", row,
                       prefix, head.queryCount(), head.keyCount);
    const Choice normaliser = normaliserOf(head, asked);
    const auto found = TRY(findNormaliser(normaliser));
    const Parameters parameters(*found, normaliser);
    RowLogits products;
    readRowProducts(head, row, prefix, products);

    std::vector<RowDetail> details(scales.size());
    forEachInParallel(std::ssize(scales), 1, [&](std::int64_t s) {
        const double scale = scales[static_cast<size_t>(s)];
        if (std::isnan(scale) || products.logits.empty())
            return;
        std::vector<double> logits = products.logits;
        for (std::int64_t index = 0; index < std::ssize(logits); ++index)
            logits[static_cast<size_t>(index)] =
                biasedLogit(head, row, products.key(index), scale * logits[static_cast<size_t>(index)]);
        const NormaliserState state = found->solve(logits, parameters);
        RowDetail& detail = details[static_cast<size_t>(s)];
        detail.keys.reserve(logits.size());
        detail.logits.reserve(logits.size());
        detail.weights.reserve(logits.size());
        for (std::int64_t index = 0; index < std::ssize(logits); ++index) {
            const double x = logits[static_cast<size_t>(index)];
            if (x == -std::numeric_limits<double>::infinity())
                continue;
            detail.keys.push_back(products.key(index));
            detail.logits.push_back(x);
            detail.weights.push_back(found->weight(x, state, parameters));
        }
    });
    return details;
}

Result<RowDetail> rowDetail(const AttentionHead& head, const Choice& normaliser, std::int64_t row, std::int64_t prefix,
                            double scale)
{
    return rowDetails(head, normaliser, row, prefix, std::span(&scale, 1)).map([](std::vector<RowDetail> details) {
        return std::move(details.front());
    });
}

Result<std::vector<double>> meanRow(const AttentionHead& head, const Choice& asked, std::span<const double> scale,
                                    std::span<const RowSummary> rows, std::stop_token stop)
{
    const size_t queries = static_cast<size_t>(head.queryCount());
    if (scale.size() != queries || rows.size() != queries)
        return failure(ErrorKind::InvalidArgument, "the mean row needs the scale and the summary of every query row");
    const Choice normaliser = normaliserOf(head, asked);
    const auto found = TRY(findNormaliser(normaliser));
    if (found->softmaxForm && head.keysAreFinite())
        return fast::meanRow(fast::fastestKernels(), head, *found, normaliser, scale, rows, stop);
    const Parameters parameters(*found, normaliser);
    const auto counted = std::ranges::count_if(rows, [](const RowSummary& row) { return row.mass > 0; });

    // Over blocks of columns, so that every sum runs in the same order on one thread and on many.
    constexpr std::int64_t width = 64;
    std::vector<double> mean(static_cast<size_t>(head.keyCount), 0.0);
    const bool done = forEachBlock((head.keyCount + width - 1) / width, true, stop, [&](std::int64_t block) {
        const std::int64_t end = std::min(head.keyCount, (block + 1) * width);
        for (size_t i = 0; i < queries && !stop.stop_requested(); ++i) {
            if (!(rows[i].mass > 0))
                continue;
            const std::int64_t row = static_cast<std::int64_t>(i);
            const VisibleKeys visible = head.visible(row, head.keyCount);
            for (std::int64_t key = block * width; key < end; ++key)
                if (visible.sees(key))
                    mean[static_cast<size_t>(key)] +=
                        found->weight(logitOf(head, row, key, scale[i]), rows[i].state, parameters) / rows[i].mass /
                        static_cast<double>(counted);
        }
    });
    if (!done)
        return cancelled();
    return mean;
}

}  // namespace attnscope
