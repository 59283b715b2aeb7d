#pragma once
// The forward pass. A sequence of n tokens goes through the layers one after another, every layer over all tokens, so
// that one layer's queries, keys and values are all that exists beside the stream h (n, width): O(n) memory, every
// weight read once. With `remember` the keys and values of all layers stay, and tokens may be appended, as generation
// does.
//
//   h_0 = embedding[id] (+ positions[t]);   per layer: h <- layer(h);   what follows: core/model/prediction.h

#include "core/attention/engine.h"
#include "core/model/model.h"
#include "core/model/policy.h"

#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

/// A layer's queries, of the tokens that are being appended, and keys, of all so far, before positions are put on them.
struct LayerHeads {
    int layer = 0;
    const HeadSet& heads;
    std::int64_t firstRow = 0;                  ///< the place of the first query
    std::span<const std::int64_t> places = {};  ///< positions of the keys; empty: 0, 1, ...
};

struct SequenceOptions {
    bool remember = false;
    std::vector<std::int64_t> places = {};  ///< positions of the tokens, without `remember`; empty: 0, 1, ...
    std::string engine = "auto";
    /// Called between the projections of a layer and its attention; an error ends the run.
    std::function<Result<void>(const LayerHeads&)> observe = {};
    std::function<void(double)> progress = {};  ///< the fraction of the layers that is done
    std::stop_token stop = {};
};

class Sequence {
public:
    /// The model must outlive it.
    Sequence(const Model& model, ResolvedPolicy policy, SequenceOptions options);

    /// Appends tokens and gives their stream after the last layer, (ids.size(), width). Without `remember` it can be
    /// called once. Errors: Cancelled, InvalidArgument (more tokens than the policy was resolved for), Truncated,
    /// DataError (an id beyond the vocabulary, weights that are not finite, or make values that are not).
    Result<Matrix> append(std::span<const int> ids);

private:
    struct Memory {
        std::vector<Matrix> keys, values;  ///< of each key head, (tokens so far, d)
    };
    Result<Matrix> embed(std::span<const int> ids) const;
    Result<void> runLayer(int layer, Matrix& stream, Memory& memory) const;
    bool project(const LayerSpec& spec, const LayerWeights& weights, const Matrix& stream, HeadSet& heads,
                 std::vector<Matrix>& values) const;
    Result<Matrix> attend(int layer, HeadSet heads, const std::vector<Matrix>& values) const;
    bool feed(const LayerSpec& spec, const LayerWeights& weights, const Matrix& mixed, Matrix& stream) const;

    const Model& m_model;
    ResolvedPolicy m_policy;
    SequenceOptions m_options;
    std::vector<Memory> m_memory;
    std::int64_t m_count = 0;
};

/// Tokens with positions of their own (randomised ones, Ruoss et al. 2023): turns the keys to `places`, one each, and
/// the queries to the last of them, by the rotary scheme of `spec`, which has none afterwards; what follows sees
/// vectors without positions. Errors: UnknownName, InvalidArgument (a scheme or a mask that counts distances from token
/// to token).
Result<void> turnTo(std::span<const std::int64_t> places, HeadSet& heads, AttentionSpec& spec);

}  // namespace attnscope
