#include "core/learn/routing_network.h"

#include <cassert>

namespace attnscope::learn {

RoutingNetwork::RoutingNetwork(const RoutingShape& shape, std::uint64_t seed) : m_shape(shape), m_weights(seed)
{
    const Index w = shape.encoder.width;
    assert(w % shape.encoder.heads == 0);
    m_weights.linear("init_embed", w, shape.depot ? 3 : 2);
    if (shape.depot)
        m_weights.linear("init_embed_depot", w, 2);
    addEncoder(m_weights, shape.encoder);
    addPointer(m_weights, w);
    m_weights.matrix("project_step_context.last", w, w);
    if (shape.depot) {
        m_weights.matrix("project_step_context.room", 1, w);
    } else {
        m_weights.matrix("project_step_context.first", w, w);
        m_weights.matrix("W_placeholder.first", 1, w);
        m_weights.matrix("W_placeholder.last", 1, w);
    }
}

/// h = W x + b; a depot's with a W and b of its own.
Var RoutingNetwork::embed(Tape& tape, const RoutingBatch& batch)
{
    if (!m_shape.depot)
        return linear(tape, tape.constant(batch.places), m_weights(tape, "init_embed.weight"),
                      m_weights(tape, "init_embed.bias"));
    const Index rows = batch.instances * batch.nodes;
    Matrix customer = Matrix::Zero(rows, 3), isCustomer = Matrix::Zero(rows, 1), depot = Matrix::Zero(rows, 2),
           isDepot = Matrix::Zero(rows, 1);
    for (Index row = 0; row < rows; ++row)
        if (row % batch.nodes == 0) {
            depot.row(row) = batch.places.row(row);
            isDepot(row) = 1;
        } else {
            customer.row(row) << batch.places(row, 0), batch.places(row, 1),
                batch.demands[static_cast<std::size_t>(row)];
            isCustomer(row) = 1;
        }
    const auto embedded = [&](const Matrix& x, const Matrix& is, const std::string& name) {
        return add(tape, matmul(tape, tape.constant(x), m_weights(tape, name + ".weight"), true),
                   matmul(tape, tape.constant(is), m_weights(tape, name + ".bias")));
    };
    return add(tape, embedded(customer, isCustomer, "init_embed"), embedded(depot, isDepot, "init_embed_depot"));
}

TourQueries RoutingNetwork::operator()(Tape& tape, const RoutingBatch& batch)
{
    assert(batch.hasDepot() == m_shape.depot && batch.places.rows() == batch.instances * batch.nodes);
    const Var h = encode(tape, m_weights, m_shape.encoder, embed(tape, batch), batch.instances);
    const auto projected = [&](Var x, const std::string& name) { return matmul(tape, x, m_weights(tape, name), true); };
    const PointerQueries nodes = pointAt(tape, m_weights, h, batch.instances);
    TourQueries queries{.keys = nodes.keys,
                        .values = nodes.values,
                        .pointers = nodes.pointers,
                        .fixed = nodes.fixed,
                        .first = {},
                        .last = projected(h, "project_step_context.last"),
                        .start = {},
                        .heads = m_shape.encoder.heads};
    if (m_shape.depot) {
        queries.first = queries.last;
        queries.start = m_weights(tape, "project_step_context.room");
    } else {
        queries.first = projected(h, "project_step_context.first");
        queries.start = add(tape, projected(m_weights(tape, "W_placeholder.first"), "project_step_context.first"),
                            projected(m_weights(tape, "W_placeholder.last"), "project_step_context.last"));
    }
    return queries;
}

Result<void> saveRouting(const std::string& path, const RoutingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16)
{
    const RoutingShape& shape = network.shape();
    const Index w = shape.encoder.width;
    std::vector<StoredTensor> tensors = storedEncoder(network.m_weights, shape.encoder.heads);
    const auto value = [&](const std::string& name) -> const Matrix& { return network.m_weights.value(name); };
    Matrix step(w, shape.depot ? w + 1 : 2 * w);
    if (shape.depot) {
        step << value("project_step_context.last"), value("project_step_context.room").transpose();
    } else {
        step << value("project_step_context.first"), value("project_step_context.last");
        Matrix placeholder(1, 2 * w);
        placeholder << value("W_placeholder.first"), value("W_placeholder.last");
        tensors.push_back({"W_placeholder", {2 * w}, placeholder});
    }
    tensors.push_back({"project_step_context.weight", {step.rows(), step.cols()}, step});
    return saveTensors(path, tensors, facts, bfloat16);
}

}  // namespace attnscope::learn
