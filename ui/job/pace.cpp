#include "ui/job/pace.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

using namespace Qt::StringLiterals;

static QString leftText(double seconds) { return u"%1 left"_s.arg(durationText(seconds)); }

QString durationText(double seconds)
{
    constexpr double minute = 60, hour = 60 * minute;
    if (seconds < 100)
        return u"%1 s"_s.arg(std::ceil(seconds));
    return seconds < 100 * minute ? u"%1 min"_s.arg(std::ceil(seconds / minute))
                                  : u"%1 h"_s.arg(std::ceil(seconds / hour));
}

QString timeLeft(double done, qint64 milliseconds)
{
    constexpr double enoughDone = 0.02;  // to say how long the rest takes; of long work less is
    constexpr double littleDone = 0.002;
    constexpr qint64 longMilliseconds = 4000;
    if (milliseconds <= 0)
        return {};
    if (!(done > (milliseconds > longMilliseconds ? littleDone : enoughDone)))
        return u"%1 s so far"_s.arg(milliseconds / 1000);
    return leftText(std::ceil(double(milliseconds) / 1000 * (1 - done) / done));
}

void Pace::add(double fraction, qint64 milliseconds)
{
    constexpr qint64 least = 10000;
    m_known.push_back({fraction, milliseconds});
    const qint64 early = milliseconds - std::max(least, milliseconds / 10);
    while (m_known.size() > 2 && m_known[1].milliseconds <= early)
        m_known.pop_front();
}

QString Pace::left(qint64 milliseconds, double end) const
{
    constexpr double littleDone = 0.0005;  // of what is left
    if (m_known.empty() || m_known.back().fraction >= end)
        return {};
    const double done = m_known.back().fraction - m_known.front().fraction, rest = end - m_known.back().fraction;
    const qint64 took = milliseconds - m_known.front().milliseconds;
    if (!(done > littleDone * rest) || took <= 0)
        return timeLeft(0, milliseconds);
    const double seconds = std::ceil(static_cast<double>(took) / 1000 * rest / done);
    return u"%1 at this pace"_s.arg(leftText(seconds));
}

QString RunningPace::left(double fraction)
{
    constexpr qint64 early = 2000;
    const qint64 milliseconds = m_clock.elapsed();
    m_pace.add(fraction, milliseconds);
    const QString left = milliseconds < early ? QString() : m_pace.left(milliseconds);
    return left.isEmpty() ? left : u"; "_s + left;
}

bool RunningPace::hasNews()
{
    constexpr qint64 betweenNews = 50;  // milliseconds
    if (m_sinceNews.isValid() && m_sinceNews.elapsed() < betweenNews)
        return false;
    m_sinceNews.start();
    return true;
}

}  // namespace attnscope
