#include "core/attention/fast/block_summary.h"

#include "core/attention/fast/fast_engine.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::fast {

namespace {

constexpr double halfLog2e = 0.5 / std::numbers::ln2;  ///< nats to the kernels' units
constexpr double slack = 11;                           ///< how far, in those units, a logit may rise above the shift

Ranking nothingSeen()
{
    Ranking ranking;
    std::ranges::fill(ranking.smallest, -unseen);
    std::ranges::fill(ranking.argmax, std::int64_t{-1});
    for (auto& top : ranking.top)
        std::ranges::fill(top, unseen);
    return ranking;
}

}  // namespace

Order::Order() : ranking(nothingSeen())
{
    for (Lanes& key : first)
        std::ranges::fill(key.at, unseen);
}

void Order::add(const TileKernels& kernels, Keys keys, bool masked, int rows, const float* z)
{
    kernels.rank(z, keys, masked, rows, ranking, tileLargest.at);
    for (std::int64_t key = keys.first;
         key < std::min<std::int64_t>(keys.first + keys.count * keys.stride, RowSummary::sinkCount); key += keys.stride)
        std::copy_n(z + (key - keys.first) / keys.stride * blockRows, blockRows, first[static_cast<size_t>(key)].at);
}

BlockSummary::BlockSummary(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request,
                           const Normaliser& normaliser, std::int64_t firstRow, int rowCount,
                           std::vector<std::vector<RowSummary>>& out)
    : m_kernels(kernels), m_head(head), m_extras(request.extras),
      m_plan(head, request, normaliser, firstRow, rowCount, out), m_powers(m_plan.nearOne()          ? Powers::NearOne
                                                                           : m_plan.powerOrder() > 0 ? Powers::Plain
                                                                                                     : Powers::None),
      m_order(static_cast<float>(m_plan.powerOrder() - (m_plan.nearOne() ? 1 : 0))),
      m_block(head, kernels, firstRow, rowCount), m_z(tileKeys), m_x(tileKeys),
      m_near(m_extras.window > 0 ? tileKeys : 0)
{
}

void BlockSummary::run(const std::stop_token& stop, std::int64_t stride)
{
    stream(m_plan.tracks(), stop, stride);
    for (const PassPlan::Track& plan : m_plan.softenedTracks())
        if (stride == 1 && !stop.stop_requested())
            soften(plan, stop);
    if (!stop.stop_requested())
        stream(m_plan.adaptedTracks(), stop, stride);
}

/// What eps takes from the entropies of an item's rows, whose ln Z is known.
void BlockSummary::soften(const PassPlan::Track& plan, const std::stop_token& stop)
{
    const PassPlan::Item& item = plan.items.front();
    Track track = begun(plan);
    for (int r = item.begin; r < item.end; ++r)
        track.b.at[r] = finiteFloat(halfLog2e * m_plan.out(item, r).state.shiftFromZero());
    std::array<double, blockRows> losses{};
    for (const Keys keys : m_block.tiles(0, item.prefix)) {
        if (stop.stop_requested())
            return;
        float* x = m_z.data()->at;
        m_block.products(keys, x);
        if (!track.plain) {
            Lanes largest;
            m_block.transform(keys, x, track.scale, m_x.data()->at, largest);
            x = m_x.data()->at;
        }
        if (!m_block.allSee(keys))
            m_block.mask(keys, x);
        m_kernels.soften(x, track.a.at, track.b.at, keys.count, m_block.rowCount(), static_cast<float>(m_plan.eps()),
                         losses.data());
    }
    for (int r = item.begin; r < item.end; ++r)
        m_plan.setLoss(item, r, losses[static_cast<size_t>(r)]);
}

BlockSummary::Track BlockSummary::begun(PassPlan::Track plan) const
{
    Track track;
    std::ranges::transform(plan.scale, track.scale.at, finiteFloat);
    const PassPlan::Item rows = plan.items.front();
    track.plain = m_head.plain() && std::all_of(track.scale.at + rows.begin, track.scale.at + rows.end,
                                                [](float s) { return s >= smallestScale; });
    if (!track.plain)
        track.order = std::make_unique<Order>();
    for (size_t r = 0; r < plan.beta.size(); ++r)
        track.a.at[r] = finiteFloat(halfLog2e * plan.beta[r] * (track.plain ? plan.scale[r] : 1.0));
    track.plan = std::move(plan);
    return track;
}

