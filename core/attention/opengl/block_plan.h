#pragma once
// What the device has to sum for 256 query rows under every pass of a request (pass_plan.h): each prefix of a track has
// a slot, and the sums go from slot to slot.

#include "core/attention/pass_plan.h"
#include "core/gpu/tiles.h"

namespace attnscope::opengl {

class BlockPlan {
public:
    BlockPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
              std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out);
    /// Errors: Unavailable, Cancelled.
    Result<void> run(gpu::Tiles& tiles, const std::stop_token& stop);

private:
    Result<void> sum(const std::vector<PassPlan::Track>& tracks, gpu::Tiles& tiles, const std::stop_token& stop);
    std::vector<gpu::Row> rowsOf(const PassPlan::Track& track) const;
    RowSummary read(const PassPlan::Track& track, const PassPlan::Item& item, int row, const gpu::Sums& sums) const;
    RowSummary readSums(const gpu::Sums& sums, double beta, std::int64_t visible) const;

    const AttentionHead& m_head;
    PassPlan m_plan;
    const std::int64_t m_firstRow;
    std::vector<gpu::Row> m_rows;  ///< without scale
    std::vector<bool> m_irregular;
};

}  // namespace attnscope::opengl
