#include "ui/widgets/number_scale.h"

#include "core/base/choice.h"
#include "core/base/measured_text.h"
#include "core/base/text.h"
#include "ui/plot/qt_text.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

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
    return text(formatNumber(value, digits));
}

std::optional<double> NumberScale::read(const QString& typed) const
{
    const auto value = typedNumber(QString(typed).remove(QLatin1Char(' ')).toStdString());
    if (!value || *value < minimum || *value > maximum)
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
