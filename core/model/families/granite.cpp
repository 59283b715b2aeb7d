// Granite (transformers, models/granite): Llama with four factors, on the embeddings, on attention's logits (in place
// of 1/sqrt(d)), on what each block adds, and on the model's logits.

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void graniteConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, 11008, 0, 0);
    a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    const double logitFactor = config.real("attention_multiplier", 1, 1e-9, 1e6) * std::sqrt(a.headSize),
                 residualFactor = config.real("residual_multiplier", 1, 1e-9, 1e6);
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = attention;
        spec.feedBias = feed;
        spec.logitFactor = logitFactor;
        spec.residualFactor = residualFactor;
    });
    a.embeddingFactor = config.real("embedding_multiplier", 1, 1e-9, 1e6);
    a.outputFactor = 1 / config.real("logits_scaling", 1, 1e-9, 1e9);
    config.rotaryEverywhere();
}

void graniteWeights(WeightReader& read, Model& model) { llamaLike::weights(read, model, {}); }

}  // namespace

Family granite() { return {"granite", "Granite", graniteConfig, graniteWeights}; }

}  // namespace attnscope::family
