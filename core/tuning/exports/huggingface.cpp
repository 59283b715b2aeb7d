// Fields of a model's config.json, as transformers reads them.
#include "core/tuning/exports/transformers_fields.h"
#include "core/base/json_text.h"

namespace attnscope {

namespace {

/// Fields of config.json, under the names that its file has; none where nothing changes.
nlohmann::ordered_json hfFields(const ExportSource& source, const OneScale& one, const HfPositions& hf)
{
    const PositionFields& names = source.architecture.positionFields;
    nlohmann::ordered_json fields = hf.beside;
    if (one.own && isOne(one.multiplier))
        return nlohmann::ordered_json::object();
    const nlohmann::ordered_json none{{"rope_type", "default"}};
    if (names.stretch == "rope_parameters") {
        nlohmann::ordered_json all = hf.stretch.empty() ? none : hf.stretch;
        all["rope_theta"] = hf.base;
        fields[names.stretch] = std::move(all);
    } else {
        fields[names.base] = hf.base;
        fields[names.stretch] = !hf.stretch.empty() ? hf.stretch : names.stretches ? none : nlohmann::ordered_json();
    }
    return fields;
}

}  // namespace

Result<ExportedSetting> toHf(const ExportSource& source)
{
    OneScale one = TRY(oneScale(source));
    const HfPositions hf = TRY(hfPositions(source, one));
    const nlohmann::ordered_json fields = hfFields(source, one, hf);
    const std::string text = jsonText(fields.empty() ? fields : asInFile(fields, source.architecture), 2) + '\n';
    if (!fields.empty()) {
        noteFixed(source, one);
        one.notes.insert(one.notes.end(), hf.notes.begin(), hf.notes.end());
    }
    if (fields.empty())
        one.notes.push_back("nothing changes: config.json stays as it is");
    else if (!isOne(one.factor()))
        one.notes.push_back(ofRoot("attention_factor", one) + ", at every length");
    return exportedAs(source, std::move(one), text);
}

}  // namespace attnscope
