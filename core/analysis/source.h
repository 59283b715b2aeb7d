#pragma once
// Where queries and keys come from: a synthetic source, a file of tensors, or nowhere at all ("theory": expectations
// alone, at any n).

#include "core/analysis/scenario.h"
#include "core/theory/logit_density.h"

#include <optional>
#include <span>

namespace attnscope {

/// Every id that Scenario::source may have: the synthetic sources, then "tensors" and "theory".
std::span<const Entry> sourceEntries();

/// Of a source whose queries and keys are projections of tokens x: largest singular values, and the largest |x|.
struct Projections {
    double queryNorm = 0, keyNorm = 0, largestToken = 0;
};

/// All that a scenario reads from the disk: its tensors, networks of its methods, biases of its positions.
std::vector<std::string> filesOf(const Scenario& scenario);

/// The queries and keys of a scenario, and what is known about them.
struct Source {
    HeadSet heads;  ///< of the first n tokens, or more of them where this one begins longer ones; empty for "theory"
    std::int64_t needleKey = -1;
    std::optional<LogitDensity> density;  ///< that a row's logits follow (or, for files, are compared with); its needle
                                          ///< from needleKey + 1 keys on
    std::optional<Projections> projections;
    std::vector<std::string> notes;
};

/// The first `keys` keys and, of a synthetic source, the first `queries` queries; files give the queries of those
/// tokens. Errors: those of files and sources.
Result<Source> openSource(const Scenario& scenario, std::int64_t keys, std::int64_t queries);

/// From heads that have been read: their first `keys` tokens, as queriesWithin() counts the queries that belong to
/// them, or so many more that one does; a note then says so.
Source sourceOf(HeadSet heads, std::int64_t keys, const Choice& mask);

/// Is the source of n tokens, to the last bit, the beginning of the same source of more tokens? Not so for files, whose
/// mask says what a shorter sequence is; for finished logits, a matrix; nor for projections, whose largest token may
/// come later.
bool beginsLongerOnes(const Scenario& scenario);

/// Such a source with more tokens, `n`; those that it has are not made again. Errors: those of sources.
Result<Source> lengthened(const Source& source, const Scenario& scenario, std::int64_t n);

}  // namespace attnscope
