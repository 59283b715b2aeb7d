// GPT-NeoX and Pythia (Black et al. 2022; transformers, models/gpt_neox): a part of each head turns, attention and
// feed-forward stand beside each other, and the fused projection has the query, key and value of head 0, then of
// head 1.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void gptNeoXConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_eps", 1e-5);
    config.feed("intermediate_size", 24576, config.activation("hidden_act", "gelu"), false);
    const bool bias = config.flag("attention_bias", true), parallel = config.flag("use_parallel_residual", true);
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = bias;
        spec.feedBias = true;
        spec.parallel = parallel;
    });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.rotaryEverywhere({.baseField = "rotary_emb_base", .part = 0.25, .partField = "rotary_pct"});
}

void gptNeoXWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    model.embedding = read.matrix("gpt_neox.embed_in.weight", a.vocabulary, a.width);
    const auto layers = "gpt_neox.layers.";
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = read.norm(name + "input_layernorm");
        layer.beforeFeed = read.norm(name + "post_attention_layernorm");
        fusedHeads(read, name + "attention.query_key_value", spec.queryKeyBias, layer);
        layer.output =
            read.linear(name + "attention.dense", {.outputs = a.width, .inputs = a.width, .bias = spec.outputBias});
        layer.feed = plainFeed(read, spec, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h");
    });
    model.finalNorm = read.norm("gpt_neox.final_layer_norm");
    tokenHead(read, model, "embed_out");
    passOverTriangles(read);
    read.passOver("rotary_emb.inv_freq");
}

void gptNeoXGguf(GgufConfigMaker& make)
{
    make.sizes();
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
    make.take("use_parallel_residual", "use_parallel_residual");
    make.value("attention.head_count_kv");
    make.positions(make.shareOfAHead());
    make.config["rotary_pct"] = make.config.value("partial_rotary_factor", 1.0);
    make.take("rotary_emb_base", "rope.freq_base");
    make.config.erase("partial_rotary_factor");
    make.config.erase("rope_theta");
}

constexpr GgufName neoXAround[]{
    {"gpt_neox.embed_in", "token_embd"}, {"gpt_neox.final_layer_norm", "output_norm"}, {"embed_out", "output"}};
constexpr GgufName neoXWithin[]{{"attention.query_key_value_in_turn", "attn_qkv"}, {"attention.dense", "attn_output"}};

constexpr GgufFamily gptNeoXInGguf{
    "gptneox", gptNeoXGguf, neoXWithin, {"gpt_neox.layers.", neoXAround, ggufNames::bloomWithin}};

}  // namespace

Family gptNeoX() { return {"gpt_neox", "GPT-NeoX", gptNeoXConfig, gptNeoXWeights, gptNeoXInGguf}; }

}  // namespace attnscope::family
