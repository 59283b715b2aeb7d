#include "core/tuning/exports/transformers_fields.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attnscope {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* original = "original_max_position_embeddings";

}  // namespace

Json ownStretch(const Architecture& a)
{
    return a.positionFields.given.empty() ? Json() : Json::parse(a.positionFields.given);
}

Json asInFile(Json fields, const Architecture& a)
{
    if (a.positionFields.within.empty())
        return fields;
    return {{a.positionFields.within, std::move(fields)}};
}

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

Result<void> checkTemperature(const Json& stretch, const Architecture& a)
{
    const Json own = ownStretch(a);
    if (!hasOwnTemperature(a) || !own.is_object() || !own.contains(original) ||
        stretch.value(original, 0.0) == own[original])
        return {};
    return failure(ErrorKind::Unavailable,
                   "this model's own temperature counts from {} = {}, which these positions need for a length of their "
                   "own; factors can say it",
                   original, own[original].dump());
}

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
    if (const double all = own.is_object() ? own.value("mscale_all_dim", 0.0) : 0.0; all > 0 && hasLatentLayers(a))
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
        if (reach < source.at.n)
            hf.notes.push_back(fmt::format("max_position_embeddings is s N = {}, fewer than n: some versions warn of "
                                           "longer texts, and run them",
                                           reach));
        if (const double quotient = static_cast<double>(reach) / std::round(one.parameter("N"));
            !isOne(quotient / one.parameter("s")))
            hf.notes.push_back(fmt::format("versions that take max_position_embeddings over {} for the factor have {} "
                                           "in place of {}",
                                           original, formatNumber(quotient), formatNumber(one.parameter("s"))));
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
    TRY(checkTemperature(hf.stretch, a));
    return hf;
}

}  // namespace attnscope
