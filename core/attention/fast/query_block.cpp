#include "core/attention/fast/query_block.h"

#include <algorithm>
#include <cmath>

namespace attnscope::fast {

QueryBlock::QueryBlock(const AttentionHead& head, const TileKernels& kernels, std::int64_t firstRow, int rowCount)
    : m_head(head), m_kernels(kernels), m_firstRow(firstRow), m_rowCount(rowCount)
{
    for (int r = 0; r < rowCount; ++r) {
        m_visible[static_cast<size_t>(r)] = head.visible(firstRow + r, head.keyCount);
        m_position[static_cast<size_t>(r)] = head.position(firstRow + r);
    }
    if (head.key.size() > 0)
        pack(*head.query, static_cast<double>(head.key.largest()), m_query);
    if (head.far) {
        const double largestKey = static_cast<double>(head.far->key.largest());
        pack(*head.far->queryBefore, largestKey, m_before);
        if (head.far->queryAfter.size() > 0)
            pack(*head.far->queryAfter, largestKey, m_after);
        m_scratch.resize(tileKeys);
    }
}

void QueryBlock::pack(const SharedMatrix::View& queries, double largestKey, Tile& packed)
{
    constexpr double most = 0.5 * std::numeric_limits<float>::max();
    packed.assign(static_cast<size_t>(queries.cols()), Lanes{});
    for (int r = 0; r < m_rowCount; ++r) {
        double size = 0;
        for (Eigen::Index i = 0; i < queries.cols(); ++i) {
            const float q = queries(m_firstRow + r, i);
            packed[static_cast<size_t>(i)].at[r] = q;
            size += static_cast<double>(std::abs(q));
        }
        m_irregular[static_cast<size_t>(r)] |= !(size * largestKey < most && size < most);
        m_someIrregular |= m_irregular[static_cast<size_t>(r)];
    }
}

std::vector<Keys> QueryBlock::tiles(std::int64_t begin, std::int64_t end, std::span<const std::int64_t> cuts,
                                    std::int64_t stride) const
{
    const std::span rows(m_visible.data(), static_cast<size_t>(m_rowCount));
    const auto sees = [&](std::int64_t first, std::int64_t last) {
        return std::ranges::any_of(
            rows, [&](const VisibleKeys& row) { return first < row.sinkEnd || (first < row.end && last > row.begin); });
    };
    std::int64_t last = 0;
    for (const VisibleKeys& row : rows)
        last = std::max({last, row.sinkEnd, row.end});
    end = std::min(end, last);
    std::vector<Keys> tiles;
    while (begin < end) {
        const auto cut = std::ranges::upper_bound(cuts, begin);
        const std::int64_t stop = std::min({end, begin + tileKeys * stride, cut == cuts.end() ? end : *cut});
        const Keys keys{begin, stride, static_cast<int>((stop - begin + stride - 1) / stride)};
        if (sees(begin, stop))
            tiles.push_back(keys);
        begin += keys.count * stride;
    }
    return tiles;
}

bool QueryBlock::allSee(Keys keys) const
{
    const std::int64_t last = keys.first + (keys.count - 1) * keys.stride;
    return std::all_of(m_visible.begin(), m_visible.begin() + m_rowCount, [&](const VisibleKeys& row) {
        return last < row.sinkEnd || (keys.first >= row.begin && last < row.end);
    });
}

std::int64_t QueryBlock::visibleCount(int row, std::int64_t prefix) const
{
    const VisibleKeys& all = m_visible[static_cast<size_t>(row)];
    return std::min(all.sinkEnd, prefix) + std::min(all.end, prefix) - std::min(all.begin, prefix);
}

void QueryBlock::mask(Keys keys, float* z) const
{
    Bounds bounds;
    for (int r = 0; r < blockRows; ++r) {
        const VisibleKeys& row = m_visible[static_cast<size_t>(r)];
        bounds.sinkEnd[r] = static_cast<float>(row.sinkEnd - keys.first);
        bounds.begin[r] = static_cast<float>(row.begin - keys.first);
        bounds.end[r] = static_cast<float>(row.end - keys.first);
    }
    m_kernels.mask(z, bounds, static_cast<float>(keys.stride), keys.count, m_rowCount);
}

bool QueryBlock::maskBeyond(std::int64_t window, Keys keys, float* z) const
{
    const std::int64_t last = keys.first + (keys.count - 1) * keys.stride;
    const auto [earliest, latest] = std::minmax_element(m_position.begin(), m_position.begin() + m_rowCount);
    if (last <= *earliest - window || keys.first >= *latest + window)
        return false;
    Bounds bounds{};
    for (int r = 0; r < blockRows; ++r) {
        const std::int64_t place = m_position[static_cast<size_t>(r)] - keys.first;
        bounds.begin[r] = static_cast<float>(place - window + 1);
        bounds.end[r] = static_cast<float>(place + window);
    }
    m_kernels.mask(z, bounds, static_cast<float>(keys.stride), keys.count, m_rowCount);
    return true;
}

void QueryBlock::transform(Keys keys, const float* z, const Lanes& scale, float* x, Lanes& largest) const
{
    m_kernels.transform(z, scale.at, placesFrom(keys.first).at, static_cast<float>(keys.stride), keys.count, m_rowCount,
                        static_cast<float>(m_head.softCap), static_cast<float>(m_head.slope), x, largest.at);
    if (m_head.bias)
        addBias(keys, x);
}

void QueryBlock::addBias(Keys keys, float* x) const
{
    const PositionBias& bias = *m_head.bias;
    for (int c = 0; c < keys.count; ++c)
        for (int r = 0; r < m_rowCount; ++r)
            x[c * blockRows + r] +=
                static_cast<float>(bias(m_position[static_cast<size_t>(r)], keys.first + c * keys.stride));
}

Lanes QueryBlock::placesFrom(std::int64_t firstKey) const
{
    Lanes places;
    for (int r = 0; r < blockRows; ++r)
        places.at[r] = static_cast<float>(m_position[static_cast<size_t>(r)] - firstKey);
    return places;
}

void QueryBlock::products(Keys keys, float* z)
{
    if (m_head.key.size() == 0)
        return copyFinished(keys, z);
    const SharedMatrix::View key = *m_head.key;
    m_kernels.product(m_query.data()->at, key.data() + keys.first * key.cols(), keys.stride * key.cols(),
                      static_cast<int>(key.cols()), keys.count, m_rowCount, z);
    if (m_head.far)
        farProducts(keys, z);
}

void QueryBlock::bound(Keys keys, float* z) const
{
    const SharedMatrix::View key = *m_head.key;
    m_kernels.bound(m_query.data()->at, key.data() + keys.first * key.cols(), keys.stride * key.cols(),
                    static_cast<int>(key.cols()), keys.count, z);
}

/// Where the distance is at least the cap, z is replaced.
void QueryBlock::farProducts(Keys keys, float* z)
{
    const std::int64_t cap = m_head.far->cap, last = keys.first + (keys.count - 1) * keys.stride;
    const auto [earliest, latest] = std::minmax_element(m_position.begin(), m_position.begin() + m_rowCount);
    const SharedMatrix::View key = *m_head.far->key;
    const auto replace = [&](const Tile& query, int sign) {
        float* const far = m_scratch.data()->at;
        m_kernels.product(query.data()->at, key.data() + keys.first * key.cols(), keys.stride * key.cols(),
                          static_cast<int>(key.cols()), keys.count, m_rowCount, far);
        for (int c = 0; c < keys.count; ++c)
            for (int r = 0; r < m_rowCount; ++r)
                if (sign * (m_position[static_cast<size_t>(r)] - (keys.first + c * keys.stride)) >= cap)
                    z[c * blockRows + r] = far[c * blockRows + r];
    };
    if (*latest - keys.first >= cap)
        replace(m_before, 1);
    if (last - *earliest >= cap && !m_after.empty())
        replace(m_after, -1);
}

void QueryBlock::copyFinished(Keys keys, float* z)
{
    const SharedMatrix::View query = *m_head.query;
    std::fill_n(z, keys.count * blockRows, 0.0f);
    for (int r = 0; r < m_rowCount; ++r)
        for (int c = 0; c < keys.count; ++c) {
            const float x = query(m_firstRow + r, keys.first + c * keys.stride);
            z[c * blockRows + r] = x;
            m_irregular[static_cast<size_t>(r)] |= !(std::abs(x) < -unseen);
            m_someIrregular |= m_irregular[static_cast<size_t>(r)];
        }
}

}  // namespace attnscope::fast
