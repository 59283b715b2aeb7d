#include "ui/widgets/number_scale.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "ui/plot/qt_text.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::optional<double> plainNumber(const QString& text)
{
    bool ok = false;
    const double value = QLocale::c().toDouble(text, &ok);
    return ok && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<double> numberOf(QString text)
{
    text = text.trimmed().remove(QLatin1Char(' ')).remove(QChar(0x2009)).remove(QChar(0x202F)).remove(QChar(0x00A0));
    static const QString superscripts = u"\u2070\u00B9\u00B2\u00B3\u2074\u2075\u2076\u2077\u2078\u2079"_s;
    for (qsizetype i = 1; i < text.size(); ++i)
        if (const auto digit = superscripts.indexOf(text[i]); digit >= 0) {
            const QString power = QString::number(digit);
            text.replace(i, 1, text.contains(QLatin1Char('^')) ? power : QLatin1Char('^') + power);
        }
    if (const auto caret = text.indexOf(QLatin1Char('^')); caret > 0) {
        const auto base = plainNumber(text.left(caret)), power = plainNumber(text.mid(caret + 1));
        return base && power ? std::optional(std::pow(*base, *power)) : std::nullopt;
    }
    double factor = 1;
    if (text.endsWith(QLatin1Char('k'), Qt::CaseInsensitive))
        factor = 1e3;
    else if (text.endsWith(QLatin1Char('M')))
        factor = 1e6;
    else if (text.endsWith(QLatin1Char('G')))
        factor = 1e9;
    if (factor != 1)
        text.chop(1);
    const auto value = plainNumber(text);
    return value ? std::optional(*value * factor) : std::nullopt;
}

/// Of the numbers from `low` to `high` (> 0) the one of fewest digits.
double roundest(double low, double high)
{
    for (int power = static_cast<int>(std::floor(std::log10(high))); power > -300; --power) {
        const double digits = std::ceil(power < 0 ? low * std::pow(10.0, -power) : low / std::pow(10.0, power));
        const double found = power < 0 ? digits / std::pow(10.0, -power) : digits * std::pow(10.0, power);
        if (found <= high)
            return found;
    }
    return high;
}

}  // namespace

double NumberScale::toFraction(double value) const
{
    const double inside = std::clamp(value, minimum, maximum);
    if (logarithmic)
        return std::log(inside / minimum) / std::log(maximum / minimum);
    return (inside - minimum) / (maximum - minimum);
}

double NumberScale::fromFraction(double fraction) const
{
    const double value =
        logarithmic ? minimum * std::pow(maximum / minimum, fraction) : minimum + fraction * (maximum - minimum);
    return clamped(value);
}

double NumberScale::fromPixel(double fraction, int pixels) const
{
    constexpr double both = 1 + 1e-9;  // what lies between two pixels is both's
    const double half = both * 0.5 / std::max(1, pixels), low = fromFraction(fraction - half);
    const double high = fromFraction(fraction + half), plain = fromFraction(fraction);
    if (fraction <= 0 || fraction >= 1 || low >= high)
        return plain;
    if (low <= 0 && high >= 0)
        return 0;
    if (const double power = std::exp2(std::floor(std::log2(std::abs(high)))); whole && logarithmic && power >= low)
        return power;
    return clamped(low > 0 ? roundest(low, high) : -roundest(-high, -low));
}

double NumberScale::stepped(double value, int steps) const
{
    const double moved = logarithmic ? value * std::exp2(steps / 12.0) : value + steps * (maximum - minimum) / 100;
    if (!whole)
        return clamped(moved);
    const double direction = steps > 0 ? 1 : -1;
    return clamped(std::abs(moved - value) < 1 ? value + direction : std::round(moved));
}

double NumberScale::clamped(double value) const
{
    return std::clamp(whole ? std::round(value) : value, minimum, maximum);
}

QString NumberScale::write(double value) const
{
    if (whole)
        return std::abs(value) < 1e7 ? text(inThousands(std::to_string(std::llround(value))))
                                     : text(formatNumber(std::round(value)));
    return QString::fromStdString(formatNumber(value, digits));
}

std::optional<double> NumberScale::read(const QString& typed) const
{
    const auto value = numberOf(typed);
    if (!value || !std::isfinite(*value) || *value < minimum || *value > maximum)
        return std::nullopt;
    const bool isPower = typed.contains(QLatin1Char('^'));  // whose value nobody means to the last digit
    if (constexpr double near = 1e-9;
        whole && !isPower && std::abs(*value - std::round(*value)) > near * std::abs(*value))
        return std::nullopt;
    return clamped(*value);
}

QString NumberScale::expectation() const
{
    return u"%1 from %2 to %3%4"_s.arg(whole ? u"A whole number"_s : u"A number"_s, write(minimum), write(maximum),
                                       maximum >= 1000 ? u"; 4k, 1e6 and 2^12 are understood"_s : QString());
}

}  // namespace attnscope
