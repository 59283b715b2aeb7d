#include "core/networks/llama.h"

#include "core/learn/layers.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

std::string layerName(Index layer) { return "model.layers." + std::to_string(layer) + "."; }

}  // namespace

Weight& Llama::add(const std::string& name, Index rows, Index columns, bool vector)
{
    m_weights.emplace_back(name + ".weight", rows, columns, vector);
    if (vector)
        m_weights.back().value.setOnes();
    return *(m_byName[name] = &m_weights.back());
}

Llama::Llama(const LlamaShape& shape, std::optional<std::uint64_t> seed) : m_shape(shape)
{
    assert((shape.size > 0 || shape.width % shape.heads == 0) && shape.heads % shape.keyHeads == 0 &&
           shape.headSize() % 2 == 0);
    const Index width = shape.width, queries = shape.heads * shape.headSize(), keys = shape.keyHeads * shape.headSize();
    std::uint64_t number = 0;
    const auto start = [&](Weight& weight, double factor) {
        if (!seed)
            return;
        initialise(weight, Start::LecunNormal, *seed, number++);
        weight.value *= static_cast<float>(factor);
    };
    const double quiet =
        1 / std::sqrt(2 * static_cast<double>(shape.layers));  // the stream's variance stays about 1 through all layers
    start(add("model.embed_tokens", shape.vocabulary, width),
          0.25);  // tied: a word's own logit begins at sqrt(width) / 4
    for (Index layer = 0; layer < shape.layers; ++layer) {
        const std::string name = layerName(layer);
        add(name + "input_layernorm", 1, width, true);
        start(add(name + "self_attn.q_proj", queries, width), 1);
        start(add(name + "self_attn.k_proj", keys, width), 1);
        start(add(name + "self_attn.v_proj", keys, width), 1);
        start(add(name + "self_attn.o_proj", width, queries), quiet);
        for (const char* norm : {"self_attn.q_norm", "self_attn.k_norm"})
            if (shape.alpha > 0) {  // |gain rms q| = gain sqrt(d), so q.k / sqrt(d) = gain^2 sqrt(d) cos
                Weight& gain = add(name + norm, 1, shape.headSize(), true);
                gain.value.setConstant(
                    static_cast<float>(std::sqrt(shape.alpha / std::sqrt(static_cast<double>(shape.headSize())))));
                gain.trained = false;
            }
        add(name + "post_attention_layernorm", 1, width, true);
        start(add(name + "mlp.gate_proj", shape.inner, width), 1);
        start(add(name + "mlp.up_proj", shape.inner, width), 1);
        start(add(name + "mlp.down_proj", width, shape.inner), quiet);
    }
    add("model.norm", 1, width, true);
    if (!shape.tied)
        start(add("lm_head", shape.vocabulary, width), 1);
}

Weights Llama::weights()
{
    Weights all;
    for (Weight& weight : m_weights)
        all.push_back(&weight);
    return all;
}

std::shared_ptr<const Rotation> Llama::rotationOf(Index n, std::span<const int> positions)
{
    if (positions.empty()) {
        if (!m_rotation || m_rotation->cosines.rows() != n)
            m_rotation = rotation(n, m_shape.headSize(), m_shape.base);
        return m_rotation;
    }
    if (const Index places = 1 + *std::ranges::max_element(positions);
        !m_rotation || m_rotation->cosines.rows() < places)
        m_rotation = rotation(places, m_shape.headSize(), m_shape.base);
    return rotationAt(*m_rotation, positions);
}

/// A norm of x, or x W^T, by the name of the weight.
Var Llama::part(Tape& tape, Var x, const std::string& name)
{
    Weight& weight = *m_byName.at(name);
    return weight.vector ? rmsNorm(tape, x, tape.weight(weight), static_cast<float>(m_shape.epsilon))
                         : matmul(tape, x, tape.weight(weight), true);
}

/// Each head's part of each row is normed by itself, where the shape asks for the cosine.
Var Llama::normedHeads(Tape& tape, Var x, const std::string& name)
{
    if (m_shape.alpha == 0)
        return x;
    const Index rows = tape.rows(x), columns = tape.columns(x), d = m_shape.headSize();
    return reshape(tape, part(tape, reshape(tape, x, rows * columns / d, d), name), rows, columns);
}

Var Llama::operator()(Tape& tape, std::span<const int> ids, Index batch, const LlamaPass& pass)
{
    const Index n = static_cast<Index>(ids.size()) / batch;
    assert(n * batch == static_cast<Index>(ids.size()) &&
           (pass.multipliers.empty() || static_cast<Index>(pass.multipliers.size()) == n) &&
           (pass.positions.empty() || pass.positions.size() == ids.size()));
    const auto turns = rotationOf(n, pass.positions);
    SelfAttention attention{.batch = batch,
                            .heads = m_shape.heads,
                            .keyHeads = m_shape.keyHeads,
                            .scale = {1 / std::sqrt(static_cast<float>(m_shape.headSize()))},
                            .causal = m_shape.causal,
                            .beta = pass.beta};
    if (!pass.multipliers.empty()) {
        const float own = attention.scale[0];
        attention.scale.assign(pass.multipliers.begin(), pass.multipliers.end());
        for (float& scale : attention.scale)
            scale *= own;
    }
    const Var table = tape.weight(*m_byName.at("model.embed_tokens"));
    Var h = embedding(tape, table, ids);
    m_turned.clear();
    Dropout drops = pass.dropout;
    drops.draw *= static_cast<std::uint64_t>(2 * m_shape.layers);
    const auto write = [&](Var more) {
        h = attnscope::learn::add(tape, h, dropout(tape, more, drops));
        ++drops.draw;
    };
    for (Index layer = 0; layer < m_shape.layers; ++layer) {
        const std::string name = layerName(layer);
        const Var x = part(tape, h, name + "input_layernorm");
        const auto turned = [&](const std::string& which) {
            const Var heads = normedHeads(tape, part(tape, x, name + "self_attn." + which + "_proj"),
                                          name + "self_attn." + which + "_norm");
            return pass.attend ? heads : rotate(tape, heads, turns);
        };
        const Var q = turned("q"), k = turned("k"), v = part(tape, x, name + "self_attn.v_proj");
        if (!pass.attend)
            m_turned.push_back({q, k});
        const Var mixed = pass.attend ? pass.attend(tape, layer, q, k, v) : selfAttention(tape, q, k, v, attention);
        write(part(tape, mixed, name + "self_attn.o_proj"));
        const Var y = part(tape, h, name + "post_attention_layernorm");
        const Var fed = swiglu(tape, part(tape, y, name + "mlp.gate_proj"), part(tape, y, name + "mlp.up_proj"));
        write(part(tape, fed, name + "mlp.down_proj"));
    }
    if (!pass.rows.empty())
        h = embedding(tape, h, pass.rows);
    h = part(tape, h, "model.norm");
    return m_shape.tied ? matmul(tape, h, table, true) : part(tape, h, "lm_head");
}

}  // namespace attnscope::learn
