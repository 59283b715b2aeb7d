#include "ui/plot/ticks.h"

#include "core/base/measured_text.h"
#include "ui/plot/qt_text.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cmath>

namespace attnscope {

namespace {

constexpr double slack = 1e-9;     // a tick on the very end of the range counts
constexpr double largest = 1e300;  // beyond it the decade above is no number
constexpr double narrowest =
    1e-12;  // of the larger end: ticks must be numbers that differ, and the next one above the last

QString superscript(int number)
{
    static const QString digits = u"⁰¹²³⁴⁵⁶⁷⁸⁹"_s;
    QString text = number < 0 ? u"⁻"_s : QString();
    for (QChar digit : QString::number(std::abs(number)))
        text += digits[digit.digitValue()];
    return text;
}

QString withMinus(QString text) { return text.replace(QLatin1Char('-'), u"−"_s); }

Ticks linearTicks(double low, double high, int room, double leastStep = 0)
{
    const double span = high - low, raw = span / std::max(1, room);
    const double step = std::max(leastStep, roundedUp(raw));
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + slack)));
    Ticks ticks;
    for (double k = std::ceil(low / step - slack); k * step <= high + span * slack; ++k) {
        const double at = k == 0 ? 0 : k * step;
        const bool large = std::abs(at) >= (decimals == 0 ? 1e6 : 1e5) || (at != 0 && std::abs(step) < 1e-4);
        // as many digits as tell it from its neighbours
        const auto decadeOf = [](double value) { return static_cast<int>(std::floor(std::log10(value) + slack)); };
        const int digits = at == 0 ? 1 : decadeOf(std::abs(at)) - decadeOf(step) + 1;
        ticks.major.push_back(
            {at, large ? printed(formatNumber(at, std::clamp(digits, 1, 15)))
                       : withMinus(decimals == 0 ? countText(at) : QString::number(at, 'f', decimals))});
    }
    return ticks;
}

QString inDecade(double mantissa, int e)
{
    return e < -3 || e > 4 ? (mantissa == 1 ? powerOfTen(e) : u"%1×%2"_s.arg(mantissa).arg(powerOfTen(e)))
                           : countText(mantissa * std::pow(10.0, e));
}

/// All of these of each decade that are in the range.
std::vector<Tick> ticksAt(const std::vector<double>& mantissas, double low, double high)
{
    std::vector<Tick> all;
    for (int e = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, e) <= high * (1 + slack); ++e)
        for (const double m : mantissas)
            if (const double at = m * std::pow(10.0, e); at >= low * (1 - slack) && at <= high * (1 + slack))
                all.push_back({at, inDecade(m, e)});
    return all;
}

/// Marks within each decade, for log ranges shorter than about two decades: the closest that there is room for. Each
/// end has a label near it, be it of a finer choice: there data are, too.
Ticks shortLogTicks(double low, double high, int room)
{
    static const std::array<std::vector<double>, 4> choices{
        {{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8}, {1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 5}, {1}}};
    const double spacing = std::log(high / low) / std::max(3, room);
    constexpr double closest = 0.55, ofAnEnd = 0.75;  // of it: a line each
    Ticks ticks;
    for (const auto& mantissas : choices) {
        if (&mantissas == choices.data() && high > 4.5 * low)
            continue;  // whole ones are enough
        ticks.major = ticksAt(mantissas, low, high);
        const bool apart = std::ranges::adjacent_find(ticks.major, [&](const Tick& one, const Tick& next) {
                               return std::log(next.at / one.at) < closest * spacing;
                           }) == ticks.major.end();
        if (apart && static_cast<int>(ticks.major.size()) <= std::max(3, room))
            break;
    }
    const std::vector<Tick> finest = ticksAt(choices.front(), low, high);
    if (!finest.empty() && !ticks.major.empty()) {
        if (std::log(ticks.major.front().at / finest.front().at) > ofAnEnd * spacing)
            ticks.major.insert(ticks.major.begin(), finest.front());
        if (std::log(finest.back().at / ticks.major.back().at) > ofAnEnd * spacing)
            ticks.major.push_back(finest.back());
    }
    for (const Tick& mark : ticksAt(choices[1], low, high))
        ticks.minor.push_back(mark.at);
    return ticks.major.size() < 2 ? linearTicks(low, high, room) : ticks;
}

