#include "core/tuning/exports.h"

#include "core/base/text.h"
#include "core/tuning/exports/one_scale.h"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace attnscope {

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
            own = keepsOwnTemperature(method) ? 1 : TRY(multiplier(architecture.specs[layer].method));
        for (double& factor : table[layer])
            factor *= m / own;
    }
    return table;
}

Result<ExportedSetting> toHf(const ExportSource& source);
Result<ExportedSetting> toLlamaCpp(const ExportSource& source);
Result<ExportedSetting> toVllm(const ExportSource& source);
Result<ExportedSetting> toPyTorch(const ExportSource& source);
Result<ExportedSetting> toFactors(const ExportSource& source);

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
    const std::string answer = describe(source.setting, source.at) + " cannot be said there; ";
    for (const TriedSetting& one : all) {
        ExportSource other = source;
        other.setting = one.setting;
        auto exported = exportTo(target, other);
        const bool said = exported && exported->exact;
        const bool asItIs = one.setting == untuned(one.setting.policy.trainLength);
        if (asItIs && !said && asked)  // what comes after it costs more than no change at all
            return noWords(answer + "nothing that was tried and can be said there has a lower loss than the model as "
                                    "it is");
        if (asItIs && !said)
            return asked;
        if (!said)
            continue;
        exported->exact = false;
        exported->notes.insert(
            exported->notes.begin(),
            answer +
                (asItIs ? "nothing that was tried and can be said there has a lower loss than the model as it is, "
                          "which this is; " +
                              std::string(isByRow(source) ? "a search with the rule constant looks for what can"
                                                          : "leave it as it is there")
                        : "this is the best that was tried of what can: " +
                              (one.published.empty() ? "" : one.published + ", ") + describe(one.setting, source.at)));
        return *exported;
    }
    return asked;
}

}  // namespace attnscope
