#include "core/model/rope_scaling.h"

#include "core/base/json_reader.h"

#include <cmath>

namespace attnscope {

Choice RopeScaling::position() const
{
    // folders in Hugging Face's layout hold their projections permuted, so that halves of a head make the pairs
    Choice choice{scheme, {{"interleaved", 0}}, {}};
    if (base != 10000)
        choice.values["base"] = base;
    if (!whole)
        choice.values["dims"] = dims;
    if (scheme != "rope")
        choice.values["s"] = s;
    if (scheme == "yarn_rope") {
        choice.values["N"] = static_cast<double>(trainLength);
        choice.values["beta_fast"] = betaFast;
        choice.values["beta_slow"] = betaSlow;
        if (byIndex)
            choice.values["by_index"] = 1;
    }
    return choice;
}

Result<void> readRopeScaling(const nlohmann::json& given, const std::string& path, RopeScaling& scaling)
{
    ObjectReader fields(given, path);
    std::string type = "default";
    fields.text("type", type);
    fields.text("rope_type", type);
    fields.number("rope_theta", scaling.base, 1.0001, 1e12);
    if (type != "default") {
        fields.number("factor", scaling.s, 1, 1e6);
        if (!given.is_object() || !given.contains("factor"))
            fields.fail(path + ".factor is missing");
    }
    std::int64_t original = 0;
    fields.number("original_max_position_embeddings", original, 1, 1e9);
    if (type == "linear") {
        scaling.scheme = "pi";
    } else if (type == "llama3") {
        scaling.scheme =
            "yarn_rope";  // its ramp between wavelengths N / high and N / low is linear in the turns within N
        scaling.betaFast = 4;
        fields.number("high_freq_factor", scaling.betaFast, 0.001, 1e6);
        fields.number("low_freq_factor", scaling.betaSlow, 0.001, 1e6);
        if (original == 0)
            fields.fail(path + ".original_max_position_embeddings is missing");
    } else if (type == "yarn") {
        scaling.scheme = "yarn_rope";
        scaling.byIndex = true;
        fields.number("beta_fast", scaling.betaFast, 0.001, 1e6);
        fields.number("beta_slow", scaling.betaSlow, 0.001, 1e6);
        double factor = scaling.s > 1 ? 0.1 * std::log(scaling.s) + 1 : 1;
        fields.number("attention_factor", factor, 1e-3, 1e3);
        scaling.logitFactor = factor * factor;
    } else if (type != "default") {
        return failure(ErrorKind::Unavailable,
                       path + " asks for positions of type '" + type.substr(0, 40) +
                           "', which is not run here; what is run: default, linear, llama3, yarn");
    }
    if (original > 0)
        scaling.trainLength = original;
    TRY(fields.status());
    if (const auto unknown = fields.unasked(); !unknown.empty())
        return failure(ErrorKind::Unavailable, path + "." + unknown.front().substr(0, 40) +
                                                   " is not known here, and it may change the positions");
    return {};
}

}  // namespace attnscope
