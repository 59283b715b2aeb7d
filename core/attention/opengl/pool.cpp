// Heatmaps: the device sums the weights of every row over the keys of each column of pixels; rows become rows of pixels
// here, in double precision, as they come.

#include "core/attention/opengl/opengl_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/row_logits.h"

#include <algorithm>
#include <cmath>

namespace attnscope::opengl {

namespace {

constexpr std::int64_t pixelBudget = std::int64_t{1}
                                     << 22;  ///< numbers that one block of rows may leave on the device: 16 MB

class Pooling {
public:
    Pooling(const AttentionHead& head, const PoolRequest& request, const Normaliser& normaliser)
        : m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser),
          m_sums(static_cast<size_t>(request.columns), 0.0), m_map{request.region, request.rows, request.columns,
                                                                   request.pool,   true,         {}}
    {
        for (std::int64_t c = 0; c <= request.columns; ++c)
            m_columns.push_back(static_cast<std::int32_t>(
                pixelBegin(request.region.columnBegin, request.region.columnEnd, request.columns, c)));
        m_map.values.reserve(static_cast<size_t>(request.rows) * static_cast<size_t>(request.columns));
    }

    int blockRows() const
    {
        return static_cast<int>(std::clamp<std::int64_t>(pixelBudget / m_request.columns, 1, gpu::blockRows));
    }

    Result<void> addRows(gpu::Tiles& tiles, std::int64_t first, int count, const std::stop_token& stop)
    {
        std::vector<gpu::Row> rows;
        for (std::int64_t row = first; row < first + count; ++row)
            rows.push_back(onDevice(row) ? rowWithState(row) : gpu::Row{.position = rowOf(m_head, row).position});
        auto pixels =
            TRY(tiles.pixels(viewOf(m_head, first, count), rows, m_columns, m_request.pool == Pool::Max, stop));
        const auto pixelsOf = [&](std::int64_t row) {
            return std::span(pixels).subspan(static_cast<size_t>((row - first) * m_request.columns),
                                             static_cast<size_t>(m_request.columns));
        };
        forEachInParallel(count, 1, [&](std::int64_t index) {
            if (hasWeights(first + index) && !onDevice(first + index) && !stop.stop_requested())
                weighInDouble(first + index, pixelsOf(first + index));
        });
        for (std::int64_t row = first; row < first + count; ++row)
            addRow(row, pixelsOf(row));
        return {};
    }

    PooledMap take() { return std::move(m_map); }

private:
    bool hasWeights(std::int64_t row) const { return !std::isnan(m_request.scale[static_cast<size_t>(row)]); }

    bool onDevice(std::int64_t row) const
    {
        const NormaliserState& state = m_request.states[static_cast<size_t>(row)];
        return hasWeights(row) && std::abs(state.shiftFromZero()) <= static_cast<double>(fast::largestLogit) &&
               std::isfinite(state.scale) && !irregular(m_head, row) &&
               std::abs(m_request.scale[static_cast<size_t>(row)]) <= fast::largestScale &&
               m_head.visible(row, m_head.keyCount).count() > 1;
    }

    gpu::Row rowWithState(std::int64_t row) const
    {
        const NormaliserState& state = m_request.states[static_cast<size_t>(row)];
        gpu::Row parameters = rowOf(m_head, row);
        parameters.scale = fast::finiteFloat(m_request.scale[static_cast<size_t>(row)]);
        parameters.beta = static_cast<float>(state.scale);
        parameters.shift = static_cast<float>(state.shiftFromZero());
        return parameters;
    }

    void weighInDouble(std::int64_t row, std::span<float> pixels) const
    {
        const VisibleKeys visible = m_head.visible(row, m_head.keyCount);
        for (size_t c = 0; c < pixels.size(); ++c) {
            double sum = 0;
            for (std::int64_t key = m_columns[c]; key < m_columns[c + 1]; ++key) {
                if (!visible.sees(key))
                    continue;
                const double w =
                    m_normaliser.weight(logitOf(m_head, row, key, m_request.scale[static_cast<size_t>(row)]),
                                        m_request.states[static_cast<size_t>(row)], m_parameters);
                sum = m_request.pool == Pool::Mean ? sum + w : std::max(sum, w);
            }
            pixels[c] = static_cast<float>(sum);
        }
    }

    /// Rows come in order; the last of a row of pixels finishes it.
    void addRow(std::int64_t row, std::span<const float> pixels)
    {
        const Region& region = m_request.region;
        const bool mean = m_request.pool == Pool::Mean;
        for (size_t c = 0; c < m_sums.size(); ++c)
            m_sums[c] =
                mean ? m_sums[c] + static_cast<double>(pixels[c]) : std::max(m_sums[c], static_cast<double>(pixels[c]));
        const std::int64_t begin = pixelBegin(region.rowBegin, region.rowEnd, m_request.rows, m_pixelRow);
        const std::int64_t end = pixelBegin(region.rowBegin, region.rowEnd, m_request.rows, m_pixelRow + 1);
        if (row + 1 < end)
            return;
        for (size_t c = 0; c < m_sums.size(); ++c) {
            const double cells = mean ? static_cast<double>((end - begin) * (m_columns[c + 1] - m_columns[c])) : 1;
            m_map.values.push_back(
                static_cast<float>(std::min(m_sums[c] / cells, 1.0)));  // shaders know softmax and its kin alone
        }
        std::ranges::fill(m_sums, 0.0);
        ++m_pixelRow;
    }

    const AttentionHead& m_head;
    const PoolRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    std::vector<std::int32_t> m_columns;  ///< first key of each, and the end
    std::vector<double> m_sums;           ///< of the row of pixels that is being filled
    std::int64_t m_pixelRow = 0;
    PooledMap m_map;
};

}  // namespace

Result<PooledMap> poolOnDevice(const AttentionHead& head, const PoolRequest& request, const Normaliser& normaliser,
                               const std::stop_token& stop)
{
    auto tiles = TRY(gpu::Tiles::open(viewOf(head)));
    Pooling pooling(head, request, normaliser);
    const std::int64_t end = request.region.rowEnd, blockRows = pooling.blockRows();
    ProgressCounter progress(request.progress, (end - request.region.rowBegin + blockRows - 1) / blockRows);
    for (std::int64_t first = request.region.rowBegin; first < end; first += blockRows) {
        TRY(pooling.addRows(tiles, first, static_cast<int>(std::min(blockRows, end - first)), stop));
        progress.step();
    }
    if (stop.stop_requested())
        return cancelled();
    return pooling.take();
}

}  // namespace attnscope::opengl
