// Flags of llama.cpp.
#include "core/base/text.h"
#include "core/model/gguf_families.h"
#include "core/tuning/exports/one_scale.h"

namespace attnscope {

namespace {

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
    const auto override = [&](const char* key, std::int64_t value) {
        return fmt::format(" --override-kv {}.{}=int:{}", name, key, value);
    };
    std::string flags = override("context_length", source.at.n);
    if (one.own && !isRope(a.position()))  // which knows a length before its stretch
        flags += override("rope.scaling.original_context_length", trained(source));
    return flags;
}

/// LongRoPE's and Llama 3's factors of frequencies are tensors of a .gguf file, which no flag takes away.
bool isDividedByTensor(const Choice& own)
{
    return own.id == "long_rope" ||
           (own.id == "yarn_rope" && Parameters(**findRow(positions(), own.id, "position"), own)["by_index"] == 0);
}

}  // namespace

Result<ExportedSetting> toLlamaCpp(const ExportSource& source)
{
    OneScale one = TRY(oneScale(source));
    std::string flags;
    const auto add = [&](const char* flag, const std::string& value) {
        flags += std::string(" ") + flag + " " + value;
    };
    std::string rest;
    double attention = one.factor();
    const bool ownYarn = one.own && one.position.id == "yarn_rope",
               divided = isDividedByTensor(source.architecture.position());
    if (const auto base = one.asBase(); base && !one.own && !divided) {
        add("--rope-scaling", "none");
        add("--rope-freq-base", formatNumber(*base));
    } else if (!one.own && !divided && one.position.id == "pi") {
        add("--rope-scaling", "linear");
        add("--rope-scale", formatNumber(one.parameter("s")));
    } else if (!one.own && !divided && one.isYarnAsInFiles()) {
        const double s = one.parameter("s"), temperature = 1 + 0.1 * std::log(s);
        add("--rope-scaling", "yarn");
        add("--rope-scale", formatNumber(s));
        add("--yarn-orig-ctx", formatNumber(one.parameter("N")));
        add("--yarn-ext-factor", "1");
        add("--yarn-beta-fast", formatNumber(one.parameter("beta_fast")));
        add("--yarn-beta-slow", formatNumber(one.parameter("beta_slow")));
        attention /= temperature;  // which its YaRN multiplies by
        rest = "(1 + 0.1 ln s)";
        if (!isOne(attention))
            one.notes.push_back(
                "builds from December 2025 on leave --yarn-attn-factor out where YaRN's ramp is on, and run m = " +
                formatNumber(temperature * temperature, 4));
    } else if (!one.own) {
        one.exact = false;
        one.notes.push_back(divided ? "the file's own factors of frequencies stay whatever flags say, and with them "
                                      "the model's own positions"
                                    : "positions of the kind " + one.position.id +
                                          " have no flags: the model keeps its own");
        one.own = true;
        one.rotation.factor = 1;
        attention = std::sqrt(one.multiplier);
    } else {
        attention /= one.rotation.factor;  // the file's own is multiplied in
    }
    if (ownYarn)
        one.notes.push_back(
            "the file's own YaRN stays; builds from December 2025 on leave --yarn-attn-factor out under it");
    if (!isOne(attention)) {
        add("--yarn-attn-factor", formatNumber(attention));
        OneScale beside = one;  // the file's own factor is multiplied in by llama.cpp
        beside.rotation.factor = one.own ? 1 : one.rotation.factor;
        one.notes.insert(one.notes.begin(), ofRoot("--yarn-attn-factor", beside, rest, beside.factor() / attention));
    }
    const std::string length = fmt::format("-c {}{}", source.at.n, raisedLength(source, one));
    return exportedAs(source, std::move(one), length + flags + '\n');
}

}  // namespace attnscope
