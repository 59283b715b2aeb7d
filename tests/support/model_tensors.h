#pragma once
// Files that look as a model's do, made by the tests: names and shapes of a small language model with grouped heads, of
// a routing model's queries and keys, and of a checkpoint of projections.

#include "core/tensor/synthetic_source.h"
#include "core/tensor/tensor_writer.h"

#include <cmath>
#include <string>
#include <vector>

namespace build {

struct NamedShape {
    std::string name;
    std::vector<std::int64_t> shape;
};

/// Every tensor filled with sines of its own. What went wrong, or empty.
inline std::string writeNamed(const std::string& path, const std::vector<NamedShape>& all,
                              const std::map<std::string, std::string>& metadata = {})
{
    std::vector<std::vector<float>> values;
    std::vector<attnscope::TensorView> views;
    for (const NamedShape& one : all) {
        std::int64_t count = 1;
        for (const std::int64_t extent : one.shape)
            count *= extent;
        std::vector<float>& made = values.emplace_back(static_cast<std::size_t>(count));
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i) + static_cast<double>(values.size())));
    }
    for (std::size_t i = 0; i < all.size(); ++i)
        views.push_back(attnscope::tensorView(all[i].name, all[i].shape, values[i]));
    const auto written = attnscope::writeSafetensors(path, views, metadata);
    return written ? "" : written.error().message;
}

/// layer0, layer2 and layer4 of 512 tokens: 8 query heads and 4 key heads of size 8, with local structure; heads of a
/// group share their keys, and the second looks more sharply. q and k, and the same again as q_pre_rope and k_pre_rope.
inline std::string writeLanguageModel(const std::string& path)
{
    constexpr std::int64_t tokens = 512, d = 8, groups = 4;
    std::vector<std::vector<float>> queries, keys;
    for (const std::uint64_t layer : {0, 2, 4}) {
        std::vector<float>&q = queries.emplace_back(), &k = keys.emplace_back();
        for (std::uint64_t group = 0; group < groups; ++group) {
            const auto heads = attnscope::generate(
                {"local", {}, {}}, {.queries = tokens, .keys = tokens, .d = d, .seed = 1 + 10 * layer + group});
            if (!heads)
                return heads.error().message;
            const attnscope::Matrix &query = heads->queries.front(), &key = heads->keys.front();
            for (const float factor : {1.0f, 1.25f})
                for (std::int64_t i = 0; i < query.size(); ++i)
                    q.push_back(factor * query.data()[i]);
            k.insert(k.end(), key.data(), key.data() + key.size());
        }
    }
    std::vector<attnscope::TensorView> views;
    for (std::size_t i = 0; i < 3; ++i)
        for (const char* when : {"", "_pre_rope"}) {
            const std::string layer = "layer" + std::to_string(2 * i);
            views.push_back(attnscope::tensorView(layer + ".q" + when, {2 * groups, tokens, d}, queries[i]));
            views.push_back(attnscope::tensorView(layer + ".k" + when, {groups, tokens, d}, keys[i]));
        }
    const auto written = attnscope::writeSafetensors(
        path, views, {{"layout", "heads, tokens, head_dim"}, {"causal", "true"}, {"n_train", "512"}});
    return written ? "" : written.error().message;
}

/// Queries and keys of three layers for 400 tokens: 8 heads of size 16 each.
inline std::string writeRoutingHeads(const std::string& path)
{
    std::vector<NamedShape> all;
    for (const char* layer : {"layer0", "layer1", "layer2"})
        for (const char* what : {".q", ".k"})
            all.push_back({std::string(layer) + what, {8, 400, 16}});
    return writeNamed(path, all, {{"causal", "false"}});
}

/// A checkpoint: projections W_query and W_key (8, 128, 16) among everything else that a model has.
inline std::string writeProjections(const std::string& path)
{
    std::vector<NamedShape> all{{"placeholder", {256}}, {"embed.weight", {128, 2}}, {"embed.bias", {128}}};
    for (int layer = 0; layer < 3; ++layer) {
        const std::string name = "encoder.layers." + std::to_string(layer);
        for (const char* what : {"query", "key", "val"})
            all.push_back({name + ".0.module.W_" + what, {8, 128, 16}});
        all.push_back({name + ".0.module.W_out", {8, 16, 128}});
        all.push_back({name + ".1.normalizer.weight", {128}});
        all.push_back({name + ".2.module.0.weight", {512, 128}});
        all.push_back({name + ".2.module.2.weight", {128, 512}});
    }
    return writeNamed(path, all);
}

}  // namespace build