void BlockSummary::stream(std::vector<PassPlan::Track> tracks, const std::stop_token& stop, std::int64_t stride)
{
    if (tracks.empty())
        return;
    m_tracks.clear();
    std::vector<std::int64_t> cuts;
    for (PassPlan::Track& track : tracks) {
        for (const PassPlan::Item& item : track.items)
            cuts.push_back(item.prefix);
        m_tracks.push_back(begun(std::move(track)));
    }
    std::ranges::sort(cuts);
    m_rankings = std::make_unique<Order>();

    for (const Keys keys : m_block.tiles(0, cuts.back(), cuts, stride)) {
        if (stop.stop_requested())
            return;
        readOff(keys.first);
        const bool masked = !m_block.allSee(keys);
        float* const z = m_z.data()->at;
        m_block.products(keys, z);
        for (Track& track : m_tracks)
            if (!track.plain && track.done < track.plan.items.size())
                feedTransformed(track, keys, masked);
        if (masked)
            m_block.mask(keys, z);
        const auto wantsPlain = [](const Track& track) { return track.plain && track.done < track.plan.items.size(); };
        if (std::ranges::any_of(m_tracks, wantsPlain))
            rank(*m_rankings, keys, masked, z);
        for (Track& track : m_tracks)
            if (wantsPlain(track))
                feed(track, keys, z, m_rankings->tileLargest);
    }
    readOff(std::numeric_limits<std::int64_t>::max());
}

void BlockSummary::rank(Order& order, Keys keys, bool masked, const float* x)
{
    order.add(m_kernels, keys, masked, m_block.rowCount(), x);
    if (m_extras.window == 0)
        return;
    if (!order.near)
        order.near = std::make_unique<Ranking>(nothingSeen());
    float* const near = m_near.data()->at;
    std::copy_n(x, keys.count * blockRows, near);
    Lanes largest;
    if (m_block.maskBeyond(m_extras.window, keys, near))
        m_kernels.rank(near, keys, true, m_block.rowCount(), *order.near, largest.at);
}

void BlockSummary::feedTransformed(Track& track, Keys keys, bool masked)
{
    float* const x = m_x.data()->at;
    Lanes largest;
    m_block.transform(keys, m_z.data()->at, track.scale, x, largest);
    for (int r = 0; r < m_block.rowCount(); ++r)
        track.largestProduct.at[r] = std::max(track.largestProduct.at[r], largest.at[r]);
    if (masked)
        m_block.mask(keys, x);
    rank(*track.order, keys, masked, x);
    feed(track, keys, x, track.order->tileLargest);
}

void BlockSummary::feed(Track& track, Keys keys, const float* x, const Lanes& tileLargest)
{
    follow(track, tileLargest);
    m_kernels.accumulate(x, track.a.at, track.b.at, m_block.placesFrom(keys.first).at, static_cast<float>(keys.stride),
                         keys.count, m_block.rowCount(), m_powers, m_order, track.sums);
}

/// Moves the shift of the rows whose largest logit has run away from it, and their sums with it.
void BlockSummary::follow(Track& track, const Lanes& tileLargest) const
{
    const double room = m_extras.order > 3 ? 0 : slack;
    Sums& sums = track.sums;
    for (int r = 0; r < m_block.rowCount(); ++r) {
        if (tileLargest.at[r] <= unseen)
            continue;
        const float largest = track.a.at[r] * tileLargest.at[r];
        const bool started = track.started[static_cast<size_t>(r)];
        if (started && static_cast<double>(largest) <= static_cast<double>(track.b.at[r]) + room)
            continue;
        const double by = static_cast<double>(track.b.at[r]) - static_cast<double>(largest);
        const double f = started ? std::exp2(2 * by) : 0, e = sums.e[r];
        sums.ev[r] = started ? f * (sums.ev[r] + by * e) : 0;
        sums.e[r] *= f;
        sums.squares[r] *= f * f;
        sums.roots[r] *= std::sqrt(f);
        if (m_powers == Powers::NearOne) {
            const double power = 2 * by * (m_extras.order - 1);
            sums.powers[r] =
                started ? f * (std::exp2(power) * sums.powers[r] + std::expm1(std::numbers::ln2 * power) * e) : 0;
        } else {
            sums.powers[r] *= started ? std::exp2(2 * by * m_extras.order) : 0;
        }
        sums.distances[r] *= f;
        track.b.at[r] = largest;
        track.started[static_cast<size_t>(r)] = true;
    }
}

