// BLOOM (arXiv 2211.05100; transformers, models/bloom): ALiBi in place of positions (Press et al. 2022), a norm of the
// embeddings, and GPT-NeoX's fused projection: the query, key and value of head 0, then of head 1.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void bloomConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    const auto either = [&](const char* name, const char* other) { return config.field(name) ? name : other; };
    config.sizes({either("hidden_size", "n_embed"), either("num_hidden_layers", "n_layer"),
                  either("num_attention_heads", "n_head"), nullptr});
    a.trainLength = a.largestLength = config.whole("seq_length", 2048, 1, 1 << 30);  // there is no bound
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_epsilon", 1e-5);
    const int inner = std::min(4 * a.width, ConfigReader::mostInner);
    config.everyLayer([&](LayerSpec& spec) {
        spec.position.choice = {"alibi", {}, {}};
        spec.inner = inner;
        spec.activation = Activation::GeluTanh;
        spec.gated = false;
        spec.queryKeyBias = spec.outputBias = spec.feedBias = true;
    });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("apply_residual_connection_post_layernorm", false,
                "a residual taken after the norm (apply_residual_connection_post_layernorm)");
    config.passOver({"attention_softmax_in_fp32", "bias_dropout_fusion", "masked_softmax_fusion", "offset_alibi",
                     "skip_bias_add", "skip_bias_add_qkv", "slow_but_exact", "n_inner", "num_attention_heads", "n_head",
                     "n_layer", "n_embed", "use_sequence_parallel"});
}

void bloomWeights(WeightReader& read, Model& model)
{
    const Index width = read.architecture().width;
    const GptNames names{.embedding = "word_embeddings"};
    model.embeddingNorm =
        read.norm(read.prefixOf("word_embeddings.weight", {"transformer.", ""}) + "word_embeddings_layernorm");
    gptLike(read, model, names, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = read.norm(name + "input_layernorm");
        layer.beforeFeed = read.norm(name + "post_attention_layernorm");
        fusedHeads(read, name + "self_attention.query_key_value", true, layer);
        layer.output =
            read.linear(name + "self_attention.dense", {.outputs = width, .inputs = width, .bias = spec.outputBias});
        layer.feed = plainFeed(read, spec, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h");
    });
}

void bloomGguf(GgufConfigMaker& make)
{
    make.sizes({"hidden_size", "n_layer", "n_head", "seq_length", "n_inner"});
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
}

}  // namespace

Family bloom() { return {"bloom", "BLOOM", bloomConfig, bloomWeights, {"bloom", bloomGguf, {}, ggufNames::bloom}}; }

}  // namespace attnscope::family
