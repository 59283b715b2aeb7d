#pragma once
// Measures of one row of attention: each is a pure function of its RowSummary. With p the row renormalised to sum 1 over
// the n keys that it sees, and logarithms natural (nats). A measure is absent (no value) where the row sees no key, or
// where no key got any weight.

#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <optional>
#include <span>
#include <string>

namespace attnscope {

struct Measure : Entry {
    std::string unit;  ///< "nats", "tokens", or empty for a pure number
    std::optional<double> (*value)(const RowSummary&, const Parameters&);
};

std::span<const Measure> measures();

/// A choice made ready. Errors: UnknownName, InvalidArgument.
struct BoundMeasure {
    const Measure* measure = nullptr;
    Choice choice;
    double order = 2;  ///< what to ask the engine for: SummaryRequest::order
    std::optional<double> operator()(const RowSummary& row) const { return measure->value(row, Parameters(*measure, choice)); }
};
Result<BoundMeasure> bindMeasure(const Choice& choice);

}  // namespace attnscope
