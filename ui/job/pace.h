#pragma once
// How long work takes: what is left of it, in words, from how fast it went so far.

#include <QElapsedTimer>
#include <QString>

#include <deque>

namespace attnscope {

/// "8 s", "2 min", "3 h": rounded up.
QString durationText(double seconds);

/// "8 s left", "2 min left", from what is done and how long it took; "3 s so far" while nothing can be said of the
/// rest.
QString timeLeft(double fractionDone, qint64 milliseconds);

/// How fast work went on of late, where its stages differ: over the last ten seconds, or the last tenth of a long time.
class Pace {
public:
    void begin() { m_known.clear(); }
    /// So far after so many milliseconds of work.
    void add(double fraction, qint64 milliseconds);
    /// "8 s left at this pace", after so many milliseconds; empty while nothing is known. `end`: the fraction at which
    /// what goes at this pace is done.
    QString left(qint64 milliseconds, double end = 1) const;

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
    /// True at the beginning and then every 50 ms at most: a step of the work may take less than a frame.
    bool hasNews();

private:
    QElapsedTimer m_clock, m_sinceNews;
    Pace m_pace;
};

}  // namespace attnscope
