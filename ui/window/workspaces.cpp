#include "ui/window/workspaces.h"

#include "ui/window/document.h"

#include <QSignalBlocker>

#include <algorithm>
#include <array>

namespace attnscope {

std::span<const Workspace> workspaces()
{
    static const std::array<Workspace, 5> all{{
        {std::string(workspaceIds[0]), QT_TR_NOOP("Explore"),
         QT_TR_NOOP("One head and many scales: maps, entropy against n, dispersion")},
        {std::string(workspaceIds[1]), QT_TR_NOOP("Model"),
         QT_TR_NOOP("A published model with a scale in its layers: quality against n, and every head")},
        {std::string(workspaceIds[2]), QT_TR_NOOP("Labs"), QT_TR_NOOP("Train small models and watch them learn")},
        {std::string(workspaceIds[3]), QT_TR_NOOP("Figures"),
         QT_TR_NOOP("Figures for print: the gallery, and what Explore shows")},
        {std::string(workspaceIds[4]), QT_TR_NOOP("Learn"),
         QT_TR_NOOP("Lessons, the manual, and the methods with their sources")},
    }};
    return all;
}

int workspaceIndex(const std::string& id)
{
    const auto all = workspaces();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Workspace& one) { return one.id == id; });
    return found == all.end() ? 0 : static_cast<int>(found - all.begin());
}

void setWorkspace(Document& document, const QString& id)
{
    document.editLook([&](Look& look) { look.workspace = id.toStdString(); });
}

WorkspaceTabs::WorkspaceTabs(Document& document, QWidget* parent) : QTabBar(parent)
{
    setObjectName(QStringLiteral("workspaces"));
    setAccessibleName(tr("Workspaces"));
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const Workspace& one : workspaces()) {
        const int at = addTab(tr(one.title));
        setTabToolTip(at, tr("%1 (Ctrl+%2)").arg(tr(one.about)).arg(at + 1));
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
