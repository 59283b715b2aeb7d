#pragma once
// What an engine that streams tiles has to sum for one block of query rows, for normalisers that are a softmax at
// heart, and how summaries are read off the sums. Passes that scale these rows alike are one track, which needs one set
// of sums; its prefixes are read off as the tiles go by. With e = exp(y - shift), y = beta x, and S = sum e,
//
//   ln Z = shift + ln S,       H = ln S - sum e (y - shift) / S,
//   sum p^2 = sum e^2 / S^2,   sum sqrt p = sum sqrt e / sqrt S
//
// A normaliser whose temperature adapts to the entropy asks for a second plan, with the beta of each row, once the
// first is done. Where that entropy is -sum p ln(p + eps) = H - sum p ln(1 + eps / p), what is taken away needs ln Z
// first: rows for which bounds do not tell it are a plan between the two.

#include "core/attention/engine.h"
#include "core/attention/normaliser.h"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace attnscope {

/// Of one row over the keys that it sees.
struct RowSums {
    double shift = 0;               ///< nats
    double e = 0, ev = 0;           ///< S, and sum e (y - shift), nats
    double squares = 0, roots = 0;  ///< of e
    double powers = 0;              ///< sum e^order, or sum (e^order - e)
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
        std::vector<Item> items;          ///< by rising prefix; all of the same rows
        std::vector<double> scale, beta;  ///< of all rows of the block; scale is 1 for rows without one, which nobody
                                          ///< reads, and 0 outside the items
        std::vector<bool> exact = {};     ///< rows that only the definition can tell; empty: none
    };

    /// `out`: [pass][row - firstRow of the pass].
    PassPlan(const AttentionHead& head, const SummaryRequest& request, const Normaliser& normaliser,
             std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out);

    /// Every pass under beta = 1.
    std::vector<Track> tracks() const;
    /// Passes with rows, read already, of which eps takes from the entropy what no bound tells. Tracks of one item
    /// each.
    std::vector<Track> softenedTracks() const;
    double eps() const { return m_eps; }
    /// What it takes from the entropy of a row of a softened track: sum p ln(1 + eps / p).
    void setLoss(const Item& item, int row, double loss);
    /// Passes of which a row's entropy, which has been read, asks for another beta. Tracks of one item each.
    std::vector<Track> adaptedTracks() const;

    /// Does the row have a scale under this item? Else its summary is empty.
    bool hasScale(const Item& item, int row) const { return attnscope::hasScale(scaleOf(item, row)); }
    RowSummary& out(const Item& item, int row) const;
    /// By the definition, in double precision.
    RowSummary exactRow(const Item& item, int row) const;
    /// All that sums tell: not yet logits, ranks and sinks.
    RowSummary begun(const RowSums& sums, double beta, std::int64_t visible) const;
    /// What also needs the largest weights.
    void finish(RowSummary& row, const RowSums& sums) const;
    /// The order of RowSums::powers; 0: they are not needed.
    double powerOrder() const { return m_powerOrder; }
    /// Are those differences from e?
    bool nearOne() const { return m_powerOrder > 0 && isNearOne(m_powerOrder); }
    static bool isNearOne(double order);
    /// Orders that have a sum of their own.
    static bool needsPowers(double order);

private:
    std::vector<Item> items() const;
    /// Of what eps takes from the entropy of a row: known from bounds, or nothing.
    std::optional<double> boundedLoss(const RowSummary& row) const;
    double scaleOf(const Item& item, int row) const;
    Track trackOf(const Item& item, std::vector<double> beta) const;

    const AttentionHead& m_head;
    const SummaryRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    std::vector<std::vector<RowSummary>>& m_out;
    const std::int64_t m_firstRow;
    const int m_rowCount;
    const double m_powerOrder, m_eps;
    std::map<std::pair<size_t, int>, double> m_losses;  ///< by pass and row of the block
};

}  // namespace attnscope
