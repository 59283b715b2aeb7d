#include "core/networks/learning_encoder.h"

#include "core/learn/rounding.h"
#include "core/learn/transformer.h"
#include "core/tensor/tensor_writer.h"

#include <cmath>

namespace attnscope::learn {

namespace {

std::string layerOfEncoder(Index layer) { return "embedder.layers." + std::to_string(layer); }

/// W (w, w), y = W x, as x's (H, w, d): head h makes the rows h d .. of W, and holds them transposed.
Matrix headsOf(const Matrix& weight, Index heads)
{
    const Index w = weight.cols(), d = w / heads;
    Matrix split(heads * w, d);
    for (Index head = 0; head < heads; ++head)
        split.middleRows(head * w, w) = weight.middleRows(head * d, d).transpose();
    return split;
}

Var encodeLayer(Tape& tape, NamedWeights& weights, const EncoderShape& shape, const std::string& name, Var h,
                Index sets)
{
    const auto projected = [&](const char* part, Var x) {
        return matmul(tape, x, weights(tape, name + ".0.module." + part), true);
    };
    const auto normed = [&](const char* part, Var x) {
        return layerNorm(tape, x, weights(tape, name + part + ".weight"), weights(tape, name + part + ".bias"));
    };
    const auto fed = [&](const char* part, Var x) {
        return linear(tape, x, weights(tape, name + part + ".weight"), weights(tape, name + part + ".bias"));
    };
    const Var mixed = selfAttention(tape, projected("W_query", h), projected("W_key", h), projected("W_val", h),
                                    {.batch = sets,
                                     .heads = shape.heads,
                                     .keyHeads = shape.heads,
                                     .scale = {1 / std::sqrt(static_cast<float>(shape.headSize()))},
                                     .causal = false});
    h = normed(".1.normalizer", add(tape, h, projected("W_out", mixed)));
    return normed(".3.normalizer", add(tape, h, fed(".2.module.2", relu(tape, fed(".2.module.0", h)))));
}

}  // namespace

Weight& NamedWeights::add(const std::string& name, Index rows, Index columns, bool vector)
{
    m_weights.emplace_back(name, rows, columns, vector);
    return *(m_byName[name] = &m_weights.back());
}

void NamedWeights::linear(const std::string& name, Index out, Index in)
{
    matrix(name + ".weight", out, in);
    add(name + ".bias", 1, out, true);
}

void NamedWeights::layerNorm(const std::string& name, Index width)
{
    add(name + ".weight", 1, width, true).value.setOnes();
    add(name + ".bias", 1, width, true);
}

Weights NamedWeights::all()
{
    Weights all;
    for (Weight& weight : m_weights)
        all.push_back(&weight);
    return all;
}

void addEncoder(NamedWeights& weights, const EncoderShape& shape)
{
    const Index w = shape.width;
    for (Index layer = 0; layer < shape.layers; ++layer) {
        const std::string name = layerOfEncoder(layer);
        for (const char* part : {".0.module.W_query", ".0.module.W_key", ".0.module.W_val", ".0.module.W_out"})
            weights.matrix(name + part, w, w);
        weights.linear(name + ".2.module.0", shape.inner, w);
        weights.linear(name + ".2.module.2", w, shape.inner);
        for (const char* norm : {".1.normalizer", ".3.normalizer"})
            weights.layerNorm(name + norm, w);
    }
}

Var encode(Tape& tape, NamedWeights& weights, const EncoderShape& shape, Var h, Index sets)
{
    for (Index layer = 0; layer < shape.layers; ++layer)
        h = encodeLayer(tape, weights, shape, layerOfEncoder(layer), h, sets);
    return h;
}

void addPointer(NamedWeights& weights, Index width)
{
    for (const char* part : {"keys", "values", "pointers"})
        weights.matrix(std::string("project_node_embeddings.") + part, width, width);
    weights.matrix("project_fixed_context", width, width);
    weights.matrix("project_out", width, width);
}

PointerQueries pointAt(Tape& tape, NamedWeights& weights, Var h, Index sets)
{
    const auto projected = [&](Var x, const char* name) { return matmul(tape, x, weights(tape, name), true); };
    return {.keys = projected(h, "project_node_embeddings.keys"),
            .values = projected(h, "project_node_embeddings.values"),
            .pointers = matmul(tape, projected(h, "project_node_embeddings.pointers"), weights(tape, "project_out")),
            .fixed = projected(meanOfSets(tape, h, sets), "project_fixed_context")};
}

std::vector<StoredTensor> storedEncoder(const NamedWeights& weights, Index heads)
{
    std::vector<StoredTensor> tensors;
    for (const Weight& weight : weights.inOrder()) {
        const std::string& name = weight.name;
        const Index w = weight.value.cols(), d = w / heads;
        if (name.ends_with("W_query") || name.ends_with("W_key") || name.ends_with("W_val"))
            tensors.push_back({name, {heads, w, d}, headsOf(weight.value, heads)});
        else if (name.ends_with("W_out"))
            tensors.push_back({name, {heads, d, w}, weight.value.transpose()});
        else if (name.starts_with("init_embed") || name.starts_with("embedder."))
            tensors.push_back(
                {name, weight.vector ? std::vector<std::int64_t>{w} : std::vector<std::int64_t>{weight.value.rows(), w},
                 weight.value});
    }
    const Index w = weights.value("project_out").cols();
    Matrix nodes(3 * w, w);
    nodes << weights.value("project_node_embeddings.keys"), weights.value("project_node_embeddings.values"),
        weights.value("project_node_embeddings.pointers");
    tensors.push_back({"project_node_embeddings.weight", {3 * w, w}, nodes});
    tensors.push_back({"project_fixed_context.weight", {w, w}, weights.value("project_fixed_context")});
    tensors.push_back({"project_out.weight", {w, w}, weights.value("project_out")});
    return tensors;
}

Result<void> saveTensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                         const std::map<std::string, std::string>& facts, bool bfloat16)
{
    std::vector<std::vector<std::uint16_t>> rounded;
    std::vector<TensorView> views;
    for (const StoredTensor& tensor : tensors) {
        const std::span<const float> numbers(tensor.values.data(), static_cast<std::size_t>(tensor.values.size()));
        if (bfloat16) {
            rounded.push_back(bfloat16Of(numbers));
            views.push_back({tensor.name, Dtype::BF16, tensor.shape, std::as_bytes(std::span(rounded.back()))});
        } else {
            views.push_back(tensorView(tensor.name, tensor.shape, numbers));
        }
    }
    std::map<std::string, std::string> metadata = facts;
    metadata["normalization"] = "layer";
    return writeSafetensors(path, views, metadata);
}

}  // namespace attnscope::learn
