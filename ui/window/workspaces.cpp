#include "ui/window/workspaces.h"

#include "core/document/look.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/document.h"
#include "ui/workbench/lab_runner.h"

#include <QPainter>
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

WorkspaceTabs::WorkspaceTabs(Document& document, const LabRunner& lab, QWidget* parent) : QTabBar(parent), m_lab(lab)
{
    setObjectName(u"workspaces"_s);
    setAccessibleName(u"Workspaces"_s);
    setDrawBase(false);
    setExpanding(false);
    setUsesScrollButtons(false);
    setElideMode(Qt::ElideNone);
    setFocusPolicy(Qt::TabFocus);  // a click leaves the keyboard where it was
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (const Workspace& one : workspaces())
        addTab(text(one.title));
    tellOfLab();
    connect(&lab, &LabRunner::changed, this, &WorkspaceTabs::tellOfLab);
    connect(&lab, &LabRunner::ended, this, &WorkspaceTabs::tellOfLab);
    connect(this, &QTabBar::currentChanged, this, [&document](int at) {
        document.editLook([&](Look& look) { look.workspace = workspaces()[static_cast<std::size_t>(at)].id; });
    });
    connect(&document, &Document::lookChanged, this, [this, &document] {
        const QSignalBlocker quiet(this);
        setCurrentIndex(workspaceIndex(document.look().workspace));
    });
}

void WorkspaceTabs::tellOfLab()
{
    for (int at = 0; at < count(); ++at) {
        const Workspace& one = workspaces()[static_cast<std::size_t>(at)];
        const bool trains = m_lab.isRunning() && one.id == labsWorkspace.toStdString();
        setTabToolTip(at, (trains ? u"%1: %2 %%3.\n"_s.arg(text(m_lab.run().choice.id))
                                        .arg(static_cast<int>(100 * m_lab.record().fraction))
                                        .arg(m_lab.isPaused() ? u", paused"_s : QString())
                                  : QString()) +
                              u"%1 (Ctrl+%2)"_s.arg(text(one.about)).arg(at + 1));
    }
    update();
}

void WorkspaceTabs::paintEvent(QPaintEvent* event)
{
    QTabBar::paintEvent(event);
    if (!m_lab.isRunning())
        return;
    constexpr double across = 6, fromEdge = 6;
    const QRect labs = tabRect(workspaceIndex(labsWorkspace.toStdString()));
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool paused = m_lab.isPaused();  // a ring
    painter.setPen(paused ? QPen(palette().highlight(), 1.5) : QPen(Qt::NoPen));
    painter.setBrush(paused ? Qt::NoBrush : palette().highlight());
    painter.drawEllipse(QRectF(labs.right() - fromEdge - across, labs.top() + fromEdge, across, across));
}

}  // namespace attnscope

#include "moc_workspaces.cpp"
