#pragma once
// Long work in the status line: how far it is, how long it will take, and a button that stops it. Absent while work is
// short.

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <deque>

class QLabel;
class QProgressBar;
class QToolButton;

namespace attnscope {

class Analyser;

/// "8 s", "2 min", "3 h": rounded up.
QString durationText(double seconds);

/// How fast work went on of late, where its stages differ: over the last ten seconds, or the last tenth of a long time.
class Pace {
public:
    void begin() { m_known.clear(); }
    /// So far after so many milliseconds of work.
    void add(double fraction, qint64 milliseconds);
    /// "8 s left at this pace", after so many milliseconds; empty while nothing is known.
    QString left(qint64 milliseconds) const;

private:
    struct Known {
        double fraction;
        qint64 milliseconds;
    };
    std::deque<Known> m_known;
};

/// Of work that begins now.
class RunningPace {
public:
    RunningPace() { m_clock.start(); }
    /// "; 8 s left at this pace", to stand behind what is done; empty in the first seconds, which say nothing yet.
    QString left(double fraction);
    double seconds() const { return static_cast<double>(m_clock.elapsed()) / 1000; }

private:
    QElapsedTimer m_clock;
    Pace m_pace;
};

class ProgressLine : public QWidget {
    Q_OBJECT
public:
    explicit ProgressLine(Analyser& analyser, QWidget* parent = nullptr);
    QProgressBar* bar() const { return m_bar; }
    QToolButton* cancelButton() const { return m_cancel; }

    /// "8 s left", "2 min left", from what is done and how long it took; "3 s so far" while nothing can be said of the
    /// rest.
    static QString timeLeft(double fractionDone, qint64 milliseconds);

private:
    void refresh();

    Analyser& m_analyser;
    QTimer m_timer;
    QLabel* m_left;
    QProgressBar* m_bar;
    QToolButton* m_cancel;
};

}  // namespace attnscope
