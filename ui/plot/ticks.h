#pragma once
// Where an axis has its ticks and what they say. Linear axes step by 1, 2 or 5; log axes by whole decades ("10³"), by
// 1-2-5 where the range is short; axes of sequence lengths by powers of two ("64 256 1 024 4 096", thin spaces; "2¹⁷"
// from 100 000 on). A letter k would be a thousand to who types it and 1 024 to who knows computers, so no axis writes
// one.

#include <QString>

#include <string>
#include <vector>

namespace attnscope {

/// Whole: of what is counted, with no tick between two whole numbers; Lengths: of tokens, which is so too.
enum class TickText { Automatic, Whole, Lengths };

struct Tick {
    double at = 0;
    QString text;
};

struct Ticks {
    bool upright = false;  ///< of an abscissa: labels read upwards
    std::vector<Tick> major;
    std::vector<double> minor;
};

/// At most about `room` labelled ticks between low and high; none where there is no range to speak of (low < high, > 0
/// if log, both within 1e300, and further apart than 1e-12 of the larger).
Ticks chooseTicks(double low, double high, bool log, TickText text, int room);

/// The least of 1, 2, 5 times a power of ten that is no less than the value, which is > 0: 0.03 -> 0.05.
double roundedUp(double value);

/// 100 -> "100", 4096 -> "4 096" with a thin space, as core's lengthInWords() has it: wherever a count is read.
QString countText(double n);
/// The same of every whole number in a sentence: "trained at 4096".
QString countsIn(const QString& sentence);
/// The same, but powers of two and of ten from 100 000 on as such: 131072 -> "2¹⁷", 1e9 -> "10⁹".
QString lengthText(double n);
/// What an axis says of a token: one of white space alone, or of nothing, has a sign in its place.
QString tokenText(const std::string& token);
/// Four digits as a person reads them: "−5.73", "1.65×10⁻⁹".
QString printed(double value);
/// The same of a number with whatever digits: "4.8e-07".
QString printed(const std::string& number);
/// Both of every number in a sentence: "2 048", "2.3×10⁻⁸".
QString numbersIn(const QString& sentence);
/// The same of every number in a sentence that is written with an exponent: "p = 2.3e-08".
QString printedIn(const QString& sentence);

/// "10³", "10⁻²"
QString powerOfTen(int exponent);

}  // namespace attnscope
