#pragma once
// What an engine that streams tiles has to sum for one block of query rows, for normalisers that are a softmax at
// heart, and how summaries are read off the sums. Passes that scale these rows alike are one track, which needs one set
// of sums; its prefixes are read off as the tiles go by. With e = exp(y - shift), y = beta x, and S = sum e,
//
//   ln Z = shift + ln S,   H = ln S - sum e (y - shift) / S,   sum p^2 = sum e^2 / S^2,   sum sqrt p = sum sqrt e /
//   sqrt S
//
// A normaliser whose temperature adapts to the entropy asks for a second plan, with the beta of each row, once the
// first is done.

#include "core/attention/engine.h"
#include "core/attention/normaliser.h"

#include <vector>

namespace attnscope {

/// Of one row over the keys that it sees.
struct RowSums {
    double shift = 0;               ///< nats
    double e = 0, ev = 0;           ///< S, and sum e (y - shift), nats
    double squares = 0, roots = 0;  ///< of e
    double powers = 0;              ///< sum e^order
    double distances = 0;           ///< sum e |i - j|
};

class PassPlan {
public:
    /// A pass as far as it touches these rows: rows begin .. end - 1 of the block.
    struct Item {
        size_t pass;
        int begin, end;
        std::int64_t prefix;
    };
    struct Track {
        std::vector<Item> items;         ///< by rising prefix; all of the same rows
        std::vector<float> scale, beta;  ///< of all rows of the block; scale is 1 for rows without one, which nobody
                                         ///< reads, and 0 outside the items
    };

    /// `out`: [pass][row - firstRow of the pass].
    PassPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
             std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out);

    /// Every pass under beta = 1.
    std::vector<Track> tracks() const;
    /// Passes of which a row's entropy, which has been read, asks for another beta. Tracks of one item each.
    std::vector<Track> adaptedTracks() const;

    /// Does the row have a scale under this item? Else its summary is empty.
    bool hasScale(const Item& item, int row) const { return attnscope::hasScale(scaleOf(item, row)); }
    RowSummary& out(const Item& item, int row) const;
    /// By the definition, in double precision.
    RowSummary exactRow(const Item& item, int row) const;
    /// All that sums tell: not yet logits, ranks and sinks.
    RowSummary begun(const RowSums& sums, float beta, std::int64_t visible) const;
    /// What also needs the largest weights.
    void finish(RowSummary& row, const RowSums& sums) const;
    /// The order of RowSums::powers; 0: they are not needed.
    double powerOrder() const { return m_powerOrder; }

private:
    std::vector<Item> items() const;
    float scaleOf(const Item& item, int row) const;
    Track trackOf(const Item& item, std::vector<float> beta) const;

    const AttentionHead& m_head;
    const SummaryRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    std::vector<std::vector<RowSummary>>& m_out;
    const std::int64_t m_firstRow;
    const int m_rowCount;
    const double m_powerOrder;
};

}  // namespace attnscope
