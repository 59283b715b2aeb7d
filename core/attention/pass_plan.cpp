#include "core/attention/pass_plan.h"

#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Orders that have a sum of their own.
bool needsPowers(double order)
{
    return std::isfinite(order) && order != 0 && order != 0.5 && order != 1 && order != 2;
}

}  // namespace

PassPlan::PassPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                   std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out)
    : m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser),
      m_out(out), m_firstRow(firstRow), m_rowCount(rowCount),
      m_powerOrder(needsPowers(request.extras.order) ? request.extras.order : 0)
{
}

std::vector<PassPlan::Item> PassPlan::items() const
{
    std::vector<Item> items;
    for (size_t pass = 0; pass < m_request.passes.size(); ++pass) {
        const Pass& p = m_request.passes[pass];
        const std::int64_t begin = std::max<std::int64_t>(p.firstRow - m_firstRow, 0);
        const std::int64_t end = std::min<std::int64_t>(p.lastRow - m_firstRow, m_rowCount);
        if (begin < end)
            items.push_back({pass, static_cast<int>(begin), static_cast<int>(end), p.prefix});
    }
    std::ranges::stable_sort(items, {}, &Item::prefix);
    return items;
}

float PassPlan::scaleOf(const Item& item, int row) const
{
    const Pass& pass = m_request.passes[item.pass];
    return pass.scale[static_cast<size_t>(m_firstRow + row - pass.firstRow)];
}

RowSummary& PassPlan::out(const Item& item, int row) const
{
    return m_out[item.pass][static_cast<size_t>(m_firstRow + row - m_request.passes[item.pass].firstRow)];
}

PassPlan::Track PassPlan::trackOf(const Item& item, std::vector<float> beta) const
{
    Track track{{item}, std::vector<float>(static_cast<size_t>(m_rowCount), 0.0f), std::move(beta)};
    for (int row = item.begin; row < item.end; ++row)
        track.scale[static_cast<size_t>(row)] = hasScale(item, row) ? scaleOf(item, row) : 1;
    return track;
}

std::vector<PassPlan::Track> PassPlan::tracks() const
{
    std::vector<Track> tracks;
    for (const Item& item : items()) {
        Track track = trackOf(item, std::vector<float>(static_cast<size_t>(m_rowCount), 1.0f));
        const auto same = std::ranges::find_if(tracks, [&](const Track& other) {
            return other.items.front().begin == item.begin && other.items.front().end == item.end &&
                   other.scale == track.scale;
        });
        if (same != tracks.end())
            same->items.push_back(item);
        else
            tracks.push_back(std::move(track));
    }
    return tracks;
}

std::vector<PassPlan::Track> PassPlan::adaptedTracks() const
{
    std::vector<Track> tracks;
    const auto betaOf = m_normaliser.softmaxForm->beta;
    if (!betaOf)
        return tracks;
    for (const Item& item : items()) {
        std::vector<float> beta(static_cast<size_t>(m_rowCount), 1.0f);
        for (int row = item.begin; row < item.end; ++row)
            beta[static_cast<size_t>(row)] = static_cast<float>(betaOf(out(item, row).entropy, m_parameters));
        if (std::ranges::any_of(beta, [](float factor) { return factor != 1; }))
            tracks.push_back(trackOf(item, std::move(beta)));
    }
    return tracks;
}

RowSummary PassPlan::exactRow(const Item& item, int row) const
{
    RowLogits logits;
    readRowLogits(m_head, m_firstRow + row, item.prefix, static_cast<double>(scaleOf(item, row)), logits);
    return summariseRow(logits.logits, logits.visible, m_head.position(m_firstRow + row), m_normaliser, m_parameters,
                        m_request.extras);
}

RowSummary PassPlan::begun(const RowSums& sums, float beta, std::int64_t visible) const
{
    const double s = sums.e, logZ = sums.shift + std::log(s);
    RowSummary row;
    row.visible = row.support = visible;
    row.state = {static_cast<double>(beta), logZ};
    row.mass = 1;
    if (const auto silent = m_normaliser.softmaxForm->silentLogit) {
        const double logit = silent(m_parameters);
        row.state.shift = std::max(logZ, logit) + std::log1p(std::exp(-std::abs(logZ - logit)));
        row.mass = std::exp(logZ - row.state.shift);
    }
    row.entropy = std::log(s) - sums.ev / s;
    row.sumSquares = sums.squares / (s * s);
    row.sumRoots = sums.roots / std::sqrt(s);
    row.meanDistance = sums.distances / s;
    return row;
}

void PassPlan::finish(RowSummary& row, const RowSums& sums) const
{
    const double order = m_request.extras.order;
    if (m_powerOrder > 0)
        row.sumPower = sums.powers / std::pow(sums.e, order);
    else if (std::isinf(order))
        row.sumPower = static_cast<double>(row.top[0]);
    else
        row.sumPower = order == 0     ? static_cast<double>(row.support)
                       : order == 0.5 ? row.sumRoots
                       : order == 1   ? 1
                                      : row.sumSquares;
    keepWithinBounds(row, order);
}

}  // namespace attnscope
