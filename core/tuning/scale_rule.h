#pragma once
// How a multiplier goes on from the length where it was found to others. With m that of a row that sees n keys:
//
//   constant        m                            at every length
//   log_ratio       1 + kappa ln max(l/N, 1)     l the length of the sequence; nothing changes up to N
//   log             kappa ln l
//   row_log_ratio   1 + kappa ln max(k/N, 1)     k the keys that the row sees
//   row_log         kappa ln k
//
// At n the first three are the same, so that one search serves all of them: kappa = (m - 1) / ln(n/N), or m / ln n.

#include "core/base/choice.h"

#include <span>
#include <string>

namespace attnscope {

struct ScaleRule : Entry {
    bool byRow = false;    ///< each row has its own multiplier: another search
    bool ofRatio = false;  ///< there is none of it at n <= N
    /// kappa of m at n; m itself where there is none.
    double (*kappa)(double m, double n, double nTrain) = nullptr;
    /// m at `keys`, of kappa.
    double (*multiplier)(double kappa, double keys, double nTrain) = nullptr;
    /// The scale method that does it by row; null: a multiplier for all rows does.
    Choice (*method)(double kappa) = nullptr;
    /// Where there is no such method: m as the scale method `custom` reads it.
    std::string (*expression)(const std::string& kappa) = nullptr;
};

/// In the order shown; constant is the first.
std::span<const ScaleRule> scaleRules();

}  // namespace attnscope
