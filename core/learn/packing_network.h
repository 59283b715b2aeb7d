#pragma once
// A network that packs boxes, with gradients; the formulas stand in core/model/packing_model.h, whose reader opens what
// savePacking writes.

#include "core/learn/packing_loss.h"

namespace attnscope::learn {

struct PackingShape {
    EncoderShape encoder;
    Index hidden = 64;  ///< of what scores a turn
    Index boxFeatures = 1, stateFeatures = 1, turnFeatures = 1;
    bool operator==(const PackingShape&) const = default;
};

class PackingNetwork {
public:
    PackingNetwork(const PackingShape& shape, std::uint64_t seed);
    PackingNetwork(PackingNetwork&&) = default;

    /// Encodes boxes (instances n, features).
    PackingQueries operator()(Tape& tape, const Matrix& boxes, Index instances);

    Weights weights() { return m_weights.all(); }
    const PackingShape& shape() const { return m_shape; }

private:
    friend Result<void> savePacking(const std::string&, const PackingNetwork&,
                                    const std::map<std::string, std::string>&, bool);

    PackingShape m_shape;
    NamedWeights m_weights;
};

/// `facts` (its N is `length`) in the metadata; numbers in bfloat16 or float32. Errors: NotWritable.
Result<void> savePacking(const std::string& path, const PackingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16 = true);

}  // namespace attnscope::learn
