#pragma once
// How a number moves along a slider, is written, and is read back. A scale maps [minimum, maximum] to [0, 1], evenly or
// evenly in log; text is read as people type it and as the axes write it: 4096, 4k, 2^12, 4 096 (typedNumber()).

#include <QString>

#include <optional>

namespace attnscope {

struct NumberScale {
    double minimum = 0, maximum = 1;
    bool logarithmic = false;
    bool whole = false;
    int digits = 4;  ///< significant, as written

    friend bool operator==(const NumberScale&, const NumberScale&) = default;

    double toFraction(double value) const;
    double fromFraction(double fraction) const;

    /// What a slider of so many pixels means by this place: of the numbers within half a pixel the one of fewest
    /// digits, of whole ones along a logarithmic scale a power of two first. So 1 is exactly 1.
    double fromPixel(double fraction, int pixels) const;

    /// One step of an arrow key: a twelfth of a doubling on a logarithmic scale, a hundredth of the range elsewhere;
    /// whole numbers move by at least 1.
    double stepped(double value, int steps) const;

    /// Rounded if whole, and inside the range.
    double clamped(double value) const;

    QString write(double value) const;
    /// Empty where the text is no number or outside the range; or none that is whole where those are asked for: 4.096
    /// may mean 4 096. The value of a power, 2^6.5, is rounded.
    std::optional<double> read(const QString& typed) const;
    /// "a whole number from 2 to 1 048 576; 4k and 2^12 are understood"
    QString expectation() const;
};

}  // namespace attnscope
