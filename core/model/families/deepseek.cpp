// DeepSeek V2 (arXiv 2405.04434; transformers, models/deepseek_v2, and the authors' modeling_deepseek.py) and V3 (arXiv
// 2412.19437; models/deepseek_v3): multi-head latent attention. Queries come through a narrow vector, keys and values
// through another; each key has a part that turns, the same for all heads, and a part that does not. Here the part that
// turns stands first in a head, of queries and of keys alike.
//
//   q = q_b(norm(q_a x)) = [q_n, q_r] a head;   [c, k_r] = kv_a x;   [k_n, v] = kv_b(norm(c)) a head
//
// Experts are chosen by sigmoids in V3 and by a softmax in V2.

#include "core/model/families/families.h"

#include <algorithm>
#include <cmath>

namespace attnscope::family {

namespace {

struct LatentDefaults {
    int query = 1536, still = 128, value = 128, inner = 18432;
    double epsilon = 1e-6;
};

/// Everything but the experts.
void latentConfig(ConfigReader& config, const LatentDefaults& of = {})
{
    Architecture& a = config.a;
    config.sizes();
    config.passOver({"num_key_value_heads", "head_dim", "qk_head_dim"});  // there is a key a head
    const int most = ConfigReader::mostWidth, half = ConfigReader::mostHeadSize / 2;
    const LatentAttention latent{.query = config.whole("q_lora_rank", of.query, 0, most),
                                 .keyValue = config.whole("kv_lora_rank", 512, 1, most),
                                 .turned = config.whole("qk_rope_head_dim", 64, 2, half)};
    a.headSize = latent.turned + config.whole("qk_nope_head_dim", of.still, 1, half);
    a.valueSize = config.whole("v_head_dim", of.value, 1, half);
    config.norm(Norm::Rms, "rms_norm_eps", of.epsilon);
    config.feed("intermediate_size", of.inner, config.activation("hidden_act", "silu"));
    a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.must("attention_bias", false, "biases on its attention (attention_bias)");
    config.must("mlp_bias", false, "biases on its feed-forwards (mlp_bias)");
    config.passOver({"aux_loss_alpha", "ep_size", "num_nextn_predict_layers", "seq_aux"});

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

void deepseekV3Config(ConfigReader& config)
{
    latentConfig(config);
    if (config.text("scoring_func", "sigmoid") != "sigmoid" || config.text("topk_method", "noaux_tc") != "noaux_tc" ||
        config.whole("moe_layer_freq", 1, 1, ConfigReader::mostLayers) != 1)
        config.refuse("experts that are chosen otherwise than V3's (scoring_func, topk_method, moe_layer_freq)");
    config.sigmoidExperts(
        {.count = 256, .chosen = 8, .inner = 2048, .renormalised = true, .factor = 2.5, .groups = 8, .chosenGroups = 4},
        1, 3);
}

/// GLM-4.7 Flash (transformers, models/glm4_moe_lite): V3 with layers that are named dense or sparse.
void glm4MoeLiteConfig(ConfigReader& config)
{
    latentConfig(config, {.query = 768, .still = 192, .value = 256, .inner = 10240, .epsilon = 1e-5});
    config.passOver({"topk_method"});  // V3's in other words
    config.sigmoidExperts({.count = 64, .chosen = 4, .inner = 1536, .renormalised = true, .factor = 1.8});
    if (const nlohmann::json* types = config.field("mlp_layer_types")) {
        std::vector<bool> sparse;
        for (const LayerSpec& spec : config.a.specs)
            sparse.push_back(spec.experts.has_value());
        bool same = types->is_array() && types->size() == sparse.size();
        for (size_t l = 0; same && l < sparse.size(); ++l)
            same = (*types)[l] == (sparse[l] ? "sparse" : "dense");
        if (!same)
            config.refuse("sparse layers otherwise than from first_k_dense_replace on (mlp_layer_types)");
    }
}

/// Groups are as good as their best expert.
void deepseekV2Config(ConfigReader& config)
{
    latentConfig(config, {.inner = 11008});
    const std::string method = config.text("topk_method", "greedy");
    if (config.text("scoring_func", "softmax") != "softmax" ||
        (method != "greedy" && method != "group_limited_greedy") ||
        config.whole("moe_layer_freq", 1, 1, ConfigReader::mostLayers) != 1)
        config.refuse("experts that are chosen otherwise than V2's (scoring_func, topk_method, moe_layer_freq)");
    config.must("norm_topk_prob", false, "weights of experts that are made to sum to 1 (norm_topk_prob)");
    Experts experts{.count = config.whole("n_routed_experts", 64, 1, ConfigReader::mostExperts),
                    .chosen = config.whole("num_experts_per_tok", 6, 1, ConfigReader::mostExperts),
                    .inner = config.whole("moe_intermediate_size", 1407, 1, ConfigReader::mostInner),
                    .factor = config.real("routed_scaling_factor", 1, 0, 1e6),
                    .groups = config.whole("n_group", 1, 1, ConfigReader::mostExperts),
                    .chosenGroups = config.whole("topk_group", 1, 1, ConfigReader::mostExperts),
                    .bestOfGroup = 1};
    experts.sharedInner = std::min(experts.inner * config.whole("n_shared_experts", 2, 0, 64), ConfigReader::mostInner);
    if (method == "greedy")
        experts.groups = experts.chosenGroups = 1;
    config.checkExperts(experts);
    for (int layer = config.whole("first_k_dense_replace", 0, 0, ConfigReader::mostLayers); layer < config.a.layers;
         ++layer)
        config.spec(layer).experts = experts;
}

void latentAttention(WeightReader& read, const LayerSpec& spec, const std::string& name, LayerWeights& target)
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
                 shared = add({.map = rowsOf(latent, keyValue, turned)});
    const auto ofNarrow = [&](Linear map) { return add({.map = std::move(map), .from = static_cast<int>(narrow)}); };
    target.query = {{queries, still, head, turned}, {queries, 0, head, still}};
    if (read.has(name + "k_b_proj.weight")) {  // of .gguf files, which have keys and values apart, keys inputs first
        const size_t keys = ofNarrow({.weight = read.stacked(name + "k_b_proj.weight", heads, keyValue, still),
                                      .inputFirst = true,
                                      .parts = heads}),
                     values = ofNarrow({.weight = read.stacked(name + "v_b_proj.weight", heads, a.valueSize, keyValue),
                                        .inputFirst = false});
        target.key = {{shared, 0, 0, turned}, {keys, 0, still, still}};
        target.value = {{values, 0, a.valueSize, a.valueSize}};
    } else {
        const size_t rest = ofNarrow(read.linear(name + "kv_b_proj", {.outputs = heads * both, .inputs = keyValue}));
        target.key = {{shared, 0, 0, turned}, {rest, 0, both, still}};
        target.value = {{rest, still, both, a.valueSize}};
    }
    target.output = read.linear(name + "o_proj", {.outputs = a.width, .inputs = heads * a.valueSize});
}

void deepseekWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string layers = llamaLike::around(read, model);
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        llamaLike::norms(read, spec, layer, {}, target);
        latentAttention(read, spec, layer + "self_attn.", target);
        if (spec.experts)
            target.experts = llamaLike::experts(read, spec, layer + "mlp.");
        else
            target.feed = llamaLike::feed(read, spec, layer + "mlp.", spec.inner);
    });
    for (const std::string& begin : {layers, std::string("blk.")})
        read.passOver(begin + std::to_string(a.layers) + ".");  // predicts a token further
}

