// What was found, in the words of those that run models.

#include "core/tuning/exports.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/scale_search.h"

namespace attnscope {

namespace {

ScaleExport exportOf(const ExportTarget& target, const Model& model, const TuneProblem& problem,
                     const TuneReport& report)
{
    ScaleExport made;
    made.target = text(target.id);
    made.label = text(target.label);
    made.about = text(target.about);
    const auto exported = exportNearest(target.id, {report.use(), report.at, model.architecture, model.folder},
                                        report.tried, report.fitting);
    if (!exported) {
        made.error = text(exported.error().message);
        return made;
    }
    made.text = text(exported->text);
    for (const std::string& note : exported->notes)
        made.notes << text(note);
    made.exact = exported->exact;
    if (!made.exact)
        if (const auto loss = verdictLoss(problem, exported->setting, report.at))
            made.loss = *loss;
    return made;
}

}  // namespace

std::vector<ScaleExport> exportsOf(const Model& model, const TuneProblem& problem, const TuneReport& report)
{
    std::vector<ScaleExport> all;
    for (const ExportTarget& target : exportTargets())
        if (target.id != ownTarget)
            all.push_back(exportOf(target, model, problem, report));
    return all;
}

}  // namespace attnscope
