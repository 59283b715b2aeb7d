// Flags of llama.cpp.
#include "core/base/text.h"
#include "core/model/gguf_families.h"
#include "core/tuning/exports/transformers_fields.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

/// A value of the file's, as if the file had it: "int:4096".
std::string overriding(std::string_view architecture, const char* key, const std::string& value)
{
    return fmt::format(" --override-kv {}.{}={}", architecture, key, value);
}

/// llama-server gives a slot no more tokens than <architecture>.context_length of the file, whatever -c says
/// (server-context.cpp; llama-cli too since it is built on the server), and llama-context.cpp takes the same number for
/// the length before YaRN's stretch where the file has none of its own.
std::string raisedLength(const ExportSource& source, OneScale& one)
{
    const Architecture& a = source.architecture;
    const std::int64_t holds = std::max(a.largestLength, a.trainLength);
    if (source.at.n <= holds)
        return {};
    const std::string name(ggufNameOf(a.type));
    const std::string capped = fmt::format("llama-server gives a slot no more than the file's context_length, here {} "
                                           "(its source of December 2025 and later)",
                                           holds);
    if (name.empty()) {
        one.notes.push_back(
            fmt::format("{}; add --override-kv ARCHITECTURE.context_length=int:{} with the file's general.architecture",
                        capped, source.at.n));
        return {};
    }
    one.notes.push_back(capped + ": --override-kv raises it");
    std::string flags = overriding(name, "context_length", "int:" + std::to_string(source.at.n));
    if (one.own && !isRope(a.position()))  // which knows a length before its stretch
        flags += overriding(name, "rope.scaling.original_context_length", "int:" + std::to_string(trained(source)));
    return flags;
}

/// Of the model's own positions in a .gguf file.
struct PositionsOfFile {
    bool divided = false;    ///< by tensors, which no flag takes away: LongRoPE's and Llama 3's factors of frequencies
    bool ramp = false;       ///< YaRN's
    bool ofWindows = false;  ///< layers with a window have them whatever flags say
    double logMultiplier = 0;  ///< rope.scaling.yarn_log_multiplier
    double factor = 1;         ///< rope.scaling.attn_factor

    /// What llama.cpp multiplies queries and keys by under the ramp, beside rope.scaling.attn_factor: 1 + 0.1 ln s of
    /// ggml's rope_yarn, in llama-context.cpp over 1 + 0.1 l ln s with the file's log multiplier l.
    double temperature(double s) const { return (1 + 0.1 * std::log(s)) / (1 + 0.1 * logMultiplier * std::log(s)); }
};

/// llama_model::get_rope_freq_base and get_rope_freq_scale take those of the file for layers with a window. Of these
/// architectures no layer has one there, or the graph asks for no layer's own.
bool windowsKeepPositions(const Architecture& a)
{
    constexpr std::array reached{"llama", "qwen2", "qwen2moe", "qwen3", "qwen3moe", "phi3", "starcoder2", "cohere2"};
    return std::ranges::find(reached, ggufNameOf(a.type)) == reached.end() &&
           std::ranges::any_of(a.specs, [](const LayerSpec& spec) {
               return (spec.mask.id == "window" || spec.mask.id == "documents") && hasPositions(spec.position.choice);
           });
}

PositionsOfFile positionsOfFile(const Architecture& a)
{
    PositionsOfFile file{.ofWindows = windowsKeepPositions(a)};
    const Choice& own = a.position();
    const Position& row = **findRow(positions(), own.id, "position");
    const bool yarn = own.id == "yarn_rope", byIndex = yarn && Parameters(row, own)["by_index"] != 0;
    file.divided = own.id == "long_rope" || (yarn && !byIndex);
    file.ramp = byIndex;
    if (!file.ramp)
        return file;
    if (const auto stretch = ownStretch(a); stretch.is_object() && stretch.value("mscale", 0.0) > 0)
        file.logMultiplier = stretch.value("mscale_all_dim", 0.0);
    file.factor = rotationOf(row, own, a.headSize).factor / file.temperature(Parameters(row, own)["s"]);
    return file;
}

/// With the model's own positions in place of the setting's, and why.
Result<OneScale> withOwnPositions(const ExportSource& source, OneScale one, const std::string& why)
{
    ExportSource kept = source;
    kept.setting.policy.position.reset();
    OneScale own = TRY(oneScale(kept));
    own.exact = false;
    own.notes = std::move(one.notes);
    own.notes.push_back(why + ": the model keeps its own");
    return own;
}

