#pragma once
// The Attention Model (Kool, van Hoof & Welling 2019, "Attention, learn to solve routing problems!"): a network that
// builds a tour node by node. With n nodes of H heads, width w and d = w / H,
//
//     encoder   h_i = W x_i + b;  in every layer  h <- norm(h + heads(h)),  h <- norm(h + W2 relu(W1 h + b1) + b2)
//     decoder   q = F mean_i h_i + S c,   c = [h_first; h_last] (TSP; a learned vector before the first city),
//                                             [h_last; load left] (CVRP)
//               g = O [softmax(m q_h K_h^T / sqrt d) V_h]_h     the glimpse, over the nodes allowed now
//               u_j = 10 tanh((L h_j) . g / sqrt w)             next: the softmax of u over them, or its largest
//
// It has no positions, so that it runs at any n. m is what a scale method multiplies logits by, in the encoder too.

#include "core/networks/routing_instance.h"
#include "core/networks/solution.h"

namespace attnscope {

class TensorFile;

struct AttentionModel : AttentionEncoder {
    bool hasDepot = false;           ///< CVRP
    Linear start, startOfDepot;      ///< of (x, y), or (x, y, demand) and (x, y)
    Linear step;                     ///< S (w, 2 w), CVRP: (w, w + 1)
    std::vector<float> placeholder;  ///< c before the first city (2 w); CVRP: none
};

/// Reads the authors' layout (attention_reader.h).
/// Errors: UnknownName (no such tensor), BadShape, DataError (a number that is not finite), those of reading.
Result<AttentionModel> readAttentionModel(const TensorFile& file);
Result<AttentionModel> openAttentionModel(const std::string& path);

/// Instances of one task, with equally many nodes each; their nodes' products are made together.
/// Errors: InvalidArgument (instances of another task, or unlike), Undefined (the method has no value here), Cancelled.
Result<Solved<Tour>> runRouting(const AttentionModel& model, std::span<const RoutingInstance> instances,
                                const SolveRequest& request);

}  // namespace attnscope
