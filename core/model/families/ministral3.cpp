// Ministral 3 (transformers, models/ministral3): Llama with YaRN, and queries that grow with their place i,
// 1 + beta ln(1 + floor(i / N)), in every layer.

#include "core/model/families/families.h"

namespace attnscope::family {

namespace {

constexpr const char* temperatureField = "llama_4_scaling_beta";

void ministral3Config(ConfigReader& config)
{
    Architecture& a = config.a;
    llamaLike::sizes(config, {.inner = 14336, .keyHeads = 8, .headSize = 128, .epsilon = 1e-5});
    config.must("attention_bias", false, "biases on Ministral's attention (attention_bias)");
    config.windows(0, [](int) { return true; });
    constexpr double betaByDefault = 0.1;
    config.rotaryEverywhere({.base = 1e6,
                             .also = {temperatureField, "max_position_embeddings"},
                             .otherwise = {{"rope_type", "yarn"},
                                           {"factor", 16},
                                           {"original_max_position_embeddings", 16384},
                                           {"beta_fast", 32},
                                           {"beta_slow", 1},
                                           {"mscale", 1},
                                           {"mscale_all_dim", 1}}});
    const nlohmann::json* const scaling = config.field("rope_scaling");
    const auto* const rope = scaling && !scaling->empty() ? scaling : config.field("rope_parameters");
    double beta = rope ? 0 : betaByDefault;
    if (rope)
        if (const auto given = rope->find(temperatureField); rope->is_object() && given != rope->end()) {
            beta = given->is_number() ? given->get<double>() : -1;
            if (!(beta >= 0 && beta <= 1000))
                return config.fail(std::string(temperatureField) + " must be a number from 0 to 1000");
        }
    if (beta != 0)
        config.everyLayer([&](LayerSpec& spec) {
            spec.method = {
                "custom", {}, "1+" + formatNumber(beta) + "*log(1+floor(i/" + std::to_string(a.trainLength) + "))"};
        });
}

void ministral3Weights(WeightReader& read, Model& model)
{
    llamaLike::weights(read, model);
    passOverPictures(read);
}

/// The temperature of queries that grow with their place stands among the positions.
void ministral3Gguf(GgufConfigMaker& make)
{
    llamaLike::ggufInPairs(make);
    make.value("attention.temperature_length");  // the length before the stretch
    nlohmann::json positions = make.config.value("rope_scaling", nlohmann::json::object());
    make.config.erase("rope_scaling");
    if (!positions.contains("rope_type"))
        positions["rope_type"] = "default";
    if (const double scale = make.real("attention.temperature_scale", 0); scale > 0)
        positions[temperatureField] = scale;
    if (const double both = make.real("rope.scaling.yarn_log_multiplier", 0); both > 0)
        positions["mscale"] = positions["mscale_all_dim"] = both;
    make.config["rope_parameters"] = std::move(positions);
}

}  // namespace

Family ministral3()
{
    return {"ministral3", "Ministral 3", ministral3Config, ministral3Weights, {"mistral3", ministral3Gguf}};
}

}  // namespace attnscope::family
