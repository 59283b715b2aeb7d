#include "ui/window/workspaces.h"

#include "core/document/look.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"

#include <QSignalBlocker>

#include <algorithm>

namespace attnscope {

#define ATTNSCOPE_DECLARE(name) Workspace name();
#define ATTNSCOPE_CALL(name) workspace::name(),

namespace workspace {
ATTNSCOPE_WORKSPACES(ATTNSCOPE_DECLARE)
}

std::span<const Workspace> workspaces()
{
    static const std::vector<Workspace> rows = [] {
        std::vector<Workspace> made{ATTNSCOPE_WORKSPACES(ATTNSCOPE_CALL)};
        for (std::size_t i = 0; i < made.size(); ++i)
            made[i].id = workspaceIds[i];
        return made;
    }();
    return rows;
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
