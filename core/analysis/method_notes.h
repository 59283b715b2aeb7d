#pragma once
// What a reader should know about scale methods and normalisers on the rows that they meet: sentences without their
// full stop. Nothing is changed on their account.

#include "core/attention/attention_head.h"
#include "core/attention/row_summary.h"
#include "core/base/choice.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// Methods that keep the entropy of another law than that of the logits that are looked at, one of logitDensities() or,
/// where none is known, nothing. `rows` says what is looked at: "Needle (gap = 8)".
std::vector<std::string> lawNotes(std::span<const Choice> methods, const std::string& rows,
                                  const std::optional<Choice>& law);

/// Of the combination: methods that count what no row sees, methods that are solved for another kind of row, whose
/// products q.k are as in lawNotes. `keys` of the sequence; the spec and the methods must be known.
std::vector<std::string> methodNotes(const AttentionSpec& spec, std::span<const Choice> methods, std::int64_t keys,
                                     const std::string& rows, const std::optional<Choice>& law);

/// Of a method's multipliers, or those over tau: that some are negative.
std::vector<std::string> scaleNotes(const std::string& method, std::span<const double> scale);

/// Of the rows: where adaptive temperature does not act, what the weights sum to. `method` is the label of theirs.
std::vector<std::string> rowNotes(const Choice& normaliser, const std::string& method,
                                  std::span<const RowSummary> rows);

}  // namespace attnscope
