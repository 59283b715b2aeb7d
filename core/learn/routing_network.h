#pragma once
// The Attention Model (Kool et al. 2019) with gradients, layer norms in the place of its batch norms as in EIE; the
// formulas stand in core/model/attention_model.h, whose reader opens what saveRouting writes.

#include "core/learn/attention_encoder.h"
#include "core/learn/tour_loss.h"

namespace attnscope::learn {

struct RoutingShape {
    EncoderShape encoder = {};
    bool depot = false;  ///< CVRP
    bool operator==(const RoutingShape&) const = default;
};

class RoutingNetwork {
public:
    /// Matrices start as U(-1, 1) / sqrt(inputs), norms as 1 and 0.
    RoutingNetwork(const RoutingShape& shape, std::uint64_t seed);
    RoutingNetwork(RoutingNetwork&&) = default;

    /// Encodes the batch.
    TourQueries operator()(Tape& tape, const RoutingBatch& batch);

    Weights weights() { return m_weights.all(); }
    const RoutingShape& shape() const { return m_shape; }

private:
    friend Result<void> saveRouting(const std::string&, const RoutingNetwork&,
                                    const std::map<std::string, std::string>&, bool);

    Var embed(Tape& tape, const RoutingBatch& batch);

    RoutingShape m_shape;
    NamedWeights m_weights;
};

/// A file that openAttentionModel reads: the authors' names and shapes, `facts` (its N is `length`) and the kind of
/// norm in the metadata; numbers in bfloat16 or float32. Errors: NotWritable.
Result<void> saveRouting(const std::string& path, const RoutingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16 = true);

}  // namespace attnscope::learn
