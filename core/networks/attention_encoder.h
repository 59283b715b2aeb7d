#pragma once
// The encoder of the Attention Model (Kool, van Hoof & Welling 2019), which networks for routing and for packing share,
// and what their decoders ask of its nodes. With n nodes of H heads, width w and d = w / H, in every layer
//
//     h <- norm(h + heads(h)),   heads: softmax(m q k^T / sqrt d) v,      h <- norm(h + W2 relu(W1 h + b1) + b2)
//
// It has no positions, so that it runs at any n. m is what a scale method multiplies logits by.

#include "core/base/choice.h"
#include "core/model/head_values.h"
#include "core/model/stored_matrix.h"

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct AttentionEncoder {
    /// x -> factor x + shift of every column (a batch norm by its running statistics), or a layer norm first.
    struct NodeNorm {
        bool layer = false;
        std::vector<float> factor, shift;  ///< (w)
    };
    struct Layer {
        Linear projection;  ///< (3 w, w): queries, keys, values, each head after head
        Linear output;      ///< (w, w)
        NodeNorm afterAttention, afterFeed;
        Linear up, down;  ///< (inner, w), (w, inner)
    };

    Index width = 0, heads = 0;
    std::optional<std::int64_t> trainLength;  ///< N, where the file says it
    std::vector<Layer> layers;
    Linear nodes;                                                   ///< (3 w, w): the decoder's K, V, L
    Linear fixed;                                                   ///< F (w, w), of the nodes' mean
    Linear out;                                                     ///< O (w, w), of the glimpse
    std::shared_ptr<const std::deque<std::vector<float>>> numbers;  ///< what the matrices look at

    Index headSize() const { return width / heads; }
};

/// The attention scale of a run.
struct ScalePolicy {
    Choice method{"vanilla", {}, {}};
    bool encoder = true, decoder = false;  ///< where it acts
    double trainLength = 100;              ///< N
    std::optional<Index> layer = {};       ///< of the encoder, the one where it acts; none: it acts in all
    /// Mean row entropies at N, nats, to which entropy_measured brings its heads in the encoder back: what HeadRun says
    /// without a scale.
    HeadValues entropies = {};
    /// In place of what the method says in the encoder, m of each head: what HeadRun found for other instances.
    HeadValues multipliers = {};
    bool operator==(const ScalePolicy&) const = default;
};

/// What it makes of n things to choose among: m in the encoder, of each of `nodes` rows, and in the decoder's glimpse
/// where c nodes are allowed, at place nodes - c. Errors: Undefined (the method has no value here), those of bindScale.
struct ResolvedScale {
    std::vector<double> encoder, decoder;
};
/// Of entropy_measured, where its entropies are known, what comes on top (1): encodeNodes finds what each head of the
/// encoder needs, and the glimpse, whose rows are steps of a decision, keeps that.
Result<ResolvedScale> resolveScale(const ScalePolicy& policy, Index headSize, std::int64_t n, Index nodes);

/// Called with what enters each layer, (sets n, w), before its projection.
using EncoderObserver = std::function<void(Index layer, const Matrix& stream)>;

struct EncoderRequest {
    std::vector<double> scale;        ///< m of every row
    std::optional<Index> layer = {};  ///< where it acts; none: in all
    HeadValues targets = {};      ///< mean row entropies, nats, which every head is brought to; none: `scale` is all
    HeadValues multipliers = {};  ///< m of each head in place of both
    bool entropies = false;       ///< wanted
    std::string engine = "auto";
    std::stop_token stop = {};
    EncoderObserver observe = {};
};
struct HeadRun {
    HeadValues entropies;    ///< mean row entropy, nats, over rows and sets
    HeadValues multipliers;  ///< m, mean over rows
};
/// Sends h (sets n, w) through the layers, in its place. With `targets` the scale of every head is multiplied by what
/// alone brings its mean entropy over these sets there, one layer after another, each on what the layers before make of
/// theirs; by 1 where no m does. The result is empty unless entropies are wanted. Errors: Cancelled, those of the
/// engine.
Result<HeadRun> encodeNodes(const AttentionEncoder& encoder, Matrix& h, Index sets, const EncoderRequest& request);

}  // namespace attnscope
