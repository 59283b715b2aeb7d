// DeepSeek V3 (arXiv 2412.19437; multi-head latent attention, arXiv 2405.04434; transformers, models/deepseek_v3):
// queries come through a narrow vector, keys and values through another; each key has a part that turns, the same for
// all heads, and a part that does not. Here the part that turns stands first in a head, of queries and of keys alike.
//
//   q = q_b(norm(q_a x)) = [q_n, q_r] a head;   [c, k_r] = kv_a x;   [k_n, v] = kv_b(norm(c)) a head

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void deepseekV3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.passOver({"num_key_value_heads", "head_dim", "qk_head_dim"});  // there is a key a head
    const int most = ConfigReader::mostWidth, half = ConfigReader::mostHeadSize / 2;
    const LatentAttention latent{.query = config.whole("q_lora_rank", 0, 1, most),
                                 .keyValue = config.whole("kv_lora_rank", 512, 1, most),
                                 .turned = config.whole("qk_rope_head_dim", 64, 2, half)};
    a.headSize = latent.turned + config.whole("qk_nope_head_dim", 128, 1, half);
    a.valueSize = config.whole("v_head_dim", 128, 1, half);
    config.norm(Norm::Rms, "rms_norm_eps", 1e-6);
    config.feed("intermediate_size", 18432, config.activation("hidden_act", "silu"));
    a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.must("attention_bias", false, "biases on its attention (attention_bias)");
    if (config.text("scoring_func", "sigmoid") != "sigmoid" || config.text("topk_method", "noaux_tc") != "noaux_tc" ||
        config.whole("moe_layer_freq", 1, 1, ConfigReader::mostLayers) != 1)
        config.refuse("experts that are chosen otherwise than V3's (scoring_func, topk_method, moe_layer_freq)");
    config.sigmoidExperts(2048, 256, 8);
    config.passOver({"ep_size", "num_nextn_predict_layers"});

    OwnPosition position = config.rotary({.interleaved = true, .headSize = latent.turned});
    position.choice.values["dims"] = latent.turned;
    if (position.beyond)
        position.beyond->values["dims"] = latent.turned;
    const RopeScaling& scaling = config.scaling();
    const double m = scaling.stretch > 1 ? 0.1 * scaling.mscaleAllDim * std::log(scaling.stretch) + 1 : 1;
    config.everyLayer([&](LayerSpec& spec) {
        spec.latent = latent;
        spec.position = position;
        spec.logitFactor = m * m;
    });
}

void deepseekV3Attention(WeightReader& read, const LayerSpec& spec, const std::string& name, LayerWeights& target)
{
    const Architecture& a = read.architecture();
    const auto [query, keyValue, turned] = *spec.latent;
    const Index heads = a.heads, head = a.headSize, still = head - turned, both = still + a.valueSize;
    const auto inner = [&](const char* norm, Index size) {
        NormWeights made = read.norm(name + norm, size);
        made.epsilon = 1e-6;  // whatever rms_norm_eps is
        return made;
    };
    const auto add = [&](Projection projection) {
        target.projections.push_back(std::move(projection));
        return target.projections.size() - 1;
    };
    size_t queries = 0;
    if (query > 0) {
        const size_t narrow = add({.map = read.linear(name + "q_a_proj", {.outputs = query, .inputs = a.width}),
                                   .norm = inner("q_a_layernorm", query)});
        queries = add({.map = read.linear(name + "q_b_proj", {.outputs = heads * head, .inputs = query}),
                       .from = static_cast<int>(narrow)});
    } else {
        queries = add({.map = read.linear(name + "q_proj", {.outputs = heads * head, .inputs = a.width})});
    }
    const Linear latent = read.linear(name + "kv_a_proj_with_mqa", {.outputs = keyValue + turned, .inputs = a.width});
    const size_t narrow = add({.map = rowsOf(latent, 0, keyValue), .norm = inner("kv_a_layernorm", keyValue)}),
                 shared = add({.map = rowsOf(latent, keyValue, turned)}),
                 rest = add({.map = read.linear(name + "kv_b_proj", {.outputs = heads * both, .inputs = keyValue}),
                             .from = static_cast<int>(narrow)});
    target.query = {{queries, still, head, turned}, {queries, 0, head, still}};
    target.key = {{shared, 0, 0, turned}, {rest, 0, both, still}};
    target.value = {{rest, still, both, a.valueSize}};
    target.output = read.linear(name + "o_proj", {.outputs = a.width, .inputs = heads * a.valueSize});
}

void deepseekV3Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string layers = llamaLike::around(read, model);
    for (int l = 0; l < a.layers && !read.error(); ++l) {
        const LayerSpec& spec = a.specs[static_cast<size_t>(l)];
        const std::string layer = layers + std::to_string(l) + ".";
        LayerWeights& target = model.layers.emplace_back();
        llamaLike::norms(read, spec, layer, {}, target);
        deepseekV3Attention(read, spec, layer + "self_attn.", target);
        if (spec.experts)
            target.experts = llamaLike::experts(read, spec, layer + "mlp.");
        else
            target.feed = llamaLike::feed(read, spec, layer + "mlp.", spec.inner);
    }
    read.passOver(layers + std::to_string(a.layers) + ".");  // predicts a token further
}

}  // namespace

Family deepseekV3() { return {"deepseek_v3", "DeepSeek V3", deepseekV3Config, deepseekV3Weights}; }

}  // namespace attnscope::family
