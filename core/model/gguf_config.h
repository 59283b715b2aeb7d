#pragma once
// The values of a .gguf file on their way to a config.json (gguf_families.h), and what architectures share.

#include "core/model/gguf_families.h"

#include <map>
#include <optional>
#include <set>

namespace attnscope {

class GgufConfigMaker {
public:
    GgufConfigMaker(const GgufHeader& header, const std::vector<TensorInfo>& tensors, const std::string& path,
                    const std::string& architecture);

    nlohmann::json config;

    /// A value of the architecture ("llama.block_count"); null: there is none. Of layers that all have the same, that.
    nlohmann::json value(const std::string& key);
    /// Under the name that a config has for it, if it is there.
    void take(const char* name, const std::string& key);
    /// Which layers have a window: a truth value each, or how many layers make a pattern whose last sees all.
    void takeWindows(const std::string& pattern);
    std::string text(const std::string& key);
    double real(const std::string& key, double byDefault);
    /// Null where there is none of that name.
    const TensorInfo* tensor(const std::string& name) const;
    /// Numbers of a small tensor.
    std::vector<float> numbers(const TensorInfo& of, const TensorFile& file);
    void refuse(const std::string& what);
    /// The first thing that is not run. What nobody asked for goes along under its own name, as a field that is not
    /// known.
    Result<void> finish();

    /// What all architectures have, under the names of a config.
    void sizes(const char* width, const char* layers, const char* heads, const char* length, const char* inner);
    /// Of a family that has none.
    void withoutExperts();
    void experts(const char* count, const char* inner);
    /// Frequencies, and what stretches them: a scaling by name, or tensors of what the frequencies are divided by.
    void positions(const TensorFile& file, double headSize);
    /// What Llama and those after it have; the size of a head.
    double llama(const TensorFile& file);

private:
    const nlohmann::json& m_values;
    const std::string& m_path;
    std::string m_prefix;
    std::map<std::string, const TensorInfo*> m_tensors;
    std::set<std::string> m_asked;
    std::optional<Error> m_refused;
};

}  // namespace attnscope
