// GPT-2 (Radford et al. 2019; transformers, models/gpt2): learned positions, one projection for queries, keys and
// values, and matrices that are stored with their inputs first.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

void gpt2Config(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes({"n_embd", "n_layer", "n_head", "n_positions"});
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_epsilon", 1e-5);
    config.feed("n_inner", std::min(4 * a.width, ConfigReader::mostInner),
                config.activation("activation_function", "gelu_new"), false);
    config.everyLayer([](LayerSpec& spec) { spec.queryKeyBias = spec.outputBias = spec.feedBias = true; });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.learnedPositions = a.largestLength;
    config.must("scale_attn_weights", true, "logits that are not divided by sqrt(d) (scale_attn_weights)");
    config.must("scale_attn_by_inverse_layer_idx", false, "a scale by layer (scale_attn_by_inverse_layer_idx)");
    config.must("add_cross_attention", false, "cross-attention (add_cross_attention)");
}

LayerWeights gpt2Layer(WeightReader& read, const LayerSpec& spec, const std::string& name)
{
    const Architecture& a = read.architecture();
    const Index width = a.width, inner = spec.inner;
    const auto conv = [&](const char* part, Index outputs, Index inputs) {
        return read.linear(name + part, {.outputs = outputs, .inputs = inputs, .bias = true, .inputFirst = true});
    };
    LayerWeights layer;
    layer.beforeAttention = read.norm(name + "ln_1");
    layer.beforeFeed = read.norm(name + "ln_2");
    layer.projections = {{.map = conv("attn.c_attn", 3 * width, width)}};
    layer.query = {{0, 0, a.headSize, a.headSize}};
    layer.key = {{0, width, a.headSize, a.headSize}};
    layer.value = {{0, 2 * width, a.headSize, a.headSize}};
    layer.output = conv("attn.c_proj", width, width);
    layer.feed.up = conv("mlp.c_fc", inner, width);
    layer.feed.down = conv("mlp.c_proj", width, inner);
    return layer;
}

void gpt2Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string prefix = read.prefixOf("wte.weight", {"", "transformer."});
    model.embedding = read.matrix(prefix + "wte.weight", a.vocabulary, a.width);
    model.positions = read.matrix(prefix + "wpe.weight", a.learnedPositions, a.width);
    for (int l = 0; l < a.layers && !read.error(); ++l)
        model.layers.push_back(
            gpt2Layer(read, a.specs[static_cast<size_t>(l)], prefix + "h." + std::to_string(l) + "."));
    model.finalNorm = read.norm(prefix + "ln_f");
    if (a.tiedEmbeddings) {
        model.head.weight = model.embedding;
        read.passOver("lm_head.weight");
    } else {
        model.head = read.linear("lm_head", {.outputs = a.vocabulary, .inputs = a.width});
    }
    read.passOver(".attn.bias");  // the triangle of the causal mask
    read.passOver(".attn.masked_bias");
}

}  // namespace

Family gpt2() { return {"gpt2", "GPT-2", gpt2Config, gpt2Weights}; }

}  // namespace attnscope::family
