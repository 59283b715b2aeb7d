#pragma once
// The Attention Model (Kool, van Hoof & Welling 2019, "Attention, learn to solve routing problems!"): a network that builds a tour
// node by node. With n nodes of H heads, width w and d = w / H,
//
//     encoder   h_i = W x_i + b;  in every layer  h <- norm(h + heads(h)),  h <- norm(h + W2 relu(W1 h + b1) + b2)
//     decoder   q = F mean_i h_i + S c,   c = [h_first; h_last] (TSP; a learned vector before the first city), [h_last; load left] (CVRP)
//               g = O [softmax(m q_h K_h^T / sqrt d) V_h]_h                                    the glimpse, over the nodes allowed now
//               u_j = 10 tanh((L h_j) . g / sqrt w)                            next: the softmax of u over them, or its largest
//
// It has no positions, so that it runs at any n. m is what a scale method multiplies logits by, in the encoder too.

#include "core/base/choice.h"
#include "core/model/routing_instance.h"
#include "core/model/stored_matrix.h"

#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

class TensorFile;

struct AttentionModel {
    /// x -> factor x + shift of every column (a batch norm by its running statistics), or a layer norm first.
    struct NodeNorm {
        bool layer = false;
        std::vector<float> factor, shift;  ///< (w)
    };
    struct Layer {
        Linear projection;                 ///< (3 w, w): queries, keys, values, each head after head
        Linear output;                     ///< (w, w)
        NodeNorm afterAttention, afterFeed;
        Linear up, down;                   ///< (inner, w), (w, inner)
    };

    bool hasDepot = false;                 ///< CVRP
    Index width = 0, heads = 0;
    std::optional<std::int64_t> trainLength;  ///< N, where the file says it
    Linear start, startOfDepot;            ///< of (x, y), or (x, y, demand) and (x, y)
    std::vector<Layer> layers;
    Linear nodes;                          ///< (3 w, w): the decoder's K, V, L
    Linear fixed, step;                    ///< F (w, w); S (w, 2 w), CVRP: (w, w + 1)
    Linear out;                            ///< O (w, w)
    std::vector<float> placeholder;        ///< c before the first city (2 w); CVRP: none
    std::shared_ptr<const std::deque<std::vector<float>>> numbers;  ///< what the matrices look at

    Index headSize() const { return width / heads; }
};

/// Reads the authors' layout ("embedder.layers.0.0.module.W_query" (H, w, d), ...), batch norms with running statistics or, where the
/// metadata says normalization = layer, layer norms; N is the metadata's `length`.
/// Errors: UnknownName (no such tensor), BadShape, DataError (a number that is not finite), those of reading.
Result<AttentionModel> readAttentionModel(const TensorFile& file);
Result<AttentionModel> openAttentionModel(const std::string& path);

/// The attention scale of a run.
struct RoutingPolicy {
    Choice method{"vanilla", {}, {}};
    bool encoder = true, decoder = false;  ///< where it acts
    double trainLength = 100;              ///< N
    bool operator==(const RoutingPolicy&) const = default;
};

/// A run of one policy over instances of one size.
struct RoutingRequest {
    RoutingPolicy policy;
    bool entropies = false;                ///< wanted
    std::string engine = "auto";
    /// Tours of an instance: one, greedy; or this many, each node drawn from the softmax, a function of the seed.
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
    bool everyStart = false;               ///< of sample r the first city (customer) is r mod n, not drawn
    std::stop_token stop = {};
};

struct RoutingRun {
    std::vector<std::vector<Tour>> tours;  ///< of every instance: its samples, or the greedy one
    std::vector<std::vector<double>> encoderEntropies;  ///< layer, head: mean row entropy, nats, over rows and instances
    std::vector<double> decoderEntropies;  ///< head: of the glimpse, over steps, samples and instances
    std::vector<std::vector<double>> logProbabilities;  ///< of every instance: its samples' ln p, nats; greedy: none
};

/// Instances of one task, with equally many nodes each; their nodes' products are made together.
/// Errors: InvalidArgument (instances of another task, or unlike), Undefined (the method has no value here), Cancelled.
Result<RoutingRun> runRouting(const AttentionModel& model, std::span<const RoutingInstance> instances, const RoutingRequest& request);

}  // namespace attnscope
