#pragma once
// The lesson beside the controls that it speaks of: one step at a time. Going to a step sets the window. The list of
// lessons is lesson_list.h.

#include <QWidget>

class QLabel;
class QPushButton;
class QTextBrowser;

namespace attnscope {

class Document;

class LearnView : public QWidget {
    Q_OBJECT
public:
    explicit LearnView(Document& document, QWidget* parent = nullptr);
    void openLesson(int lesson);
    /// -1: none is open.
    int lesson() const { return m_lesson; }
    int step() const { return m_step; }
    int stepCount() const;
    void goToStep(int step);
    /// Closes the lesson.
    void showList();

signals:
    void listAsked();
    void turned(bool on);                       ///< a lesson begins, or it is closed
    void partsNamed(const QStringList& docks);  ///< what a step speaks of, in Explore

private:
    void buildReader();

    Document& m_document;
    QLabel* m_place;
    QTextBrowser* m_text;
    QPushButton* m_back;
    QPushButton* m_next;
    int m_lesson = -1;
    int m_step = 0;
};

}  // namespace attnscope
