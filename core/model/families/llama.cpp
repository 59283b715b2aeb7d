// Llama 1 to 3 (Touvron et al. 2023; transformers, models/llama), and Mistral, which adds a window.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void llamaBiases(ConfigReader& config)
{
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = spec.outputBias = attention;
        spec.feedBias = feed;
    });
}

/// An encoder in Llama's layout: every row sees every key.
void llamaCausality(ConfigReader& config)
{
    config.a.causal = config.flag("is_causal", true);
    if (!config.a.causal)
        config.everyLayer([](LayerSpec& spec) { spec.mask = {"full", {}, {}}; });
}

void llamaConfig(ConfigReader& config)
{
    llamaLike::sizes(config, 11008, 0, 0);
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    llamaBiases(config);
    llamaCausality(config);
    config.rotaryEverywhere();
}

void mistralConfig(ConfigReader& config)
{
    llamaLike::sizes(config, 14336, 8, 0);
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    llamaBiases(config);
    config.windows(4096, [](int) { return true; });
    llamaCausality(config);
    config.rotaryEverywhere();
}

void llamaWeights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {});
    passOverPictures(read);  // of Mistral Small 3
}

/// Also of Mistral and Mixtral.
void llamaGguf(GgufConfigMaker& make)
{
    make.llama();
    make.config["rope_interleave"] = true;  // rows of queries and keys stand in neighbouring pairs
    make.take("sliding_window", "attention.sliding_window");
    if (make.config.contains("sliding_window"))
        make.config["model_type"] = "mistral";
    if (make.real("expert_count", 0) > 0) {
        make.config["model_type"] = "mixtral";
        make.experts("num_local_experts");
    }
    if (make.tensor("blk.0.attn_q.bias"))
        make.refuse("biases on queries and keys in Llama's layout");
}

}  // namespace

Family llama() { return {"llama", "Llama", llamaConfig, llamaWeights, {"llama", llamaGguf}}; }
Family mistral() { return {"mistral", "Mistral", mistralConfig, llamaWeights, {"llama"}}; }

}  // namespace attnscope::family
