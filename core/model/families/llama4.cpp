// Llama 4 (transformers, models/llama4): three layers of four turn neighbouring pairs, norm queries and keys to length
// one and see their own chunk of the text; the fourth has no positions, sees all, and its queries grow with their place
// (the paper of Scalable Softmax, arXiv 2501.19399). Every so many layers the feed-forward is one expert of many, which
// sees its input times its score, and one that all tokens pass.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

void llama4Feeds(ConfigReader& config)
{
    const Experts experts = config.countedExperts({.count = 16,
                                                   .chosen = 1,
                                                   .sharedInner = config.specOf(0).inner,
                                                   .score = Experts::Score::Sigmoid,
                                                   .weighsInput = true});
    const int dense = config.whole("intermediate_size_mlp", 16384, 1, ConfigReader::mostInner),
              step = config.whole("interleave_moe_layer_step", 1, 1, ConfigReader::mostLayers);
    const std::vector<int> named = config.layersNamed("moe_layers");
    for (int layer = 0; layer < config.a.layers; ++layer) {
        LayerSpec& spec = config.spec(layer);
        if (config.field("moe_layers") ? std::find(named.begin(), named.end(), layer) != named.end()
                                       : (layer + 1) % step == 0)
            spec.experts = experts;
        else
            spec.inner = dense;
    }
}

/// A flag that published files also write as a number: any but 0 is on.
bool llama4Tuning(ConfigReader& config)
{
    const nlohmann::json* given = config.field("attn_temperature_tuning");
    return !given || (given->is_number() ? given->get<double>() != 0 : *given == true);
}

void llama4Config(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, {.inner = 8192, .keyHeads = 8, .headSize = 128, .epsilon = 1e-5});
    config.must("attention_bias", false, "biases on Llama 4's attention (attention_bias)");
    llama4Feeds(config);
    const std::vector<bool> turned = config.turnedLayers(true);
    const bool headNorms = config.flag("use_qk_norm", true), tuned = llama4Tuning(config);
    const double chunk = config.whole("attention_chunk_size", 8192, 1, 1 << 30),
                 floorScale = config.real("floor_scale", 8192, 1, 1e9), step = config.real("attn_scale", 0.1, 0, 10);
    const OwnPosition position = config.rotary({.base = 500000, .interleaved = true});
    for (int layer = 0; layer < a.layers; ++layer) {
        LayerSpec& spec = config.spec(layer);
        if (turned[static_cast<size_t>(layer)]) {
            spec.position = position;
            spec.mask = {"documents", {{"length", chunk}}, {}};
            spec.headNorm = headNorms ? HeadNorm::Unit : HeadNorm::None;
        } else if (tuned) {
            spec.method = {"llama4", {{"floor_scale", floorScale}, {"attn_scale", step}}, {}};
        }
    }
    config.passOver({"for_llm_compressor", "layer_types"});
}

FeedWeights llama4Expert(const StoredMatrix& gateUp, const StoredMatrix& down)
{
    return {.gate = {gateUp, true, {}}, .up = {}, .down = {down, true, {}}, .layout = GateLayout::Halves};
}

void llama4Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        const std::string name = layer + "feed_forward.";
        if (!spec.experts) {
            target.feed = llamaLike::feed(read, spec, name, spec.inner);
            return;
        }
        const int count = spec.experts->count, inner = spec.experts->inner;
        target.experts.router = read.linear(name + "router", {.outputs = count, .inputs = a.width});
        target.experts.shared = llamaLike::feed(read, spec, name + "shared_expert.", inner);
        if (read.has(name + "experts.0.gate_proj.weight")) {  // of .gguf files, which have gates and ups apart
            target.experts.experts = llamaLike::eachExpert(read, spec, name);
            return;
        }
        const auto gates = read.stack(name + "experts.gate_up_proj", count, a.width, 2 * Index{inner}),
                   downs = read.stack(name + "experts.down_proj", count, inner, a.width);
        for (size_t e = 0; e < gates.size() && !read.error(); ++e)
            target.experts.experts.push_back(llama4Expert(gates[e], downs[e]));
    });
    passOverPictures(read);
}

/// What llama.cpp has built in, chunks and the queries' growth of the published models, is in no value.
void llama4Gguf(GgufConfigMaker& make)
{
    make.llama();
    make.config["intermediate_size_mlp"] = make.config["intermediate_size"];
    make.take("intermediate_size", "expert_feed_forward_length");
    make.experts("num_local_experts");
    make.take("interleave_moe_layer_step", "interleave_moe_layer_step");
    constexpr double largest = 128;  // experts of the one whose queries and keys have no norms
    make.config["use_qk_norm"] = make.real("expert_count", 0) != largest;
    if (make.real("attention.sliding_window", 1) == 0)
        make.refuse("a Llama 4 without chunks (attention.sliding_window)");
}

constexpr GgufName llama4Names[]{{"feed_forward.gate_proj", "ffn_gate"},
                                 {"feed_forward.up_proj", "ffn_up"},
                                 {"feed_forward.down_proj", "ffn_down"},
                                 {"feed_forward.router", "ffn_gate_inp"},
                                 {"feed_forward.experts.*.gate_proj", "ffn_gate_exps"},
                                 {"feed_forward.experts.*.up_proj", "ffn_up_exps"},
                                 {"feed_forward.experts.*.down_proj", "ffn_down_exps"},
                                 {"feed_forward.shared_expert.gate_proj", "ffn_gate_shexp"},
                                 {"feed_forward.shared_expert.up_proj", "ffn_up_shexp"},
                                 {"feed_forward.shared_expert.down_proj", "ffn_down_shexp"}};

}  // namespace

Family llama4() { return {"llama4_text", "Llama 4", llama4Config, llama4Weights, {"llama4", llama4Gguf, llama4Names}}; }

}  // namespace attnscope::family
