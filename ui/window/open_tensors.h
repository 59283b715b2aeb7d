#pragma once
// What a file of tensors offers, and the scenario that looks at it: the first pair of queries and keys, all of its tokens,
// the mask and the positions that the file speaks of.

#include "core/analysis/scenario.h"
#include "core/tensor/head_file.h"

#include <string>
#include <vector>

namespace attnscope {

/// Tensors that can be looked at, with their sizes under the layout that is guessed.
struct TensorOffer {
    HeadCandidate candidate;
    std::int64_t heads = 1, tokens = 0;  ///< query heads; keys
    int headSize = 0;
};

struct OfferedFile {
    std::vector<TensorOffer> offers;     ///< at least one
    HeadFacts facts;
};

/// Reads headers only. Errors: those of openHeadFile, and DataError where nothing in the file looks like queries and keys.
Result<OfferedFile> offersOf(const std::string& path);

/// `base` looking at one of the file's offers.
Scenario scenarioFor(Scenario base, const std::string& path, const OfferedFile& file, std::size_t offer = 0);

/// `base` with another source, its lengths brought into what that source can do.
Scenario withSource(Scenario base, const Choice& source);

}  // namespace attnscope
