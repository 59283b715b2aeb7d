// BERT and its kin, encoders that find hidden tokens: norms of the sums, and before the head norm(gelu(dense x)). BERT
// (arXiv 1810.04805; transformers, models/bert); RoFormer (Su et al. 2021, arXiv 2104.09864; models/roformer), which
// turns neighbouring pairs in place of learned positions; RoBERTa, XLM-RoBERTa and CamemBERT (arXiv 1907.11692,
// 1911.02116, 1911.03894), whose positions begin after that of padding; ELECTRA (arXiv 2003.10555), and ALBERT (arXiv
// 1909.11942), all of whose layers are one; DistilBERT (arXiv 1910.01108). Embeddings may be narrower than the stream.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void encoder(ConfigReader& config)
{
    config.seesBothWays();
    config.everyLayer([](LayerSpec& spec) {
        spec.norms = NormPlace::OfTheSum;
        spec.queryKeyBias = spec.outputBias = spec.feedBias = true;
    });
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("is_decoder", false, "a decoder in BERT's layout (is_decoder)");
    config.must("add_cross_attention", false, "cross-attention (add_cross_attention)");
    config.whole("type_vocab_size", 2, 1, ConfigReader::mostTokens);
}

void bertSizes(ConfigReader& config, int inner = 3072)
{
    config.sizes();
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_eps", 1e-12);
    config.feed("intermediate_size", inner, config.activation("hidden_act", "gelu"), false);
    encoder(config);
}

void learnedPositions(ConfigReader& config)
{
    config.a.learnedPositions = config.a.largestLength;
    if (config.text("position_embedding_type", "absolute") != "absolute")
        config.refuse("positions other than absolute ones (position_embedding_type)");
}

void narrowEmbeddings(ConfigReader& config, int byDefault)
{
    config.a.embeddingSize = config.whole("embedding_size", byDefault, 1, ConfigReader::mostWidth);
}

void bertConfig(ConfigReader& config)
{
    bertSizes(config);
    learnedPositions(config);
}

void roformerConfig(ConfigReader& config)
{
    bertSizes(config);
    config.must("rotary_value", false, "values that turn too (rotary_value)");
    narrowEmbeddings(config, config.a.width);
    config.rotaryEverywhere({.interleaved = true, .fixed = true});
}

/// The rows of the table up to that of padding are of no place.
void robertaConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    bertSizes(config);
    const int padding = config.whole("pad_token_id", 1, 0, ConfigReader::mostTokens);
    if (a.largestLength <= padding + 1)
        return config.fail(fmt::format("max_position_embeddings leaves no place after that of padding, {}", padding));
    a.rowsBefore = padding + 1;
    a.largestLength -= a.rowsBefore;
    a.trainLength = a.largestLength;
    learnedPositions(config);
}

void electraConfig(ConfigReader& config)
{
    bertSizes(config, 1024);
    narrowEmbeddings(config, 128);
    learnedPositions(config);
    config.passOver({"summary_last_dropout"});
}

void albertConfig(ConfigReader& config)
{
    config.sizes();
    config.headsShareTheWidth();
    config.norm(Norm::Layer, "layer_norm_eps", 1e-12);
    config.feed("intermediate_size", 16384, config.activation("hidden_act", "gelu_new"), false);
    encoder(config);
    narrowEmbeddings(config, 128);
    learnedPositions(config);
    for (const char* groups : {"num_hidden_groups", "inner_group_num"})
        if (config.whole(groups, 1, 1, ConfigReader::mostLayers) != 1)
            config.refuse(std::string("layers that are not all the same (") + groups + ")");
    config.passOver(
        {"classifier_dropout_prob", "down_scale_factor", "gap_size", "net_structure_type", "num_memory_blocks"});
}

void distilBertConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes({"dim", "n_layers", "n_heads", "max_position_embeddings"});
    config.headsShareTheWidth();
    a.norm = Norm::Layer;
    a.epsilon = 1e-12;  // no field says another
    config.feed("hidden_dim", 3072, config.activation("activation", "gelu"), false);
    encoder(config);
    learnedPositions(config);
    config.passOver({"dropout", "qa_dropout", "seq_classif_dropout", "sinusoidal_pos_embds",
                     "tie_weights_"});  // sinusoids are in the file as if they had been learned
}

