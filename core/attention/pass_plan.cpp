#include "core/attention/pass_plan.h"

#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

/// Of every entropy that sums of float32 give, nats: some three units in the last place of ln n.
constexpr double errorOfEntropy = 5e-7;

double epsOf(const Normaliser& normaliser, const Parameters& parameters)
{
    return normaliser.softmaxForm->eps ? normaliser.softmaxForm->eps(parameters) : 0;
}

}  // namespace

bool PassPlan::needsPowers(double order)
{
    return std::isfinite(order) && order != 0 && order != 0.5 && order != 1 && order != 2;
}

bool PassPlan::isNearOne(double order) { return std::abs(order - 1) < 0.125; }

PassPlan::PassPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                   std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out)
    : m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser),
      m_out(out), m_firstRow(firstRow), m_rowCount(rowCount),
      m_powerOrder(needsPowers(request.extras.order) ? request.extras.order : 0), m_eps(epsOf(normaliser, m_parameters))
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

double PassPlan::scaleOf(const Item& item, int row) const
{
    const Pass& pass = m_request.passes[item.pass];
    return pass.scale[static_cast<size_t>(m_firstRow + row - pass.firstRow)];
}

RowSummary& PassPlan::out(const Item& item, int row) const
{
    return m_out[item.pass][static_cast<size_t>(m_firstRow + row - m_request.passes[item.pass].firstRow)];
}

PassPlan::Track PassPlan::trackOf(const Item& item, std::vector<double> beta) const
{
    Track track{{item}, std::vector<double>(static_cast<size_t>(m_rowCount), 0.0), std::move(beta)};
    for (int row = item.begin; row < item.end; ++row)
        track.scale[static_cast<size_t>(row)] = hasScale(item, row) ? scaleOf(item, row) : 1;
    return track;
}

std::vector<PassPlan::Track> PassPlan::tracks() const
{
    std::vector<Track> tracks;
    for (const Item& item : items()) {
        Track track = trackOf(item, std::vector<double>(static_cast<size_t>(m_rowCount), 1.0));
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

/// p ln(1 + eps / p) rises with p from 0 to eps: the row's sum lies between n times that of its least p and n eps.
std::optional<double> PassPlan::boundedLoss(const RowSummary& row) const
{
    const double n = static_cast<double>(row.visible), most = n * m_eps;
    const double least = std::exp(row.logitMin - row.state.shiftFromZero());
    const double low = least > 0 ? n * least * std::log1p(m_eps / least) : 0;
    return most - low <= 2 * errorOfEntropy ? std::optional(std::midpoint(low, most)) : std::nullopt;
}

std::vector<PassPlan::Track> PassPlan::softenedTracks() const
{
    std::vector<Track> tracks;
    if (!(m_eps > 0))
        return tracks;
    for (const Item& item : items()) {
        const auto unknown = [&](int row) {
            const RowSummary& of = out(item, row);
            return of.visible > 1 && std::isfinite(of.state.scale) && !boundedLoss(of);
        };
        bool any = false;
        for (int row = item.begin; row < item.end && !any; ++row)
            any = unknown(row);
        if (any)
            tracks.push_back(trackOf(item, std::vector<double>(static_cast<size_t>(m_rowCount), 1.0)));
    }
    return tracks;
}

void PassPlan::setLoss(const Item& item, int row, double loss) { m_losses[{item.pass, row}] = loss; }

std::vector<PassPlan::Track> PassPlan::adaptedTracks() const
{
    std::vector<Track> tracks;
    const auto betaOf = m_normaliser.softmaxForm->beta;
    if (!betaOf)
        return tracks;
    for (const Item& item : items()) {
        Track track = trackOf(item, std::vector<double>(static_cast<size_t>(m_rowCount), 1.0));
        track.exact.assign(static_cast<size_t>(m_rowCount), false);
        for (int row = item.begin; row < item.end; ++row) {
            const RowSummary& of = out(item, row);
            if (of.visible < 2 || !std::isfinite(of.state.scale))
                continue;
            const auto summed = m_losses.find({item.pass, row});
            const double loss = summed != m_losses.end() ? summed->second : m_eps > 0 ? boundedLoss(of).value_or(0) : 0;
            const double entropy = of.entropy - loss, beta = betaOf(entropy, m_parameters);
            track.beta[static_cast<size_t>(row)] = beta;
            // Steep there, or at a jump: what float32 has lost of the entropy would move logits that matter.
            const double unsure = std::abs(betaOf(entropy + errorOfEntropy, m_parameters) -
                                           betaOf(entropy - errorOfEntropy, m_parameters));
            constexpr double matters = 20, movesLogit = 5e-5;  // nats
            track.exact[static_cast<size_t>(row)] =
                !(unsure * std::min(of.logitMax - of.logitMin, matters / std::max(beta, 1.0)) <= movesLogit) ||
                !(unsure <= movesLogit * std::max(beta, 1.0));
        }
        if (std::ranges::any_of(track.beta, [](double factor) { return factor != 1; }) ||
            std::ranges::any_of(track.exact, [](bool exact) { return exact; }))
            tracks.push_back(std::move(track));
    }
    return tracks;
}

RowSummary PassPlan::exactRow(const Item& item, int row) const
{
    RowLogits logits;
    readRowLogits(m_head, m_firstRow + row, item.prefix, scaleOf(item, row), logits);
    return summariseRow(logits.logits, logits.visible, m_head.position(m_firstRow + row), m_normaliser, m_parameters,
                        m_request.extras);
}

RowSummary PassPlan::begun(const RowSums& sums, double beta, std::int64_t visible) const
{
    const double s = sums.e, logZ = sums.shift + std::log(s);
    RowSummary row;
    row.visible = visible;
    row.state = {beta, logZ};
    row.beta = beta;
    row.mass = 1;
    if (const auto silent = m_normaliser.softmaxForm->silentLogit) {
        const double logit = silent(m_parameters);
        row.state.shift = std::max(logZ, logit) + std::log1p(std::exp(-std::abs(logZ - logit)));
        row.mass = std::exp(logZ - row.state.shift);
    }
    if (!(row.mass >= RowSummary::leastMass)) {
        row.mass = 0;
        return row;
    }
    row.support = visible;
    row.entropy = std::log(s) - sums.ev / s;
    row.sumSquares = sums.squares / (s * s);
    row.sumRoots = sums.roots / std::sqrt(s);
    row.meanDistance = sums.distances / s;
    return row;
}

void PassPlan::finish(RowSummary& row, const RowSums& sums) const
{
    const double order = m_request.extras.order;
    if (nearOne())
        row.sumPower = std::exp(std::log1p(sums.powers / sums.e) + (1 - order) * std::log(sums.e));
    else if (m_powerOrder > 0)
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
