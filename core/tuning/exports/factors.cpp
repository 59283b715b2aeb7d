// The program's own command: a table of multipliers, a number a layer and head.
#include "core/tuning/exports.h"

namespace attnscope {

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

}  // namespace attnscope
