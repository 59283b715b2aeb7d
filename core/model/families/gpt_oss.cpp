// gpt-oss (model card, arXiv 2508.10925; transformers, models/gpt_oss): a learned sink a head, every other layer with a
// window, YaRN everywhere, and experts with a clamped activation, whose gates and ups alternate.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

void gptOssConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 2880, .keyHeads = 8, .headSize = 64, .epsilon = 1e-5});
    config.must("attention_bias", true, "attention without biases (attention_bias)");
    if (config.real("swiglu_limit", 7, 0, 1e6) != 7)
        config.refuse("another clamp of its experts than 7 (swiglu_limit)");
    config.windows(128, [](int layer) { return layer % 2 == 0; });
    const Experts experts =
        config.countedExperts({.count = 128, .chosen = 4, .score = Experts::Score::ChooseThenSoftmax});
    config.passOver({"experts_per_token", "initial_context_length"});  // the same in other words
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = true;
        spec.activation = Activation::ClampedSilu;
        spec.experts = experts;
    });
    config.rotaryEverywhere({.base = 150000,
                             .otherwise = {{"rope_type", "yarn"},
                                           {"factor", 32},
                                           {"beta_fast", 32},
                                           {"beta_slow", 1},
                                           {"truncate", false},
                                           {"original_max_position_embeddings", 4096}}});
}

void gptOssSinks(const WeightFiles& files, Architecture& a)
{
    for (int l = 0; l < a.layers; ++l)
        if (const auto sinks = files.vector("model.layers." + std::to_string(l) + ".self_attn.sinks", a.heads))
            for (const float sink : *sinks)
                a.specs[static_cast<size_t>(l)].sinks.push_back(std::clamp(static_cast<double>(sink), -1000.0, 1000.0));
}

std::vector<float> gptOssBias(const StoredMatrix& biases, int expert)
{
    std::vector<float> room;
    if (!biases.data)
        return {};
    const float* const row = biases.floats(expert, 1, room);
    return {row, row + biases.columns};
}

void gptOssWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        const int count = spec.experts->count, inner = spec.experts->inner;
        const std::string experts = layer + "mlp.experts.";
        read.vector(layer + "self_attn.sinks", a.heads);
        target.experts.router = read.linear(layer + "mlp.router", {.outputs = count, .inputs = a.width, .bias = true});
        if (read.has(experts + "0.gate_proj.weight")) {  // of .gguf files, which have gates and ups apart
            const LinearShape in{.outputs = inner, .inputs = a.width, .bias = true},
                out{.outputs = a.width, .inputs = inner, .bias = true};
            for (int e = 0; e < count && !read.error(); ++e) {
                const std::string expert = experts + std::to_string(e) + ".";
                target.experts.experts.push_back({.gate = read.linear(expert + "gate_proj", in),
                                                  .up = read.linear(expert + "up_proj", in),
                                                  .down = read.linear(expert + "down_proj", out)});
            }
            return;
        }
        const bool four = read.has(experts + "gate_up_proj_blocks");  // which has outputs first
        const auto stack = [&](const char* name, Index inputs, Index outputs) {
            return four ? read.stackOfFour(experts + name, count, outputs, inputs)
                        : read.stack(experts + name, count, inputs, outputs);
        };
        const auto gates = stack("gate_up_proj", a.width, 2 * Index{inner}), downs = stack("down_proj", inner, a.width);
        const StoredMatrix gateBiases = read.matrix(experts + "gate_up_proj_bias", count, 2 * Index{inner}),
                           downBiases = read.matrix(experts + "down_proj_bias", count, a.width);
        for (int e = 0; e < count && !read.error(); ++e)
            target.experts.experts.push_back({.gate = {gates[static_cast<size_t>(e)], !four, gptOssBias(gateBiases, e)},
                                              .up = {},
                                              .down = {downs[static_cast<size_t>(e)], !four, gptOssBias(downBiases, e)},
                                              .layout = GateLayout::Interleaved});
    });
}

/// The published models do not round the range of their YaRN, of which their files say nothing.
void gptOssGguf(GgufConfigMaker& make)
{
    make.llama();
    make.experts("num_local_experts", "intermediate_size");
    make.take("sliding_window", "attention.sliding_window");
    make.config["attention_bias"] = true;
    if (make.config.contains("rope_scaling"))
        make.config["rope_scaling"]["truncate"] = false;
    else
        make.config["rope_parameters"] = {{"rope_type", "default"}};
}

constexpr GgufName gptOssNames[]{{"post_attention_layernorm", "post_attention_norm"}, {"mlp.router", "ffn_gate_inp"}};

}  // namespace

Family gptOss()
{
    return {"gpt_oss", "gpt-oss", gptOssConfig, gptOssWeights, {"gpt-oss", gptOssGguf, gptOssNames}, gptOssSinks};
}

}  // namespace attnscope::family