/// YaRN's ramp: builds from December 2025 on set --yarn-attn-factor themselves where it is on, and all multiply by the
/// file's rope.scaling.attn_factor (llama-context.cpp).
std::string factorUnderRamp(const ExportSource& source, OneScale& one, double attention, double itself)
{
    const std::string_view name = ggufNameOf(source.architecture.type);
    const std::string value = "float:" + formatNumber(attention);
    if (!name.empty())
        return overriding(name, "rope.scaling.attn_factor", value);
    one.notes.push_back("add --override-kv ARCHITECTURE.rope.scaling.attn_factor=" + value +
                        " with the file's general.architecture: no flag says a factor under YaRN's ramp");
    one.exact = false;
    one.multiplier = std::pow(itself / one.rotation.factor, 2);
    return {};
}

}  // namespace

Result<ExportedSetting> toLlamaCpp(const ExportSource& source)
{
    const Architecture& a = source.architecture;
    if (hasLatentLayers(a))
        return failure(ErrorKind::Unavailable,
                       "llama.cpp takes the temperature of latent queries and keys from their turn's factor, and other "
                       "positions take it away, so that models of the kind {} have no flags for either; factors can "
                       "say it",
                       a.type);
    OneScale one = TRY(oneScale(source));
    std::string flags;
    const auto add = [&](const char* flag, const std::string& value) {
        flags += std::string(" ") + flag + " " + value;
    };
    if (one.own && !isRope(one.position) && turnsByLength(a)) {  // which no .gguf file says
        noteFixed(source, one);
        one.own = false;
    }
    const PositionsOfFile file = positionsOfFile(a);
    const bool reached = !one.own && !file.divided && !file.ofWindows;
    if (const auto base = one.asBase(); base && reached) {
        add("--rope-scaling", "none");
        add("--rope-freq-base", formatNumber(*base));
    } else if (reached && one.position.id == "pi") {
        add("--rope-scaling", "linear");
        add("--rope-scale", formatNumber(one.parameter("s")));
    } else if (reached && one.isYarnAsInFiles()) {
        add("--rope-scaling", "yarn");
        add("--rope-scale", formatNumber(one.parameter("s")));
        add("--yarn-orig-ctx", formatNumber(one.parameter("N")));
        add("--yarn-ext-factor", "1");
        add("--yarn-beta-fast", formatNumber(one.parameter("beta_fast")));
        add("--yarn-beta-slow", formatNumber(one.parameter("beta_slow")));
    } else if (!one.own) {
        const std::string why = file.divided     ? "the file's own factors of frequencies stay whatever flags say"
                                : file.ofWindows ? "layers with a window turn as the file says, whatever flags say"
                                                 : "positions of the kind " + one.position.id + " have no flags";
        one = TRY(withOwnPositions(source, std::move(one), why));
    }
    const bool ramp = one.own ? file.ramp : one.position.id == "yarn_rope";
    const double itself = ramp      ? file.temperature(one.parameter("s"))
                          : one.own ? one.rotation.factor  // a file's own is multiplied in
                                    : 1;
    const double attention = one.factor() / itself;
    if (file.ofWindows && ggufNameOf(a.type) == "olmo2" && !isOne(attention))
        return noWords("llama.cpp's olmo2.cpp turns layers with a window without a factor, so that no flag is one "
                       "multiplier of all layers");
    const bool told = !isOne(attention) || !isOne(file.factor);
    OneScale beside = one;
    const bool rootAlone = one.own && isOne(file.factor);
    if (rootAlone)
        beside.rotation.factor = 1;
    const auto say = [&](const char* field) {
        const bool over = ramp && !rootAlone && !isOne(itself);
        one.notes.insert(one.notes.begin(),
                         ofRoot(field, beside, over ? "(1 + 0.1 ln s)" : "", rootAlone ? 1 : itself));
    };
    if (ramp && told) {
        say("rope.scaling.attn_factor");
        flags += factorUnderRamp(source, one, attention, itself);
    } else if (file.ramp && !ramp) {  // of which nothing may stay
        if (!isOne(attention))
            say("--yarn-attn-factor");
        add("--yarn-ext-factor", "0");
        add("--yarn-attn-factor", formatNumber(attention / file.factor));
    } else if (!isOne(attention)) {
        say("--yarn-attn-factor");
        add("--yarn-attn-factor", formatNumber(attention));
    }
    const std::string length = fmt::format("-c {}{}", source.at.n, raisedLength(source, one));
    return exportedAs(source, std::move(one), length + flags + '\n');
}

}  // namespace attnscope
