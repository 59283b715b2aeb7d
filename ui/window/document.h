#pragma once
// The window's document: one Scenario, its history, how the window shows it, and the file it was saved to. Controls
// change it through edit() and editLook(), views hear changed() and lookChanged(). History keeps whole states (a
// Scenario is small), so undo cannot drift from what was done; the steps of one drag share one state. Which row and
// which part of the maps are looked at is no step: undo goes past it, and keeps it. Of the look the notes and the pins
// alone are part of a state: they are work of the user's.

#include "core/analysis/scenario.h"
#include "core/document/look.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <memory>
#include <optional>

namespace attnscope {

class Document : public QObject {
    Q_OBJECT
public:
    static constexpr int historyLimit = 500;

    explicit Document(Scenario scenario = {}, QObject* parent = nullptr);

    const Scenario& scenario() const { return m_history[m_current].scenario; }

    /// Applies `change` to a copy and makes it the scenario, as one step called `name` ("Temperature"). Consecutive
    /// edits with the same name between two calls of endGesture() are one step.
    void edit(const QString& name, const std::function<void(Scenario&)>& change);
    void replace(const QString& name, Scenario next);
    /// The same, and what is edited next is another step.
    void editOnce(const QString& name, const std::function<void(Scenario&)>& change);
    void replaceOnce(const QString& name, Scenario next);
    /// The notes on charts and maps, or the pins, as a step like those of edit().
    void editNotes(const QString& name, const std::function<void(std::vector<Annotation>&)>& change);
    void editPins(const QString& name, const std::function<void(std::vector<Scenario>&)>& change);
    void endGesture() { m_gestureOpen = false; }

    /// What a session says: the scenario, and how it is shown.
    struct Content {
        Scenario scenario;
        Look look;
    };
    /// A new beginning: no history. `saved`: as it is in the file; empty: it is in none.
    void reset(Scenario scenario) { reset(scenario, {}, Content{scenario, m_look}); }
    void reset(Scenario scenario, const QString& path, std::optional<Content> saved);

    /// Another session, as one step: undo brings back the one before, with its file. `path`: its file; empty: it has
    /// none yet.
    void open(const QString& name, const Content& session, const QString& path = {});
    /// Of the session; empty: it has none yet.
    const QString& path() const { return m_history[m_current].file->path; }
    /// The session is in this file now, and all steps of it belong to that.
    void markSaved(const QString& path);
    /// As it was saved, which is a step.
    void discardChanges(const QString& name);

    const Look& look() const { return m_look; }
    /// No step of the history; notes and pins in it are those of the present step from now on.
    void setLook(const Look& look);
    void editLook(const std::function<void(Look&)>& change);

    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_history.size(); }
    QString undoName() const { return canUndo() ? m_history[m_current].name : QString(); }
    QString redoName() const { return canRedo() ? m_history[m_current + 1].name : QString(); }
    void undo();
    void redo();

    /// Is the user's work another than what markSaved() saw last: the scenario, but for the row and the part that are
    /// looked at, the notes and the pins?
    bool isModified() const;

signals:
    void changed();      ///< the scenario is another one
    void lookChanged();  ///< the same scenario is shown in another way
    void
    historyChanged();  ///< undo and redo may have become possible or impossible, or have another name; or the file has

private:
    struct File {
        QString path;
        std::optional<Content> saved;
    };
    /// Of the look what is the user's work.
    struct Marks {
        std::vector<Annotation> notes;
        std::vector<Scenario> pins;

        bool operator==(const Marks&) const = default;
    };
    struct Step {
        Scenario scenario;
        Marks marks;
        QString name;                ///< of the edit that led here
        std::shared_ptr<File> file;  ///< shared by the steps of one session
    };
    static Marks marksOf(const Look& look) { return {look.annotations, look.pins}; }
    void editMarks(const QString& name, Marks next);
    void show(const Marks& marks);
    void step(const QString& name, Scenario next, Marks marks);
    void push(Step step);
    void go(std::size_t step);
    void lookElsewhere(const View& view);

    std::deque<Step> m_history;
    std::size_t m_current = 0;
    bool m_gestureOpen = false;
    Look m_look;
};

}  // namespace attnscope
