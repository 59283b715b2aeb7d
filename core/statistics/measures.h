#pragma once
// Measures of one row of attention: each is a pure function of its RowSummary. With p the row renormalised to sum 1
// over the n keys that it sees, and logarithms natural (nats). A measure is absent (no value) where the row sees no
// key, or where no key got any weight.

#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <optional>
#include <span>
#include <string>

namespace attnscope {

struct Measure : Entry {
    std::string unit;  ///< "nats", "tokens", or empty for a pure number
    std::optional<double> (*value)(const RowSummary&, const Parameters&);
    /// What to ask the engine for; null: what every summary holds will do.
    SummaryExtras (*asks)(const Parameters&) = nullptr;
    bool geometric = false;  ///< several rows have the geometric mean of theirs
};

std::span<const Measure> measures();

/// Shannon's entropy, which scales are made for: approximations and bounds are known of it.
bool isShannon(const Choice& measure);

/// How many keys a row of this entropy attends to, as if evenly: e^H. Of several rows it is of their mean entropy, the
/// geometric mean of theirs: so it is one number with the H that stands beside it, and few flat rows do not make it.
double effectiveKeys(double entropy);

/// A choice made ready. Errors: UnknownName, InvalidArgument.
struct BoundMeasure {
    const Measure* measure = nullptr;
    Choice choice;
    SummaryExtras extras;  ///< what to ask the engine for
    std::optional<double> operator()(const RowSummary& row) const
    {
        return measure->value(row, Parameters(*measure, choice));
    }
};
Result<BoundMeasure> bindMeasure(const Choice& choice);

/// What to ask the engine for so that all of them have their values. Errors: InvalidArgument, where they ask for
/// different orders or windows.
Result<SummaryExtras> extrasOf(std::span<const BoundMeasure> measures);

}  // namespace attnscope
