#pragma once
// A network that packs boxes, with gradients; the formulas stand in packing_model.h, whose reader opens what
// savePacking writes.

#include "core/networks/drawn_solutions.h"
#include "core/networks/learning_encoder.h"
#include "core/networks/packing_instance.h"

namespace attnscope::learn {

struct PackingShape {
    EncoderShape encoder;
    Index hidden = 64;  ///< of what scores a turn
    bool operator==(const PackingShape&) const = default;
};

/// What the decoder asks of a batch (BoxNodes in packing_decoder.h).
struct PackingQueries {
    Var keys, values, pointers;  ///< (instances boxes, w)
    Var fixed;                   ///< (instances, w)
    Var remaining;               ///< (instances boxes, w)
    Var state;                   ///< (w, state features)
    Var up, bias;                ///< (hidden, turn features), (1, hidden)
    Var context;                 ///< (hidden, w)
    Var down;                    ///< (1, hidden)
    Index heads = 1;
};

class PackingNetwork {
public:
    PackingNetwork(const PackingShape& shape, std::uint64_t seed);
    PackingNetwork(PackingNetwork&&) = default;

    /// Encodes instances of one size.
    PackingQueries operator()(Tape& tape, std::span<const PackingInstance> instances);

    Weights weights() { return m_weights.all(); }
    const PackingShape& shape() const { return m_shape; }

private:
    friend Result<void> savePacking(const std::string&, const PackingNetwork&,
                                    const std::map<std::string, std::string>&, bool);

    PackingShape m_shape;
    NamedWeights m_weights;
};

/// Packings of every instance as one operation.
DrawnSolutions<Packing> packingLoss(Tape& tape, const PackingQueries& queries,
                                    std::span<const PackingInstance> instances, const SolutionDraw<Packing>& draw,
                                    const WeighSolutions<Packing>& weigh);

/// `facts` (its N is `length`) in the metadata; numbers in bfloat16 or float32. Errors: NotWritable.
Result<void> savePacking(const std::string& path, const PackingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16 = true);

}  // namespace attnscope::learn
