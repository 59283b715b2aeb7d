#pragma once
// The Attention Model (Kool et al. 2019) with gradients, layer norms in the place of its batch norms as in EIE; the
// formulas stand in attention_model.h, whose reader opens what saveRouting writes.

#include "core/networks/drawn_solutions.h"
#include "core/networks/learning_encoder.h"
#include "core/networks/routing_instance.h"

namespace attnscope::learn {

struct RoutingShape {
    EncoderShape encoder = {};
    bool depot = false;  ///< CVRP
    bool operator==(const RoutingShape&) const = default;
};

/// What the decoder asks of a batch (TourNodes in tour_decoder.h).
struct TourQueries {
    Var keys, values, pointers;  ///< (instances nodes, w)
    Var fixed;                   ///< (instances, w)
    Var first, last;             ///< (instances nodes, w)
    Var start;                   ///< (1, w)
    Index heads = 1;
};

class RoutingNetwork {
public:
    /// Matrices start as U(-1, 1) / sqrt(inputs), norms as 1 and 0.
    RoutingNetwork(const RoutingShape& shape, std::uint64_t seed);
    RoutingNetwork(RoutingNetwork&&) = default;

    /// Encodes instances of one size.
    TourQueries operator()(Tape& tape, std::span<const RoutingInstance> instances);

    Weights weights() { return m_weights.all(); }
    const RoutingShape& shape() const { return m_shape; }

private:
    friend Result<void> saveRouting(const std::string&, const RoutingNetwork&,
                                    const std::map<std::string, std::string>&, bool);

    Var embed(Tape& tape, std::span<const RoutingInstance> instances);

    RoutingShape m_shape;
    NamedWeights m_weights;
};

/// Tours of every instance as one operation; the first `freeStarts` of each choose their first node
/// (tour_decoder.h).
DrawnSolutions<Tour> tourLoss(Tape& tape, const TourQueries& queries, std::span<const RoutingInstance> instances,
                              const SolutionDraw<Tour>& draw, Index freeStarts, const WeighSolutions<Tour>& weigh);

/// A file that openAttentionModel reads: the authors' names and shapes, `facts` (its N is `length`) and the kind of
/// norm in the metadata; numbers in bfloat16 or float32. Errors: NotWritable.
Result<void> saveRouting(const std::string& path, const RoutingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16 = true);

}  // namespace attnscope::learn