Ticks decadeTicks(double low, double high, int room)
{
    const int first = static_cast<int>(std::ceil(std::log10(low) - slack)),
              last = static_cast<int>(std::floor(std::log10(high) + slack));
    int step = 1;
    while ((last - first) / step + 1 > std::max(2, room))
        ++step;
    constexpr int enough = 3;
    const auto quarter = static_cast<int>(0.25 * std::log10(high / low));
    const int lowest = static_cast<int>(std::ceil(double(first) / step)) * step;
    // from the least decade on, where its multiples were few or left the lower end bare: data are there, too
    const int from = lowest - first > quarter || (last - lowest) / step + 1 < enough ? first : lowest;
    Ticks ticks;
    for (int e = first; e <= last; ++e) {
        if ((e - from) % step == 0)
            ticks.major.push_back({std::pow(10.0, e), powerOfTen(e)});
        else
            ticks.minor.push_back(std::pow(10.0, e));
    }
    const int decades = last - first + 1;
    const bool bare = std::pow(10.0, first) > low * std::pow(high / low, 0.25);
    if (step == 1 && room >= enough && (decades < enough || (bare && room >= 2 * decades)))  // two decades and a bit
        for (int e = first - 1; e <= last; ++e)
            if (const double at = 3 * std::pow(10.0, e); at >= low * (1 - slack) && at <= high * (1 + slack))
                ticks.major.push_back({at, e == 0 || e == 1 ? QString::number(at) : u"3\u00D7"_s + powerOfTen(e)});
    std::ranges::sort(ticks.major, {}, &Tick::at);
    if (last - first <= 5)
        for (int e = first - 1; e <= last; ++e)
            for (int m = 2; m < 10; ++m)
                if (const double at = m * std::pow(10.0, e); at >= low * (1 - slack) && at <= high * (1 + slack))
                    ticks.minor.push_back(at);
    return ticks;
}

Ticks lengthTicks(double low, double high, int room)
{
    const int first = static_cast<int>(std::ceil(std::log2(low) - slack)),
              last = static_cast<int>(std::floor(std::log2(high) + slack));
    int step = 1;
    while ((last - first) / step + 1 > std::max(2, room))
        step = step < 4 ? step + 1 : step + 2;
    Ticks ticks;
    for (int e = first; e <= last; ++e)
        if (e % step == 0)
            ticks.major.push_back({std::exp2(e), lengthText(std::exp2(e))});
        else
            ticks.minor.push_back(std::exp2(e));
    return ticks;
}

}  // namespace

QString printed(double value) { return printed(inThousands(formatNumber(value, 4))); }

QString number(double value) { return printed(value); }

QString printed(const std::string& number)
{
    QString text = QString::fromStdString(number);
    if (const qsizetype e = text.indexOf(u'e'); e >= 0)
        text = text.first(e) + u"\u00D710"_s + superscript(text.sliced(e + 1).toInt());
    return text.replace(QLatin1Char('-'), QChar(0x2212));
}

QString printedIn(const QString& sentence)
{
    static const QRegularExpression number(u"(?<![\\w.])-?\\d+(\\.\\d+)?e[+-]?\\d+(?!\\w)"_s);
    QString out;
    qsizetype end = 0;
    for (auto found = number.globalMatch(sentence); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        out += sentence.sliced(end, match.capturedStart() - end) + printed(match.captured().toStdString());
        end = match.capturedEnd();
    }
    return out + sentence.sliced(end);
}

QString numbersIn(const QString& sentence) { return countsIn(printedIn(sentence)); }

QString tokenText(const std::string& token)
{
    const QString text = QString::fromStdString(token);
    if (!text.trimmed().isEmpty())
        return text;
    return text.contains(QLatin1Char('\n')) ? u"\u21B5"_s : u"\u00B7"_s;
}

QString powerOfTen(int exponent)
{
    return exponent == 0 ? u"1"_s : exponent == 1 ? u"10"_s : u"10"_s + superscript(exponent);
}

QString countText(double n) { return text(lengthInWords(n)); }

QString countsIn(const QString& sentence)
{
    static const QRegularExpression count(u"(?<![\\w.,-])\\d{4,15}(?!\\w|\\.\\d)"_s);
    QString out = sentence;
    for (auto found = count.match(out); found.hasMatch(); found = count.match(out, found.capturedEnd()))
        out.replace(found.capturedStart(), found.capturedLength(), countText(found.captured().toDouble()));
    return out;
}

QString lengthText(double n)
{
    if (n >= 1e5)
        for (const auto& [base, exponent] : {std::pair{2, std::log2(n)}, {10, std::log10(n)}})
            if (std::abs(exponent - std::round(exponent)) < 1e-9)
                return QString::number(base) + superscript(static_cast<int>(std::round(exponent)));
    return countText(n);
}

double roundedUp(double value)
{
    constexpr double roundOff = 1e-6;  // of a float
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (decade * factor >= value * (1 - roundOff))
            return decade * factor;
    return decade * 10;
}

Ticks chooseTicks(double low, double high, bool log, TickText text, int room)
{
    const double size = std::max(std::abs(low), std::abs(high));
    if (!(low < high) || !(size >= 1 / largest && size <= largest) || !(high - low > narrowest * size) ||
        (log && !(low >= 1 / largest)))
        return {};
    const double leastStep = text == TickText::Automatic ? 0 : 1;
    if (!log)
        return linearTicks(low, high, room, leastStep);
    const double decades = std::log10(high / low);
    if (text == TickText::Lengths && decades < 7 && high / low >= 4)
        return lengthTicks(low, high, room);
    Ticks ticks = decades < 2.2 ? shortLogTicks(low, high, room) : decadeTicks(low, high, room);
    if (text == TickText::Automatic)
        return ticks;
    const auto isBroken = [](double at) { return std::abs(at - std::round(at)) > slack; };
    std::erase_if(ticks.major, [&](const Tick& tick) { return isBroken(tick.at); });
    std::erase_if(ticks.minor, isBroken);
    return ticks.major.size() < 2 ? linearTicks(low, high, room, leastStep) : ticks;
}

}  // namespace attnscope
