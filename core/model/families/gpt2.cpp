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

void gpt2Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    const std::string prefix = read.prefixOf("wte.weight", {"", "transformer."});
    model.embedding = read.matrix(prefix + "wte.weight", a.vocabulary, a.width);
    model.positions = read.matrix(prefix + "wpe.weight", a.learnedPositions, a.width);
    eachLayer(read, model, prefix + "h.", [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        const auto conv = [&](const char* part, Index outputs, Index inputs) {
            return read.linear(name + part, {.outputs = outputs, .inputs = inputs, .bias = true, .inputFirst = true});
        };
        layer.beforeAttention = read.norm(name + "ln_1");
        layer.beforeFeed = read.norm(name + "ln_2");
        layer.projections = {{.map = conv("attn.c_attn", 3 * width, width)}};
        layer.query = {{0, 0, a.headSize, a.headSize}};
        layer.key = {{0, width, a.headSize, a.headSize}};
        layer.value = {{0, 2 * width, a.headSize, a.headSize}};
        layer.output = conv("attn.c_proj", width, width);
        layer.feed.up = conv("mlp.c_fc", spec.inner, width);
        layer.feed.down = conv("mlp.c_proj", width, spec.inner);
    });
    model.finalNorm = read.norm(prefix + "ln_f");
    tokenHead(read, model, "lm_head");
    passOverTriangles(read);
}

constexpr GgufFamily gpt2InGguf{
    .id = "gpt2", .config = gpt2Gguf, .names = ggufNames::gpt2, .inputsFirstInFolders = true};

}  // namespace

Family gpt2() { return {"gpt2", "GPT-2", gpt2Config, gpt2Weights, gpt2InGguf}; }

}  // namespace attnscope::family

namespace attnscope {

void gpt2Gguf(GgufConfigMaker& make)
{
    make.sizes({"n_embd", "n_layer", "n_head", "n_positions", "n_inner"});
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
    make.withoutExperts();
}

}  // namespace attnscope
