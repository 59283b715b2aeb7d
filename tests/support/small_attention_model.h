#pragma once
// Attention Models of two small layers with random weights, as files in the authors' layout.

#include "core/base/random.h"
#include "core/tensor/tensor_writer.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attnscope {

struct Named {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};
using Tensors = std::map<std::string, Named>;
using Metadata = std::map<std::string, std::string>;

struct SmallModel {
    static constexpr std::int64_t width = 8, heads = 2, inner = 12;
};

/// Weights large enough that attention and tours are far from uniform.
inline Tensors smallModel(bool depot, bool layerNorm, std::uint64_t seed)
{
    constexpr std::int64_t w = SmallModel::width, heads = SmallModel::heads, d = w / heads, inner = SmallModel::inner;
    Tensors all;
    const Random random(seed, Stream::Weights);
    std::uint64_t row = 0;
    const auto add = [&](const std::string& name, std::vector<std::int64_t> shape, double spread, double middle = 0) {
        Named tensor{shape, {}};
        std::int64_t count = 1;
        for (const std::int64_t extent : shape)
            count *= extent;
        for (std::int64_t i = 0; i < count; ++i)
            tensor.values.push_back(
                static_cast<float>(middle + spread * random.normal(row, static_cast<std::uint64_t>(i))));
        ++row;
        all[name] = std::move(tensor);
    };
    const auto linear = [&](const std::string& name, std::int64_t out, std::int64_t in, bool bias) {
        add(name + ".weight", {out, in}, 1.2 / std::sqrt(static_cast<double>(in)));
        if (bias)
            add(name + ".bias", {out}, 0.2);
    };
    linear("init_embed", w, depot ? 3 : 2, true);
    if (depot)
        linear("init_embed_depot", w, 2, true);
    for (const std::string layer : {"embedder.layers.0", "embedder.layers.1"}) {
        for (const char* part : {"W_query", "W_key", "W_val"})
            add(layer + ".0.module." + part, {heads, w, d}, 0.5);
        add(layer + ".0.module.W_out", {heads, d, w}, 0.5);
        for (const std::string norm : {".1.normalizer", ".3.normalizer"}) {
            add(layer + norm + ".weight", {w}, 0.2, 1);
            add(layer + norm + ".bias", {w}, 0.2);
            if (layerNorm)
                continue;
            add(layer + norm + ".running_mean", {w}, 0.3);
            add(layer + norm + ".running_var", {w}, 0.5, 6);
        }
        linear(layer + ".2.module.0", inner, w, true);
        linear(layer + ".2.module.2", w, inner, true);
    }
    linear("project_node_embeddings", 3 * w, w, false);
    linear("project_fixed_context", w, w, false);
    linear("project_step_context", w, depot ? w + 1 : 2 * w, false);
    linear("project_out", w, w, false);
    if (!depot)
        add("W_placeholder", {2 * w}, 0.5);
    return all;
}

/// The path.
inline Result<std::string> writeTensors(const std::string& path, const Tensors& tensors, const Metadata& metadata = {})
{
    std::vector<TensorView> views;
    for (const auto& [name, tensor] : tensors)
        views.push_back(tensorView(name, tensor.shape, std::span<const float>(tensor.values)));
    return writeSafetensors(path, views, metadata).map([&] { return path; });
}

}  // namespace attnscope
