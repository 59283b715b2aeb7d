#pragma once
// The model_types of config.json that are run, one row each, and a family a file: what a config says, which tensor goes
// where, and what .gguf files call both. A new family is a file here and one line of the list in families.cpp. Defaults
// are those of the published configuration classes (transformers, src/transformers/models/*/configuration_*.py).

#include "core/model/config_reader.h"
#include "core/model/gguf_config.h"
#include "core/model/model.h"
#include "core/model/weight_reader.h"

#include <functional>
#include <span>
#include <string_view>

namespace attnscope {

struct Family {
    std::string_view id;  ///< config.json's model_type
    const char* label;
    /// Reads the sizes and a LayerSpec a layer into ConfigReader::a.
    void (*config)(ConfigReader&);
    /// Takes all that the architecture has.
    void (*weights)(WeightReader&, Model&);
    GgufFamily gguf = {};
    /// Where the weights say what the config does not: before they are taken. Null: nothing.
    void (*fromWeights)(const WeightFiles&, Architecture&) = nullptr;
};

std::span<const Family> families();

/// A model of texts and pictures, of which the text alone is run: a family's config is its `text_config`.
struct Wrapper {
    std::string_view id;      ///< config.json's model_type
    std::string_view within;  ///< that of text_config, where it says none
};
std::span<const Wrapper> wrappers();

/// The parts of a wrapper that are not run.
void passOverPictures(WeightReader& read);

/// Every layer in turn, until something is wrong: what its spec says goes into `weights`, from the tensors whose names
/// begin with `name`, `prefix` and its number: "model.layers.3.".
using TakeLayer = std::function<void(const LayerSpec& spec, const std::string& name, LayerWeights& weights)>;
void eachLayer(WeightReader& read, Model& model, const std::string& prefix, const TakeLayer& take);

/// The embedding once more, or the matrix of that name. Where config.json ties the two and the files have both, and
/// they differ, the head has its own, as transformers does it, and the model says so.
StoredMatrix headOrEmbedding(WeightReader& read, Model& model, const std::string& name);

/// headOrEmbedding() of "NAME.weight"; with "NAME.bias" where there is a bias.
void tokenHead(WeightReader& read, Model& model, const std::string& name, bool bias = false);

/// The causal mask of GPT-2 and its relatives, which lies in their files.
void passOverTriangles(WeightReader& read);

/// What GPT-2 and those after it have around their layers. Names begin with "transformer." but in folders of models
/// without their heads.
struct GptNames {
    const char *embedding = "wte", *layers = "h.", *last = "ln_f";
    bool headBias = false;
};
/// Embedding and layers, "wpe" where positions are learned, the last norm, and "lm_head".
void gptLike(WeightReader& read, Model& model, const GptNames& names, const TakeLayer& take);

/// The first row of a matrix (at least 1, width): of a table of token types, that of the first sentence.
std::vector<float> firstRow(WeightReader& read, const std::string& name, Index width);

/// One projection, "NAME.weight": all queries, then all keys, then all values.
void stackedHeads(WeightReader& read, const std::string& name, bool bias, LayerWeights& target);

/// The fused projection of GPT-NeoX and BLOOM, "NAME.weight" with the query, key and value of head 0, then of head 1;
/// of .gguf files, where it goes by NAME_in_turn, all queries, then all keys.
void fusedHeads(WeightReader& read, const std::string& name, bool bias, LayerWeights& target);

/// A feed-forward without a gate, of the tensors with these names.
FeedWeights plainFeed(WeightReader& read, const LayerSpec& spec, const std::string& up, const std::string& down);
/// Mixtral's: "gate", and "experts.3.w1" (the gate), "w3" (up), "w2" (down).
ExpertWeights mixtralExperts(WeightReader& read, const LayerSpec& spec, const std::string& name);

/// What Llama's relatives share: "self_attn.q_proj" and so on, "mlp.gate_proj" and so on, by what the spec says.
struct LlamaNames {
    const char* beforeAttention = "input_layernorm";          ///< null, here and below: a norm that has no weights
    const char* afterAttention = "post_attention_layernorm";  ///< where norms stand after or around
    const char* beforeFeed = "post_attention_layernorm";
    const char* afterFeed = "post_feedforward_layernorm";
    const char* last = "norm";  ///< after all layers
    const char *queryNorm = "q_norm", *keyNorm = "k_norm";
};
/// What their configs have by default; sizes of 0 as ConfigReader has them.
struct LlamaDefaults {
    int inner = 11008, keyHeads = 0, headSize = 0;
    double epsilon = 1e-6;
    bool tied = false;
};
namespace llamaLike {
/// Also the norms, and whether the embedding is the head.
void sizes(ConfigReader& config, const LlamaDefaults& of = {});
/// As a row of the table has it; with other names; with feed-forwards that `takeFeed` takes.
void weights(WeightReader& read, Model& model);
void weights(WeightReader& read, Model& model, const LlamaNames& names);
void weights(WeightReader& read, Model& model, const LlamaNames& names, const TakeLayer& takeFeed);
/// Of .gguf files without experts; of those whose rows of queries and keys stand in neighbouring pairs.
void gguf(GgufConfigMaker& make);
void ggufInPairs(GgufConfigMaker& make);
/// The parts of it: names of tensors begin with `layer`.
void norms(WeightReader& read, const LayerSpec& spec, const std::string& layer, const LlamaNames& names,
           LayerWeights& target);
void attention(WeightReader& read, const LayerSpec& spec, const std::string& layer, LayerWeights& target,
               const LlamaNames& names = {});
FeedWeights feed(WeightReader& read, const LayerSpec& spec, const std::string& name, int inner);
/// "gate_up_proj": the rows of the gate, then those of up.
FeedWeights fusedFeed(WeightReader& read, const std::string& name, int inner);
/// "experts.3.gate_proj" and so on, of all of them.
std::vector<FeedWeights> eachExpert(WeightReader& read, const LayerSpec& spec, const std::string& name);
/// Those, "gate", and what else the spec asks for.
ExpertWeights experts(WeightReader& read, const LayerSpec& spec, const std::string& name);
/// Everything but the layers. Gives the prefix of the layers' names.
std::string around(WeightReader& read, Model& model, const LlamaNames& names = {});
}  // namespace llamaLike

}  // namespace attnscope
