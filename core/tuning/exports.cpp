#include "core/tuning/exports.h"

#include "core/attention/positions.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/model/gguf_families.h"
#include "core/tuning/query_modules.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>

namespace attnscope {

namespace {

using Json = nlohmann::ordered_json;

/// What config files and flags can say: one multiplier, and one scheme of positions.
struct OneScale {
    double multiplier = 1;  ///< m at n
    Choice position;        ///< complete, of all layers
    bool own = true;        ///< it is the model's own
    Rotation rotation;
    double base = 10000;
    int turned = 0;
    std::vector<std::string> notes;
    bool exact = true;

    /// On q and on k.
    double factor() const { return rotation.factor * std::sqrt(multiplier); }
    double parameter(const char* id) const
    {
        return Parameters(**findRow(positions(), position.id, "position"), position)[id];
    }
    /// Turns as RoPE's do with another base; that base.
    std::optional<double> asBase() const
    {
        if (isRope(position))
            return base;
        if (position.id == "ntk" && turned > 2)
            return base * std::pow(parameter("s"), turned / (turned - 2.0));
        return {};
    }
    bool isYarnAsInFiles() const
    {
        return position.id == "yarn_rope" && parameter("by_index") != 0 && parameter("rounded") != 0;
    }
    /// What each pair's frequency is divided by.
    std::vector<double> divisors() const
    {
        std::vector<double> all;
        for (std::size_t p = 0; p < rotation.frequencies.size(); ++p)
            all.push_back(std::pow(base, -2.0 * static_cast<double>(p) / turned) / rotation.frequencies[p]);
        return all;
    }
};

tl::unexpected<Error> noWords(const std::string& why)
{
    return failure(ErrorKind::Unavailable, why + "; pytorch and factors can say it");
}

/// What the model multiplies by itself is in no target's words, and a method would take its place.
bool takesOwnTemperature(const ExportSource& source)
{
    return hasOwnTemperature(source.architecture) &&
           !isVanilla(policyAt(source.setting, source.at, source.at.n).method);
}
constexpr const char* ownTemperatureStays =
    "the model's own temperature, which grows with the place, stays there: what is multiplied beside it makes the last "
    "row's multiplier that of the method";

/// Which row that is, where a window leaves none n keys.
std::string fullestIn(const TunedAt& at)
{
    return at.mostKeys() < at.n ? fmt::format(", of {} keys", at.mostKeys()) : std::string();
}

bool isByRow(const ExportSource& source)
{
    return (*findRow(scaleRules(), source.setting.rule, "rule"))->byRow ||
           countsOf(source.setting.policy.method).value_or(Counts::Keys) == Counts::Row;
}

/// The multiplier of the row that sees most keys; heads' factors by their geometric mean.
Result<double> oneMultiplier(const ExportSource& source, std::vector<std::string>& notes, bool& exact)
{
    const Setting& setting = source.setting;
    const auto table = TRY(factorTable(setting, source.at, source.architecture));
    double logs = 0, count = 0;
    for (const std::vector<double>& layer : table)
        for (const double m : layer) {
            if (!(m > 0))
                return failure(ErrorKind::Unavailable, "a multiplier of 0 or below has no root; factors can say it");
            logs += std::log(m);
            ++count;
        }
    if (!setting.policy.factors.empty()) {
        exact = false;
        notes.push_back("a multiplier a head cannot be said there: this is their geometric mean");
    }
    if (takesOwnTemperature(source)) {
        exact = false;
        notes.push_back(ownTemperatureStays);
    } else if (isByRow(source)) {
        exact = false;
        notes.push_back(
            "a multiplier that grows from row to row cannot be said there: this is the one of the last row" +
            fullestIn(source.at));
    }
    return std::exp(logs / count);
}

Result<OneScale> oneScale(const ExportSource& source)
{
    const Architecture& a = source.architecture;
    OneScale one{.position = {}, .rotation = {}, .notes = {}};
    Policy policy = source.setting.policy;
    const auto isSayable = [](const Choice& choice) {
        const auto row = findRow(positions(), choice.id, "position");
        return row && (*row)->frequencies && !(*row)->distanceCap;
    };
    if (const auto choice = policy.position; choice && !isSayable(*choice)) {
        one.exact = false;
        one.notes.push_back("positions of the kind " + formatChoice(*choice) +
                            " cannot be said there: the model keeps its own");
        policy.position.reset();
    }
    one.own = !policy.position;
    one.position = TRY(positionOf(policy, a, 0, source.at.n));
    for (int layer = 1; layer < a.layers; ++layer)
        if (!(TRY(positionOf(policy, a, layer, source.at.n)) == one.position))
            return noWords(
                "layers of this model differ in their positions, which these fields and flags cannot follow");
    const Position& row = **findRow(positions(), one.position.id, "position");
    if (!row.frequencies)
        return noWords("this model's positions do not turn its queries and keys, so that no factor of theirs can carry "
                       "a multiplier");
    const Parameters parameters(row, one.position);
    one.rotation = rotationOf(row, one.position, a.headSize);
    one.base = parameters["base"];
    one.turned = turnedCoordinates(a.headSize, parameters);
    one.multiplier = TRY(oneMultiplier(source, one.notes, one.exact));
    if (one.turned < a.headSize && std::abs(one.multiplier - 1) > 1e-12) {
        one.exact = false;
        one.notes.push_back(fmt::format("of each head {} of {} coordinates turn, and the factor is on those alone",
                                        one.turned, a.headSize));
    }
    return one;
}

/// What the text of config files asks for: the factor stands with the positions, on what turns.
Setting askedFor(const ExportSource& source, const OneScale& one)
{
    Setting setting = untuned(source.setting.policy.trainLength);
    if (!one.own)
        setting.policy.position = one.position;
    if (one.turned == source.architecture.headSize) {
        setting.multiplier = one.multiplier;
        return setting;
    }
    Choice position{"long_rope", {{"m", one.factor()}, {"base", one.base}}, {}};
    for (const char* same : {"interleaved", "dims"})
        if (const auto found = one.position.values.find(same); found != one.position.values.end())
            position.values[same] = found->second;
    position.text = joined(one.divisors(), ",", [](double d) { return formatNumber(d); });
    setting.policy.position = std::move(position);
    return setting;
}

std::int64_t trained(const ExportSource& source) { return std::llround(source.at.trainLength); }

bool isOne(double value) { return std::abs(value - 1) < 1e-12; }

/// How a number of the text comes from m: "attention_factor 1.1402 is √m, m = 1.3, on queries and on keys alike".
/// `rest` is what the target multiplies by itself, in words and as a number.
std::string ofRoot(const std::string& field, const OneScale& one, const std::string& rest = {}, double by = 1)
{
    const std::string m = formatNumber(one.multiplier, 5), root = one.rotation.factor == 1 ? "√m" : "a √m";
    return field + " " + formatNumber(one.factor() / by, 5) + " is " + root + (rest.empty() ? "" : " / " + rest) +
           " with m = " + m +
           (one.rotation.factor == 1 ? "" : ", a = " + formatNumber(one.rotation.factor, 5) + " of its positions") +
           ": it multiplies queries and keys, and so their products by its square";
}

/// What the file's own stretch says now; null: nothing.
Json ownStretch(const Architecture& a)
{
    return a.positionFields.given.empty() ? Json() : Json::parse(a.positionFields.given);
}

constexpr const char* original = "original_max_position_embeddings";

/// Of the file's own stretch what is none of it and no other takes away: a temperature that stands among the positions,
/// with the length that it counts from.
Json keptFields(const Architecture& a)
{
    constexpr std::array<std::string_view, 18> ofStretch{
        "type",        "rope_type",    "factor",         "attention_factor", "beta_fast",   "beta_slow",
        "truncate",    "mscale",       "mscale_all_dim", "low_freq_factor",  "finetuned",   "high_freq_factor",
        "long_factor", "short_factor", original,         "rope_theta",       "long_mscale", "short_mscale"};
    Json kept = Json::object();
    const Json own = ownStretch(a);
    if (!own.is_object())
        return kept;
    for (const auto& [key, value] : own.items())
        if (std::ranges::find(ofStretch, key) == ofStretch.end())
            kept[key] = value;
    if (!kept.empty() && hasOwnTemperature(a) && own.contains(original))
        kept[original] = own[original];
    return kept;
}

/// Positions and a factor as transformers has them.
struct HfPositions {
    double base = 10000;
    Json stretch = Json::object();  ///< rope_type and its fields; empty: none
    Json beside = Json::object();   ///< fields beside them
};

/// Errors: Unavailable where no field says them.
Result<HfPositions> hfPositions(const ExportSource& source, const OneScale& one)
{
    const Architecture& a = source.architecture;
    if (a.positionFields.base.empty())
        return noWords("config.json of models of the kind " + a.type +
                       " has no fields that transformers reads for other positions, or a factor of theirs, in all "
                       "layers alike");
    const double factor = one.factor();
    HfPositions hf{.base = one.base, .stretch = keptFields(a)};
    const Json own = ownStretch(a);
    const auto type = own.is_object() ? own.value("rope_type", own.value("type", "default")) : "default";
    if (one.own && (type == "yarn" || type == "longrope" || type == "su")) {
        hf.stretch = own;
        hf.stretch["attention_factor"] = factor;
        return hf;
    }
    if (const double all = own.is_object() ? own.value("mscale_all_dim", 0.0) : 0.0;
        all > 0 && std::ranges::any_of(a.specs, [](const LayerSpec& spec) { return spec.latent.has_value(); }))
        return noWords("this model's attention takes a temperature from its own stretch (mscale_all_dim), which other "
                       "positions would take away");
    if (const auto base = one.asBase()) {
        hf.base = *base;
        if (!isOne(factor))
            hf.stretch.update({{"rope_type", "yarn"}, {"factor", 1.0}, {"attention_factor", factor}});
    } else if (one.position.id == "pi" && isOne(factor)) {
        hf.stretch.update({{"rope_type", "linear"}, {"factor", one.parameter("s")}});
    } else if (one.isYarnAsInFiles()) {
        const std::int64_t reach = std::llround(one.parameter("s") * one.parameter("N"));
        hf.beside["max_position_embeddings"] = reach;  // some versions take their quotient for the factor
        hf.stretch.update({{"rope_type", "yarn"},
                           {"factor", one.parameter("s")},
                           {original, std::llround(one.parameter("N"))},
                           {"attention_factor", factor},
                           {"beta_fast", one.parameter("beta_fast")},
                           {"beta_slow", one.parameter("beta_slow")}});
    } else {
        hf.stretch.update({{"rope_type", "longrope"},
                           {"factor", std::max(1.0, static_cast<double>(source.at.n) / source.at.trainLength)},
                           {original, trained(source)},
                           {"attention_factor", factor},
                           {"short_factor", one.divisors()},
                           {"long_factor", one.divisors()}});
    }
    if (!hf.stretch.empty() && !hf.stretch.contains("rope_type"))
        hf.stretch["rope_type"] = "default";
    return hf;
}

/// Fields of config.json, under the names that its file has; none where nothing changes.
Result<Json> hfFields(const ExportSource& source, const OneScale& one)
{
    const HfPositions hf = TRY(hfPositions(source, one));
    const PositionFields& names = source.architecture.positionFields;
    Json fields = hf.beside;
    if (one.own && isOne(one.multiplier))
        return Json::object();
    const Json none{{"rope_type", "default"}};
    if (names.stretch == "rope_parameters") {
        Json all = hf.stretch.empty() ? none : hf.stretch;
        all["rope_theta"] = hf.base;
        fields[names.stretch] = std::move(all);
    } else {
        fields[names.base] = hf.base;
        fields[names.stretch] = !hf.stretch.empty() ? hf.stretch : names.stretches ? none : Json();
    }
    return fields;
}

ExportedSetting exportedAs(const ExportSource& source, OneScale one, std::string text)
{
    return {std::move(text), one.notes, askedFor(source, one), one.exact};
}

Result<ExportedSetting> toHf(const ExportSource& source)
{
    OneScale one = TRY(oneScale(source));
    const Json fields = TRY(hfFields(source, one));
    const std::string text = jsonText(fields, 2) + '\n';
    if (fields.empty())
        one.notes.push_back("nothing changes: config.json stays as it is");
    else if (!isOne(one.factor()))
        one.notes.push_back(ofRoot("attention_factor", one) + ", at every length");
    return exportedAs(source, std::move(one), text);
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

Result<ExportedSetting> toVllm(const ExportSource& source)
{
    OneScale one = TRY(oneScale(source));
    const Architecture& a = source.architecture;
    const std::string length = fmt::format("--max-model-len {}", source.at.n);
    if (a.positionFields.base.empty() ||
        std::ranges::any_of(a.specs, [](const LayerSpec& spec) { return spec.latent.has_value(); }))
        return noWords("models of the kind " + a.type + " have no fields for vLLM's YaRN, which takes the factor");
    if (one.own && isOne(one.multiplier))
        return exportedAs(source, std::move(one), length + '\n');
    const double n = static_cast<double>(source.at.n);
    Json scaling = keptFields(a);
    scaling["rope_type"] = "yarn";
    double base = one.base, s = 1;
    if (const auto other = one.asBase()) {
        base = *other;
        scaling["factor"] = 1.0;
        scaling["original_max_position_embeddings"] = source.at.n;
    } else if (one.position.id == "pi") {  // all pairs interpolated: a ramp that is off
        s = one.parameter("s");
        scaling["factor"] = s;
        scaling["original_max_position_embeddings"] = static_cast<std::int64_t>(std::ceil(n / s));
        scaling["extrapolation_factor"] = 0;
    } else if (one.isYarnAsInFiles()) {
        s = one.parameter("s");
        scaling["factor"] = s;
        scaling["original_max_position_embeddings"] = std::llround(one.parameter("N"));
        scaling["beta_fast"] = one.parameter("beta_fast");
        scaling["beta_slow"] = one.parameter("beta_slow");
        if (s * one.parameter("N") < n)
            one.notes.push_back("vLLM holds s N = " + formatNumber(std::floor(s * one.parameter("N"))) +
                                " tokens under this, fewer than n");
    } else {
        return noWords("vLLM has no words for positions of the kind " + one.position.id + " with a multiplier");
    }
    const double temperature = s > 1 ? 0.1 * std::log(s) + 1 : 1;
    scaling["attn_factor"] = one.factor() / temperature;
    if (!isOne(one.factor()))
        one.notes.push_back(ofRoot("attn_factor", one, s > 1 ? "(1 + 0.1 ln s)" : "", temperature));
    const Json fields{{"rope_theta", base}, {"rope_scaling", scaling}, {"max_position_embeddings", source.at.n}};
    one.notes.push_back(
        "versions on transformers 5 read rope_parameters, with rope_theta among them, in place of rope_scaling");
    const std::string text = fmt::format("{} --hf-overrides '{}'\n", length, jsonText(fields));
    return exportedAs(source, std::move(one), text);
}

}  // namespace

std::string shellWord(const std::string& text)
{
    const auto isPlain = [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) ||
               std::string_view("_./+-:,=@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, isPlain))
        return text;
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

namespace {

/// What transformers loads: a folder, or a file of a folder.
std::string loadedFrom(const std::string& model)
{
    std::error_code ignored;
    const std::filesystem::path path(model);
    if (!std::filesystem::is_regular_file(path, ignored) && path.extension() != ".gguf")
        return Json(model).dump();
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    return Json(folder).dump() + ", gguf_file=" + Json(path.filename().string()).dump();
}

/// Lines that give a config other positions. transformers 5 has base and stretch in rope_parameters; before it an
/// argument of from_pretrained that is no field of the config went astray.
std::string configLines(const HfPositions& hf, const PositionFields& names, const std::string& source)
{
    std::string lines = "config = AutoConfig.from_pretrained(" + source + ")\n";
    for (const auto& [key, value] : hf.beside.items())
        lines += "config." + key + " = " + value.dump() + "\n";
    const std::string base = Json(hf.base).dump(),
                      rope = (hf.stretch.empty() ? Json{{"rope_type", "default"}} : hf.stretch).dump();
    return lines + "rope = " + rope + "\nif hasattr(config, \"rope_parameters\"):  # transformers 5\n" +
           "    part = {k: v for k, v in (config.rope_parameters or {}).items() if k == \"partial_rotary_factor\"}\n" +
           "    config.rope_parameters = {**part, **rope, \"rope_theta\": " + base + "}\nelse:\n    config." +
           names.base + ", config.rope_scaling = " + base + ", " + (hf.stretch.empty() ? "None" : "rope") + "\n";
}

Result<ExportedSetting> toPyTorch(const ExportSource& source)
{
    const Architecture& a = source.architecture;
    const QueryModule queries = TRY(queriesOf(a));
    ExportedSetting result{
        .text = {}, .notes = {"M is m itself, no root of it: queries alone are multiplied"}, .setting = source.setting};
    const auto table = TRY(factorTable(source.setting, source.at, a));
    std::vector<std::string> lines;
    for (const std::vector<double>& layer : table)
        lines.push_back("[" + joined(layer, ", ", [](double m) { return formatNumber(m, 7); }) + "]");
    const bool alike = std::ranges::all_of(lines, [&](const std::string& line) { return line == lines.front(); });
    const std::string rows =
        alike ? fmt::format("[{}] * {}", lines.front(), lines.size()) : "[" + joined(lines, ",\n     ") + "]";
    if (takesOwnTemperature(source)) {
        result.exact = false;
        result.notes.push_back(ownTemperatureStays);
    } else if (isByRow(source)) {
        result.exact = false;
        result.notes.push_back("the hook knows no rows: this is the multiplier of the last one" + fullestIn(source.at));
    }
    const std::string from = loadedFrom(source.model);
    std::string config, loading = "model = AutoModelForCausalLM.from_pretrained(" + from;
    if (source.setting.policy.position) {
        ExportSource plain = source;
        plain.setting = untuned(source.setting.policy.trainLength, source.setting.policy.position);
        OneScale one = TRY(oneScale(plain));
        result.exact = result.exact && one.exact;
        result.notes.insert(result.notes.end(), one.notes.begin(), one.notes.end());
        if (one.own) {
            result.setting.policy.position.reset();
        } else {
            config = configLines(TRY(hfPositions(plain, one)), a.positionFields, from);
            loading += ", config=config";
        }
    }
    result.text = std::string("import torch\nfrom transformers import ") + (config.empty() ? "" : "AutoConfig, ") +
                  "AutoModelForCausalLM\n\n" + config + loading + ")\nD = " + std::to_string(a.headSize) +
                  "  # of a head\nM = " + rows + "  # a multiplier a head, at n = " + std::to_string(source.at.n) +
                  "\n\ndef times(m):\n" + hookOf(queries.axes) + "    return hook\n\nfor block, m in zip(" +
                  queries.layers + ", M):\n    " + queries.module + ".register_forward_hook(times(m))\n";
    if (!result.exact) {  // M is all that multiplies
        Setting& said = result.setting;
        said.rule = "constant";
        said.multiplier = alike ? table.front().front() : 1;
        said.policy.method = {"vanilla", {}, {}};
        said.policy.temperature = 1;
        const bool one = alike && std::ranges::all_of(table.front(), [&](double m) { return m == said.multiplier; });
        said.policy.factors.clear();
        if (!one) {
            said.multiplier = 1;
            said.policy.factors = table;
        }
    }
    return result;
}

Result<ExportedSetting> toFactors(const ExportSource& source)
{
    ExportedSetting result{.text = {},
                           .notes = {"the file's factors are m itself, no root of it: queries alone are multiplied"},
                           .setting = source.setting};
    const Setting& setting = source.setting;
    const Policy policy = policyAt(setting, source.at, source.at.n);
    result.text = fmt::format("attnscope model {} --n {}", shellWord(source.model), source.at.n);
    if (policy.trainLength > 0)
        result.text += " --n-train " + formatNumber(policy.trainLength);
    if (!isVanilla(policy.method))
        result.text += " --method " + shellWord(formatChoice(policy.method));
    if (setting.policy.position)
        result.text += " --positions " + shellWord(formatChoice(*setting.policy.position));
    result.text += std::string(" --head-factors ") + factorsPlaceholder + "\n";
    return result;
}

}  // namespace

std::vector<std::vector<double>> headFactorsOf(const Setting& setting, const TunedAt& at,
                                               const Architecture& architecture)
{
    const Policy policy = policyAt(setting, at, at.n);
    std::vector<std::vector<double>> table = policy.factors;
    if (table.empty())
        table.assign(static_cast<std::size_t>(architecture.layers),
                     std::vector(static_cast<std::size_t>(architecture.heads), 1.0));
    for (std::vector<double>& layer : table)
        for (double& factor : layer)
            factor /= policy.temperature;
    return table;
}

Result<std::vector<std::vector<double>>> factorTable(const Setting& setting, const TunedAt& at,
                                                     const Architecture& architecture)
{
    const ScaleContext row = at.fullestRow(architecture.headSize);
    const auto multiplier = [&](const Choice& method) {
        return bindScale(method).and_then([&](const auto& scale) { return scale(row); });
    };
    const Choice method = policyAt(setting, at, at.n).method;
    std::vector<std::vector<double>> table = headFactorsOf(setting, at, architecture);
    for (std::size_t layer = 0; layer < table.size(); ++layer) {
        const double m = TRY(multiplier(method)),  // a method takes the place of the layer's own, a multiplier does not
            own = isVanilla(method) ? 1 : TRY(multiplier(architecture.specs[layer].method));
        for (double& factor : table[layer])
            factor *= m / own;
    }
    return table;
}

// clang-format off
std::span<const ExportTarget> exportTargets()
{
    static const std::vector<ExportTarget> all{
        {{"hf", "Hugging Face", "", "transformers, modeling_rope_utils", "Put these fields into the model's config.json.", {}, {}, {}, {}}, toHf},
        {{"llama.cpp", "llama.cpp", "", "llama.cpp, llama-context and rope_yarn of ggml", "Add these flags to the command line of llama-server or llama-cli.", {}, {}, {}, {}}, toLlamaCpp},
        {{"vllm", "vLLM", "", "vLLM, YaRNScalingRotaryEmbedding", "Add these arguments to vllm serve.", {}, {}, {}, {}}, toVllm},
        {{"pytorch", "PyTorch", "", "torch.nn.Module.register_forward_hook", "Run these lines: they load the model with transformers and hook its queries' projection.", {}, {}, {}, {}}, toPyTorch},
        {{"factors", "Attnscope", "", "attnscope model --head-factors", "A table of multipliers, and the command that takes it.", {}, {}, {}, {}}, toFactors},
    };
    return all;
}
// clang-format on

Result<ExportedSetting> exportTo(const std::string& target, const ExportSource& source)
{
    return TRY(findRow(exportTargets(), target, "export"))->write(source);
}

Result<ExportedSetting> exportNearest(const std::string& target, const ExportSource& source,
                                      std::span<const TriedSetting> tried, std::size_t windows)
{
    auto asked = exportTo(target, source);
    if (asked ? asked->exact : asked.error().kind == ErrorKind::UnknownName)
        return asked;
    std::vector<TriedSetting> all;
    std::ranges::copy_if(tried, std::back_inserter(all),
                         [&](const TriedSetting& one) { return one.windows == windows && std::isfinite(one.loss); });
    std::ranges::stable_sort(all, {}, &TriedSetting::loss);
    for (const TriedSetting& one : all) {
        ExportSource other = source;
        other.setting = one.setting;
        auto exported = exportTo(target, other);
        if (!exported || !exported->exact)
            continue;
        if (one.setting == untuned(one.setting.policy.trainLength)) {  // which says nothing of what was found
            if (asked) {
                asked->notes.push_back(std::string("nothing that was tried can be said there as it is") +
                                       (isByRow(source) ? "; a search with the rule constant finds what can" : ""));
                return asked;
            }
            exported->notes.push_back("nothing else that was tried can be said there");
        }
        exported->exact = false;
        exported->notes.insert(exported->notes.begin(),
                               describe(source.setting, source.at) +
                                   " cannot be said there; this is the best that was tried of what can: " +
                                   (one.published.empty() ? "" : one.published + ", ") +
                                   describe(one.setting, source.at));
        return *exported;
    }
    return asked;
}

}  // namespace attnscope
