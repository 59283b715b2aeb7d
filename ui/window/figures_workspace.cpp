#include "ui/explore/explore_page.h"
#include "ui/figures/export_panel.h"
#include "ui/figures/gallery_browser.h"
#include "ui/labs/lab_page.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/side_by_side.h"
#include "ui/window/main_window.h"
#include "ui/window/workspaces.h"
#include "ui/workbench/figure_sources.h"

#include <QDockWidget>

namespace attnscope::workspace {

namespace {

WorkspacePage makeFiguresWorkspace(MainWindow& window)
{
    std::vector<FigureSource> sources =
        figureSources(window.bench(), [&window] { return window.explore().shownViews(); });
    const auto shownInLabs = [&window] {
        const auto* labs = window.findChild<LabPage*>();  // which is made when it is first looked at
        return labs ? labs->shownFigure() : std::nullopt;
    };
    sources.push_back({labsWorkspace, u"what is shown there"_s, shownInLabs, [] { return true; }});
    auto* figure = new ExportPanel(window.bench(), window.messages(), std::move(sources));
    auto* gallery = new GalleryBrowser;
    QObject::connect(&window.analyser(), &Analyser::arrived, figure, &ExportPanel::follow);  // there may be heads now
    for (const QDockWidget* shown : window.explore().docks())
        QObject::connect(shown, &QDockWidget::visibilityChanged, figure, &ExportPanel::follow);
    QObject::connect(gallery, &GalleryBrowser::openRequested, &window, &MainWindow::openFigure);
    QObject::connect(gallery, &GalleryBrowser::chosen, figure,
                     [figure](const Recipe& recipe) { figure->setRecipe(recipe); });
    QObject::connect(figure, &ExportPanel::shows, &window, &MainWindow::nameWhatIsInFront);
    QObject::connect(figure, &ExportPanel::previewed, gallery, [gallery, figure] { gallery->mark(figure->recipe()); });
    auto* page = new SideBySide(figuresWorkspace, pane(u"Gallery"_s, gallery), pane(u"The figure"_s, figure),
                                {.inNarrow = 464, .inWide = 568});  // two columns of the gallery
    page->reset(window.width());
    return {page, {gallery, figure}};
}

}  // namespace

Workspace figures()
{
    return {"Figures",
            "Figures for print: the gallery, and what Explore shows",
            {u"gallery"_s, u"export"_s},
            makeFiguresWorkspace};
}

}  // namespace attnscope::workspace
