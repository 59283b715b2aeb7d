#include "core/learn/packing_network.h"

#include <cassert>

namespace attnscope::learn {

PackingNetwork::PackingNetwork(const PackingShape& shape, std::uint64_t seed) : m_shape(shape), m_weights(seed)
{
    const Index w = shape.encoder.width;
    assert(w % shape.encoder.heads == 0);
    m_weights.linear("init_embed", w, shape.boxFeatures);
    addEncoder(m_weights, shape.encoder);
    addPointer(m_weights, w);
    m_weights.matrix("project_remaining", w, w);
    m_weights.matrix("project_state", w, shape.stateFeatures);
    m_weights.linear("turn.up", shape.hidden, shape.turnFeatures);
    m_weights.matrix("turn.context", shape.hidden, w);
    m_weights.matrix("turn.down", 1, shape.hidden);
}

PackingQueries PackingNetwork::operator()(Tape& tape, const Matrix& boxes, Index instances)
{
    assert(boxes.rows() % instances == 0 && boxes.cols() == m_shape.boxFeatures);
    const auto weight = [&](const char* name) { return m_weights(tape, name); };
    const Var start = linear(tape, tape.constant(boxes), weight("init_embed.weight"), weight("init_embed.bias"));
    const Var h = encode(tape, m_weights, m_shape.encoder, start, instances);
    const PointerQueries nodes = pointAt(tape, m_weights, h, instances);
    return {.keys = nodes.keys,
            .values = nodes.values,
            .pointers = nodes.pointers,
            .fixed = nodes.fixed,
            .remaining = matmul(tape, h, weight("project_remaining"), true),
            .state = weight("project_state"),
            .up = weight("turn.up.weight"),
            .bias = weight("turn.up.bias"),
            .context = weight("turn.context"),
            .down = weight("turn.down"),
            .heads = m_shape.encoder.heads};
}

Result<void> savePacking(const std::string& path, const PackingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16)
{
    std::vector<StoredTensor> tensors = storedEncoder(network.m_weights, network.shape().encoder.heads);
    for (const std::string name :
         {"project_remaining", "project_state", "turn.up.weight", "turn.up.bias", "turn.context", "turn.down"}) {
        const Matrix& value = network.m_weights.value(name);
        const std::vector<std::int64_t> shape = name == "turn.up.bias"
                                                    ? std::vector<std::int64_t>{value.cols()}
                                                    : std::vector<std::int64_t>{value.rows(), value.cols()};
        tensors.push_back(
            {name.starts_with("project") || name == "turn.context" || name == "turn.down" ? name + ".weight" : name,
             shape, value});
    }
    std::map<std::string, std::string> all = facts;
    all["task"] = "packing";
    return saveTensors(path, tensors, all, bfloat16);
}

}  // namespace attnscope::learn