/// Files have keys as they are kept between tokens, the narrow vector and what turns: the sizes
/// of heads stand beside that; those of before say the sizes of heads alone.
void latentGguf(GgufConfigMaker& make)
{
    make.value("attention.head_count_kv");
    make.config["q_lora_rank"] = make.real("attention.q_lora_rank", 0);
    make.take("kv_lora_rank", "attention.kv_lora_rank");
    const double turned = make.real("rope.dimension_count", 0),
                 key = make.real("attention.key_length_mla", make.real("attention.key_length", 0)),
                 value = make.real("attention.value_length_mla", make.real("attention.value_length", 0));
    make.config["qk_rope_head_dim"] = turned;
    make.config["qk_nope_head_dim"] = key - turned;
    make.config["v_head_dim"] = value;
}

/// Files of before say nothing of groups: those of V3, which has 256 experts weighed by sigmoids, are known, and V2's
/// experts are one group.
void deepseekGgufExperts(GgufConfigMaker& make)
{
    const double gating = make.real("expert_gating_func", 1);
    if (const double count = make.real("expert_count", 0); count > 0) {
        const bool ofV3 = count == 256 && gating == 2;
        make.experts("n_routed_experts", "moe_intermediate_size");
        make.config["n_group"] = make.real("expert_group_count", ofV3 ? 8 : 1);
        make.config["topk_group"] = make.real("expert_group_used_count", ofV3 ? 4 : 1);
        make.take("first_k_dense_replace", "leading_dense_block_count");
    } else {
        make.value("expert_feed_forward_length");
        make.value("leading_dense_block_count");
        make.config["first_k_dense_replace"] = make.config["num_hidden_layers"];
    }
    make.take("n_shared_experts", "expert_shared_count");
    make.config["routed_scaling_factor"] = make.real("expert_weights_scale", 1);
    make.config["norm_topk_prob"] = make.value("expert_weights_norm") == true;
    if (gating == 1) {
        make.config["model_type"] = "deepseek_v2";
        make.config["topk_method"] = make.config.value("n_group", 1.0) > 1 ? "group_limited_greedy" : "greedy";
    } else if (gating != 2) {
        make.refuse("experts that are weighed by something else than a softmax or sigmoids");
    }
}