/// What a family calls its parts.
struct BertNames {
    const char* family;                     ///< the prefix of all but the head
    std::string layers = "encoder.layer.";  ///< and a number
    const char *query = "attention.self.query", *key = "attention.self.key", *value = "attention.self.value",
               *output = "attention.output.dense", *afterAttention = "attention.output.LayerNorm",
               *up = "intermediate.dense", *down = "output.dense", *afterFeed = "output.LayerNorm";
    const char *headMap = "cls.predictions.transform.dense", *headNorm = "cls.predictions.transform.LayerNorm",
               *head = "cls.predictions.decoder.weight", *headBias = "cls.predictions.bias";
    const char* narrowed = "embeddings_project";
    bool onePhysicalLayer = false;
    /// Of the head: the layers' own, where this is nothing.
    std::optional<Activation> headActivation = {};
};

/// Published folders of the first years name weights and biases gamma and beta.
NormWeights bertNorm(WeightReader& read, const std::string& name, Index size)
{
    const bool old = read.has(name + ".gamma");
    return {Norm::Layer, read.architecture().epsilon, read.vector(name + (old ? ".gamma" : ".weight"), size),
            read.vector(name + (old ? ".beta" : ".bias"), size)};
}

LayerWeights bertLayer(WeightReader& read, const LayerSpec& spec, const BertNames& names, const std::string& name)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    const LinearShape square{.outputs = width, .inputs = width, .bias = true};
    LayerWeights layer;
    for (const char* part : {names.query, names.key, names.value})
        layer.projections.push_back({.map = read.linear(name + part, square)});
    takeHeadsInOrder(layer, a);
    layer.output = read.linear(name + names.output, square);
    layer.afterAttention = bertNorm(read, name + names.afterAttention, width);
    layer.feed = plainFeed(read, spec, name + names.up, name + names.down);
    layer.afterFeed = bertNorm(read, name + names.afterFeed, width);
    return layer;
}

/// Files of models that make vectors of texts have no head.
void bertHead(WeightReader& read, Model& model, const BertNames& names, Index narrow)
{
    const Architecture& a = read.architecture();
    const std::string map = names.headMap;
    if (read.has(map + ".weight")) {
        model.headTransform.map = read.linear(map, {.outputs = narrow, .inputs = a.width, .bias = true});
        model.headTransform.activation = names.headActivation.value_or(a.specs.front().activation);
        model.headTransform.norm = bertNorm(read, names.headNorm, narrow);
        model.head.weight = headOrEmbedding(read, model, names.head);
        model.head.bias = read.vector(names.headBias, a.vocabulary);
    }
    // copies of others, and what answers other questions
    for (const char* part : {names.head, "decoder.bias", "pooler.", "cls.seq_relationship.", "sop_classifier.",
                             "discriminator_predictions.", "embeddings.position_ids", "encoder.embed_positions."})
        read.passOver(part);
}

void bertLike(WeightReader& read, Model& model, const BertNames& names)
{
    const Architecture& a = read.architecture();
    const std::string prefix = read.prefixOf("embeddings.word_embeddings.weight", {names.family, ""});
    const Index narrow = a.embeddingSize > 0 ? a.embeddingSize : a.width;
    const std::string embeddings = prefix + "embeddings.", types = embeddings + "token_type_embeddings.weight";
    model.embedding = read.matrix(embeddings + "word_embeddings.weight", a.vocabulary, narrow);
    if (a.learnedPositions > 0) {
        const StoredMatrix table =
            read.matrix(embeddings + "position_embeddings.weight", a.rowsBefore + a.learnedPositions, narrow);
        if (table.data)
            model.positions = table.rowsOf(a.rowsBefore, a.learnedPositions);
    }
    if (a.type != "distilbert" && (!read.ofGguf() || read.has(types)))  // .gguf files of DistilBERT say "bert"
        model.tokenType = firstRow(read, types, narrow);
    model.embeddingNorm = bertNorm(read, embeddings + "LayerNorm", narrow);
    if (narrow != a.width || names.onePhysicalLayer)  // ALBERT's, of any width
        model.embeddingMap = read.linear(prefix + names.narrowed, {.outputs = a.width, .inputs = narrow, .bias = true});
    for (int l = 0; l < a.layers && !read.error(); ++l) {
        const std::string name = prefix + names.layers + (names.onePhysicalLayer ? "" : std::to_string(l) + ".");
        if (names.onePhysicalLayer && l > 0)
            model.layers.push_back(model.layers.front());
        else
            model.layers.push_back(bertLayer(read, a.specs[static_cast<size_t>(l)], names, name));
    }
    bertHead(read, model, names, narrow);
}

