#include "core/attention/opengl/block_plan.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/opengl/opengl_engine.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::opengl {

namespace {

static_assert(gpu::topCount == RowSummary::topCount && gpu::sinkCount == RowSummary::sinkCount);

std::int64_t seenBefore(const gpu::Row& row, std::int64_t prefix)
{
    return std::min<std::int64_t>(row.sinkEnd, prefix) + std::min<std::int64_t>(row.end, prefix) -
           std::min<std::int64_t>(row.begin, prefix);
}

}  // namespace

BlockPlan::BlockPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
                     std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out)
    : m_head(head), m_plan(head, request, normaliser, firstRow, rowCount, out), m_firstRow(firstRow)
{
    for (int row = 0; row < rowCount; ++row) {
        m_rows.push_back(rowOf(head, firstRow + row));
        m_irregular.push_back(irregular(head, firstRow + row));
    }
}

Result<void> BlockPlan::run(gpu::Tiles& tiles, const std::stop_token& stop)
{
    return sum(m_plan.tracks(), tiles, stop).and_then([&] { return sum(m_plan.adaptedTracks(), tiles, stop); });
}

/// Those outside the track's passes see nothing.
std::vector<gpu::Row> BlockPlan::rowsOf(const PassPlan::Track& track) const
{
    std::vector<gpu::Row> rows(gpu::blockRows);
    for (auto row = static_cast<size_t>(track.items.front().begin); row < static_cast<size_t>(track.items.front().end);
         ++row) {
        rows[row] = m_rows[row];
        rows[row].scale = fast::finiteFloat(track.scale[row]);
        rows[row].beta = fast::finiteFloat(track.beta[row]);
    }
    return rows;
}

Result<void> BlockPlan::sum(const std::vector<PassPlan::Track>& tracks, gpu::Tiles& tiles, const std::stop_token& stop)
{
    if (tracks.empty())
        return {};
    std::vector<gpu::Row> rows;
    std::vector<gpu::Step> steps;
    std::vector<std::vector<int>> slotOf;  ///< [track][item]; -1: no keys
    int slots = 0;
    for (size_t t = 0; t < tracks.size(); ++t) {
        gpu::Step step{.track = static_cast<int>(t), .begin = 0, .end = 0, .source = -1, .target = -1};
        slotOf.emplace_back();
        for (const PassPlan::Item& item : tracks[t].items) {
            if (item.prefix > step.end) {
                step = {step.track, step.end, item.prefix, step.target, slots++};
                steps.push_back(step);
            }
            slotOf.back().push_back(step.target);
        }
        const std::vector<gpu::Row> ofTrack = rowsOf(tracks[t]);
        rows.insert(rows.end(), ofTrack.begin(), ofTrack.end());
    }
    const auto sums = TRY(tiles.statistics(viewOf(m_head, m_firstRow, static_cast<int>(std::ssize(m_rows))), rows,
                                           steps, slots, m_plan.powerOrder(), stop));
    for (size_t t = 0; t < tracks.size(); ++t)
        for (size_t i = 0; i < tracks[t].items.size(); ++i) {
            const PassPlan::Item& item = tracks[t].items[i];
            const int slot = slotOf[t][i];
            forEachInParallel(item.end - item.begin, 16, [&](std::int64_t index) {
                const int row = item.begin + static_cast<int>(index);
                m_plan.out(item, row) =
                    slot < 0 ? RowSummary()
                             : read(tracks[t], item, row, sums[static_cast<size_t>(slot * gpu::blockRows + row)]);
            });
        }
    return {};
}

RowSummary BlockPlan::read(const PassPlan::Track& track, const PassPlan::Item& item, int row,
                           const gpu::Sums& sums) const
{
    const size_t r = static_cast<size_t>(row);
    const std::int64_t visible = seenBefore(m_rows[r], item.prefix);
    if (visible == 0 || !m_plan.hasScale(item, row))
        return {};
    const double beta = track.beta[r];
    const bool withinFloat = beta * static_cast<double>(sums.product) <= static_cast<double>(fast::largestLogit) &&
                             (m_head.slope == 0 || std::abs(sums.largest) <= fast::largestLogit) &&
                             std::isfinite(sums.e) && sums.e > 0 && std::abs(track.scale[r]) <= fast::largestScale &&
                             (track.exact.empty() || !track.exact[r]);
    return visible == 1 || m_irregular[r] || !withinFloat ? m_plan.exactRow(item, row) : readSums(sums, beta, visible);
}

RowSummary BlockPlan::readSums(const gpu::Sums& of, double beta, std::int64_t visible) const
{
    const auto scaled = [beta](float x) { return beta * static_cast<double>(x); };
    const RowSums sums{scaled(of.largest),
                       static_cast<double>(of.e),
                       std::numbers::ln2 * static_cast<double>(of.ev),
                       static_cast<double>(of.squares),
                       static_cast<double>(of.roots),
                       static_cast<double>(of.powers),
                       static_cast<double>(of.distances)};
    const double logZ = sums.shift + std::log(sums.e);

    RowSummary row = m_plan.begun(sums, beta, visible);
    row.logitMax = static_cast<double>(of.largest);
    row.logitMin = static_cast<double>(of.smallest);
    if (!(row.mass > 0))
        return row;
    row.sinkMass = static_cast<double>(of.sinks) / sums.e;
    row.argmax = of.argmax;
    const size_t known = static_cast<size_t>(std::min<std::int64_t>(visible, gpu::topCount));
    for (size_t k = 0; k < known; ++k)
        row.top[k] = static_cast<float>(std::exp(scaled(of.top[k]) - logZ));
    m_plan.finish(row, sums);
    return row;
}

}  // namespace attnscope::opengl