/// Of V2, V3 and those in their layout.
void deepseekGguf(GgufConfigMaker& make)
{
    make.sizes();
    make.take("rms_norm_eps", "attention.layer_norm_rms_epsilon");
    latentGguf(make);
    make.positions(make.real("rope.dimension_count", 0));
    // a tenth of mscale_all_dim
    if (const double tenth = make.real("rope.scaling.yarn_log_multiplier", 0);
        tenth > 0 && make.config.contains("rope_scaling") && make.config["rope_scaling"]["rope_type"] == "yarn")
        make.config["rope_scaling"]["mscale"] = make.config["rope_scaling"]["mscale_all_dim"] = 10 * tenth;
    deepseekGgufExperts(make);
}

constexpr GgufName deepseekNames[]{{"self_attn.q_a_proj", "attn_q_a"},
                                   {"self_attn.q_a_layernorm", "attn_q_a_norm"},
                                   {"self_attn.q_b_proj", "attn_q_b"},
                                   {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
                                   {"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
                                   {"self_attn.kv_b_proj", "attn_kv_b"},
                                   {"self_attn.k_b_proj", "attn_k_b"},
                                   {"self_attn.v_b_proj", "attn_v_b"}};

}  // namespace

Family deepseekV2() { return {"deepseek_v2", "DeepSeek V2", deepseekV2Config, deepseekWeights, {"deepseek2"}}; }
Family glm4MoeLite() { return {"glm4_moe_lite", "GLM-4.7 Flash", glm4MoeLiteConfig, deepseekWeights, {"deepseek2"}}; }
Family deepseekV3()
{
    return {
        "deepseek_v3", "DeepSeek V3", deepseekV3Config, deepseekWeights, {"deepseek2", deepseekGguf, deepseekNames}};
}

}  // namespace attnscope::family
