#pragma once
// The values of a .gguf file on their way to a config.json (gguf_families.h), and what architectures share.

#include "core/model/gguf_families.h"
#include "core/model/refusals.h"

#include <map>
#include <set>
#include <span>

namespace attnscope {

/// What a config calls the sizes that all architectures have.
struct GgufSizes {
    const char *width = "hidden_size", *layers = "num_hidden_layers", *heads = "num_attention_heads",
               *length = "max_position_embeddings", *inner = "intermediate_size";
};

class GgufConfigMaker : public Refusals {
public:
    GgufConfigMaker(const GgufHeader& header, std::span<const MappedTensors> files, const std::string& path,
                    const std::string& architecture);

    nlohmann::json config;

    /// A value of the architecture ("llama.block_count"); null: there is none. Of layers that all have the same, that.
    nlohmann::json value(const std::string& key);
    /// Under the name that a config has for it, if it is there.
    void take(const char* name, const std::string& key);
    /// Which layers have a window: a truth value each, or how many layers make a pattern whose last sees all.
    void takeWindows(const std::string& pattern);
    /// Do positions have parts for text and for pictures' rows and columns? For a text they are all the same.
    bool turnsInSections();
    std::string text(const std::string& key);
    double real(const std::string& key, double byDefault);
    /// Null where there is none of that name.
    const TensorInfo* tensor(const std::string& name) const;
    /// True where there is one: biases and norms of heads are said by the tensors.
    void takeWhether(const char* name, const std::string& tensor);
    /// The first thing that is not run. What nobody asked for goes along under its own name, as a field that is not
    /// known.
    Result<void> finish();

    /// Layers that predict a token further are counted among the blocks, and left out.
    void sizes(const GgufSizes& names = {});
    /// The width over the heads.
    double shareOfAHead();
    /// Of a family that has none.
    void withoutExperts();
    void experts(const char* count, const char* inner = nullptr);
    void onlySigmoids();
    /// DeepSeek's, and of those after it, chosen by sigmoids.
    void sigmoidExperts();
    /// Frequencies, and what stretches them: a scaling by name, or tensors of what the frequencies are divided by.
    void positions(double headSize);
    /// What Llama and those after it have.
    void llama();
    /// What files of encoders say and does not change a token's vector: how a text's is made of them, and that all see
    /// all.
    void encoder(const char* epsilon);

private:
    /// What llama.cpp can be told beside a type of positions, where it changes something.
    void refuseOtherYarn(const std::string& type, double factor);
    /// Of a small tensor.
    std::vector<float> numbers(const TensorInfo& of);

    const nlohmann::json& m_values;
    std::span<const MappedTensors> m_files;
    std::string m_prefix;
    double m_furtherLayers = 0;
    std::map<std::string, const TensorInfo*> m_tensors;
    std::set<std::string> m_asked;
};

}  // namespace attnscope
