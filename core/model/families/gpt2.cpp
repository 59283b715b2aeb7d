// GPT-2 (Radford et al. 2019; transformers, models/gpt2): learned positions, one projection for queries, keys and
// values, and matrices that are stored with their inputs first. Its relatives: GPT-J (Wang & Komatsuzaki 2021;
// models/gptj) turns neighbouring pairs of a part of each head, and has attention and feed-forward beside each other
// behind one norm; GPT-Neo (Black et al. 2021; models/gpt_neo) has windows in some layers and does not divide its
// logits by sqrt(d); GPT-BigCode (arXiv 2301.03988; StarCoder; models/gpt_bigcode) has one key head for all; OPT (arXiv
// 2205.01068; models/opt) has a ReLU, and positions that begin in row 2 of their table.

#include "core/model/families/families.h"

#include <algorithm>
#include <cmath>

namespace attnscope::family {

namespace {

Linear kinLinear(WeightReader& read, const std::string& name, Index outputs, Index inputs, bool bias)
{
    return read.linear(name, {.outputs = outputs, .inputs = inputs, .bias = bias});
}

/// Queries, keys and values of matrices of their own, without biases where the spec says so.
void apart(WeightReader& read, const LayerSpec& spec, const std::string& name, LayerWeights& layer)
{
    const Architecture& a = read.architecture();
    for (const char* part : {"q_proj", "k_proj", "v_proj"})
        layer.projections.push_back({.map = kinLinear(read, name + part, a.width, a.width, spec.queryKeyBias)});
    takeHeadsInOrder(layer, a);
}

void gptSizes(ConfigReader& config, const SizeFields& names, const char* inner)
{
    config.sizes(names);
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_epsilon", 1e-5);
    config.feed(inner, std::min(4 * config.a.width, ConfigReader::mostInner),
                config.activation("activation_function", "gelu_new"), false);
    config.everyLayer([](LayerSpec& spec) { spec.outputBias = spec.feedBias = true; });
}

void gpt2Config(ConfigReader& config)
{
    gptSizes(config, {"n_embd", "n_layer", "n_head", "n_positions"}, "n_inner");
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.a.learnedPositions = config.a.largestLength;
    config.must("scale_attn_weights", true, "logits that are not divided by sqrt(d) (scale_attn_weights)");
    config.must("scale_attn_by_inverse_layer_idx", false, "a scale by layer (scale_attn_by_inverse_layer_idx)");
    config.must("add_cross_attention", false, "cross-attention (add_cross_attention)");
}

void gpt2Weights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    gptLike(read, model, {}, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
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
}

void gptJConfig(ConfigReader& config)
{
    gptSizes(config, {"n_embd", "n_layer", "n_head", "n_positions"}, "n_inner");
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.everyLayer([](LayerSpec& spec) { spec.parallel = true; });
    const double part = config.partOf(config.whole("rotary_dim", 64, 2, ConfigReader::mostHeadSize));
    config.passOver({"rotary", "scale_attn_weights"});
    config.rotaryEverywhere({.part = part, .interleaved = true, .fixed = true});
}

void gptJWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    gptLike(read, model, {.headBias = true}, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = layer.beforeFeed = read.norm(name + "ln_1");
        apart(read, spec, name + "attn.", layer);
        layer.output = kinLinear(read, name + "attn.out_proj", a.width, a.width, false);
        layer.feed = plainFeed(read, spec, name + "mlp.fc_in", name + "mlp.fc_out");
    });
}

/// attention_types: [[["global", "local"], 12]], patterns and how often each comes.
std::vector<std::string> gptNeoTypes(ConfigReader& config)
{
    const nlohmann::json* given = config.field("attention_types");
    std::vector<std::string> types;
    const auto wrong = [&] {
        config.fail(
            fmt::format("attention_types must be patterns of \"global\" and \"local\" for {} layers, each with a count",
                        config.a.layers));
        return std::vector<std::string>(static_cast<size_t>(config.a.layers), "global");
    };
    const nlohmann::json byDefault = nlohmann::json::parse(R"([[["global", "local"], 12]])");
    if (!given)
        given = &byDefault;
    if (!given->is_array())
        return wrong();
    for (const nlohmann::json& part : *given) {
        if (!part.is_array() || part.size() != 2 || !part[0].is_array() || !part[1].is_number_unsigned() ||
            part[1].get<std::uint64_t>() > ConfigReader::mostLayers)
            return wrong();
        for (std::uint64_t times = part[1].get<std::uint64_t>(); times > 0; --times)
            for (const nlohmann::json& type : part[0]) {
                if ((type != "global" && type != "local") || std::ssize(types) >= config.a.layers)
                    return wrong();
                types.push_back(type.get<std::string>());
            }
    }
    return std::ssize(types) == config.a.layers ? types : wrong();
}

void gptNeoConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    gptSizes(config, {"hidden_size", "num_layers", "num_heads", "max_position_embeddings"}, "intermediate_size");
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.learnedPositions = a.largestLength;
    const double window = config.whole("window_size", 256, 1, 1 << 30), factor = std::sqrt(a.headSize);
    const std::vector<std::string> types = gptNeoTypes(config);
    for (int layer = 0; layer < a.layers; ++layer) {
        config.spec(layer).logitFactor = factor;  // which are not divided by it
        if (types[static_cast<size_t>(layer)] == "local")
            config.spec(layer).mask = {"window", {{"w", window}}, {}};
    }
    config.passOver({"attention_layers", "embed_dropout", "resid_dropout"});  // what attention_types says, written out
}

void gptNeoWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    gptLike(read, model, {}, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = read.norm(name + "ln_1");
        layer.beforeFeed = read.norm(name + "ln_2");
        apart(read, spec, name + "attn.attention.", layer);
        layer.output = kinLinear(read, name + "attn.attention.out_proj", a.width, a.width, true);
        layer.feed = plainFeed(read, spec, name + "mlp.c_fc", name + "mlp.c_proj");
    });
}

void gptBigCodeConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    gptSizes(config, {"n_embd", "n_layer", "n_head", "n_positions"}, "n_inner");
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.learnedPositions = a.largestLength;
    a.keyHeads = 1;
    if (config.whole("num_key_value_heads", 1, 1, ConfigReader::mostHeads) != 1)
        config.refuse("more than one key head (num_key_value_heads)");
    config.must("multi_query", true, "a key head for every query head (multi_query)");
    config.must("scale_attn_weights", true, "logits that are not divided by sqrt(d) (scale_attn_weights)");
    config.must("add_cross_attention", false, "cross-attention (add_cross_attention)");
    config.passOver({"attention_softmax_in_fp32", "inference_runner", "max_batch_size", "max_sequence_length",
                     "pad_key_length", "pre_allocate_kv_cache", "scale_attention_softmax_in_fp32",
                     "validate_runner_input"});
}

void gptBigCodeWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index d = a.headSize, width = a.width;
    gptLike(read, model, {}, [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = read.norm(name + "ln_1");
        layer.beforeFeed = read.norm(name + "ln_2");
        layer.projections = {{.map = kinLinear(read, name + "attn.c_attn", width + 2 * d, width, true)}};
        layer.query = {{0, 0, d, d}};
        layer.key = {{0, width, 0, d}};
        layer.value = {{0, width + d, 0, d}};
        layer.output = kinLinear(read, name + "attn.c_proj", width, width, true);
        layer.feed = plainFeed(read, spec, name + "mlp.c_fc", name + "mlp.c_proj");
    });
}

void optConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.headsShareTheWidth();
    a.norm = Norm::Layer;
    a.epsilon = 1e-5;  // no field says another
    config.feed("ffn_dim", 3072, config.activation("activation_function", "relu"), false);
    config.everyLayer([](LayerSpec& spec) { spec.queryKeyBias = spec.outputBias = spec.feedBias = true; });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    a.learnedPositions = a.largestLength;
    a.rowsBefore = 2;
    config.must("do_layer_norm_before", true, "norms after the blocks (do_layer_norm_before)");
    config.must("enable_bias", true, "blocks without biases (enable_bias)");
    config.must("layer_norm_elementwise_affine", true, "norms without weights (layer_norm_elementwise_affine)");
    config.must("_remove_final_layer_norm", false, "no norm before the head (_remove_final_layer_norm)");
    if (config.whole("word_embed_proj_dim", a.width, 1, ConfigReader::mostWidth) != a.width)
        config.refuse("embeddings of another width (word_embed_proj_dim)");
    config.passOver({"dropout", "init_std", "layerdrop", "prefix"});
}

void optWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const std::string prefix = read.prefixOf("embed_tokens.weight", {"model.decoder.", "decoder."});
    model.embedding = read.matrix(prefix + "embed_tokens.weight", a.vocabulary, a.width);
    const StoredMatrix positions =
        read.matrix(prefix + "embed_positions.weight", a.rowsBefore + a.learnedPositions, a.width);
    if (positions.data)
        model.positions = positions.rowsOf(a.rowsBefore, a.learnedPositions);
    eachLayer(read, model, prefix + "layers.",
              [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
                  layer.beforeAttention = read.norm(name + "self_attn_layer_norm");
                  layer.beforeFeed = read.norm(name + "final_layer_norm");
                  apart(read, spec, name + "self_attn.", layer);
                  layer.output = kinLinear(read, name + "self_attn.out_proj", a.width, a.width, true);
                  layer.feed = plainFeed(read, spec, name + "fc1", name + "fc2");
              });
    model.finalNorm = read.norm(prefix + "final_layer_norm");
    tokenHead(read, model, "lm_head");
    passOverTriangles(read);
}

/// Also of StarCoder, which has one key head.
void gpt2Gguf(GgufConfigMaker& make)
{
    make.sizes({"n_embd", "n_layer", "n_head", "n_positions", "n_inner"});
    make.take("layer_norm_epsilon", "attention.layer_norm_epsilon");
    make.value("attention.head_count_kv");
    make.withoutExperts();
}

constexpr GgufFamily gpt2InGguf{
    .id = "gpt2", .config = gpt2Gguf, .names = ggufNames::gpt2, .inputsFirstInFolders = true};
constexpr GgufFamily gptBigCodeInGguf{"starcoder", gpt2Gguf, {}, ggufNames::gpt2};

}  // namespace

Family gpt2() { return {"gpt2", "GPT-2", gpt2Config, gpt2Weights, gpt2InGguf}; }
Family gptJ() { return {"gptj", "GPT-J", gptJConfig, gptJWeights}; }
Family gptNeo() { return {"gpt_neo", "GPT-Neo", gptNeoConfig, gptNeoWeights}; }
Family gptBigCode() { return {"gpt_bigcode", "GPT-BigCode", gptBigCodeConfig, gptBigCodeWeights, gptBigCodeInGguf}; }
Family opt() { return {"opt", "OPT", optConfig, optWeights}; }

}  // namespace attnscope::family
