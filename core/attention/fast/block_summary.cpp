#include "core/attention/fast/block_summary.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::fast {

namespace {

constexpr double halfLog2e = 0.5 / std::numbers::ln2;   ///< nats to the kernels' units
constexpr double slack = 11;                            ///< how far, in those units, a logit may rise above the shift

/// Orders that have a sum of their own.
bool needsPowers(double order) { return std::isfinite(order) && order != 0 && order != 0.5 && order != 1 && order != 2; }

}  // namespace

Order::Order()
{
    std::ranges::fill(ranking.smallest, -unseen);
    std::ranges::fill(ranking.argmax, std::int64_t{-1});
    for (auto& top : ranking.top)
        std::ranges::fill(top, unseen);
    for (Lanes& key : first)
        std::ranges::fill(key.at, unseen);
}

void Order::add(const TileKernels& kernels, Keys keys, bool masked, const float* z)
{
    kernels.rank(z, keys, masked, ranking, tileLargest.at);
    for (std::int64_t key = keys.first; key < std::min<std::int64_t>(keys.first + keys.count * keys.stride, RowSummary::sinkCount); key += keys.stride)
        std::copy_n(z + (key - keys.first) / keys.stride * blockRows, blockRows, first[static_cast<size_t>(key)].at);
}

BlockSummary::BlockSummary(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                           std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out)
    : m_kernels(kernels), m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser), m_out(out),
      m_block(head, kernels, firstRow, rowCount), m_z(tileKeys), m_x(tileKeys),
      m_powerOrder(needsPowers(request.order) ? static_cast<float>(request.order) : 0)
{
}

void BlockSummary::run(const std::stop_token& stop, std::int64_t stride)
{
    Lanes one;
    std::ranges::fill(one.at, 1.0f);
    for (const Item& item : items())
        addTrack(item, true, one);
    stream(stop, stride);
    const auto beta = m_normaliser.softmaxForm->beta;
    if (!beta || stop.stop_requested())
        return;

    // The temperature that adapts: once more over the tiles, with the factor that each row's entropy asks for.
    m_tracks.clear();
    for (const Item& item : items()) {
        Lanes factor = one;
        for (int r = item.begin; r < item.end; ++r)
            factor.at[r] = static_cast<float>(beta(row(item, r).entropy, m_parameters));
        if (std::ranges::any_of(factor.at, [](float f) { return f != 1; }))
            addTrack(item, false, factor);
    }
    if (!m_tracks.empty())
        stream(stop, stride);
}

std::vector<BlockSummary::Item> BlockSummary::items() const
{
    std::vector<Item> items;
    for (size_t pass = 0; pass < m_request.passes.size(); ++pass) {
        const Pass& p = m_request.passes[pass];
        const std::int64_t begin = std::max<std::int64_t>(p.firstRow - m_block.firstRow(), 0);
        const std::int64_t end = std::min<std::int64_t>(p.lastRow - m_block.firstRow(), m_block.rowCount());
        if (begin < end)
            items.push_back({pass, static_cast<int>(begin), static_cast<int>(end), p.prefix});
    }
    std::ranges::stable_sort(items, {}, &Item::prefix);
    return items;
}

float BlockSummary::scaleOf(const Item& item, int r) const
{
    const Pass& pass = m_request.passes[item.pass];
    return pass.scale[static_cast<size_t>(m_block.firstRow() + r - pass.firstRow)];
}

RowSummary& BlockSummary::row(const Item& item, int r)
{
    return m_out[item.pass][static_cast<size_t>(m_block.firstRow() + r - m_request.passes[item.pass].firstRow)];
}

