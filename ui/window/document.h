#pragma once
// The window's document: one Scenario, its history, and how the window shows it. Controls change it through edit() and
// editLook(), views hear changed() and lookChanged(). History keeps whole states (a Scenario is small), so undo can't drift from what was done; the steps of
// one drag share one state.

#include "core/analysis/scenario.h"
#include "core/document/look.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>

namespace attnscope {

class Document : public QObject {
    Q_OBJECT
public:
    static constexpr int historyLimit = 500;

    explicit Document(Scenario scenario = {}, QObject* parent = nullptr);

    const Scenario& scenario() const { return m_history[m_current].scenario; }

    /// Applies `change` to a copy and makes it the scenario, as one step called `name` ("Temperature"). Consecutive edits with
    /// the same name between two calls of endGesture() are one step.
    void edit(const QString& name, const std::function<void(Scenario&)>& change);
    void replace(const QString& name, Scenario next);
    void endGesture() { m_gestureOpen = false; }

    /// A new beginning: no history.
    void reset(Scenario scenario);

    const Look& look() const { return m_look; }
    /// No step of the history.
    void setLook(const Look& look);
    void editLook(const std::function<void(Look&)>& change);

    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_history.size(); }
    QString undoName() const { return canUndo() ? m_history[m_current].name : QString(); }
    QString redoName() const { return canRedo() ? m_history[m_current + 1].name : QString(); }
    void undo();
    void redo();

    /// Differs from what markSaved() saw last.
    bool isModified() const { return scenario() != m_saved; }
    void markSaved() { m_saved = scenario(); }

signals:
    void changed();         ///< the scenario is another one
    void lookChanged();     ///< the same scenario is shown in another way
    void historyChanged();  ///< undo and redo may have become possible or impossible, or have another name

private:
    struct Step {
        Scenario scenario;
        QString name;  ///< of the edit that led here
    };
    void go(std::size_t step);

    std::deque<Step> m_history;
    std::size_t m_current = 0;
    bool m_gestureOpen = false;
    Look m_look;
    Scenario m_saved;
};

}  // namespace attnscope
