// Heatmaps. A task is one row of pixels, or several: some blocks of 64 rows of attention, whose lanes it fills wherever
// one row of pixels ends and the next begins. Weights go from the tile straight into one number a pixel and row, so
// that nothing as large as the region exists.

#include "core/attention/fast/fast_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/preview.h"
#include "core/attention/fast/weight_block.h"
#include "core/attention/reference_engine.h"

#include <algorithm>
#include <limits>

namespace attnscope::fast {

namespace {

constexpr std::int64_t mostTerms = 4096;  ///< that a lane adds in float32 before they go into a double

/// Rows of pixels [begin, end).
struct Band {
    std::int64_t begin, end;
};

class Pooling {
public:
    Pooling(const TileKernels& kernels, const AttentionHead& head, const PoolRequest& request,
            const Normaliser& normaliser, PooledMap& map)
        : m_kernels(kernels), m_head(head), m_request(request), m_normaliser(normaliser), m_map(map)
    {
        const Region& region = request.region;
        m_pixelOf.resize(static_cast<size_t>(region.columnEnd - region.columnBegin));
        for (int c = 0; c < request.columns; ++c) {
            const std::int64_t begin = columnBegin(c) - region.columnBegin,
                               end = columnBegin(c + 1) - region.columnBegin;
            std::fill(m_pixelOf.begin() + begin, m_pixelOf.begin() + end, c);
            m_keysAPixel = std::max(m_keysAPixel, end - begin);
            m_divisor.push_back(request.pool == Pool::Mean ? static_cast<double>(end - begin) : 1);
        }
    }

    /// Of many blocks where that leaves tasks enough: only the last block of a band has lanes to spare.
    std::vector<Band> bands() const
    {
        constexpr std::int64_t tasks = 32, mostBlocks = 16;
        const std::int64_t height = m_request.region.rowEnd - m_request.region.rowBegin;
        const bool severalInABlock = height <= blockRows * m_request.rows;
        const std::int64_t most =
            blockRows * (severalInABlock ? std::clamp<std::int64_t>(height / (blockRows * tasks), 1, mostBlocks) : 1);
        std::vector<Band> bands;
        for (std::int64_t begin = 0, end; begin < m_request.rows; begin = end) {
            end = begin + 1;
            while (end < m_request.rows && rowBegin(end + 1) - rowBegin(begin) <= most)
                ++end;
            bands.push_back({begin, end});
        }
        return bands;
    }

    void pool(const Band& band, const std::stop_token& stop)
    {
        Tile pixels(static_cast<size_t>(m_request.columns), Lanes{});
        const std::int64_t lastRow = rowBegin(band.end);
        const bool oneRowEach = lastRow - rowBegin(band.begin) == band.end - band.begin;
        std::vector<double> sums(oneRowEach ? 0 : static_cast<size_t>((band.end - band.begin) * m_request.columns));
        std::int64_t terms = 0;
        for (std::int64_t row = rowBegin(band.begin); row < lastRow && !stop.stop_requested(); row += blockRows) {
            const int count = static_cast<int>(std::min<std::int64_t>(blockRows, lastRow - row));
            WeightBlock block(m_kernels, m_head, m_normaliser, m_request, row, count);
            for (const Keys keys : block.tiles(m_request.region.columnBegin, m_request.region.columnEnd)) {
                if (stop.stop_requested())
                    return;
                block.addWeights(keys, m_pixelOf.data() + (keys.first - m_request.region.columnBegin), pixels);
            }
            if (oneRowEach) {
                const std::int64_t pixel = band.begin + row - rowBegin(band.begin);
                turnOver(pixels, count, m_map.values.data() + pixel * m_request.columns, [this](float w, int c) {
                    return static_cast<float>(
                        std::min(static_cast<double>(w) / m_divisor[static_cast<size_t>(c)], most()));
                });
                std::ranges::fill(pixels, Lanes{});
                continue;
            }
            terms += m_keysAPixel;
            if (band.end - band.begin == 1 && row + blockRows < lastRow && terms < mostTerms)
                continue;  // one row of pixels, and more rows of attention to come: the lanes go on adding
            collect(band, pixels, row, sums);
            std::ranges::fill(pixels, Lanes{});
            terms = 0;
        }
        for (std::int64_t p = band.begin; !oneRowEach && p < band.end; ++p) {
            const double height = m_request.pool == Pool::Mean ? static_cast<double>(rowBegin(p + 1) - rowBegin(p)) : 1;
            for (size_t c = 0; c < m_divisor.size(); ++c)
                m_map.values[static_cast<size_t>(p) * m_divisor.size() + c] = static_cast<float>(
                    std::min(sums[static_cast<size_t>(p - band.begin) * m_divisor.size() + c] / (height * m_divisor[c]),
                             most()));
        }
    }

private:
    std::int64_t rowBegin(std::int64_t pixel) const
    {
        return pixelBegin(m_request.region.rowBegin, m_request.region.rowEnd, m_request.rows, pixel);
    }
    std::int64_t columnBegin(int pixel) const
    {
        return pixelBegin(m_request.region.columnBegin, m_request.region.columnEnd, m_request.columns, pixel);
    }

