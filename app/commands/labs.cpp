// labs: the experiments that train something, with their parameters.

#include "app/commands/command_table.h"
#include "app/commands/options.h"
#include "core/base/text.h"
#include "core/labs/lab.h"

namespace attnscope {

namespace {

struct LabsSettings {
    std::optional<Format> format;
    bool parameters = false;
};

void listLabs(std::ostream& out, Format format)
{
    ResultWriter writer(out, format, {"id", "label", neverInTable("about"), "source", neverInTable("presets")});
    for (const Lab& lab : labs())
        writer.add({lab.id, lab.label, lab.about, lab.source,
                    joined(lab.presets, "; ", [](const Preset& preset) { return preset.label + ": " + preset.text; })});
    writer.finish();
}

void listParameters(std::ostream& out, Format format)
{
    ResultWriter writer(out, format,
                        {"lab", "parameter", "default", ifAny("minimum"), ifAny("maximum"), neverInTable("help")});
    for (const Lab& lab : labs()) {
        writer.add({lab.id, lab.textKey, lab.textByDefault, {}, {}, lab.textLabel});
        for (const Parameter& parameter : lab.parameters) {
            const auto cell = [&](double value) {
                return parameter.kind == Parameter::Kind::Real ? Cell{value} : wholeCell(value);
            };
            writer.add({lab.id, parameter.id, cell(parameter.byDefault), cell(parameter.minimum),
                        cell(parameter.maximum), parameter.help});
        }
    }
    writer.finish();
}

Result<void> runLabs(const LabsSettings& settings, const Console& console)
{
    (settings.parameters ? listParameters : listLabs)(console.out, formatFor(settings.format, console));
    return {};
}

}  // namespace

Command labsCommand()
{
    return commandWith<LabsSettings>(
        "labs", "The experiments that train something: what lab can run", {"labs", "labs --parameters"},
        [](CLI::App& app, LabsSettings& settings) {
            app.add_flag("--parameters", settings.parameters, "A row for each parameter of each lab");
            addFormat(app, settings.format);
        },
        runLabs);
}

}  // namespace attnscope
