#pragma once
// Where an axis has its ticks and what they say. Linear axes step by 1, 2 or 5; log axes by whole decades ("10³"), by
// 1-2-5 where the range is short; axes of sequence lengths by powers of two ("64 256 1k 4k").

#include <QString>

#include <vector>

namespace attnscope {

enum class TickText { Automatic, Lengths };

struct Tick {
    double at = 0;
    QString text;
};

struct Ticks {
    std::vector<Tick> major;
    std::vector<double> minor;
};

/// At most about `room` labelled ticks between low and high; none where there is no range to speak of (low < high, > 0 if log,
/// both within 1e300, and further apart than 1e-12 of the larger).
Ticks chooseTicks(double low, double high, bool log, TickText text, int room);

/// 1024 -> "1k", 131072 -> "128k", 100 -> "100", 1e9 -> "10⁹".
QString lengthText(double n);
/// "10³", "10⁻²"
QString powerOfTen(int exponent);

}  // namespace attnscope
