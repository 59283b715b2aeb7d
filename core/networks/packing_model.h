#pragma once
// A network that packs boxes (after Zhang, Zi & Ge 2021, "Attend2Pack", which EIE takes; smaller). Boxes x_j go through
// the encoder of the Attention Model. At every step, with s the numbers of the bin as it is and R the boxes left,
//
//     q = F mean_j h_j + M mean_{j in R} h_j + S s
//     g, u_j as in glimpse_pointer.h, over R                           next box: the softmax of u, or its largest
//     v_t = D relu(U x_t + b + C g),  t one of six ways to turn it     its turn: the softmax of v, or its largest
//
// with x_t the numbers of the box so turned at its lowest place (packing_state.h). That place is where it goes
// (packing_surface.h).

#include "core/networks/packing_instance.h"
#include "core/networks/solution.h"

namespace attnscope {

struct PackingModel : AttentionEncoder {
    Linear start;                          ///< (w, boxFeatures)
    Linear remaining, state;               ///< M (w, w), S (w, stateFeatures)
    Linear turnUp, turnContext, turnDown;  ///< U (hidden, turnFeatures) with b, C (hidden, w), D (1, hidden)
};

/// Reads what learn::savePacking writes. Errors: UnknownName (no such tensor), BadShape, DataError, those of reading.
Result<PackingModel> readPackingModel(const TensorFile& file);
Result<PackingModel> openPackingModel(const std::string& path);

/// Errors: InvalidArgument (instances of unlike size, boxes that do not fit in the bin however turned), Undefined (the
/// method has no value here), Cancelled.
Result<Solved<Packing>> runPacking(const PackingModel& model, std::span<const PackingInstance> instances,
                                   const SolveRequest& request);

}  // namespace attnscope