void BlockSummary::addTrack(const Item& item, bool mayShare, const Lanes& beta)
{
    Lanes scale{};
    for (int r = item.begin; r < item.end; ++r)
        scale.at[r] = hasScale(scaleOf(item, r)) ? scaleOf(item, r) : 1;  // a row without a scale rides along and is not read
    for (Track& track : m_tracks)
        if (mayShare && track.items.front().begin == item.begin && track.items.front().end == item.end && std::ranges::equal(track.scale.at, scale.at)) {
            track.items.push_back(item);
            return;
        }
    Track& track = m_tracks.emplace_back();
    track.items.push_back(item);
    track.scale = scale;
    track.beta = beta;
    track.plain = m_head.plain() && std::all_of(scale.at + item.begin, scale.at + item.end, [](float s) { return s >= smallestScale; });
    if (!track.plain)
        track.order = std::make_unique<Order>();
    for (int r = 0; r < blockRows; ++r)
        track.a.at[r] = static_cast<float>(halfLog2e * static_cast<double>(beta.at[r]) * (track.plain ? static_cast<double>(scale.at[r]) : 1.0));
}

void BlockSummary::stream(const std::stop_token& stop, std::int64_t stride)
{
    m_order = std::make_unique<Order>();
    std::vector<std::int64_t> cuts;
    for (const Track& track : m_tracks)
        for (const Item& item : track.items)
            cuts.push_back(item.prefix);
    std::ranges::sort(cuts);

    for (const Keys keys : m_block.tiles(0, cuts.empty() ? 0 : cuts.back(), cuts, stride)) {
        if (stop.stop_requested())
            return;
        readOff(keys.first);
        const bool masked = !m_block.allSee(keys);
        float* const z = m_z.data()->at;
        m_block.products(keys, z);
        for (Track& track : m_tracks)
            if (!track.plain && track.done < track.items.size())
                feedTransformed(track, keys, masked);
        if (masked)
            m_block.mask(keys, z);
        const auto wantsPlain = [](const Track& track) { return track.plain && track.done < track.items.size(); };
        if (std::ranges::any_of(m_tracks, wantsPlain))
            m_order->add(m_kernels, keys, masked, z);
        for (Track& track : m_tracks)
            if (wantsPlain(track))
                feed(track, keys, z, m_order->tileLargest);
    }
    readOff(std::numeric_limits<std::int64_t>::max());
}

void BlockSummary::feedTransformed(Track& track, Keys keys, bool masked)
{
    float* const x = m_x.data()->at;
    Lanes largest;
    m_block.transform(keys, m_z.data()->at, track.scale, x, largest);
    for (int r = 0; r < blockRows; ++r)
        track.largestProduct.at[r] = std::max(track.largestProduct.at[r], largest.at[r]);
    if (masked)
        m_block.mask(keys, x);
    track.order->add(m_kernels, keys, masked, x);
    feed(track, keys, x, track.order->tileLargest);
}

void BlockSummary::feed(Track& track, Keys keys, const float* x, const Lanes& tileLargest)
{
    follow(track, tileLargest);
    m_kernels.accumulate(x, track.a.at, track.b.at, m_block.placesFrom(keys.first).at, static_cast<float>(keys.stride), keys.count, m_powerOrder, track.sums);
}

/// Moves the shift of the rows whose largest logit has run away from it, and their sums with it.
void BlockSummary::follow(Track& track, const Lanes& tileLargest) const
{
    const double room = m_request.order > 3 ? 0 : slack;
    Sums& sums = track.sums;
    for (int r = 0; r < blockRows; ++r) {
        if (tileLargest.at[r] <= unseen)
            continue;
        const float largest = track.a.at[r] * tileLargest.at[r];
        const bool started = track.started[static_cast<size_t>(r)];
        if (started && static_cast<double>(largest) <= static_cast<double>(track.b.at[r]) + room)
            continue;
        const double by = static_cast<double>(track.b.at[r]) - static_cast<double>(largest);
        const double f = started ? std::exp2(2 * by) : 0;
        sums.ev[r] = started ? f * (sums.ev[r] + by * sums.e[r]) : 0;
        sums.e[r] *= f;
        sums.squares[r] *= f * f;
        sums.roots[r] *= std::sqrt(f);
        sums.powers[r] *= started ? std::exp2(2 * by * m_request.order) : 0;
        sums.distances[r] *= f;
        track.b.at[r] = largest;
        track.started[static_cast<size_t>(r)] = true;
    }
}

