#pragma once
// What the device has to sum for 256 query rows under every pass of a request, and how row summaries are read off the sums.
// Passes that scale these rows alike are one track; each prefix of a track has a slot. With S = sum e, e = exp(beta (x - m)),
//
//   ln Z = beta m + ln S,   H = ln S - sum e beta (x - m) / S,   sum p^2 = sum e^2 / S^2,   sum sqrt p = sum sqrt e / sqrt S

#include "core/attention/engine.h"
#include "core/attention/normaliser.h"
#include "core/gpu/tiles.h"

namespace attnscope::opengl {

class BlockPlan {
public:
    BlockPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser, std::int64_t firstRow, int rowCount,
              std::vector<std::vector<RowSummary>>& out);
    /// Errors: Unavailable, Cancelled.
    Result<void> run(gpu::Tiles& tiles, const std::stop_token& stop);

private:
    /// A pass as far as it touches these rows.
    struct Item {
        size_t pass;
        int begin, end;
        std::int64_t prefix;
        int slot = -1;   ///< none: no keys
    };
    struct Track {
        std::vector<Item> items;       ///< by rising prefix
        std::vector<gpu::Row> rows;
    };

    std::vector<Item> items() const;
    float scaleOf(const Item& item, int row) const;
    RowSummary& out(const Item& item, int row) const;
    void addTrack(const Item& item, bool mayShare, const std::vector<float>& beta);
    Result<void> sum(gpu::Tiles& tiles, const std::stop_token& stop);
    RowSummary read(const Track& track, const Item& item, int row, const gpu::Sums& sums) const;
    RowSummary readSums(const gpu::Row& row, const gpu::Sums& sums, std::int64_t visible) const;
    RowSummary exactRow(const Item& item, int row) const;
    double power(const gpu::Sums& sums, const RowSummary& row) const;

    const AttentionHead& m_head;
    const SummaryRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    std::vector<std::vector<RowSummary>>& m_out;
    const std::int64_t m_firstRow;
    const int m_rowCount;
    const double m_powerOrder;          ///< of the sum that the device is asked for; 0: none
    std::vector<gpu::Row> m_rows;       ///< without scale
    std::vector<bool> m_irregular;
    std::vector<Track> m_tracks;
};

}  // namespace attnscope::opengl
