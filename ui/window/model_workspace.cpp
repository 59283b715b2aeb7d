#include "ui/model/model_page.h"
#include "ui/plot/qt_text.h"
#include "ui/learn/manual_view.h"
#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"

namespace attnscope::workspace {

namespace {

WorkspacePage makeModelWorkspace(MainWindow& window)
{
    auto* model = new ModelPage(window.bench(), window.messages());
    const auto hear = [model, &window](auto signal, auto slot) { QObject::connect(model, signal, &window, slot); };
    hear(&ModelPage::fileAsked, &MainWindow::chooseModelFile);
    hear(&ModelPage::folderAsked, &MainWindow::chooseModelFolder);
    hear(&ModelPage::foundAsked, &MainWindow::openFile);
    hear(&ModelPage::sourceAsked, &MainWindow::showSource);
    hear(&ModelPage::manualAsked, [&window] {
        window.showDock(u"manual"_s);
        window.manual().openPage(u"models"_s);
    });
    hear(&ModelPage::headKept, [&window](const QString& path, int layer, int head) {
        window.setWorkspace(exploreWorkspace);
        window.tensors().openHead(path, layer, head);
    });
    QObject::connect(&window.presentation(), &Presentation::turned, model, &ModelPage::setOnStage);
    return {model, {model}};
}

}  // namespace

Workspace model()
{
    return {"Model",
            "A published model with a scale in its layers: quality against n, and every head",
            {u"model"_s},
            makeModelWorkspace};
}

}  // namespace attnscope::workspace
