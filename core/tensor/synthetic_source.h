#pragma once
// Synthetic queries and keys, for every claim that needs no model. Each is a row of one table. All are nested: the
// first n keys and queries of a longer sequence are those of the shorter one, so a curve over n is one experiment that
// grows. Components are scaled so that the logit q.k / sqrt(d) has unit variance unless the row says otherwise.

#include "core/base/choice.h"
#include "core/tensor/head_set.h"

#include <cstdint>
#include <span>

namespace attnscope {

struct SyntheticShape {
    std::int64_t queries = 0;  ///< m
    std::int64_t keys = 0;     ///< n
    int d = 64;
    std::uint64_t seed = 1;
    std::int64_t first =
        0;  ///< the token that the queries begin with, and the keys (those of finished logits begin with 0)
};

struct ProjectedTokens {
    Matrix tokens, queryWeights, keyWeights;
};

struct SyntheticSource : Entry {
    /// Null for finished logits.
    HeadSet (*generate)(const Parameters&, const SyntheticShape&) = nullptr;
    /// The density of core/theory that a row's logits follow exactly, or null. Ids that both tables have mean the same
    /// thing, with the same parameters.
    Choice (*density)(const Choice& source) = nullptr;
    /// The key that matches every query, or null.
    std::int64_t (*needleKey)(const Parameters&) = nullptr;
    /// The tokens x (T, D) and the projections W_Q, W_K (D, d) where q = x W_Q and k = x W_K; null where there are
    /// none.
    ProjectedTokens (*projections)(const Parameters&, const SyntheticShape&) = nullptr;
    bool hasOrder = false;  ///< neighbours are related: positions mean something
    /// Draws logits (m, n) from the density instead of making q and k; then m n is at most 2^24.
    bool finishedLogits = false;
};

std::span<const SyntheticSource> syntheticSources();

/// Errors: UnknownName, InvalidArgument (a parameter out of range; more finished logits than 2^24).
Result<HeadSet> generate(const Choice& source, const SyntheticShape& shape);

}  // namespace attnscope
