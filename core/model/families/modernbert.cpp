// ModernBERT (arXiv 2412.13663; transformers, models/modernbert): an encoder with norms before its blocks, of which the
// first layer has none before attention; every third layer sees all, the others half a window to either side, with
// positions of another base.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

std::vector<bool> modernBertGlobal(ConfigReader& config)
{
    const int every = config.whole("global_attn_every_n_layers", 3, 1, ConfigReader::mostLayers);
    std::vector<std::string> types;
    if (const nlohmann::json* given = config.field("layer_types"); given && given->is_array())
        for (const nlohmann::json& type : *given)
            types.push_back(type.is_string() ? type.get<std::string>() : "");
    std::vector<bool> global;
    for (int layer = 0; layer < config.a.layers; ++layer)
        global.push_back(types.empty() ? layer % every == 0
                                       : static_cast<size_t>(layer) < types.size() &&
                                             types[static_cast<size_t>(layer)] == "full_attention");
    return global;
}

void modernBertConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.headsShareTheWidth();
    a.causal = false;
    config.norm(config.flag("norm_bias", false) ? Norm::Layer : Norm::Centred, "norm_eps", 1e-5);
    config.feed("intermediate_size", 1152, config.activation("hidden_activation", "gelu"));
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    if (config.text("classifier_activation", "gelu") != "gelu")
        config.refuse("another activation before its head than gelu (classifier_activation)");
    const int window = config.whole("local_attention", 128, 1, 1 << 30);
    const std::vector<bool> global = modernBertGlobal(config);
    const OwnPosition far = config.rotary(
                          {.base = 160000, .baseField = "global_rope_theta", .layerType = "full_attention"}),
                      near = config.rotary(
                          {.base = 10000, .baseField = "local_rope_theta", .layerType = "sliding_attention"});
    for (int layer = 0; layer < a.layers; ++layer) {
        LayerSpec& spec = config.spec(layer);
        const bool all = global[static_cast<size_t>(layer)];
        spec.position = all ? far : near;
        spec.mask = all ? Choice{"full", {}, {}} : Choice{"window", {{"w", window / 2 + 1.0}, {"causal", 0}}, {}};
        spec.queryKeyBias = spec.outputBias = attention;
        spec.feedBias = feed;
    }
    // biases of the head are what the file has
    config.passOver({"classifier_bias", "classifier_pooling", "decoder_bias", "cls_token_id",
                     "deterministic_flash_attn", "embedding_dropout", "initializer_cutoff_factor", "layer_norm_eps",
                     "mlp_dropout", "position_embedding_type", "reference_compile", "repad_logits_with_grad",
                     "sep_token_id", "sparse_pred_ignore_index", "sparse_prediction"});
}

void modernBertWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    const std::string prefix = read.prefixOf("embeddings.tok_embeddings.weight", {"model.", ""});
    model.embedding = read.matrix(prefix + "embeddings.tok_embeddings.weight", a.vocabulary, width);
    model.embeddingNorm = read.norm(prefix + "embeddings.norm");
    eachLayer(
        read, model, prefix + "layers.", [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
            if (model.layers.size() > 1)  // the first reads the embedding's
                layer.beforeAttention = read.norm(name + "attn_norm");
            layer.beforeFeed = read.norm(name + "mlp_norm");
            stackedHeads(read, name + "attn.Wqkv", spec.queryKeyBias, layer);
            layer.output = read.linear(name + "attn.Wo", {.outputs = width, .inputs = width, .bias = spec.outputBias});
            const Linear both = read.linear(name + "mlp.Wi",
                                            {.outputs = 2 * Index{spec.inner}, .inputs = width, .bias = spec.feedBias});
            layer.feed.gate = rowsOf(both, 0, spec.inner);
            layer.feed.up = rowsOf(both, spec.inner, spec.inner);
            layer.feed.down =
                read.linear(name + "mlp.Wo", {.outputs = width, .inputs = spec.inner, .bias = spec.feedBias});
        });
    model.finalNorm = read.norm(prefix + "final_norm");
    read.passOver("decoder.weight");
    read.passOver("rotary_emb.inv_freq");
    if (!read.has("head.dense.weight"))  // files of models that make vectors of texts
        return;
    model.headTransform = {
        read.linear("head.dense", {.outputs = width, .inputs = width, .bias = read.has("head.dense.bias")}),
        Activation::Gelu, read.norm("head.norm")};
    model.head.weight = headOrEmbedding(read, model, "decoder.weight");
    if (read.has("decoder.bias"))
        model.head.bias = read.vector("decoder.bias", a.vocabulary);
}

void modernBertGguf(GgufConfigMaker& make)
{
    make.sizes();
    make.encoder("norm_eps");
    make.take("local_attention", "attention.sliding_window");
    make.take("global_attn_every_n_layers", "attention.sliding_window_pattern");
    make.take("global_rope_theta", "rope.freq_base");
    make.take("local_rope_theta", "rope.freq_base_swa");
    make.take("hidden_activation", "hidden_activation");
}

constexpr GgufName modernBertAround[]{{"model.embeddings.tok_embeddings", "token_embd"},
                                      {"model.embeddings.norm", "token_embd_norm"},
                                      {"model.final_norm", "output_norm"}};
constexpr GgufName modernBertWithin[]{{"attn_norm", "attn_norm"}, {"mlp_norm", "ffn_norm"}, {"attn.Wqkv", "attn_qkv"},
                                      {"attn.Wo", "attn_output"}, {"mlp.Wi", "ffn_up"},     {"mlp.Wo", "ffn_down"}};

constexpr GgufFamily modernBertInGguf{
    "modern-bert", modernBertGguf, {}, {"model.layers.", modernBertAround, modernBertWithin}};

}  // namespace

Family modernBert() { return {"modernbert", "ModernBERT", modernBertConfig, modernBertWeights, modernBertInGguf}; }

}  // namespace attnscope::family