/// Every item whose prefix ends at or before `key` is complete.
void BlockSummary::readOff(std::int64_t key)
{
    for (Track& track : m_tracks)
        for (; track.done < track.items.size() && track.items[track.done].prefix <= key; ++track.done)
            read(track, track.items[track.done]);
}

void BlockSummary::read(const Track& track, const Item& item)
{
    const Order& order = track.plain ? *m_order : *track.order;
    for (int r = item.begin; r < item.end; ++r) {
        const std::int64_t visible = m_block.visibleCount(r, item.prefix);
        if (visible == 0 || !hasScale(scaleOf(item, r)))
            row(item, r) = {};
        else if (visible == 1 || m_block.irregular(r) || beyondFloat(track, order, r))
            row(item, r) = exactRow(m_block.firstRow() + r, item.prefix, static_cast<double>(track.scale.at[r]));
        else
            row(item, r) = readRow(track, order, visible, r);
    }
}

bool BlockSummary::beyondFloat(const Track& track, const Order& order, int r) const
{
    float largest = track.plain ? track.scale.at[r] * std::max(order.ranking.top[0][r], -order.ranking.smallest[r]) : track.largestProduct.at[r];
    if (m_head.bias)   // of any size, and of either sign
        largest = std::max(largest, std::abs(order.ranking.top[0][r]));
    return !(track.beta.at[r] * largest <= largestLogit) || !std::isfinite(track.sums.e[r]);
}

RowSummary BlockSummary::exactRow(std::int64_t row, std::int64_t prefix, double scale) const
{
    RowLogits logits;
    readRowLogits(m_head, row, prefix, scale, logits);
    return summariseRow(logits.logits, logits.visible, m_head.position(row), m_normaliser, m_parameters, m_request.order);
}

RowSummary BlockSummary::readRow(const Track& track, const Order& order, std::int64_t visible, int r) const
{
    const Sums& sums = track.sums;
    const double s = sums.e[r], beta = static_cast<double>(track.beta.at[r]), shift = static_cast<double>(track.b.at[r]) / halfLog2e;
    const double logZ = shift + std::log(s), factor = static_cast<double>(track.a.at[r]) / halfLog2e;
    const auto share = [&](float z) { return std::exp(factor * static_cast<double>(z) - logZ); };

    RowSummary row;
    row.visible = row.support = visible;
    row.state = {beta, logZ};
    row.mass = 1;
    if (const auto silent = m_normaliser.softmaxForm->silentLogit) {
        const double logit = silent(m_parameters);
        row.state.shift = std::max(logZ, logit) + std::log1p(std::exp(-std::abs(logZ - logit)));
        row.mass = std::exp(logZ - row.state.shift);
    }
    row.entropy = std::log(s) - sums.ev[r] / s / halfLog2e;
    row.sumSquares = sums.squares[r] / (s * s);
    row.sumRoots = sums.roots[r] / std::sqrt(s);
    row.meanDistance = sums.distances[r] / s;
    const double toLogit = track.plain ? static_cast<double>(track.scale.at[r]) : 1;
    row.logitMax = toLogit * static_cast<double>(order.ranking.top[0][r]);
    row.logitMin = toLogit * static_cast<double>(order.ranking.smallest[r]);
    row.argmax = order.ranking.argmax[r];
    for (const Lanes& key : order.first)
        row.sinkMass += key.at[r] > unseen ? share(key.at[r]) : 0;
    for (size_t k = 0; k < row.top.size() && order.ranking.top[k][r] > unseen; ++k)
        row.top[k] = static_cast<float>(share(order.ranking.top[k][r]));
    row.sumPower = power(track, row, r);
    keepWithinBounds(row, m_request.order);
    return row;
}

double BlockSummary::power(const Track& track, const RowSummary& row, int r) const
{
    const double order = m_request.order;
    if (m_powerOrder > 0)
        return track.sums.powers[r] / std::pow(track.sums.e[r], order);
    if (std::isinf(order))
        return static_cast<double>(row.top[0]);
    return order == 0 ? static_cast<double>(row.support) : order == 0.5 ? row.sumRoots : order == 1 ? 1 : row.sumSquares;
}

}  // namespace attnscope::fast
