// Phi-1.5 and Phi-2 (arXiv 2309.05463; transformers, models/phi): one norm a layer, before attention and feed-forward
// that stand beside each other, biases everywhere, also on the head, and a part of each head that turns.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void phiConfig(ConfigReader& config)
{
    config.sizes();
    config.keyHeads();
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_eps", 1e-5);
    config.feed("intermediate_size", 8192, config.activation("hidden_act", "gelu_new"), false);
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.must("qk_layernorm", false, "norms of queries and keys (qk_layernorm)");
    config.everyLayer([](LayerSpec& spec) {
        spec.parallel = true;
        spec.queryKeyBias = spec.outputBias = spec.feedBias = true;
    });
    config.rotaryEverywhere({.part = 0.5});
}

void phiWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index width = a.width, keys = Index{a.keyHeads} * a.headSize;
    model.embedding = read.matrix("model.embed_tokens.weight", a.vocabulary, width);
    eachLayer(read, model, "model.layers.", [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        const auto linear = [&](const char* part, Index outputs, Index inputs) {
            return read.linear(name + part, {.outputs = outputs, .inputs = inputs, .bias = true});
        };
        layer.beforeAttention = layer.beforeFeed = read.norm(name + "input_layernorm");
        if (read.has(name + "self_attn.qkv_proj.weight")) {  // of .gguf files of 2023
            stackedHeads(read, name + "self_attn.qkv_proj", true, layer);
        } else {
            layer.projections = {{.map = linear("self_attn.q_proj", width, width)},
                                 {.map = linear("self_attn.k_proj", keys, width)},
                                 {.map = linear("self_attn.v_proj", keys, width)}};
            takeHeadsInOrder(layer, a);
        }
        layer.output = linear("self_attn.dense", width, width);
        layer.feed = plainFeed(read, spec, name + "mlp.fc1", name + "mlp.fc2");
    });
    model.finalNorm = read.norm("model.final_layernorm");
    tokenHead(read, model, "lm_head", true);
    read.passOver("rotary_emb.inv_freq");
}

void phiGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.take("layer_norm_eps", "attention.layer_norm_epsilon");
}

constexpr GgufName phiAround[]{
    {"model.embed_tokens", "token_embd"}, {"model.final_layernorm", "output_norm"}, {"lm_head", "output"}};
constexpr GgufName phiWithin[]{{"self_attn.dense", "attn_output"}, {"mlp.fc1", "ffn_up"}, {"mlp.fc2", "ffn_down"}};

constexpr GgufFamily phiInGguf{"phi2", phiGguf, phiWithin, {"model.layers.", phiAround, ggufNames::llamaWithin}};

}  // namespace

Family phi() { return {"phi", "Phi", phiConfig, phiWeights, phiInGguf}; }

}  // namespace attnscope::family
