#include "core/attention/opengl/block_plan.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/opengl/opengl_engine.h"
#include "core/attention/row_logits.h"
#include "core/attention/summarise_row.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::opengl {

namespace {

static_assert(gpu::topCount == RowSummary::topCount && gpu::sinkCount == RowSummary::sinkCount);

/// Orders that have a sum of their own.
bool needsPowers(double order) { return std::isfinite(order) && order != 0 && order != 0.5 && order != 1 && order != 2; }

std::int64_t seenBefore(const gpu::Row& row, std::int64_t prefix)
{
    return std::min<std::int64_t>(row.sinkEnd, prefix) + std::min<std::int64_t>(row.end, prefix) - std::min<std::int64_t>(row.begin, prefix);
}

bool sameScales(const std::vector<gpu::Row>& a, const std::vector<gpu::Row>& b)
{
    return std::ranges::equal(a, b, [](const gpu::Row& x, const gpu::Row& y) { return x.scale == y.scale && x.end == y.end && x.sinkEnd == y.sinkEnd; });
}

}  // namespace

BlockPlan::BlockPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser, std::int64_t firstRow, int rowCount,
                     std::vector<std::vector<RowSummary>>& out)
    : m_head(head), m_request(request), m_normaliser(normaliser), m_parameters(normaliser, request.normaliser), m_out(out), m_firstRow(firstRow),
      m_rowCount(rowCount), m_powerOrder(needsPowers(request.order) ? request.order : 0)
{
    for (int row = 0; row < rowCount; ++row) {
        m_rows.push_back(rowOf(head, firstRow + row));
        m_irregular.push_back(irregular(head, firstRow + row));
    }
}

Result<void> BlockPlan::run(gpu::Tiles& tiles, const std::stop_token& stop)
{
    const std::vector<float> one(static_cast<size_t>(m_rowCount), 1.0f);
    for (const Item& item : items())
        addTrack(item, true, one);
    if (const Result<void> summed = sum(tiles, stop); !summed)
        return summed;
    const auto beta = m_normaliser.softmaxForm->beta;
    if (!beta)
        return {};

    // The temperature that adapts: once more over the tiles, with the factor that each row's entropy asks for.
    m_tracks.clear();
    for (const Item& item : items()) {
        std::vector<float> factor = one;
        for (int row = item.begin; row < item.end; ++row)
            factor[static_cast<size_t>(row)] = static_cast<float>(beta(out(item, row).entropy, m_parameters));
        if (factor != one)
            addTrack(item, false, factor);
    }
    return m_tracks.empty() ? Result<void>() : sum(tiles, stop);
}

std::vector<BlockPlan::Item> BlockPlan::items() const
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

float BlockPlan::scaleOf(const Item& item, int row) const
{
    const Pass& pass = m_request.passes[item.pass];
    return pass.scale[static_cast<size_t>(m_firstRow + row - pass.firstRow)];
}

RowSummary& BlockPlan::out(const Item& item, int row) const
{
    return m_out[item.pass][static_cast<size_t>(m_firstRow + row - m_request.passes[item.pass].firstRow)];
}

void BlockPlan::addTrack(const Item& item, bool mayShare, const std::vector<float>& beta)
{
    std::vector<gpu::Row> rows(gpu::blockRows);   // those outside the pass, and those without a scale, see nothing
    for (int row = item.begin; row < item.end; ++row) {
        const size_t r = static_cast<size_t>(row);
        if (std::isnan(scaleOf(item, row)))
            continue;
        rows[r] = m_rows[r];
        rows[r].scale = scaleOf(item, row);
        rows[r].beta = beta[r];
    }
    for (Track& track : m_tracks)
        if (mayShare && sameScales(track.rows, rows)) {
            track.items.push_back(item);
            return;
        }
    m_tracks.push_back({{item}, std::move(rows)});
}

