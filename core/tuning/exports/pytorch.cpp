// Lines of Python that load a model with transformers and hook its queries' projection.
#include "core/base/text.h"
#include "core/tuning/exports/transformers_fields.h"
#include "core/tuning/query_modules.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

/// What transformers loads: a folder, or a file of a folder.
std::string loadedFrom(const std::string& model)
{
    std::error_code ignored;
    const std::filesystem::path path(model);
    if (!std::filesystem::is_regular_file(path, ignored) && path.extension() != ".gguf")
        return nlohmann::ordered_json(model).dump();
    const std::string folder = path.has_parent_path() ? path.parent_path().string() : ".";
    return nlohmann::ordered_json(folder).dump() +
           ", gguf_file=" + nlohmann::ordered_json(path.filename().string()).dump();
}

/// Lines that give a config other positions. transformers 5 has base and stretch in rope_parameters; before it an
/// argument of from_pretrained that is no field of the config went astray.
std::string configLines(const HfPositions& hf, const PositionFields& names, const std::string& source)
{
    std::string lines = "config = AutoConfig.from_pretrained(" + source + ")\n", of = "config";
    if (!names.within.empty()) {
        of = "texts";
        lines += of + " = config.get_text_config()\n";
    }
    for (const auto& [key, value] : hf.beside.items())
        lines += of + "." + key + " = " + value.dump() + "\n";
    const std::string base = nlohmann::ordered_json(hf.base).dump(),
                      rope =
                          (hf.stretch.empty() ? nlohmann::ordered_json{{"rope_type", "default"}} : hf.stretch).dump();
    return lines + "rope = " + rope + "\nif hasattr(" + of + ", \"rope_parameters\"):  # transformers 5\n" +
           "    part = {k: v for k, v in (" + of +
           ".rope_parameters or {}).items() if k == \"partial_rotary_factor\"}\n    " + of +
           ".rope_parameters = {**part, **rope, \"rope_theta\": " + base + "}\nelse:\n    " + of + "." + names.base +
           ", " + of + ".rope_scaling = " + base + ", " + (hf.stretch.empty() ? "None" : "rope") + "\n";
}

}  // namespace

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
            const HfPositions hf = TRY(hfPositions(plain, one));
            result.notes.insert(result.notes.end(), hf.notes.begin(), hf.notes.end());
            config = configLines(hf, a.positionFields, from);
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

}  // namespace attnscope
