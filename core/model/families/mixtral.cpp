// Mixtral (Jiang et al. 2024, arXiv 2401.04088; transformers, models/mixtral): Mistral with experts, of which the best
// are weighed by a softmax of their own numbers.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

void mixtralConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, 14336, 8, 0);
    config.norm(Norm::Rms, "rms_norm_eps", 1e-5);
    a.tiedEmbeddings = config.flag("tie_word_embeddings", false);
    config.windows(0, [](int) { return true; });
    const Experts experts{.count = config.whole("num_local_experts", 8, 1, ConfigReader::mostExperts),
                          .chosen = config.whole("num_experts_per_tok", 2, 1, ConfigReader::mostExperts),
                          .inner = config.specOf(0).inner,
                          .score = Experts::Score::ChooseThenSoftmax};
    config.everyLayer([&](LayerSpec& spec) { spec.experts = experts; });
    config.checkExperts(experts);
    config.rotaryEverywhere({.base = 1e6});
}

void mixtralWeights(WeightReader& read, Model& model)
{
    const std::string layers = llamaLike::around(read, model);
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        llamaLike::norms(read, spec, layer, {}, target);
        llamaLike::attention(read, spec, layer, target);
        target.experts = mixtralExperts(read, spec, layer + "block_sparse_moe.");
    });
}

}  // namespace

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

namespace attnscope::family {

Family mixtral() { return {"mixtral", "Mixtral", mixtralConfig, mixtralWeights, {"llama"}}; }

}  // namespace attnscope::family
