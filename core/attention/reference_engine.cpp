#include "core/attention/reference_engine.h"

#include "core/attention/attend_row.h"
#include "core/attention/engine_support.h"
#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <numeric>

namespace attnscope::reference {

Result<std::vector<std::vector<RowSummary>>> summarise(const AttentionHead& head, const SummaryRequest& request,
                                                       std::stop_token stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    const Parameters parameters(*normaliser, request.normaliser);

    std::vector<std::vector<RowSummary>> summaries;
    for (const Pass& pass : request.passes) {
        std::vector<RowSummary> rows(pass.scale.size());
        const bool done = forEachBlock(std::ssize(rows), request.parallel, stop, [&](std::int64_t index) {
            thread_local RowLogits row;
            const size_t i = static_cast<size_t>(index);
            if (!hasScale(pass.scale[i]))
                return;
            readRowLogits(head, pass.firstRow + index, pass.prefix, pass.scale[i], row);
            rows[i] = summariseRow(row.logits, row.visible, head.position(pass.firstRow + index), *normaliser,
                                   parameters, request.extras);
        });
        if (!done)
            return cancelled();
        summaries.push_back(std::move(rows));
    }
    return summaries;
}

namespace {

/// One row of pixels.
class PixelRow {
public:
    PixelRow(const AttentionHead& head, const PoolRequest& request, const Normaliser& normaliser)
        : m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser),
          m_weights(static_cast<size_t>(head.keyCount)), m_sum(static_cast<size_t>(request.columns))
    {
    }

    void pool(std::int64_t pixelRow, float* out, const std::stop_token& stop)
    {
        const Region& region = m_request.region;
        std::int64_t first = pixelBegin(region.rowBegin, region.rowEnd, m_request.rows, pixelRow);
        std::int64_t last = pixelBegin(region.rowBegin, region.rowEnd, m_request.rows, pixelRow + 1);
        if (m_request.preview) {
            first = std::midpoint(first, last - 1);
            last = first + 1;
        }
        std::ranges::fill(m_sum, 0.0);
        for (std::int64_t row = first; row < last && !stop.stop_requested(); ++row) {
            readWeights(row);
            addRow();
        }
        for (std::int64_t c = 0; c < m_request.columns; ++c) {
            const auto [from, to] = keysOf(c);
            const double cells = m_request.pool == Pool::Mean ? static_cast<double>((to - from) * (last - first)) : 1.0;
            out[c] = static_cast<float>(m_sum[static_cast<size_t>(c)] / cells);
        }
    }

private:
    std::pair<std::int64_t, std::int64_t> keysOf(std::int64_t pixel) const
    {
        const Region& region = m_request.region;
        const std::int64_t from = pixelBegin(region.columnBegin, region.columnEnd, m_request.columns, pixel);
        const std::int64_t to = pixelBegin(region.columnBegin, region.columnEnd, m_request.columns, pixel + 1);
        if (!m_request.preview)
            return {from, to};
        const std::int64_t middle = std::midpoint(from, to - 1);
        return {middle, middle + 1};
    }

    void readWeights(std::int64_t row)
    {
        std::ranges::fill(m_weights, 0.0);
        const double scale = m_request.scale[static_cast<size_t>(row)];
        if (!hasScale(scale))
            return;
        readRowLogits(m_head, row, m_head.keyCount, scale, m_row);
        if (m_row.logits.empty())
            return;
        const NormaliserState state = m_request.states.empty() ? m_normaliser.solve(m_row.logits, m_parameters)
                                                               : m_request.states[static_cast<size_t>(row)];
        for (std::int64_t index = 0; index < std::ssize(m_row.logits); ++index)
            m_weights[static_cast<size_t>(m_row.key(index))] =
                m_normaliser.weight(m_row.logits[static_cast<size_t>(index)], state, m_parameters);
    }

    void addRow()
    {
        for (std::int64_t c = 0; c < m_request.columns; ++c) {
            const auto [from, to] = keysOf(c);
            const auto begin = m_weights.begin() + from, end = m_weights.begin() + to;
            double& cell = m_sum[static_cast<size_t>(c)];
            cell = m_request.pool == Pool::Mean ? std::accumulate(begin, end, cell)
                                                : std::max(cell, *std::max_element(begin, end));
        }
    }

    const AttentionHead& m_head;
    const PoolRequest& m_request;
    const Normaliser& m_normaliser;
    Parameters m_parameters;
    RowLogits m_row;
    std::vector<double> m_weights;  ///< of every key
    std::vector<double> m_sum;      ///< or the largest, of every pixel
};

}  // namespace

Result<PooledMap> pool(const AttentionHead& head, const PoolRequest& request, std::stop_token stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));

    PooledMap map{request.region, request.rows, request.columns, request.pool, !request.preview, {}};
    map.values.resize(static_cast<size_t>(map.rows) * static_cast<size_t>(map.columns));
    ProgressCounter progress(request.progress, map.rows);
    const bool done = forEachBlock(map.rows, request.parallel, stop, [&](std::int64_t r) {
        PixelRow(head, request, *normaliser).pool(r, map.values.data() + r * map.columns, stop);
        progress.step();
    });
    if (!done)
        return cancelled();
    return map;
}

Result<void> attend(const AttentionHead& head, const AttendRequest& request, std::stop_token stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    const Parameters parameters(*normaliser, request.normaliser);
    Eigen::Ref<Matrix> output = request.output;
    const bool done = forEachBlock(output.rows(), request.parallel, stop, [&](std::int64_t index) {
        const std::int64_t row = request.firstRow + index;
        attendRow(head, row, request.scale[static_cast<size_t>(row)], *normaliser, parameters, request.values,
                  output.row(index));
    });
    if (!done)
        return cancelled();
    return {};
}

}  // namespace attnscope::reference
