// MPT (MosaicML 2023; transformers, models/mpt): ALiBi in place of positions, norms without biases, no bias anywhere,
// one projection whose rows are all queries, then all keys and values; its numbers may be held within a bound.

#include "core/model/families/families.h"

#include <algorithm>
#include <cmath>

namespace attnscope::family {

namespace {

/// The fields of attn_config.
void mptAttention(ConfigReader& config, ObjectReader& fields)
{
    const Architecture& a = config.a;
    std::string type = "multihead_attention";
    bool alibi = true, prefix = false, norms = false;
    double bias = 8, bound = 0, scale = 0;
    int keyHeads = a.heads;
    fields.text("attn_type", type);
    fields.boolean("alibi", alibi);
    fields.boolean("prefix_lm", prefix);
    fields.boolean("qk_ln", norms);
    fields.number("alibi_bias_max", bias, 0, 1000);
    fields.number("clip_qkv", bound, 0, 1e6);
    fields.number("softmax_scale", scale, 0, 1e6);
    fields.number("kv_n_heads", keyHeads, 1, ConfigReader::mostHeads);
    for (const char* key : {"attn_impl", "attn_pdrop", "attn_uses_sequence_id", "dtype", "model_type"})
        fields.field(key);
    if (type != "multihead_attention" || keyHeads != a.heads)
        config.refuse("key heads that several query heads share (attn_config.attn_type)");
    if (!alibi)
        config.refuse("learned positions in place of ALiBi (attn_config.alibi)");
    if (prefix)
        config.refuse("a prefix that all tokens see (attn_config.prefix_lm)");
    if (norms)
        config.refuse("norms of queries and keys (attn_config.qk_ln)");
    config.everyLayer([&](LayerSpec& spec) {
        if (bias != 8)
            spec.position.choice.values["max"] = bias;
        spec.clamp = bound;
        spec.logitFactor = scale > 0 ? scale * std::sqrt(a.headSize) : 1;
    });
}

void mptConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes({"d_model", "n_layers", "n_heads", "max_seq_len"});
    config.headsShareTheWidth();
    config.norm(Norm::Centred, "layer_norm_epsilon", 1e-5);
    const double inner = std::clamp(std::round(a.width * config.real("expansion_ratio", 4, 0.01, 1000)), 1.0,
                                    double{ConfigReader::mostInner});
    config.everyLayer([&](LayerSpec& spec) {
        spec.position.choice = {"alibi", {}, {}};
        spec.inner = static_cast<int>(inner);
        spec.activation = Activation::Gelu;
        spec.gated = false;
    });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("no_bias", true, "biases (no_bias)");
    if (config.field("logit_scale"))
        config.refuse("a factor on its logits (logit_scale)");
    if (const std::string norm = config.text("norm_type", "low_precision_layernorm");
        norm != "low_precision_layernorm" && norm != "layernorm")
        config.refuse("norms of type '" + norm.substr(0, 40) + "' (norm_type)");
    config.object("attn_config", [&](ObjectReader& fields) { mptAttention(config, fields); });
    config.passOver({"emb_pdrop", "embedding_fraction", "init_config", "init_device", "learned_pos_emb",
                     "tokenizer_name", "use_pad_tok_in_ffn", "verbose"});
}

void mptWeights(WeightReader& read, Model& model)
{
    const Index width = read.architecture().width;
    const GptNames names{.layers = "blocks.", .last = "norm_f"};
    gptLike(read, model, names, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = read.norm(name + "norm_1");
        layer.beforeFeed = read.norm(name + "norm_2");
        stackedHeads(read, name + "attn.Wqkv", false, layer);
        layer.output = read.linear(name + "attn.out_proj", {.outputs = width, .inputs = width});
        layer.feed = plainFeed(read, spec, name + "ffn.up_proj", name + "ffn.down_proj");
    });
}

void mptGguf(GgufConfigMaker& make)
{
    make.sizes({"d_model", "n_layers", "n_heads", "max_seq_len", "feed_forward_length"});
    make.config["expansion_ratio"] =
        make.real("feed_forward_length", 0) / std::max(1.0, make.real("embedding_length", 0));
    make.config.erase("feed_forward_length");
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    const double bias = make.real("attention.max_alibi_bias", 0), heads = make.real("attention.head_count", 0);
    make.config["attn_config"] = {{"alibi", bias > 0},
                                  {"alibi_bias_max", bias},
                                  {"clip_qkv", make.real("attention.clamp_kqv", 0)},
                                  {"kv_n_heads", make.real("attention.head_count_kv", heads)},
                                  {"qk_ln", make.tensor("blk.0.attn_q_norm.weight") != nullptr}};
    make.config["no_bias"] = make.tensor("blk.0.attn_qkv.bias") == nullptr;
}

constexpr GgufName mptAround[]{{"wte", "token_embd"}, {"norm_f", "output_norm"}, {"lm_head", "output"}};
constexpr GgufName mptWithin[]{{"norm_1", "attn_norm"},   {"norm_2", "ffn_norm"},
                               {"attn.Wqkv", "attn_qkv"}, {"attn.out_proj", "attn_output"},
                               {"ffn.up_proj", "ffn_up"}, {"ffn.down_proj", "ffn_down"}};

}  // namespace

Family mpt() { return {"mpt", "MPT", mptConfig, mptWeights, {"mpt", mptGguf, {}, {"blocks.", mptAround, mptWithin}}}; }

}  // namespace attnscope::family