/// Every item whose prefix ends at or before `key` is complete.
void BlockSummary::readOff(std::int64_t key)
{
    for (Track& track : m_tracks)
        for (; track.done < track.plan.items.size() && track.plan.items[track.done].prefix <= key; ++track.done)
            read(track, track.plan.items[track.done]);
}

void BlockSummary::read(const Track& track, const PassPlan::Item& item)
{
    const Order& order = track.plain ? *m_rankings : *track.order;
    for (int r = item.begin; r < item.end; ++r) {
        const std::int64_t visible = m_block.visibleCount(r, item.prefix);
        RowSummary& row = m_plan.out(item, r);
        if (visible == 0 || !m_plan.hasScale(item, r))
            row = {};
        else if (visible == 1 || m_block.irregular(r) || beyondFloat(track, order, r) ||
                 (!track.plan.exact.empty() && track.plan.exact[static_cast<size_t>(r)]))
            row = m_plan.exactRow(item, r);
        else
            row = readRow(track, order, visible, r);
    }
}

bool BlockSummary::beyondFloat(const Track& track, const Order& order, int r) const
{
    const size_t row = static_cast<size_t>(r);
    float largest = track.plain ? track.scale.at[r] * std::max(order.ranking.top[0][r], -order.ranking.smallest[r])
                                : track.largestProduct.at[r];
    if (m_head.bias || m_head.slope != 0)  // of any size
        largest = std::max(largest, std::abs(order.ranking.top[0][r]));
    return !(track.plan.beta[row] * static_cast<double>(largest) <= static_cast<double>(largestLogit)) ||
           !(std::abs(track.plan.scale[row]) <= largestScale) || !std::isfinite(track.sums.e[r]);
}

RowSummary BlockSummary::readRow(const Track& track, const Order& order, std::int64_t visible, int r) const
{
    const RowSums sums{static_cast<double>(track.b.at[r]) / halfLog2e,
                       track.sums.e[r],
                       track.sums.ev[r] / halfLog2e,
                       track.sums.squares[r],
                       track.sums.roots[r],
                       track.sums.powers[r],
                       track.sums.distances[r]};
    const double logZ = sums.shift + std::log(sums.e), factor = static_cast<double>(track.a.at[r]) / halfLog2e;
    const auto share = [&](float z) { return std::exp(factor * static_cast<double>(z) - logZ); };
    const double toLogit = track.plain ? track.plan.scale[static_cast<size_t>(r)] : 1;

    RowSummary row = m_plan.begun(sums, track.plan.beta[static_cast<size_t>(r)], visible);
    row.logitMax = toLogit * static_cast<double>(order.ranking.top[0][r]);
    row.logitMin = toLogit * static_cast<double>(order.ranking.smallest[r]);
    if (!(row.mass > 0))
        return row;
    row.argmax = order.ranking.argmax[r];
    for (const Lanes& key : order.first)
        row.sinkMass += key.at[r] > unseen ? share(key.at[r]) : 0;
    for (size_t k = 0; k < row.top.size() && order.ranking.top[k][r] > unseen; ++k)
        row.top[k] = static_cast<float>(share(order.ranking.top[k][r]));
    for (int k = 0; order.near && k < m_extras.windowTop && order.near->top[k][r] > unseen; ++k)
        row.windowMass += share(order.near->top[k][r]);
    m_plan.finish(row, sums);
    return row;
}

}  // namespace attnscope::fast
