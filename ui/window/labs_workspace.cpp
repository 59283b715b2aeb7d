#include "ui/figures/export_panel.h"
#include "ui/labs/lab_page.h"
#include "ui/labs/lab_sections.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/side_by_side.h"
#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/session_file.h"

namespace attnscope::workspace {

namespace {

WorkspacePage makeLabsWorkspace(MainWindow& window)
{
    const QString runs = stateFolder() + u"/labs"_s;
    auto* labs = new LabPage(window.bench(), window.messages(), runs);
    // Until there are runs of one's own: what those found that come with the program.
    if (window.document().look().labs.page.empty() && RunStore(runs).isEmpty())
        labs->sections().show(u"scoreboard"_s);
    QObject::connect(labs, &LabPage::opened, &window, [&window] { window.setWorkspace(exploreWorkspace); });
    QObject::connect(labs, &LabPage::figureAsked, &window, [&window](const Recipe& recipe) {
        window.exportPanel().setRecipe(recipe);
        window.showDock(u"export"_s);
    });
    return {pane(u"Labs"_s, labs), {labs}};
}

}  // namespace

Workspace labs() { return {"Labs", "Train small models and watch them learn", {u"labs"_s}, makeLabsWorkspace}; }

}  // namespace attnscope::workspace
