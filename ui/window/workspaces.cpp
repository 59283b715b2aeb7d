#include "ui/window/workspaces.h"

#include "ui/explore/explore_page.h"
#include "ui/plot/qt_text.h"
#include "ui/window/main_window.h"
#include "ui/workbench/document.h"

#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace attnscope {

std::span<const Workspace> workspaces()
{
    static const std::array<Workspace, 5> all{{
        {exploreWorkspace.toStdString(),
         "Explore",
         "One head and many scales: maps, entropy against n, dispersion",
         {},
         [](MainWindow& window) {
             return WorkspacePage{&window.explore(), {}};
         }},
        {modelWorkspace.toStdString(),
         "Model",
         "A published model with a scale in its layers: quality against n, and every head",
         {u"model"_s},
         makeModelWorkspace},
        {labsWorkspace.toStdString(),
         "Labs",
         "Train small models and watch them learn",
         {u"labs"_s},
         makeLabsWorkspace},
        {figuresWorkspace.toStdString(),
         "Figures",
         "Figures for print: the gallery, and what Explore shows",
         {u"gallery"_s, u"export"_s},
         makeFiguresWorkspace},
        {learnWorkspace.toStdString(),
         "Learn",
         "Lessons, the manual, and the methods with their sources",
         {u"manual"_s, u"reference"_s},
         makeLearnWorkspace},
    }};
    return all;
}

int workspaceIndex(const std::string& id)
{
    const auto all = workspaces();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Workspace& one) { return one.id == id; });
    return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

WorkspaceTabs::WorkspaceTabs(Document& document, QWidget* parent) : QTabBar(parent)
{
    setObjectName(u"workspaces"_s);
    setAccessibleName(u"Workspaces"_s);
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const Workspace& one : workspaces()) {
        const int at = addTab(text(one.title));
        setTabToolTip(at, u"%1 (Ctrl+%2)"_s.arg(text(one.about)).arg(at + 1));
    }
    connect(this, &QTabBar::currentChanged, this, [&document](int at) {
        document.editLook([&](Look& look) { look.workspace = workspaces()[static_cast<std::size_t>(at)].id; });
    });
    connect(&document, &Document::lookChanged, this, [this, &document] {
        const QSignalBlocker quiet(this);
        setCurrentIndex(workspaceIndex(document.look().workspace));
    });
}

}  // namespace attnscope

#include "moc_workspaces.cpp"
