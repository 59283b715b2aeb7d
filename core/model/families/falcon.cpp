// Falcon 7B, 11B, 40B and 180B (arXiv 2311.16867; transformers, models/falcon): norms before attention and feed-forward
// that stand beside each other, one for both or one each. 7B has one key head for all query heads, the last rows of a
// fused projection; the others ("new_decoder_architecture") one for each group of them, and the projection has the
// queries of a group, its key and its value, then the next group. Falcon's other forms are refused.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void falconConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    const auto either = [&](const char* name, const char* other) { return config.field(name) ? name : other; };
    config.sizes({either("hidden_size", "n_embed"), either("num_hidden_layers", "n_layer"),
                  either("num_attention_heads", "n_head"), nullptr});
    a.trainLength = a.largestLength = config.whole("max_position_embeddings", 2048, 1, 1 << 30);
    config.headsShareTheWidth();
    const bool grouped = config.flag("new_decoder_architecture", false);
    a.keyHeads = 1;
    if (grouped)
        config.keyHeads(0, either("num_kv_heads", "n_head_kv"));
    config.norm(Norm::Layer, "layer_norm_epsilon", 1e-5);
    if (!grouped) {  // which counts for those that are not
        config.must("multi_query", true, "a key head for every query head (multi_query)");
        config.must("parallel_attn", true, "blocks one after another (parallel_attn)");
    }
    config.must("alibi", false, "Falcon's ALiBi, which it rounds to bfloat16 (alibi)");
    const bool bias = config.flag("bias", false);
    config.feed("ffn_hidden_size", std::min(4 * a.width, ConfigReader::mostInner),
                config.activation("activation", "gelu"), false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.parallel = true;
        spec.queryKeyBias = spec.outputBias = spec.feedBias = bias;
    });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.rotaryEverywhere();
    config.passOver({"apply_residual_connection_post_layernorm", "multi_query", "parallel_attn", "num_kv_heads",
                     "n_head_kv", "num_ln_in_parallel_attn"});  // the file has one norm, or two
}

void falconWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index d = a.headSize, width = a.width, queries = a.heads * d, perGroup = a.heads / a.keyHeads,
                group = (perGroup + 2) * d;  // of the projection's rows
    const GptNames names{.embedding = "word_embeddings"};
    gptLike(read, model, names, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        const auto linear = [&](const char* part, Index outputs, Index inputs) {
            return read.linear(name + part, {.outputs = outputs, .inputs = inputs, .bias = spec.feedBias});
        };
        if (read.has(name + "ln_attn.weight")) {
            layer.beforeAttention = read.norm(name + "ln_attn");
            layer.beforeFeed = read.norm(name + "ln_mlp");
        } else {
            layer.beforeAttention = layer.beforeFeed = read.norm(name + "input_layernorm");
        }
        const std::string inTurn = name + "self_attention.query_key_value_in_turn";
        if (read.has(inTurn + ".weight")) {  // of .gguf files: all queries, then all keys
            stackedHeads(read, inTurn, spec.queryKeyBias, layer);
        } else {
            layer.projections = {{.map = linear("self_attention.query_key_value", a.keyHeads * group, width)}};
            layer.query = {{0, 0, d, d, perGroup, group}};
            layer.key = {{0, perGroup * d, group, d}};
            layer.value = {{0, (perGroup + 1) * d, group, d}};
        }
        layer.output = linear("self_attention.dense", width, queries);
        layer.feed = plainFeed(read, spec, name + "mlp.dense_h_to_4h", name + "mlp.dense_4h_to_h");
    });
    read.passOver("rotary_emb.inv_freq");
}

void falconGguf(GgufConfigMaker& make)
{
    make.sizes({.inner = "ffn_hidden_size"});
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("tensor_data_layout");  // how its projection was made
    if (make.real("attention.head_count_kv", 1) != 1 || make.tensor("blk.0.attn_norm_2.weight")) {
        make.config["new_decoder_architecture"] = true;
        make.take("num_kv_heads", "attention.head_count_kv");
    }
    make.takeWhether("bias", "blk.0.attn_qkv.bias");
    make.positions(make.shareOfAHead());
}

constexpr GgufName falconNames[]{{"ln_attn", "attn_norm_2"}, {"ln_mlp", "attn_norm"}};

}  // namespace

Family falcon()
{
    return {"falcon", "Falcon", falconConfig, falconWeights, {"falcon", falconGguf, falconNames, ggufNames::bloom}};
}

}  // namespace attnscope::family
