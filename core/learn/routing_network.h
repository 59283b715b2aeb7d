#pragma once
// The Attention Model (Kool et al. 2019) with gradients, layer norms in the place of its batch norms as in EIE; the formulas stand in
// core/model/attention_model.h, whose reader opens what saveRouting writes.

#include "core/learn/layers.h"
#include "core/learn/tour_loss.h"
#include "core/tensor/tensor_file.h"

#include <deque>
#include <map>

namespace attnscope::learn {

struct RoutingShape {
    Index layers = 3, width = 128, inner = 512, heads = 8;
    bool depot = false;           ///< CVRP
    Index headSize() const { return width / heads; }
    bool operator==(const RoutingShape&) const = default;
};

class RoutingNetwork {
public:
    /// Matrices start as U(-1, 1) / sqrt(inputs), norms as 1 and 0.
    RoutingNetwork(const RoutingShape& shape, std::uint64_t seed);
    RoutingNetwork(RoutingNetwork&&) = default;

    /// Encodes the batch.
    TourQueries operator()(Tape& tape, const RoutingBatch& batch);

    Weights weights();
    const RoutingShape& shape() const { return m_shape; }

private:
    friend Result<void> saveRouting(const std::string&, const RoutingNetwork&, const std::map<std::string, std::string>&, bool);

    Weight& add(const std::string& name, Index rows, Index columns, bool vector = false);
    const Weight& at(const std::string& name) const { return *m_byName.at(name); }
    Var weight(Tape& tape, const std::string& name) { return tape.weight(*m_byName.at(name)); }
    Var embed(Tape& tape, const RoutingBatch& batch);
    Var encode(Tape& tape, Var h, Index layer, Index instances);

    RoutingShape m_shape;
    std::deque<Weight> m_weights;             ///< whose addresses stay
    std::map<std::string, Weight*> m_byName;
};

/// A file that openAttentionModel reads: the authors' names and shapes, `facts` (its N is `length`) and the kind of norm in the metadata;
/// numbers in bfloat16 or float32. Errors: NotWritable.
Result<void> saveRouting(const std::string& path, const RoutingNetwork& network, const std::map<std::string, std::string>& facts, bool bfloat16 = true);

}  // namespace attnscope::learn
