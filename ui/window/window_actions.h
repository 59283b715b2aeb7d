#pragma once
// Menus, tool bar and shortcuts of the main window: each action's name, key, icon and what it does, in one place.

#include <QKeySequence>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QActionGroup;
class QMenu;
class QToolBar;

namespace attnscope {

class CommandPalette;
class MainWindow;
class Player;
class ShortcutsOverlay;
class ViewRecorder;

class WindowActions : public QObject {
    Q_OBJECT
public:
    explicit WindowActions(MainWindow& window);
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* add(QMenu* menu, const QString& text, const QKeySequence& key, const QString& iconName,
                 std::function<void()> run);
    void fillFile();
    void fillEdit();
    void fillView();
    void fillEngines(QMenu* menu);
    void fillHelp();
    void fillCopyData(QMenu* menu);
    void fillPins(QMenu* menu);
    void pasteScenario();
    void forgetRefusedPaste();
    void sayCopied();
    void stepTensors(int heads, int layers);
    void stepFile(int by);
    void fillPlay();
    void fillRecent(QMenu* menu);
    void fillChoices(QMenu* menu, std::function<void(QMenu*, QActionGroup*)> fill);
    QAction* addChoice(QMenu* menu, QActionGroup* group, const QString& text, bool chosen, std::function<void()> run);

    MainWindow& m_window;
    QToolBar* m_bar;
    Player* m_player;
    ViewRecorder* m_recorder;
    ShortcutsOverlay* m_shortcuts;
    CommandPalette* m_palette;
    QAction* m_undo = nullptr;
    QAction* m_redo = nullptr;
    QAction* m_pin = nullptr;
    QString m_refusedPaste;  ///< the last message that the clipboard holds no scenario
};

}  // namespace attnscope
