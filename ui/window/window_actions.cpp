#include "ui/window/window_actions.h"

#include "ui/window/icons.h"
#include "ui/window/main_window.h"
#include "ui/window/views/heatmap_panel.h"
#include "ui/window/views/statistics_view.h"

#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QDockWidget>
#include <QMenuBar>
#include <QSettings>
#include <QToolBar>

namespace attnscope {

WindowActions::WindowActions(MainWindow& window) : QObject(&window), m_window(window), m_bar(new QToolBar(tr("Tools")))
{
    m_bar->setObjectName(QStringLiteral("tools"));
    m_bar->setMovable(false);
    m_bar->setIconSize({18, 18});
    m_bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_window.addToolBar(m_bar);
    fillFile();
    fillEdit();
    fillView();
    fillHelp();
}

QAction* WindowActions::add(QMenu* menu, const QString& text, const QKeySequence& key, const QString& iconName, std::function<void()> run)
{
    auto* action = menu->addAction(text);
    action->setShortcut(key);
    if (!iconName.isEmpty())
        action->setIcon(icon(iconName));
    connect(action, &QAction::triggered, this, std::move(run));
    return action;
}

void WindowActions::fillFile()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&File"));
    m_bar->addAction(add(menu, tr("&Open tensors\u2026"), QKeySequence::Open, QStringLiteral("open"), [this] { m_window.chooseFile(); }));
    menu->addSeparator();
    add(menu, tr("&Quit"), QKeySequence::Quit, {}, [this] { m_window.close(); });
}

void WindowActions::fillEdit()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Edit"));
    Document& document = m_window.document();
    m_undo = add(menu, tr("&Undo"), QKeySequence::Undo, QStringLiteral("undo"), [&document] { document.undo(); });
    m_redo = add(menu, tr("&Redo"), QKeySequence::Redo, QStringLiteral("redo"), [&document] { document.redo(); });
    const auto refresh = [this, &document] {
        m_undo->setEnabled(document.canUndo());
        m_redo->setEnabled(document.canRedo());
        m_undo->setText(document.canUndo() ? tr("&Undo %1").arg(document.undoName()) : tr("&Undo"));
        m_redo->setText(document.canRedo() ? tr("&Redo %1").arg(document.redoName()) : tr("&Redo"));
    };
    m_undo->setIconText(tr("Undo"));
    m_redo->setIconText(tr("Redo"));
    connect(&document, &Document::historyChanged, this, refresh);
    refresh();
    menu->addSeparator();
    add(menu, tr("&Copy the picture"), QKeySequence(tr("Ctrl+Shift+C")), QStringLiteral("copy"),
        [this] { QApplication::clipboard()->setPixmap(m_window.centralWidget()->grab()); });
    add(menu, tr("Copy the &statistics"), QKeySequence(tr("Ctrl+Shift+D")), QStringLiteral("table"), [this] { m_window.statistics().copy(); });
    m_bar->addSeparator();
    m_bar->addActions({m_undo, m_redo});
}

void WindowActions::fillView()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&View"));
    auto* themes = menu->addMenu(icon(QStringLiteral("theme")), tr("&Theme"));
    auto* group = new QActionGroup(this);
    const std::pair<ThemeChoice, QString> choices[] = {
        {ThemeChoice::System, tr("&System")}, {ThemeChoice::Light, tr("&Light")}, {ThemeChoice::Dark, tr("&Dark")}};
    const auto current = static_cast<ThemeChoice>(QSettings().value(QStringLiteral("theme"), int(ThemeChoice::System)).toInt());
    for (const auto& [choice, text] : choices) {
        QAction* action = add(themes, text, {}, {}, [this, choice = choice] {
            QSettings().setValue(QStringLiteral("theme"), int(choice));
            m_window.setTheme(choice);
        });
        action->setCheckable(true);
        action->setChecked(choice == current);
        group->addAction(action);
    }
    menu->addSeparator();
    add(menu, tr("Zoom &in"), QKeySequence::ZoomIn, {}, [this] { m_window.heatmaps().zoom(1.5); });
    add(menu, tr("Zoom &out"), QKeySequence::ZoomOut, {}, [this] { m_window.heatmaps().zoom(1 / 1.5); });
    add(menu, tr("&Whole matrix"), QKeySequence(tr("Ctrl+0")), QStringLiteral("fit"), [this] { m_window.heatmaps().fit(); });
    menu->addSeparator();
    for (QDockWidget* dock : m_window.docks())
        menu->addAction(dock->toggleViewAction());
    menu->addSeparator();
    add(menu, tr("&Reset layout"), {}, QStringLiteral("reset"), [this] { m_window.resetLayout(); });
}

void WindowActions::fillHelp()
{
    QMenu* menu = m_window.menuBar()->addMenu(tr("&Help"));
    add(menu, tr("About &Qt"), {}, QStringLiteral("info"), [] { QApplication::aboutQt(); });
}

}  // namespace attnscope
