#pragma once
// The Learn dock: the list of lessons, and one step of a lesson at a time. Going to a step sets the window.

#include <QWidget>

class QLabel;
class QListWidget;
class QPushButton;
class QStackedWidget;
class QTextBrowser;

namespace attnscope {

class Document;

class LearnView : public QWidget {
    Q_OBJECT
public:
    explicit LearnView(Document& document, QWidget* parent = nullptr);
    void openLesson(int lesson);
    /// -1: the list of lessons.
    int lesson() const { return m_lesson; }
    int step() const { return m_step; }
    void goToStep(int step);
    void showList();

private:
    QWidget* buildList();
    QWidget* buildReader();

    Document& m_document;
    QStackedWidget* m_pages;
    QListWidget* m_list;
    QLabel* m_place;
    QTextBrowser* m_text;
    QPushButton* m_back;
    QPushButton* m_next;
    int m_lesson = -1;
    int m_step = 0;
};

}  // namespace attnscope
