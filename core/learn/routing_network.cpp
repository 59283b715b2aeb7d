#include "core/learn/routing_network.h"

#include "core/learn/transformer.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

std::string layerOfEncoder(Index layer) { return "embedder.layers." + std::to_string(layer); }

}  // namespace

Weight& RoutingNetwork::add(const std::string& name, Index rows, Index columns, bool vector)
{
    m_weights.emplace_back(name, rows, columns, vector);
    return *(m_byName[name] = &m_weights.back());
}

RoutingNetwork::RoutingNetwork(const RoutingShape& shape, std::uint64_t seed) : m_shape(shape)
{
    assert(shape.width % shape.heads == 0);
    const Index w = shape.width;
    std::uint64_t number = 0;
    const auto matrix = [&](const std::string& name, Index out, Index in) { initialise(add(name, out, in), Start::KaimingUniform, seed, number++); };
    const auto linear = [&](const std::string& name, Index out, Index in) {
        matrix(name + ".weight", out, in);
        add(name + ".bias", 1, out, true);
    };
    linear("init_embed", w, shape.depot ? 3 : 2);
    if (shape.depot)
        linear("init_embed_depot", w, 2);
    for (Index layer = 0; layer < shape.layers; ++layer) {
        const std::string name = layerOfEncoder(layer);
        for (const char* part : {".0.module.W_query", ".0.module.W_key", ".0.module.W_val", ".0.module.W_out"})
            matrix(name + part, w, w);
        linear(name + ".2.module.0", shape.inner, w);
        linear(name + ".2.module.2", w, shape.inner);
        for (const char* norm : {".1.normalizer", ".3.normalizer"}) {
            add(name + norm + ".weight", 1, w, true).value.setOnes();
            add(name + norm + ".bias", 1, w, true);
        }
    }
    for (const char* part : {"keys", "values", "pointers"})
        matrix(std::string("project_node_embeddings.") + part, w, w);
    matrix("project_fixed_context", w, w);
    matrix("project_out", w, w);
    matrix("project_step_context.last", w, w);
    if (shape.depot) {
        matrix("project_step_context.room", 1, w);
    } else {
        matrix("project_step_context.first", w, w);
        matrix("W_placeholder.first", 1, w);
        matrix("W_placeholder.last", 1, w);
    }
}

Weights RoutingNetwork::weights()
{
    Weights all;
    for (Weight& weight : m_weights)
        all.push_back(&weight);
    return all;
}

/// h = W x + b; a depot's with a W and b of its own.
Var RoutingNetwork::embed(Tape& tape, const RoutingBatch& batch)
{
    if (!m_shape.depot)
        return linear(tape, tape.constant(batch.places), weight(tape, "init_embed.weight"), weight(tape, "init_embed.bias"));
    const Index rows = batch.instances * batch.nodes;
    Matrix customer = Matrix::Zero(rows, 3), isCustomer = Matrix::Zero(rows, 1), depot = Matrix::Zero(rows, 2), isDepot = Matrix::Zero(rows, 1);
    for (Index row = 0; row < rows; ++row)
        if (row % batch.nodes == 0) {
            depot.row(row) = batch.places.row(row);
            isDepot(row) = 1;
        } else {
            customer.row(row) << batch.places(row, 0), batch.places(row, 1), batch.demands[static_cast<std::size_t>(row)];
            isCustomer(row) = 1;
        }
    const auto embedded = [&](const Matrix& x, const Matrix& is, const std::string& name) {
        return attnscope::learn::add(tape, matmul(tape, tape.constant(x), weight(tape, name + ".weight"), true), matmul(tape, tape.constant(is), weight(tape, name + ".bias")));
    };
    return attnscope::learn::add(tape, embedded(customer, isCustomer, "init_embed"), embedded(depot, isDepot, "init_embed_depot"));
}

Var RoutingNetwork::encode(Tape& tape, Var h, Index layer, Index instances)
{
    const std::string name = layerOfEncoder(layer);
    const auto projected = [&](const char* part, Var x) { return matmul(tape, x, weight(tape, name + ".0.module." + part), true); };
    const auto normed = [&](const char* part, Var x) { return layerNorm(tape, x, weight(tape, name + part + ".weight"), weight(tape, name + part + ".bias")); };
    const auto fed = [&](const char* part, Var x) { return linear(tape, x, weight(tape, name + part + ".weight"), weight(tape, name + part + ".bias")); };
    const Var mixed = selfAttention(tape, projected("W_query", h), projected("W_key", h), projected("W_val", h),
                                    {.batch = instances, .heads = m_shape.heads, .keyHeads = m_shape.heads, .scale = {1 / std::sqrt(static_cast<float>(m_shape.headSize()))}, .causal = false});
    h = normed(".1.normalizer", attnscope::learn::add(tape, h, projected("W_out", mixed)));
    return normed(".3.normalizer", attnscope::learn::add(tape, h, fed(".2.module.2", relu(tape, fed(".2.module.0", h)))));
}

TourQueries RoutingNetwork::operator()(Tape& tape, const RoutingBatch& batch)
{
    assert(batch.hasDepot() == m_shape.depot && batch.places.rows() == batch.instances * batch.nodes);
    Var h = embed(tape, batch);
    for (Index layer = 0; layer < m_shape.layers; ++layer)
        h = encode(tape, h, layer, batch.instances);
    const auto projected = [&](Var x, const std::string& name) { return matmul(tape, x, weight(tape, name), true); };
    TourQueries queries{.keys = projected(h, "project_node_embeddings.keys"), .values = projected(h, "project_node_embeddings.values"),
                        .pointers = matmul(tape, projected(h, "project_node_embeddings.pointers"), weight(tape, "project_out")),
                        .fixed = projected(meanOfSets(tape, h, batch.instances), "project_fixed_context"), .first = {}, .last = projected(h, "project_step_context.last"), .start = {},
                        .heads = m_shape.heads};
    if (m_shape.depot) {
        queries.first = queries.last;
        queries.start = weight(tape, "project_step_context.room");
    } else {
        queries.first = projected(h, "project_step_context.first");
        queries.start = attnscope::learn::add(tape, projected(weight(tape, "W_placeholder.first"), "project_step_context.first"), projected(weight(tape, "W_placeholder.last"), "project_step_context.last"));
    }
    return queries;
}

}  // namespace attnscope::learn