Result<void> BlockPlan::sum(gpu::Tiles& tiles, const std::stop_token& stop)
{
    std::vector<gpu::Row> rows;
    std::vector<gpu::Step> steps;
    int slots = 0;
    for (Track& track : m_tracks) {
        gpu::Step step{.track = static_cast<int>(&track - m_tracks.data()), .begin = 0, .end = 0, .source = -1, .target = -1};
        for (Item& item : track.items) {
            if (item.prefix > step.end) {
                step = {step.track, step.end, item.prefix, step.target, slots++};
                steps.push_back(step);
            }
            item.slot = step.target;
        }
        rows.insert(rows.end(), track.rows.begin(), track.rows.end());
    }
    const auto sums = tiles.statistics(viewOf(m_head, m_firstRow, m_rowCount), rows, steps, slots, m_powerOrder, stop);
    if (!sums)
        return tl::unexpected(sums.error());
    for (const Track& track : m_tracks)
        for (const Item& item : track.items)
            forEachInParallel(item.end - item.begin, 16, [&](std::int64_t index) {
                const int row = item.begin + static_cast<int>(index);
                out(item, row) = item.slot < 0 ? RowSummary() : read(track, item, row, (*sums)[static_cast<size_t>(item.slot * gpu::blockRows + row)]);
            });
    return {};
}

RowSummary BlockPlan::read(const Track& track, const Item& item, int r, const gpu::Sums& sums) const
{
    const gpu::Row& row = track.rows[static_cast<size_t>(r)];
    const std::int64_t visible = seenBefore(row, item.prefix);
    if (visible == 0)
        return {};
    const bool withinFloat = row.beta * sums.product <= fast::largestLogit && std::isfinite(sums.e) && sums.e > 0;
    return visible == 1 || m_irregular[static_cast<size_t>(r)] || !withinFloat ? exactRow(item, r) : readSums(row, sums, visible);
}

RowSummary BlockPlan::exactRow(const Item& item, int row) const
{
    RowLogits logits;
    readRowLogits(m_head, m_firstRow + row, item.prefix, static_cast<double>(scaleOf(item, row)), logits);
    return summariseRow(logits.logits, logits.visible, m_head.position(m_firstRow + row), m_normaliser, m_parameters, m_request.order);
}

RowSummary BlockPlan::readSums(const gpu::Row& parameters, const gpu::Sums& sums, std::int64_t visible) const
{
    const double s = static_cast<double>(sums.e), beta = static_cast<double>(parameters.beta), largest = static_cast<double>(sums.largest);
    const double logZ = beta * largest + std::log(s);

    RowSummary row;
    row.visible = row.support = visible;
    row.state = {beta, logZ};
    row.mass = 1;
    if (const auto silent = m_normaliser.softmaxForm->silentLogit) {
        const double logit = silent(m_parameters);
        row.state.shift = std::max(logZ, logit) + std::log1p(std::exp(-std::abs(logZ - logit)));
        row.mass = std::exp(logZ - row.state.shift);
    }
    row.entropy = std::log(s) - std::numbers::ln2 * static_cast<double>(sums.ev) / s;
    row.sumSquares = static_cast<double>(sums.squares) / (s * s);
    row.sumRoots = static_cast<double>(sums.roots) / std::sqrt(s);
    row.meanDistance = static_cast<double>(sums.distances) / s;
    row.sinkMass = static_cast<double>(sums.sinks) / s;
    row.logitMax = largest;
    row.logitMin = static_cast<double>(sums.smallest);
    row.argmax = sums.argmax;
    const size_t known = static_cast<size_t>(std::min<std::int64_t>(visible, gpu::topCount));
    for (size_t k = 0; k < known; ++k)
        row.top[k] = static_cast<float>(std::exp(beta * static_cast<double>(sums.top[k]) - logZ));
    row.sumPower = power(sums, row);
    keepWithinBounds(row, m_request.order);
    return row;
}

double BlockPlan::power(const gpu::Sums& sums, const RowSummary& row) const
{
    const double order = m_request.order;
    if (m_powerOrder > 0)
        return static_cast<double>(sums.powers) / std::pow(static_cast<double>(sums.e), order);
    if (std::isinf(order))
        return static_cast<double>(row.top[0]);
    return order == 0 ? static_cast<double>(row.support) : order == 0.5 ? row.sumRoots : order == 1 ? 1 : row.sumSquares;
}

}  // namespace attnscope::opengl
