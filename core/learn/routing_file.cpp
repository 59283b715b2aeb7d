// The weights of a RoutingNetwork as the authors of the Attention Model lay them out: matrices of heads (H, w, d), inputs first, and
// the decoder's matrices of one input side by side in one.

#include "core/learn/rounding.h"
#include "core/learn/routing_network.h"
#include "core/tensor/tensor_writer.h"

namespace attnscope::learn {

namespace {

struct StoredTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    Matrix values;                ///< the last index along its columns
};

/// W (w, w), y = W x, as x's (H, w, d): head h makes the rows h d .. of W, and holds them transposed.
Matrix headsOf(const Matrix& weight, Index heads)
{
    const Index w = weight.cols(), d = w / heads;
    Matrix split(heads * w, d);
    for (Index head = 0; head < heads; ++head)
        split.middleRows(head * w, w) = weight.middleRows(head * d, d).transpose();
    return split;
}

}  // namespace

Result<void> saveRouting(const std::string& path, const RoutingNetwork& network, const std::map<std::string, std::string>& facts, bool bfloat16)
{
    const RoutingShape& shape = network.shape();
    const Index h = shape.heads, w = shape.width, d = shape.headSize();
    std::vector<StoredTensor> tensors;
    const auto value = [&](const std::string& name) -> const Matrix& { return network.at(name).value; };
    for (const Weight& weight : network.m_weights) {
        const std::string& name = weight.name;
        if (name.ends_with("W_query") || name.ends_with("W_key") || name.ends_with("W_val"))
            tensors.push_back({name, {h, w, d}, headsOf(weight.value, h)});
        else if (name.ends_with("W_out"))
            tensors.push_back({name, {h, d, w}, weight.value.transpose()});
        else if (name.starts_with("init_embed") || name.starts_with("embedder."))
            tensors.push_back({name, weight.vector ? std::vector<std::int64_t>{weight.value.cols()} : std::vector<std::int64_t>{weight.value.rows(), weight.value.cols()}, weight.value});
    }
    Matrix nodes(3 * w, w);
    nodes << value("project_node_embeddings.keys"), value("project_node_embeddings.values"), value("project_node_embeddings.pointers");
    tensors.push_back({"project_node_embeddings.weight", {3 * w, w}, nodes});
    tensors.push_back({"project_fixed_context.weight", {w, w}, value("project_fixed_context")});
    tensors.push_back({"project_out.weight", {w, w}, value("project_out")});
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
