// nanochat (Karpathy 2025; transformers, models/nanochat): norms without weights, also of the embeddings and of queries
// and keys, a squared ReLU without a gate, capped logits, and heads that turn backwards: their halves change places
// here and turn as everyone's do. Queries and keys are normed after they are turned, which keeps their length.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void nanochatConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config);
    config.feed("intermediate_size", 8192, config.activation("hidden_act", "relu2"), false);
    config.must("tie_word_embeddings", false, "the embedding for a head (tie_word_embeddings)");
    a.outputCap = config.real("final_logit_softcapping", 15, 0, 1e6);
    config.must("attention_bias", false, "biases on nanochat's attention (attention_bias)");
    if (a.headSize % 2 != 0)
        config.fail(fmt::format("nanochat's heads turn in halves, and {} is odd", a.headSize));
    config.everyLayer([](LayerSpec& spec) { spec.headNorm = HeadNorm::Unit; });
    config.rotaryEverywhere();
}

void nanochatWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    const Index d = a.headSize, half = d / 2;
    const NormWeights norm = read.unweighted(Norm::Rms, a.width);
    model.embedding = read.matrix("model.embed_tokens.weight", a.vocabulary, a.width);
    model.embeddingNorm = model.finalNorm = norm;
    eachLayer(read, model, "model.layers.", [&](const LayerSpec& spec, const std::string& name, LayerWeights& layer) {
        layer.beforeAttention = layer.beforeFeed = norm;
        llamaLike::attention(read, spec, name, layer);
        layer.query = {{0, half, d, d - half}, {0, 0, d, half}};
        layer.key = {{1, half, d, d - half}, {1, 0, d, half}};
        layer.feed = plainFeed(read, spec, name + "mlp.fc1", name + "mlp.fc2");
    });
    model.head = read.linear("lm_head", {.outputs = a.vocabulary, .inputs = a.width});
}

}  // namespace

Family nanochat() { return {"nanochat", "nanochat", nanochatConfig, nanochatWeights}; }

}  // namespace attnscope::family
