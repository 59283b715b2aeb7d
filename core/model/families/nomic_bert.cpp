// Nomic BERT (Nussbaum et al. 2024, arXiv 2402.01613; nomic-ai's modeling_hf_nomic_bert.py, and transformers 5's
// models/nomic_bert, whose config has BERT's fields and whose files may have its head): an encoder that makes
// vectors of texts. BERT with rotary positions in place of learned ones, a gated feed-forward, one projection for
// queries, keys and values, and no biases but those of its norms and its head.

#include "core/model/families/families.h"

#include <algorithm>

namespace attnscope::family {

namespace {

void nomicBertEncoder(ConfigReader& config)
{
    config.seesBothWays();
    config.everyLayer([](LayerSpec& spec) { spec.norms = NormPlace::OfTheSum; });
    config.passOver({"type_vocab_size"});
    config.must("tie_word_embeddings", true, "a head that is not its embedding (tie_word_embeddings)");
    config.a.tiedEmbeddings = true;
}

void nomicBertConfig(ConfigReader& config)
{
    if (!config.field("n_embd")) {
        config.sizes();
        config.headsShareTheWidth();
        config.norm(Norm::Layer, "layer_norm_eps", 1e-12);
        config.feed("intermediate_size", 3072, config.activation("hidden_act", "silu"));
        nomicBertEncoder(config);
        return config.rotaryEverywhere({.base = 1000});
    }
    config.sizes({"n_embd", "n_layer", "n_head", "n_positions"});
    config.headsShareTheWidth();
    // what its authors' configuration takes where a field is missing is often what is not run
    config.norm(Norm::Layer, "layer_norm_epsilon", 1e-5);
    if (config.text("activation_function", "gelu_new") != "swiglu")
        config.refuse("another feed-forward than swiglu (activation_function)");
    config.feed("n_inner", std::min(4 * config.a.width, ConfigReader::mostInner), Activation::Silu);
    config.must("prenorm", false, "norms before its blocks (prenorm)");
    for (const char* bias : {"qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"})
        if (config.flag(bias, true))
            config.refuse(std::string("biases (") + bias + ")");
    config.must("rotary_emb_interleaved", false, "neighbouring pairs that turn (rotary_emb_interleaved)");
    config.must("use_rms_norm", false, "RMS norms (use_rms_norm)");
    config.must("parallel_block", false, "attention and feed-forward beside each other (parallel_block)");
    config.must("causal", false, "a causal mask (causal)");
    config.must("scale_attn_by_inverse_layer_idx", false, "a scale by layer (scale_attn_by_inverse_layer_idx)");
    for (const char* field : {"rotary_emb_scale_base", "rotary_scaling_factor", "moe_every_n_layers"})
        if (config.field(field) && *config.field(field) != 0)
            config.refuse(field);
    nomicBertEncoder(config);
    if (config.real("rotary_emb_fraction", 0, 0, 1) == 0)
        config.refuse("learned positions (rotary_emb_fraction)");
    config.rotaryEverywhere({.baseField = "rotary_emb_base", .partField = "rotary_emb_fraction", .fixed = true});
    config.passOver({"attn_pdrop", "dense_seq_output", "fused_bias_fc", "fused_dropout_add_ln", "max_trained_positions",
                     "pad_vocab_size_multiple", "parallel_block_tied_norm", "scale_attn_weights", "use_flash_attn",
                     "use_xentropy"});
}

void nomicBertWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    const std::string prefix = read.prefixOf("embeddings.word_embeddings.weight", {"", "nomic_bert.", "bert."});
    model.embedding = read.matrix(prefix + "embeddings.word_embeddings.weight", a.vocabulary, width);
    model.tokenType = firstRow(read, prefix + "embeddings.token_type_embeddings.weight", width);
    model.embeddingNorm = read.norm(prefix + "emb_ln");
    eachLayer(read, model, prefix + "encoder.layers.",
              [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
                  const Index inner = spec.inner;
                  stackedHeads(read, name + "attn.Wqkv", false, layer);
                  layer.output = read.linear(name + "attn.out_proj", {.outputs = width, .inputs = width});
                  layer.afterAttention = read.norm(name + "norm1");
                  layer.feed.up = read.linear(name + "mlp.fc11", {.outputs = inner, .inputs = width});
                  layer.feed.gate = read.linear(name + "mlp.fc12", {.outputs = inner, .inputs = width});
                  layer.feed.down = read.linear(name + "mlp.fc2", {.outputs = width, .inputs = inner});
                  layer.afterFeed = read.norm(name + "norm2");
              });
    const std::string head = "cls.predictions.";
    if (read.has(head + "transform.dense.weight")) {
        model.headTransform = {
            .map = read.linear(head + "transform.dense",
                               {.outputs = width, .inputs = width, .bias = read.has(head + "transform.dense.bias")}),
            .activation = a.specs.front().activation,
            .norm = read.norm(head + "transform.layer_norm")};
        model.head = {.weight = headOrEmbedding(read, model, head + "decoder.weight"), .bias = {}};
        for (const char* bias : {"bias", "decoder.bias"})  // transformers', and the authors'
            if (model.head.bias.empty() && read.has(head + bias))
                model.head.bias = read.vector(head + bias, a.vocabulary);
    }
    read.passOver("decoder.weight");
    read.passOver("pooler.");
}

void nomicBertGguf(GgufConfigMaker& make)
{
    make.sizes({"n_embd", "n_layer", "n_head", "n_positions", "n_inner"});
    make.encoder("layer_norm_epsilon");
    make.take("rotary_emb_base", "rope.freq_base");
    // files hold no other form of it
    make.config["activation_function"] = "swiglu";
    make.config["rotary_emb_fraction"] = 1;
    for (const char* bias : {"qkv_proj_bias", "mlp_fc1_bias", "mlp_fc2_bias"})
        make.config[bias] = false;
}

constexpr GgufName nomicBertAround[]{{"embeddings.word_embeddings", "token_embd"},
                                     {"embeddings.token_type_embeddings", "token_types"},
                                     {"emb_ln", "token_embd_norm"}};
constexpr GgufName nomicBertWithin[]{
    {"attn.Wqkv", "attn_qkv"}, {"attn.out_proj", "attn_output"}, {"norm1", "attn_output_norm"}, {"mlp.fc11", "ffn_up"},
    {"mlp.fc12", "ffn_gate"},  {"mlp.fc2", "ffn_down"},          {"norm2", "layer_output_norm"}};

constexpr GgufFamily nomicBertInGguf{
    "nomic-bert", nomicBertGguf, {}, {"encoder.layers.", nomicBertAround, nomicBertWithin}};

}  // namespace

Family nomicBert() { return {"nomic_bert", "Nomic BERT", nomicBertConfig, nomicBertWeights, nomicBertInGguf}; }

}  // namespace attnscope::family
