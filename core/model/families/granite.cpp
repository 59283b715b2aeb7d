// Granite (transformers, models/granite; its mixtures of experts: models/granitemoe, models/granitemoeshared): Llama
// with four factors, on the embeddings, on attention's logits (in place of 1/sqrt(d)), on what each block adds, and on
// the model's logits.

#include "core/model/families/families.h"

#include <cmath>

namespace attnscope::family {

namespace {

void graniteConfig(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config);
    const double logitFactor = config.real("attention_multiplier", 1, 1e-9, 1e6) * std::sqrt(a.headSize),
                 residualFactor = config.real("residual_multiplier", 1, 1e-9, 1e6);
    config.biases();
    config.everyLayer([&](LayerSpec& spec) {
        spec.logitFactor = logitFactor;
        spec.residualFactor = residualFactor;
    });
    a.embeddingFactor = config.real("embedding_multiplier", 1, 1e-9, 1e6);
    a.outputFactor = 1 / config.real("logits_scaling", 1, 1e-9, 1e9);
    config.rotaryEverywhere();
}

/// Also of those with one expert more, which sees every token.
void graniteMoeConfig(ConfigReader& config)
{
    graniteConfig(config);
    const Experts experts =
        config.countedExperts({.count = 8,
                               .chosen = 2,
                               .sharedInner = config.whole("shared_intermediate_size", 0, 0, ConfigReader::mostInner),
                               .score = Experts::Score::ChooseThenSoftmax});
    config.everyLayer([&](LayerSpec& spec) { spec.experts = experts; });
}

/// The gates and ups of all experts in one tensor (experts, 2 inner, width), what comes after them in another.
void graniteMoeWeights(WeightReader& read, Model& model)
{
    const Architecture& a = read.architecture();
    llamaLike::weights(read, model, {}, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        const Index count = spec.experts->count, inner = spec.experts->inner, shared = spec.experts->sharedInner;
        const std::string name = layer + "block_sparse_moe.";
        target.experts.router = read.linear(name + "router.layer", {.outputs = count, .inputs = a.width});
        const std::string among = layer + "shared_mlp.";
        if (read.has(name + "experts.0.gate_proj.weight")) {  // of .gguf files, gates and ups apart
            target.experts.experts = llamaLike::eachExpert(read, spec, name);
            if (shared > 0)
                target.experts.shared = llamaLike::feed(read, spec, among, spec.experts->sharedInner);
            return;
        }
        const auto gates = read.stack(name + "input_linear.weight", count, 2 * inner, a.width),
                   downs = read.stack(name + "output_linear.weight", count, a.width, inner);
        for (size_t e = 0; e < gates.size() && !read.error(); ++e)
            target.experts.experts.push_back({.gate = {.weight = gates[e], .bias = {}},
                                              .up = {},
                                              .down = {.weight = downs[e], .bias = {}},
                                              .layout = GateLayout::Halves});
        if (shared > 0) {
            FeedWeights& feed = target.experts.shared;
            feed.gate = read.linear(among + "input_linear", {.outputs = 2 * shared, .inputs = a.width});
            feed.down = read.linear(among + "output_linear", {.outputs = a.width, .inputs = shared});
            feed.layout = GateLayout::Halves;
        }
    });
}

void graniteGgufFactors(GgufConfigMaker& make)
{
    make.config["rope_interleave"] = true;
    make.take("embedding_multiplier", "embedding_scale");
    make.take("attention_multiplier", "attention.scale");
    make.take("residual_multiplier", "residual_scale");
    make.take("logits_scaling", "logit_scale");
}

void graniteGguf(GgufConfigMaker& make)
{
    llamaLike::gguf(make);
    graniteGgufFactors(make);
}

void graniteMoeGguf(GgufConfigMaker& make)
{
    make.llama();
    graniteGgufFactors(make);
    make.experts("num_local_experts");
    make.take("shared_intermediate_size", "expert_shared_feed_forward_length");
}

constexpr GgufName graniteMoeNames[]{{"block_sparse_moe.router.layer", "ffn_gate_inp"},
                                     {"block_sparse_moe.experts.*.gate_proj", "ffn_gate_exps"},
                                     {"block_sparse_moe.experts.*.up_proj", "ffn_up_exps"},
                                     {"block_sparse_moe.experts.*.down_proj", "ffn_down_exps"},
                                     {"shared_mlp.gate_proj", "ffn_gate_shexp"},
                                     {"shared_mlp.up_proj", "ffn_up_shexp"},
                                     {"shared_mlp.down_proj", "ffn_down_shexp"}};

constexpr GgufFamily graniteMoeInGguf{"granitemoe", graniteMoeGguf, graniteMoeNames};

}  // namespace

Family graniteMoe() { return {"granitemoe", "Granite MoE", graniteMoeConfig, graniteMoeWeights, graniteMoeInGguf}; }
Family graniteMoeShared()
{
    return {"granitemoeshared", "Granite MoE, shared", graniteMoeConfig, graniteMoeWeights, {"granitemoe"}};
}
Family granite() { return {"granite", "Granite", graniteConfig, llamaLike::weights, {"granite", graniteGguf}}; }

}  // namespace attnscope::family
