#pragma once
// One config.json on its way to an Architecture: the questions that families ask of it. The first wrong field stays,
// and the first thing that is asked for and not run; both are said at the end.

#include "core/base/json_reader.h"
#include "core/model/architecture.h"
#include "core/model/refusals.h"
#include "core/model/rope_scaling.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace attnscope {

/// What a family calls the sizes.
struct SizeFields {
    const char* width = "hidden_size";
    const char* layers = "num_hidden_layers";
    const char* heads = "num_attention_heads";
    const char* positions = "max_position_embeddings";  ///< null: there is no such field, and no bound
    /// Where published files leave them to transformers' defaults; 0: they must be there.
    int widthByDefault = 0, layersByDefault = 0, headsByDefault = 0, tokensByDefault = 0, positionsByDefault = 0;
};

struct RotaryFields {
    double base = 10000;  ///< by default
    const char* baseField = "rope_theta";
    double part = 1;  ///< by default
    const char* partField = "partial_rotary_factor";
    bool interleaved = false;            ///< by default: rope_interleave says otherwise
    const char* layerType = nullptr;     ///< which part of `rope_parameters`, where they are given by type of layer
    bool scaled = true;                  ///< off: a stretch is for other layers; its rope_theta is for these too
    bool fixed = false;                  ///< no field that transformers reads says others, or with a factor
    int headSize = 0;                    ///< 0: the architecture's
    std::vector<std::string> also = {};  ///< fields among the scaling's that the family reads
    nlohmann::json otherwise = nullptr;  ///< rope_parameters where the config says none
};

class ConfigReader : public Refusals {
public:
    ConfigReader(const nlohmann::json& config, const std::string& path) : Refusals(path), m_fields(config, path) {}

    Architecture a;

    /// Width, layers, heads, vocabulary and length. A layer each, as LayerSpec has it by default.
    void sizes(const SizeFields& names = {});
    /// 0: as many as there are query heads.
    void keyHeads(int byDefault = 0, const char* key = "num_key_value_heads");
    /// 0: the width over the heads.
    void headSize(int byDefault = 0);
    /// Of families whose projections are as wide as the stream: the width over the heads; a head_dim that says
    /// otherwise is refused.
    void headsShareTheWidth();
    /// The epsilon of `norm`s.
    void norm(Norm norm, const char* key, double byDefault);
    /// Of every layer.
    void feed(const char* key, int byDefault, Activation activation, bool gated = true);
    Activation activation(const char* key, const char* byDefault);
    /// Of attention (`attention_bias`) and of the feed-forward (`mlp_bias`), in every layer.
    void biases(bool attentionByDefault = false);
    /// An encoder: every row sees every key.
    void seesBothWays();
    /// That, where `is_causal` says no.
    void mayBeEncoder();
    /// The layer's key window, 0 where it sees all: `sliding_window`, by default `window`, in the layers that
    /// `layer_types` names, else those for which `slides`.
    template <class Slides>
    void windows(std::int64_t window, const Slides& slides)
    {
        std::vector<bool> sliding;
        for (int layer = 0; layer < a.layers; ++layer)
            sliding.push_back(slides(layer));
        putWindows(window, std::move(sliding));
    }
    /// Which layers turn queries and keys: `no_rope_layers` has 1 for those that do, else all but every
    /// `no_rope_layer_interval`-th. `emptyIsAbsent`: an empty list says nothing.
    std::vector<bool> turnedLayers(bool emptyIsAbsent = false);
    /// Experts as DeepSeek V3 and those after it have them, in all layers but the first `first_k_dense_replace`; what
    /// is given are the defaults, shared experts and dense layers too.
    void sigmoidExperts(Experts byDefault, int shared = 1, int dense = 1);
    /// How many experts there are (`count`) and how many of them a token takes; by default what is given says it, and
    /// one has the width of the layer's feed-forward.
    Experts countedExperts(Experts byDefault, const char* count = "num_local_experts");
    /// Wrong where more are chosen than there are, or groups do not divide them.
    void checkExperts(const Experts& experts);
    /// A list of layers' numbers.
    std::vector<int> layersNamed(const char* key);
    /// Does the layer's mask hide what is far?
    bool hasWindow(int layer) const { return specOf(layer).mask.id == "window"; }

    /// RopeScaling::partOf this family's heads.
    double partOf(int turned) const { return RopeScaling::partOf(turned, a.headSize); }

    /// Also sets N, where the config says what came before a stretch.
    OwnPosition rotary(const RotaryFields& names = {});
    /// The same for all layers.
    void rotaryEverywhere(const RotaryFields& names = {});
    /// What rotary() found last.
    const RopeScaling& scaling() const { return m_scaling; }

    template <class Change>
    void everyLayer(const Change& change)
    {
        for (LayerSpec& spec : a.specs)
            change(spec);
    }
    LayerSpec& spec(int layer) { return a.specs[static_cast<size_t>(layer)]; }
    const LayerSpec& specOf(int layer) const { return a.specs[static_cast<size_t>(layer)]; }

    int whole(const char* key, int byDefault, int minimum, int maximum);
    double real(const char* key, double byDefault, double minimum, double maximum);
    bool flag(const char* key, bool byDefault);
    std::string text(const char* key, const char* byDefault);
    const nlohmann::json* field(const char* key) { return m_fields.field(key); }
    /// An object within: partFields(reader) asks for its fields. What nobody asks for is not run.
    template <class PartFields>
    void object(const char* key, const PartFields& partFields)
    {
        const nlohmann::json* const value = field(key);
        if (!value)
            return;
        ObjectReader part(*value, m_fields.pathOf(key));
        partFields(part);
        if (const auto good = part.status(); !good)
            m_fields.fail(good.error());
        else if (const auto unknown = part.unasked(); !unknown.empty())
            refuse(std::string(key) + "." + unknown.front().substr(0, 40));
    }
    /// One of these values is what is run.
    void must(const char* key, bool wanted, const char* what);
    /// Fields that do not matter here.
    void passOver(std::initializer_list<const char*> keys);
    void fail(const std::string& message) { m_fields.fail(m_path + ": " + message); }
    /// Once, however often it is said.
    void remark(const std::string& what)
    {
        if (std::string text = m_path + ": " + what; std::ranges::find(m_remarks, text) == m_remarks.end())
            m_remarks.push_back(std::move(text));
    }

    const std::string& path() const { return m_path; }
    const std::vector<std::string>& remarks() const { return m_remarks; }
    /// A token of the vocabulary; nothing and a remark where the field says none.
    std::optional<int> token(const char* key);
    /// The first wrong field, else what is not run.
    Result<void> status() const;
    std::vector<std::string> unasked() const { return m_fields.unasked(); }

    static constexpr int mostLayers = 1024, mostWidth = 65536, mostHeads = 1024, mostHeadSize = 1024,
                         mostTokens = 1 << 22, mostInner = 1 << 20, mostExperts = 4096;
    static constexpr double longest = 1e9;

private:
    void putWindows(std::int64_t window, std::vector<bool> sliding);
    /// What the config says of these positions, and where.
    std::pair<nlohmann::json, std::string> positionFields(const RotaryFields& names);

    ObjectReader m_fields;
    RopeScaling m_scaling;
    std::vector<std::string> m_remarks;
};

}  // namespace attnscope
