// What Llama's relatives share.

#include "core/model/families/families.h"

namespace attnscope::llamaLike {

namespace {

NormWeights normOf(WeightReader& read, const std::string& prefix, const char* name)
{
    const Architecture& a = read.architecture();
    return name ? read.norm(prefix + name) : read.unweighted(a.norm, a.width);
}

}  // namespace

void sizes(ConfigReader& config, const LlamaDefaults& of)
{
    config.sizes();
    config.keyHeads(of.keyHeads);
    config.headSize(of.headSize);
    config.norm(Norm::Rms, "rms_norm_eps", of.epsilon);
    config.feed("intermediate_size", of.inner, config.activation("hidden_act", "silu"));
    config.a.tiedEmbeddings = config.flag("tie_word_embeddings", of.tied);
}

void norms(WeightReader& read, const LayerSpec& spec, const std::string& layer, const LlamaNames& names,
           LayerWeights& target)
{
    const bool before = spec.norms == NormPlace::Before || spec.norms == NormPlace::Around;
    const bool after = spec.norms == NormPlace::After || spec.norms == NormPlace::Around;
    if (before) {
        target.beforeAttention = normOf(read, layer, names.beforeAttention);
        target.beforeFeed = normOf(read, layer, names.beforeFeed);
    }
    if (after) {
        target.afterAttention = normOf(read, layer, names.afterAttention);
        target.afterFeed = normOf(read, layer, names.afterFeed);
    }
}

void attention(WeightReader& read, const LayerSpec& spec, const std::string& layer, LayerWeights& target,
               const LlamaNames& names)
{
    const Architecture& a = read.architecture();
    const std::string name = layer + "self_attn.";
    const Index queries = Index{a.heads} * a.headSize, keys = Index{a.keyHeads} * a.headSize,
                values = Index{a.keyHeads} * a.valueSize;
    target.projections = {
        {.map = read.linear(name + "q_proj", {.outputs = queries, .inputs = a.width, .bias = spec.queryKeyBias}),
         .norm = read.headNorm(spec.headNorm, name + names.queryNorm, a.heads)},
        {.map = read.linear(name + "k_proj", {.outputs = keys, .inputs = a.width, .bias = spec.queryKeyBias}),
         .norm = read.headNorm(spec.headNorm, name + names.keyNorm, a.keyHeads)},
        {.map = read.linear(name + "v_proj", {.outputs = values, .inputs = a.width, .bias = spec.queryKeyBias})}};
    takeHeadsInOrder(target, a);
    target.output = read.linear(name + "o_proj",
                                {.outputs = a.width, .inputs = Index{a.heads} * a.valueSize, .bias = spec.outputBias});
}

FeedWeights feed(WeightReader& read, const LayerSpec& spec, const std::string& name, int inner)
{
    const Index width = read.architecture().width;
    const LinearShape in{.outputs = inner, .inputs = width, .bias = spec.feedBias};
    return {.gate = spec.gated ? read.linear(name + "gate_proj", in) : Linear{},
            .up = read.linear(name + "up_proj", in),
            .down = read.linear(name + "down_proj", {.outputs = width, .inputs = inner, .bias = spec.feedBias})};
}

FeedWeights fusedFeed(WeightReader& read, const std::string& name, int inner)
{
    const Index width = read.architecture().width;
    const Linear both = read.linear(name + "gate_up_proj", {.outputs = 2 * Index{inner}, .inputs = width});
    return {.gate = rowsOf(both, 0, inner),
            .up = rowsOf(both, inner, inner),
            .down = read.linear(name + "down_proj", {.outputs = width, .inputs = inner})};
}

std::vector<FeedWeights> eachExpert(WeightReader& read, const LayerSpec& spec, const std::string& name)
{
    std::vector<FeedWeights> all;
    for (int e = 0; e < spec.experts->count && !read.error(); ++e)
        all.push_back(feed(read, spec, name + "experts." + std::to_string(e) + ".", spec.experts->inner));
    return all;
}

ExpertWeights experts(WeightReader& read, const LayerSpec& spec, const std::string& name)
{
    const Experts& of = *spec.experts;
    ExpertWeights target;
    target.router = read.linear(name + "gate", {.outputs = of.count, .inputs = read.architecture().width});
    if (of.score == Experts::Score::Sigmoid)
        target.correction = read.vector(name + "gate.e_score_correction_bias", of.count);
    target.experts = eachExpert(read, spec, name);
    if (of.sharedInner > 0)
        target.shared = feed(read, spec, name + (of.sharedGate ? "shared_expert." : "shared_experts."), of.sharedInner);
    if (of.sharedGate)
        target.sharedGate =
            read.linear(name + "shared_expert_gate", {.outputs = 1, .inputs = read.architecture().width});
    return target;
}

std::string around(WeightReader& read, Model& model, const LlamaNames& names)
{
    const Architecture& a = read.architecture();
    const std::string prefix =
        read.prefixOf("embed_tokens.weight", {"model.", "language_model.model.", "model.language_model.", ""});
    model.embedding = read.matrix(prefix + "embed_tokens.weight", a.vocabulary, a.width);
    model.finalNorm = normOf(read, prefix, names.last);
    const std::string head = prefix.starts_with("language_model.") ? "language_model.lm_head" : "lm_head";
    if (a.tiedEmbeddings || a.causal || read.has(head + ".weight"))  // encoders that make vectors of texts have none
        tokenHead(read, model, head, !a.causal && read.has(head + ".bias"));
    read.passOver("rotary_emb.inv_freq");
    return prefix + "layers.";
}

void weights(WeightReader& read, Model& model, const LlamaNames& names, const TakeLayer& takeFeed)
{
    const std::string layers = around(read, model, names);
    eachLayer(read, model, layers, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        norms(read, spec, layer, names, target);
        attention(read, spec, layer, target, names);
        takeFeed(spec, layer, target);
    });
}

void weights(WeightReader& read, Model& model, const LlamaNames& names)
{
    weights(read, model, names, [&](const LayerSpec& spec, const std::string& layer, LayerWeights& target) {
        if (spec.experts)
            target.experts = experts(read, spec, layer + "mlp.");
        else
            target.feed = feed(read, spec, layer + "mlp.", spec.inner);
    });
}

void weights(WeightReader& read, Model& model) { weights(read, model, {}); }

void gguf(GgufConfigMaker& make)
{
    make.llama();
    make.withoutExperts();
}

void ggufInPairs(GgufConfigMaker& make)
{
    gguf(make);
    make.config["rope_interleave"] = true;
}

}  // namespace attnscope::llamaLike
