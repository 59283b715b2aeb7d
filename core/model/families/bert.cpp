// The encoders BERT (arXiv 1810.04805; transformers, models/bert) and RoFormer (Su et al. 2021, arXiv 2104.09864;
// models/roformer), which find hidden tokens: norms of the sums, and before the head norm(gelu(dense x)). RoFormer
// turns neighbouring pairs in place of learned positions, and its embeddings may be narrower than the stream.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void bertSizes(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.headsShareTheWidth();
    a.causal = false;
    config.norm(Norm::Layer, "layer_norm_eps", 1e-12);
    config.feed("intermediate_size", 3072, config.activation("hidden_act", "gelu"), false);
    config.everyLayer([](LayerSpec& spec) {
        spec.mask = {"full", {}, {}};
        spec.norms = NormPlace::OfTheSum;
        spec.queryKeyBias = spec.outputBias = spec.feedBias = true;
    });
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("is_decoder", false, "a decoder in BERT's layout (is_decoder)");
    config.must("add_cross_attention", false, "cross-attention (add_cross_attention)");
    config.whole("type_vocab_size", 2, 1, ConfigReader::mostTokens);
}

void bertConfig(ConfigReader& config)
{
    bertSizes(config);
    config.a.learnedPositions = config.a.largestLength;
    if (config.text("position_embedding_type", "absolute") != "absolute")
        config.refuse("positions other than absolute ones (position_embedding_type)");
}

void roformerConfig(ConfigReader& config)
{
    bertSizes(config);
    config.must("rotary_value", false, "values that turn too (rotary_value)");
    config.a.embeddingSize = config.whole("embedding_size", config.a.width, 1, ConfigReader::mostWidth);
    config.rotaryEverywhere({.interleaved = true});
}

/// Published folders of the first years name weights and biases gamma and beta.
NormWeights bertNorm(WeightReader& read, const std::string& name, Index size)
{
    const bool old = read.has(name + ".gamma");
    return {Norm::Layer, read.architecture().epsilon, read.vector(name + (old ? ".gamma" : ".weight"), size),
            read.vector(name + (old ? ".beta" : ".bias"), size)};
}

void bertLayer(WeightReader& read, const LayerSpec& spec, const std::string& name, LayerWeights& layer)
{
    const Architecture& a = read.architecture();
    const Index width = a.width;
    const auto linear = [&](const char* part, Index outputs, Index inputs) {
        return read.linear(name + part, {.outputs = outputs, .inputs = inputs, .bias = true});
    };
    layer.projections = {{.map = linear("attention.self.query", width, width)},
                         {.map = linear("attention.self.key", width, width)},
                         {.map = linear("attention.self.value", width, width)}};
    takeHeadsInOrder(layer, a);
    layer.output = linear("attention.output.dense", width, width);
    layer.afterAttention = bertNorm(read, name + "attention.output.LayerNorm", width);
    layer.feed.up = linear("intermediate.dense", spec.inner, width);
    layer.feed.down = linear("output.dense", width, spec.inner);
    layer.afterFeed = bertNorm(read, name + "output.LayerNorm", width);
}

/// Files of models that make vectors of texts have no head.
void bertHead(WeightReader& read, Model& model, Index narrow)
{
    const Architecture& a = read.architecture();
    const std::string head = "cls.predictions.";
    if (!read.has(head + "transform.dense.weight"))
        return;
    model.headTransform.map =
        read.linear(head + "transform.dense", {.outputs = narrow, .inputs = a.width, .bias = true});
    model.headTransform.activation = a.specs.front().activation;
    model.headTransform.norm = bertNorm(read, head + "transform.LayerNorm", narrow);
    model.head.weight = a.tiedEmbeddings ? model.embedding : read.matrix(head + "decoder.weight", a.vocabulary, narrow);
    model.head.bias = read.vector(head + "bias", a.vocabulary);
}

void bertLike(WeightReader& read, Model& model, const char* family)
{
    const Architecture& a = read.architecture();
    const std::string prefix = read.prefixOf("embeddings.word_embeddings.weight", {family, ""});
    const Index narrow = a.embeddingSize > 0 ? a.embeddingSize : a.width;
    const std::string embeddings = prefix + "embeddings.";
    model.embedding = read.matrix(embeddings + "word_embeddings.weight", a.vocabulary, narrow);
    if (a.learnedPositions > 0)
        model.positions = read.matrix(embeddings + "position_embeddings.weight", a.learnedPositions, narrow);
    model.tokenType = firstRow(read, embeddings + "token_type_embeddings.weight", narrow);
    model.embeddingNorm = bertNorm(read, embeddings + "LayerNorm", narrow);
    if (narrow != a.width)
        model.embeddingMap =
            read.linear(prefix + "embeddings_project", {.outputs = a.width, .inputs = narrow, .bias = true});
    for (int l = 0; l < a.layers && !read.error(); ++l)
        bertLayer(read, a.specs[static_cast<size_t>(l)], prefix + "encoder.layer." + std::to_string(l) + ".",
                  model.layers.emplace_back());
    bertHead(read, model, narrow);
    // copies of others, and what answers other questions
    for (const char* part : {"cls.predictions.decoder.", "pooler.", "cls.seq_relationship.", "embeddings.position_ids",
                             "encoder.embed_positions."})
        read.passOver(part);
}

void bertWeights(WeightReader& read, Model& model) { bertLike(read, model, "bert."); }
void roformerWeights(WeightReader& read, Model& model) { bertLike(read, model, "roformer."); }

}  // namespace

Family bert() { return {"bert", "BERT", bertConfig, bertWeights}; }
Family roformer() { return {"roformer", "RoFormer", roformerConfig, roformerWeights}; }

}  // namespace attnscope::family
