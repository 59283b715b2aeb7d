// Arguments of vllm serve: --hf-overrides.
#include "core/base/json_text.h"
#include "core/tuning/exports/transformers_fields.h"

namespace attnscope {

Result<ExportedSetting> toVllm(const ExportSource& source)
{
    OneScale one = TRY(oneScale(source));
    const Architecture& a = source.architecture;
    const std::string length = fmt::format("--max-model-len {}", source.at.n);
    if (a.positionFields.base.empty() || hasLatentLayers(a))
        return noWords("models of the kind " + a.type + " have no fields for vLLM's YaRN, which takes the factor");
    // whose own dynamic NTK is that of the largest length at every length
    if (one.own && isOne(one.multiplier) && !turnsByLength(a))
        return exportedAs(source, std::move(one), length + '\n');
    const double n = static_cast<double>(source.at.n);
    nlohmann::ordered_json scaling = keptFields(a);
    scaling["rope_type"] = "yarn";
    scaling["beta_fast"] = 32;  // some of its models take them without asking whether they are there
    scaling["beta_slow"] = 1;
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
    TRY(checkTemperature(scaling, a));
    const double temperature = s > 1 ? 0.1 * std::log(s) + 1 : 1;
    scaling["attn_factor"] = one.factor() / temperature;
    if (a.type == "gpt_oss" && (scaling.contains("extrapolation_factor") || !isOne(one.factor() / temperature)))
        return noWords("vLLM's gpt_oss.py hands on factor, length and betas of YaRN, and no multiplier");
    noteFixed(source, one);
    if (!isOne(one.factor()))
        one.notes.push_back(ofRoot("attn_factor", one, s > 1 ? "(1 + 0.1 ln s)" : "", temperature));
    const nlohmann::ordered_json fields =
        asInFile({{"rope_theta", base}, {"rope_scaling", scaling}, {"max_position_embeddings", source.at.n}}, a);
    one.notes.push_back(
        "versions on transformers 5 read rope_parameters, with rope_theta among them, in place of rope_scaling");
    const std::string text = fmt::format("{} --hf-overrides '{}'\n", length, jsonText(fields));
    return exportedAs(source, std::move(one), text);
}

}  // namespace attnscope
