// Further mixtures of experts: OLMoE (arXiv 2409.02060; transformers, models/olmoe), Qwen 2 MoE (Qwen 1.5's and 2's;
// models/qwen2_moe), one of whose experts sees every token through a gate, dots.llm1 (arXiv 2506.05767; models/dots1)
// with DeepSeek's experts, Granite MoE (models/granitemoe, models/granitemoeshared), whose experts lie in two tensors,
// and MiniMax M2 (models/minimax_m2).

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void olmoeConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 2048, .epsilon = 1e-5});
    if (config.real("clip_qkv", 0, 0, 1e6) > 0)
        config.refuse("queries and keys bounded after their norms (clip_qkv)");
    const bool bias = config.flag("attention_bias", false);
    const Experts experts = config.countedExperts(
        {.count = 64, .chosen = 8, .renormalised = config.flag("norm_topk_prob", false)}, "num_experts");
    config.everyLayer([&](LayerSpec& spec) {
        spec.headNorm = HeadNorm::WholeWidth;
        spec.queryKeyBias = spec.outputBias = bias;
        spec.experts = experts;
    });
    config.rotaryEverywhere();
}

void dots1Config(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 10944, .keyHeads = 32});
    const bool bias = config.flag("attention_bias", false);
    config.everyLayer([&](LayerSpec& spec) {
        spec.headNorm = HeadNorm::EachHead;
        spec.queryKeyBias = spec.outputBias = bias;
    });
    if (config.text("scoring_func", "sigmoid") != "sigmoid")
        config.refuse("experts that are weighed by something else than sigmoids (scoring_func)");
    config.sigmoidExperts({.count = 128, .chosen = 6, .inner = 1408}, 0, 0);
    const int from = config.whole("max_window_layers", 62, 0, ConfigReader::mostLayers);
    config.windows(4096, [&](int layer) { return layer >= from; });
    config.rotaryEverywhere();
}

void miniMaxM2Config(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 1536, .keyHeads = 8, .headSize = 128});
    if (config.text("scoring_func", "sigmoid") != "sigmoid")
        config.refuse("experts that are weighed by something else than sigmoids (scoring_func)");
    config.must("use_qk_norm", true, "queries and keys without norms (use_qk_norm)");
    config.must("use_routing_bias", true, "experts without a correction of their choice (use_routing_bias)");
    const Experts experts =
        config.countedExperts({.count = 256, .chosen = 8, .score = Experts::Score::Sigmoid, .renormalised = true});
    config.everyLayer([&](LayerSpec& spec) {
        spec.headNorm = HeadNorm::WholeWidth;
        spec.experts = experts;
    });
    const double part = config.partOf(config.whole("rotary_dim", config.a.headSize, 2, ConfigReader::mostHeadSize));
    config.passOver({"attn_type_list", "mtp_transformer_layers", "num_mtp_modules", "qk_norm_type",
                     "shared_intermediate_size", "use_mtp"});
    config.rotaryEverywhere({.base = 5e6, .part = part});
}

void miniMaxM2Weights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        const std::string name = layer + "block_sparse_moe.";
        target.experts = mixtralExperts(read, spec, name);
        target.experts.correction = read.vector(name + "e_score_correction_bias", spec.experts->count);
    });
}

void olmoeGguf(GgufConfigMaker& make)
{
    make.llama();
    make.experts("num_experts");
}

/// The published model has windows from its 62nd layer on, and 62 layers.
void dots1Gguf(GgufConfigMaker& make)
{
    make.llama();
    make.sigmoidExperts();
    make.config["max_window_layers"] = make.config["num_hidden_layers"];
}

void miniMaxM2Gguf(GgufConfigMaker& make)
{
    make.llama();
    make.onlySigmoids();
    make.experts("num_local_experts", "intermediate_size");
    make.take("rotary_dim", "rope.dimension_count");
    make.config.erase("partial_rotary_factor");
}

}  // namespace

Family olmoe() { return {"olmoe", "OLMoE", olmoeConfig, llamaLike::weights, {"olmoe", olmoeGguf}}; }
Family dots1() { return {"dots1", "dots.llm1", dots1Config, llamaLike::weights, {"dots1", dots1Gguf}}; }
Family miniMaxM2()
{
    return {"minimax_m2", "MiniMax M2", miniMaxM2Config, miniMaxM2Weights, {"minimax-m2", miniMaxM2Gguf}};
}

}  // namespace attnscope::family