void bertWeights(WeightReader& read, Model& model) { bertLike(read, model, {.family = "bert."}); }
void roformerWeights(WeightReader& read, Model& model) { bertLike(read, model, {.family = "roformer."}); }

void robertaWeights(WeightReader& read, Model& model)
{
    bertLike(read, model,
             {.family = "roberta.",
              .headMap = "lm_head.dense",
              .headNorm = "lm_head.layer_norm",
              .head = "lm_head.decoder.weight",
              .headBias = "lm_head.bias",
              .headActivation = Activation::Gelu});
}

void electraWeights(WeightReader& read, Model& model)
{
    bertLike(read, model,
             {.family = "electra.",
              .headMap = "generator_predictions.dense",
              .headNorm = "generator_predictions.LayerNorm",
              .head = "generator_lm_head.weight",
              .headBias = "generator_lm_head.bias",
              .headActivation = Activation::Gelu});
}

void albertWeights(WeightReader& read, Model& model)
{
    bertLike(read, model,
             {.family = "albert.",
              .layers = "encoder.albert_layer_groups.0.albert_layers.0.",
              .query = "attention.query",
              .key = "attention.key",
              .value = "attention.value",
              .output = "attention.dense",
              .afterAttention = "attention.LayerNorm",
              .up = "ffn",
              .down = "ffn_output",
              .afterFeed = "full_layer_layer_norm",
              .headMap = "predictions.dense",
              .headNorm = "predictions.LayerNorm",
              .head = "predictions.decoder.weight",
              .headBias = "predictions.bias",
              .narrowed = "encoder.embedding_hidden_mapping_in",
              .onePhysicalLayer = true});
}

void distilBertWeights(WeightReader& read, Model& model)
{
    bertLike(read, model,
             {.family = "distilbert.",
              .layers = "transformer.layer.",
              .query = "attention.q_lin",
              .key = "attention.k_lin",
              .value = "attention.v_lin",
              .output = "attention.out_lin",
              .afterAttention = "sa_layer_norm",
              .up = "ffn.lin1",
              .down = "ffn.lin2",
              .afterFeed = "output_layer_norm",
              .headMap = "vocab_transform",
              .headNorm = "vocab_layer_norm",
              .head = "vocab_projector.weight",
              .headBias = "vocab_projector.bias"});
}

void bertGguf(GgufConfigMaker& make)
{
    make.sizes();
    make.encoder("layer_norm_eps");
}

constexpr GgufName bertAround[]{{"bert.embeddings.word_embeddings", "token_embd"},
                                {"bert.embeddings.position_embeddings", "position_embd"},
                                {"bert.embeddings.token_type_embeddings", "token_types"},
                                {"bert.embeddings.LayerNorm", "token_embd_norm"}};
constexpr GgufName bertWithin[]{{"attention.self.query", "attn_q"},
                                {"attention.self.key", "attn_k"},
                                {"attention.self.value", "attn_v"},
                                {"attention.output.dense", "attn_output"},
                                {"attention.output.LayerNorm", "attn_output_norm"},
                                {"intermediate.dense", "ffn_up"},
                                {"output.dense", "ffn_down"},
                                {"output.LayerNorm", "layer_output_norm"}};

constexpr GgufFamily bertInGguf{"bert", bertGguf, {}, {"bert.encoder.layer.", bertAround, bertWithin}};

}  // namespace

Family bert() { return {"bert", "BERT", bertConfig, bertWeights, bertInGguf}; }
Family roformer() { return {"roformer", "RoFormer", roformerConfig, roformerWeights}; }
Family roberta() { return {"roberta", "RoBERTa", robertaConfig, robertaWeights}; }
Family xlmRoberta() { return {"xlm-roberta", "XLM-RoBERTa", robertaConfig, robertaWeights}; }
Family camembert() { return {"camembert", "CamemBERT", robertaConfig, robertaWeights}; }
Family electra() { return {"electra", "ELECTRA", electraConfig, electraWeights}; }
Family albert() { return {"albert", "ALBERT", albertConfig, albertWeights}; }
Family distilBert() { return {"distilbert", "DistilBERT", distilBertConfig, distilBertWeights}; }

}  // namespace attnscope::family
