#pragma once
// The window's document: one Scenario, its history, how the window shows it, and the file it was saved to. Controls
// change it through edit() and editLook(), views hear changed() and lookChanged(). History keeps whole states (a
// Scenario is small), so undo cannot drift from what was done; the steps of one drag share one state. Of the look
// a state holds what is work of the user's: notes, pins, colours, what a model and a lab are given. Where one looks,
// and how it is shown, is no step: undo goes past it, and keeps it where what it changes can be seen from there.
//
// A lesson is a visit: the session is put aside, whole, and comes back when the visit ends.

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

    /// What the world changed, not the user, such as a file with fewer tokens: the scenario and the pins of the step
    /// that is there are what `fit` makes of them, and there is nothing to undo or to save.
    void amend(const std::function<Scenario(Scenario)>& fit);

    /// What a session says: the scenario, and how it is shown.
    struct Content {
        Scenario scenario;
        Look look;
    };
    /// The notes on charts and maps, as a step like those of edit(), or the pins, as a step of their own. Other work of
    /// the look: editLook().
    void editNotes(const QString& name, const std::function<void(std::vector<Annotation>&)>& change);
    void editPins(const QString& name, const std::function<void(std::vector<Scenario>&)>& change);
    void endGesture() { m_gestureOpen = false; }

    /// A new beginning: no history. `saved`: as it is in the file; empty: it is in none.
    void reset(Scenario scenario) { reset({scenario, m_look}, {}, Content{scenario, m_look}); }
    void reset(const Content& session, const QString& path, std::optional<Content> saved);

    /// Another session, as one step: undo brings back the one before, with its file. `path`: its file; empty: it has
    /// none yet.
    void open(const QString& name, const Content& session, const QString& path = {});
    /// The same where the file has something else: `saved`, or nothing.
    void open(const QString& name, const Content& session, const QString& path, std::optional<Content> saved);
    /// The same for what comes from elsewhere and is in no file of a session; what is here already is no step.
    void replaceSession(const QString& name, const Content& next);
    /// What a file or a model brings: a step, and no work where there was none before.
    void bring(const QString& name, const Content& what);
    /// Of the session; empty: it has none yet.
    const QString& path() const { return m_history[m_current].file->path; }
    /// The session is in this file now, and all steps of it belong to that.
    void markSaved(const QString& path) { savedMark()(path); }
    /// The same for a session that is as it is now, when it will be in its file.
    std::function<void(const QString& path)> savedMark();
    /// As it was saved, which is a step.
    void discardChanges(const QString& name);

    /// Puts the session aside and goes on with a copy that has no notes, pins, zooms and file, and whose maps are
    /// coloured and compared as at the first start; from a visit to another one what is left is that of the first.
    void visit(const QString& title);
    /// The next page of a visit: this scenario, from which undo does not lead back to the page before.
    void turnTo(Scenario next);
    /// The session is as it was left, and what was done since to models and labs is a step of it. Nothing where none
    /// was.
    void endVisit();
    bool isVisiting() const { return m_left.has_value(); }
    const QString& visited() const { return m_visited; }
    /// A visit that was saved under a name is the user's own, where what was put aside is as it was saved: it is what
    /// comes back when the program starts again.
    bool isVisitOwn() const;
    /// The session that was put aside, or the present one; and its file.
    Content own() const;
    const QString& ownPath() const;

    const Look& look() const { return m_look; }
    /// No step of the history; work in it is that of the present step from now on.
    void setLook(const Look& look);
    /// What of it is work is a step.
    void editLook(const std::function<void(Look&)>& change);

    /// Called later, it puts the history back as it is now, undo and redo too, and the scenario: after what moved it
    /// for a while, as a recording does. Work of the look stays. It is of this session: leaving() is the last moment.
    std::function<void()> returnMark();

    bool canUndo() const { return m_current > 0; }
    bool canRedo() const { return m_current + 1 < m_history.size(); }
    QString undoName() const { return canUndo() ? m_history[m_current].name : QString(); }
    QString redoName() const { return canRedo() ? m_history[m_current + 1].name : QString(); }
    void undo();
    void redo();

    /// Is the user's work another than what markSaved() saw last, wherever it is looked at from?
    bool isModified() const;
    /// The same of own().
    bool isOwnModified() const;

signals:
    void changed();      ///< the scenario is another one
    void lookChanged();  ///< the same scenario is shown in another way
    void
    historyChanged();  ///< undo and redo may have become possible or impossible, or have another name; or the file has
    void leaving();    ///< another session comes, a visit begins or ends: what moves this one for a while puts it back
    void visitEnded();
    void replacing();  ///< another session comes in place of the present one, which undo alone will bring back

private:
    struct File {
        QString path;
        std::optional<Content> saved;
    };
    using WorkPtr = std::shared_ptr<const Look>;  ///< of which what is work counts; steps that change none share it
    struct Step {
        Scenario scenario;
        WorkPtr work;
        QString name;                ///< of the edit that led here
        std::shared_ptr<File> file;  ///< shared by the steps of one session
    };
    /// From its file; what it has no file for, from what it began with.
    static bool differs(const Step& step, const Look& look);
    struct Left {
        std::deque<Step> history;
        std::size_t current = 0;
        Look look;
    };
    void editWork(const QString& name, const Look& next);
    void step(const QString& name, Scenario next, WorkPtr work);
    void push(Step step);
    void go(std::size_t step);
    void lookElsewhere(const View& view);

    std::deque<Step> m_history;
    std::size_t m_current = 0;
    bool m_gestureOpen = false;
    Look m_look;
    std::optional<Left> m_left;  ///< while a visit lasts
    QString m_visited;
};

/// The names that Look::workspace has for them.
inline const QString exploreWorkspace = QStringLiteral("explore"), modelWorkspace = QStringLiteral("model"),
                     labsWorkspace = QStringLiteral("labs"), figuresWorkspace = QStringLiteral("figures"),
                     learnWorkspace = QStringLiteral("learn");

/// Shows it.
void setWorkspace(Document& document, const QString& id);

}  // namespace attnscope