    double most() const { return m_normaliser.softmaxForm ? 1 : std::numeric_limits<double>::infinity(); }

    /// Few columns at a time: a column holds 64 rows of attention side by side, and all rows of pixels want their own
    /// of it.
    void collect(const Band& band, const Tile& pixels, std::int64_t firstRow, std::span<double> sums) const
    {
        const auto lane = [&](std::int64_t row) { return std::clamp<std::int64_t>(row - firstRow, 0, blockRows); };
        for (int column = 0; column < m_request.columns; column += columnsAtATime)
            for (std::int64_t p = band.begin; p < band.end; ++p)
                if (band.end - band.begin == 1)
                    reduce(pixels, column, 0, blockRows, sums.data());
                else if (rowBegin(p + 1) > firstRow && rowBegin(p) < firstRow + blockRows)
                    reduce(pixels, column, lane(rowBegin(p)), lane(rowBegin(p + 1)),
                           sums.data() + (p - band.begin) * m_request.columns);
    }

    /// Lanes [begin, end) of a pixel into one number, for the columns of pixels that follow `column`.
    void reduce(const Tile& pixels, int column, std::int64_t begin, std::int64_t end, double* sums) const
    {
        if (m_request.pool == Pool::Mean)
            reduce(pixels, column, begin, end, sums, [](double sum, double w) { return sum + w; });
        else
            reduce(pixels, column, begin, end, sums, [](double sum, double w) { return std::max(sum, w); });
    }
    template <class Join>
    void reduce(const Tile& pixels, int column, std::int64_t begin, std::int64_t end, double* sums, Join join) const
    {
        const int lastColumn = std::min(column + columnsAtATime, m_request.columns);
        const Lanes* pixel = pixels.data() + column;
        for (int c = column; c < lastColumn; ++c, ++pixel) {
            double sum = sums[c];
            for (const float *lane = pixel->at + begin, *last = pixel->at + end; lane < last; ++lane)
                sum = join(sum, static_cast<double>(*lane));
            sums[c] = sum;
        }
    }

    const TileKernels& m_kernels;
    const AttentionHead& m_head;
    const PoolRequest& m_request;
    const Normaliser& m_normaliser;
    PooledMap& m_map;
    std::vector<int> m_pixelOf;     ///< column of pixels of every key of the region
    std::int64_t m_keysAPixel = 0;  ///< at most
    std::vector<double> m_divisor;  ///< keys in each column of pixels; 1 where the largest weight counts
};

}  // namespace

Result<PooledMap> pool(const TileKernels& kernels, const AttentionHead& head, const PoolRequest& request,
                       const std::stop_token& stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    if (needsDefinition(head, *normaliser, request.normaliser))
        return reference::pool(head, request, stop);
    if (request.preview)
        return preview(kernels, head, request, *normaliser, stop);

    PooledMap map{request.region, request.rows, request.columns, request.pool, true, {}};
    map.values.resize(static_cast<size_t>(map.rows) * static_cast<size_t>(map.columns));
    Pooling pooling(kernels, head, request, *normaliser, map);
    const std::vector<Band> bands = pooling.bands();
    ProgressCounter progress(request.progress, std::ssize(bands));
    const bool done = forEachBlock(std::ssize(bands), request.parallel, stop, [&](std::int64_t band) {
        pooling.pool(bands[static_cast<size_t>(band)], stop);
        progress.step();
    });
    if (!done)
        return cancelled();
    return map;
}

}  // namespace attnscope::fast
