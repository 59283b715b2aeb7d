#pragma once
// The lesson beside the controls that it speaks of: one step at a time. Going to a step sets the window. A lesson is a
// visit of the document: one's own session comes back when it is closed. The list of lessons is lesson_list.h.

#include <QWidget>

#include <functional>
#include <utility>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace attnscope {

class Document;
struct Scenario;

class LearnView : public QWidget {
    Q_OBJECT
public:
    explicit LearnView(Document& document, QWidget* parent = nullptr);
    /// What is asked before a lesson ends or another begins: it calls what it is given once nothing would be lost.
    using Leave = std::function<void(std::function<void()> then)>;
    void leaveBy(Leave leave) { m_leave = std::move(leave); }
    void openLesson(int lesson, int step = 0);
    /// -1: none is open.
    int lesson() const { return m_lesson; }
    int step() const { return m_step; }
    int stepCount() const;
    /// Beyond the last one the lesson is closed. Nothing where none is open.
    void goToStep(int step);
    /// Closes the lesson and asks for the list.
    void showList();
    void close();
    /// Is another source looked at than the step is about? Then it says so.
    bool isStale() const;
    QPushButton* againButton() const { return m_again; }

signals:
    void listAsked();
    void begins();  ///< a lesson comes in place of what is in the window
    void closed();
    void left(const attnscope::Scenario& changed);    ///< closed, and this is what was made of it by hand
    void partsNamed(const QStringList& docks);        ///< what a step speaks of, in Explore
    void controlsNamed(const QStringList& controls);  ///< and what it asks its reader to use: "scenario: Seed"

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildReader();
    void fitText();
    void showNone();
    void showStale();
    void end();

    Document& m_document;
    Leave m_leave = [](const std::function<void()>& then) { then(); };
    QLabel* m_place;
    QTextBrowser* m_text;
    QLabel* m_try;    ///< what a step asks for, always in sight
    QLabel* m_stale;  ///< where something else is looked at than the text speaks of
    QPushButton *m_back, *m_again;
    QPushButton* m_next;
    int m_lesson = -1;
    int m_step = 0;
    bool m_isFitting = false;
};

}  // namespace attnscope
