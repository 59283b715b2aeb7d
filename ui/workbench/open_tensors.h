#pragma once
// What a file of tensors offers, and the scenario that looks at it: the first pair of queries and keys, all of its
// tokens, the mask and the positions that the file speaks of. Headers only; nothing here reads a tensor's values.

#include "core/analysis/scenario.h"
#include "core/tensor/head_file.h"

#include <string>
#include <vector>

namespace attnscope {

/// Tensors that can be looked at, with their sizes under the layout that is guessed.
struct TensorOffer {
    HeadCandidate candidate;
    HeadSizes sizes;
};

struct OfferedFile {
    TensorFile file;
    std::vector<TensorOffer> offers;  ///< found by name, the best first; empty: two tensors must be chosen by hand
};

/// Errors: those of openHeadSource, and DataError where no tensor of the file could be queries.
Result<OfferedFile> offersOf(const std::string& path);

/// The offer that a scenario looks at, or -1.
int offerOf(const OfferedFile& file, const TensorSelection& selection);

/// May these axes be queries, keys, logits or weights? (2 to 4 of them, none empty.)
bool canBeHeads(const TensorInfo& tensor);

/// `base` looking at one of the file's offers.
Scenario scenarioFor(Scenario base, const OfferedFile& file, std::size_t offer = 0);

/// `base` looking at these tensors; names, layout and what they hold are filled in. Of a file that is new to `base`, or
/// of tensors recorded before positions where the others were recorded after, mask and positions are those that the
/// file says, else causal and none. Errors: those of sizesOf.
Result<Scenario> scenarioFor(Scenario base, const OfferedFile& file, const TensorSelection& selection);

/// `base` with another source, its lengths brought into what that source can do.
Scenario withSource(Scenario base, const Choice& source);

}  // namespace attnscope
