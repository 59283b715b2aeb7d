#pragma once
// Long work in the status line: how far it is, how long it will take, and a button that stops it. Absent while work is
// short.

#include <QTimer>
#include <QWidget>

class QLabel;
class QProgressBar;
class QToolButton;

namespace attnscope {

class Analyser;

class ProgressLine : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(Analyser& analyser, QWidget* parent = nullptr);
    QProgressBar* bar() const { return m_bar; }
    QToolButton* cancelButton() const { return m_cancel; }

private:
    void refresh();

    Analyser& m_analyser;
    QTimer m_timer;
    QLabel* m_left;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
};

}  // namespace attnscope
