#pragma once
// A Llama (Touvron et al. 2023) with gradients, its weights under the names of Hugging Face's layout, so that a folder
// written of it (llama_folder.h) is one that core/model opens. As it was published every row sees the tokens before it;
// it can be an encoder too, whose rows see all, and its attention can be that of the cosine (Li et al. 2025, CosScale):
//
//     h <- embedding[id];
//     h <- h + O attention(rope Q x, rope K x, V x), x = rms h;   h <- h + D (silu(G x) * U x), x = rms h;
//     logits = rms(h) embedding^T          (tied embeddings; the norms before each part; no biases)

#include "core/learn/transformer.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>

namespace attnscope::learn {

struct LlamaShape {
    Index layers = 4, width = 128, inner = 344, heads = 8, keyHeads = 4, vocabulary = 1024;
    double base = 10000;    ///< of the rotary positions
    double epsilon = 1e-5;  ///< of the norms
    bool causal = true;     ///< off: every row sees every token
    bool tied = true;       ///< off: the last map has a matrix of its own, lm_head
    double alpha = 0;  ///< logits alpha cos(q, k): RMS norms of every query and key, as in Qwen 3, their gains held; 0:
                       ///< q.k / sqrt(d)
    Index size = 0;    ///< of a head; 0: they make up the width
    Index headSize() const { return size > 0 ? size : width / heads; }
    bool operator==(const LlamaShape&) const = default;
};

/// What one pass does otherwise than a published Llama; the tokens are `batch` sequences of n.
struct LlamaPass {
    std::span<const float> multipliers = {};  ///< m_i of row i of every sequence, on q.k / sqrt(d), n of them; none: 1
    std::span<const int> rows = {};           ///< those whose logits are wanted, of batch n; none: all
    std::span<const int> positions = {};      ///< of each token, batch n; none: 0 .. n - 1 in every sequence
    InverseTemperature beta = {};             ///< as in SelfAttention
    /// In place of a layer's turns and attention: of queries (batch n, heads d), keys and values (batch n, keyHeads d)
    /// that have not been turned. The fields above say nothing to it.
    std::function<Var(Tape&, Index layer, Var queries, Var keys, Var values)> attend = {};
    Dropout dropout =
        {};  ///< of what attention and feed-forward write to the stream; draws draw 2 layers + 0 .. 2 layers - 1
};

class Llama {
public:
    /// Projections start as N(0, 1/inputs), those that write to the stream smaller by sqrt(2 layers), embeddings as
    /// N(0, 1/(16 width)). Without a seed all matrices are 0, to be filled.
    Llama(const LlamaShape& shape, std::optional<std::uint64_t> seed);
    Llama(Llama&&) = default;

    /// Logits (batch n, vocabulary), or those of some rows, of `batch` sequences of n ids, one after another.
    Var operator()(Tape& tape, std::span<const int> ids, Index batch, const LlamaPass& pass = {});

    /// Queries (batch n, heads d) and keys (batch n, keyHeads d) of each layer in the last call, positions in them;
    /// none after a pass with an attention of its own.
    struct Turned {
        Var queries, keys;
    };
    const std::vector<Turned>& turned() const { return m_turned; }

    Weights weights();
    const LlamaShape& shape() const { return m_shape; }

private:
    Weight& add(const std::string& name, Index rows, Index columns, bool vector = false);
    Var part(Tape& tape, Var x, const std::string& name);
    Var normedHeads(Tape& tape, Var x, const std::string& name);
    std::shared_ptr<const Rotation> rotationOf(Index n, std::span<const int> positions);

    LlamaShape m_shape;
    std::deque<Weight> m_weights;  ///< whose addresses stay
    std::map<std::string, Weight*> m_byName;
    std::shared_ptr<const Rotation> m_rotation;  ///< of the last length, or of positions up to the largest so far
    std::vector<Turned> m_turned;
};

}  // namespace attnscope::learn
