#pragma once
// Normalisers that must see a whole row before they can weigh a key (sparsemax sorts it): the products come from tiles
// and are kept, 64 x n floats, and each row goes through the definition in double precision.

#include "core/attention/engine.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/normaliser.h"
#include "core/attention/row_logits.h"

#include <stop_token>
#include <vector>

namespace attnscope::fast {

/// The products of 64 rows with all of the first keys.
class KeptProducts {
public:
    KeptProducts(const AttentionHead&, const TileKernels&, std::int64_t firstRow, int rowCount, std::int64_t keyCount,
                 const std::stop_token&);
    /// As readRowLogits; what float32 cannot tell is multiplied out again.
    void read(std::int64_t row, std::int64_t prefix, double scale, RowLogits& out) const;
    const QueryBlock& block() const { return m_block; }

private:
    const AttentionHead& m_head;
    QueryBlock m_block;
    Tile m_z;  ///< (keys, 64)
};

void summariseWholeRows(const TileKernels&, const AttentionHead&, const SummaryRequest&, const Normaliser&,
                        std::int64_t firstRow, int rowCount, std::vector<std::vector<RowSummary>>& out,
                        const std::stop_token&);

}  // namespace attnscope::fast
