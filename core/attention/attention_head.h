#pragma once
// One head, ready for an engine. The five steps of a row are
//
//   logits z_ij = kernel(q_i, k_j) with positions  ->  scale m_i / tau  ->  soft-cap, bias, mask  ->  normaliser
//
// prepareHead does what does not depend on the scale: it rotates queries and keys, folds the kernel's factor into q,
// and resolves the mask. What is left for the engine is, for query row i at position t = i + (n - m) and key j,
//
//   z_ij = q_i . k_j          if |t - j| <  cap   (`near`; cap = infinity without ReRoPE, LM-Infinite)
//   z_ij = qBefore_i . kFar_j if t - j  >=  cap   (the relative distance is held at cap)
//   z_ij = qAfter_i . kFar_j  if j - t  >=  cap
//   x_ij = softCap(scale_i z_ij) - slope |t - j| + b(t, j),   softCap(x) = c tanh(x / c)

#include "core/attention/position_bias.h"
#include "core/attention/shared_matrix.h"
#include "core/base/choice.h"
#include "core/tensor/head_set.h"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// The keys that a row sees: [0, sinkEnd) and [begin, end), sinkEnd <= begin <= end.
struct VisibleKeys {
    std::int64_t sinkEnd = 0, begin = 0, end = 0;
    std::int64_t count() const { return sinkEnd + (end - begin); }
    bool sees(std::int64_t key) const { return key < sinkEnd || (key >= begin && key < end); }
    bool operator==(const VisibleKeys&) const = default;
};

/// Bounds of a soft-cap: its reciprocal too is a float32 with all of its digits.
inline constexpr double smallestSoftCap = 1e-6, largestSoftCap = 1e6;

/// Everything about a row of attention but its scale. Plain and comparable: part of a Scenario.
struct AttentionSpec {
    Choice kernel{"dot", {}, {}};
    Choice position{"none", {}, {}};
    Choice mask{"causal", {}, {}};
    Choice normaliser{"softmax", {}, {}};
    double softCap = 0;  ///< 0: none; else smallestSoftCap to largestSoftCap
    bool operator==(const AttentionSpec&) const = default;
};

/// With N put in where positions count it.
AttentionSpec trainedAt(AttentionSpec spec, double nTrain);

/// z beyond the distance cap.
struct FarProducts {
    std::int64_t cap = std::numeric_limits<std::int64_t>::max();
    SharedMatrix queryBefore;  ///< (m, d), for keys at least cap before the query
    SharedMatrix queryAfter;   ///< (m, d), for keys at least cap after it (empty under a causal mask)
    SharedMatrix key;          ///< (n, d)
};

struct AttentionHead {
    SharedMatrix query;                        ///< (m, d), the kernel's factor folded in; or finished logits (m, n)
    SharedMatrix key;                          ///< (n, d); empty when `query` holds finished logits
    std::unique_ptr<FarProducts> far;          ///< null: no distance cap
    double slope = 0;                          ///< ALiBi
    std::shared_ptr<const PositionBias> bias;  ///< b; null: none
    std::optional<double> sink;  ///< its model's own, of HeadSet::sinks: what normaliserOf() puts into softmax1
    double softCap = 0;
    Choice mask;
    std::int64_t keyCount = 0;            ///< n
    std::vector<std::int64_t> positions;  ///< of the queries, rising; empty: the last m of the n positions
    std::vector<std::string> notes;       ///< combinations that make no sense, explained

    std::int64_t queryCount() const { return query.rows(); }
    /// Is x only scale z?
    bool plain() const { return softCap == 0 && slope == 0 && !bias; }
    /// Position of a query among the keys. Never compute it otherwise: the rows may be a sample.
    std::int64_t position(std::int64_t row) const
    {
        return positions.empty() ? row + keyCount - queryCount() : positions[static_cast<size_t>(row)];
    }
    /// No key is NaN or infinite; what a key beyond float32 does to a row, only the reference engine can tell.
    bool keysAreFinite() const { return key.allFinite() && (!far || far->key.allFinite()); }
    /// Keys that the mask lets query `row` see among the first `prefix` keys.
    VisibleKeys visible(std::int64_t row, std::int64_t prefix) const;
    /// How many of them it does see: a finished logit of -infinity hides its key as a mask does.
    std::int64_t seenKeys(std::int64_t row, std::int64_t prefix) const;
};

/// The same head with only these query rows (rising): what previews and curves over n look at.
AttentionHead sampleRows(const AttentionHead& head, std::span<const std::int64_t> rows);

/// The same head with its first `keys` keys and its first `rows` query rows, which stand among those keys where they
/// stood; it shares them.
AttentionHead firstTokens(const AttentionHead& head, std::int64_t keys, std::int64_t rows);

/// Positions, kernel and mask of `spec` put onto head `head` of `heads`. Errors: UnknownName, InvalidArgument.
Result<AttentionHead> prepareHead(const HeadSet& heads, int head, const AttentionSpec& spec);

/// The same where `heads` may stay as long as the head does: keys that neither positions nor the kernel change are
/// shared.
Result<AttentionHead> prepareHead(const std::shared_ptr<const HeadSet>& heads, int head, const AttentionSpec& spec);

/// The same where nobody needs `heads` afterwards: its queries, and keys that stay as they are, are taken, not copied.
Result<AttentionHead> prepareHead(HeadSet&& heads, int head, const AttentionSpec& spec);

/// Every head of the set; query heads that share a key head share its prepared keys.
Result<std::vector<AttentionHead>> prepareHeads(HeadSet&& heads, const AttentionSpec& spec);

}  // namespace attnscope
