// Llama 1 to 3 (Touvron et al. 2023; transformers, models/llama), Mistral, which adds a window, and Mixtral (Jiang et
// al. 2024, arXiv 2401.04088; models/mixtral): Mistral with experts, of which the best are weighed by a softmax of
// their own numbers.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void llamaConfig(ConfigReader& config)
{
    llamaLike::sizes(config);
    config.biases();
    config.mayBeEncoder();
    config.rotaryEverywhere();
}

void mistralConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 14336, .keyHeads = 8});
    config.biases();
    config.windows(4096, [](int) { return true; });
    config.mayBeEncoder();
    config.rotaryEverywhere();
}

void llamaWeights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model);
    passOverPictures(read);  // of Mistral Small 3
}

void mixtralConfig(ConfigReader& config)
{
    llamaLike::sizes(config, {.inner = 14336, .keyHeads = 8, .epsilon = 1e-5});
    config.windows(0, [](int) { return true; });
    const Experts experts =
        config.countedExperts({.count = 8, .chosen = 2, .score = Experts::Score::ChooseThenSoftmax});
    config.everyLayer([&](LayerSpec& spec) { spec.experts = experts; });
    config.rotaryEverywhere({.base = 1e6});
}

void mixtralWeights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        target.experts = mixtralExperts(read, spec, layer + "block_sparse_moe.");
    });
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
Family mixtral() { return {"mixtral", "Mixtral", mixtralConfig, mixtralWeights, {"llama"}}; }

}  // namespace attnscope::family

namespace attnscope {

ExpertWeights mixtralExperts(WeightReader& read, const LayerSpec& spec, const std::string& name)
{
    const Index width = read.architecture().width, inner = spec.experts->inner;
    ExpertWeights target;
    target.router = read.linear(name + "gate", {.outputs = spec.experts->count, .inputs = width});
    for (int e = 0; e < spec.experts->count && !read.error(); ++e) {
        const std::string expert = name + "experts." + std::to_string(e) + ".";
        target.experts.push_back({.gate = read.linear(expert + "w1", {.outputs = inner, .inputs = width}),
                                  .up = read.linear(expert + "w3", {.outputs = inner, .inputs = width}),
                                  .down = read.linear(expert + "w2", {.outputs = width, .inputs = inner})});
    }
    return target;
}

}  // namespace attnscope
