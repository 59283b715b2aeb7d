// Models in Llama's layout under names of their own, with what each does otherwise: Ministral (transformers,
// models/ministral) and CWM (arXiv 2510.02387; models/cwm) have windows in some of their layers, Seed-OSS (ByteDance
// 2025; models/seed_oss) biases on queries, keys and values, Helium (Kyutai 2025; models/helium) and ERNIE 4.5 (Baidu
// 2025; models/ernie4_5) turn neighbouring pairs, Arcee (models/arcee) has a squared ReLU without a gate, and EuroBERT
// (arXiv 2503.05500; models/eurobert) is an encoder that finds hidden tokens.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

struct KinDefaults {
    int inner = 11008, keyHeads = 0, headSize = 0;
    double epsilon = 1e-6;
    bool tied = false;
};

void kin(ConfigReader& config, const KinDefaults& of)
{
    llamaLike::sizes(config, of.inner, of.keyHeads, of.headSize);
    config.norm(Norm::Rms, "rms_norm_eps", of.epsilon);
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", of.tied);
}

void biases(ConfigReader& config, bool queriesKeys, bool output, bool feed)
{
    config.everyLayer([&](LayerSpec& spec) {
        spec.queryKeyBias = queriesKeys;
        spec.outputBias = output;
        spec.feedBias = feed;
    });
}

/// Of attention and of the feed-forward.
void twoBiases(ConfigReader& config)
{
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    biases(config, attention, attention, feed);
}

void ministralConfig(ConfigReader& config)
{
    kin(config, {.inner = 14336, .keyHeads = 8});
    config.windows(4096, [](int) { return true; });
    config.rotaryEverywhere();
}

void cwmConfig(ConfigReader& config)
{
    kin(config, {.inner = 21504, .keyHeads = 8, .headSize = 128, .epsilon = 1e-5});
    twoBiases(config);
    config.windows(8192, [](int layer) { return layer % 4 != 0; });
    config.rotaryEverywhere({.base = 1e6,
                             .otherwise = {{"rope_type", "llama3"},
                                           {"factor", 16},
                                           {"high_freq_factor", 4},
                                           {"low_freq_factor", 1},
                                           {"original_max_position_embeddings", 8192}}});
}

void seedOssConfig(ConfigReader& config)
{
    kin(config, {.inner = 27648, .keyHeads = 8, .headSize = 128});
    const bool attention = config.flag("attention_bias", true), output = config.flag("attention_out_bias", false),
               feed = config.flag("mlp_bias", false);
    biases(config, attention, output, feed);
    config.passOver({"residual_dropout"});
    config.rotaryEverywhere();
}

void heliumConfig(ConfigReader& config)
{
    kin(config, {.inner = 7040, .keyHeads = 20, .headSize = 128, .epsilon = 1e-8});
    const bool attention = config.flag("attention_bias", false), feed = config.flag("mlp_bias", false);
    biases(config, attention, false, feed);
    config.rotaryEverywhere({.base = 100000, .interleaved = true});
}

void ernie45Config(ConfigReader& config)
{
    kin(config, {.inner = 3072, .keyHeads = 2, .headSize = 128, .epsilon = 1e-5, .tied = true});
    const bool bias = config.flag("use_bias", false);
    biases(config, bias, bias, bias);
    config.rotaryEverywhere({.base = 500000, .interleaved = true});
}

void arceeConfig(ConfigReader& config)
{
    kin(config, {.inner = 18432, .epsilon = 1e-5});
    config.feed("intermediate_size", 18432, config.activation("hidden_act", "relu2"), false);
    twoBiases(config);
    config.rotaryEverywhere();
}

void euroBertConfig(ConfigReader& config)
{
    kin(config, {.inner = 3072, .epsilon = 1e-5});
    twoBiases(config);
    config.a.causal = false;
    config.everyLayer([](LayerSpec& spec) { spec.mask = {"full", {}, {}}; });
    config.passOver({"classifier_pooling"});
    config.rotaryEverywhere();
}

void kinWeights(WeightReader& read, Model& model) { llamaLike::weights(read, model, {}); }

void seedOssGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    make.takeWhether("attention_bias", "blk.0.attn_q.bias");
    make.takeWhether("attention_out_bias", "blk.0.attn_output.bias");
}

}  // namespace

Family ministral() { return {"ministral", "Ministral", ministralConfig, kinWeights}; }
Family cwm() { return {"cwm", "CWM", cwmConfig, kinWeights}; }
Family seedOss()
{
    return {"seed_oss", "Seed-OSS", seedOssConfig, kinWeights, {"seed_oss", seedOssGguf, ggufNames::normsAfter}};
}
Family helium() { return {"helium", "Helium", heliumConfig, kinWeights}; }
Family ernie45() { return {"ernie4_5", "ERNIE 4.5", ernie45Config, kinWeights, {"ernie4_5", llamaLike::gguf}}; }
Family arcee() { return {"arcee", "Arcee", arceeConfig, kinWeights, {"arcee", llamaLike::ggufInPairs}}; }
Family euroBert() { return {"eurobert", "EuroBERT", euroBertConfig, kinWeights}; }

}  // namespace attnscope::family
