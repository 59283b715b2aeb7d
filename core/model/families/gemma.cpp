// Gemma 1 (arXiv 2403.08295; transformers, models/gemma): Llama with norms of 1 + w, embeddings times the root of the
// width, a gated GELU, and the embedding for a head.

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void gemmaConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    config.sizes();
    config.keyHeads(16);
    config.headSize(256);
    config.norm(Norm::RmsFromOne, "rms_norm_eps", 1e-6);
    // `hidden_act` says "gelu" in the first folders, which were trained with its approximation by tanh all the same
    config.feed("intermediate_size", 24576, config.activation("hidden_activation", "gelu_pytorch_tanh"));
    config.passOver({"hidden_act"});
    a.tiedEmbeddings = config.flag("tie_word_embeddings", true);
    config.must("attention_bias", false, "biases on Gemma's attention (attention_bias)");
    a.embeddingFactor = std::sqrt(a.width);
    config.rotaryEverywhere();
}

void gemmaWeights(WeightReader& read, Model& model) { llamaLike::weights(read, model, {}); }

}  // namespace

Family gemma()
{
    return {
        "gemma", "Gemma", gemmaConfig, gemmaWeights, {.id = "gemma", .config = llamaLike::gguf, .normsFromOne = true}};
}

}  // namespace attnscope::family
