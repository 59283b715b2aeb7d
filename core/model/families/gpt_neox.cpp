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

LayerWeights gptNeoXLayer(WeightReader& read, const LayerSpec& spec, const std::string& name)
{
    const Architecture& a = read.architecture();
    const Index width = a.width, inner = spec.inner;
    LayerWeights layer;
    layer.beforeAttention = read.norm(name + "input_layernorm");
    layer.beforeFeed = read.norm(name + "post_attention_layernorm");
    fusedHeads(read, name + "attention.query_key_value", spec.queryKeyBias, layer);
    layer.output = read.linear(name + "attention.dense", {.outputs = width, .inputs = width, .bias = spec.outputBias});
    layer.feed.up = read.linear(name + "mlp.dense_h_to_4h", {.outputs = inner, .inputs = width, .bias = true});
    layer.feed.down = read.linear(name + "mlp.dense_4h_to_h", {.outputs = width, .inputs = inner, .bias = true});
    return layer;
}

void gptNeoXWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    model.embedding = read.matrix("gpt_neox.embed_in.weight", a.vocabulary, a.width);
    for (int l = 0; l < a.layers && !read.error(); ++l)
        model.layers.push_back(
            gptNeoXLayer(read, a.specs[static_cast<size_t>(l)], "gpt_neox.layers." + std::to_string(l) + "."));
    model.finalNorm = read.norm("gpt_neox.final_layer_norm");
    if (a.tiedEmbeddings) {
        model.head.weight = model.embedding;
        read.passOver("embed_out.weight");
    } else {
        model.head = read.linear("embed_out", {.outputs = a.vocabulary, .inputs = a.width});
    }
    for (const char* buffer : {"rotary_emb.inv_freq", "attention.bias", "attention.masked_bias"})
        read.passOver(buffer);  // the mask's triangle, the frequencies
}

}  // namespace

Family gptNeoX() { return {"gpt_neox", "GPT-NeoX", gptNeoXConfig, gptNeoXWeights}; }

}  // namespace attnscope::family
