#pragma once
// What a file of tensors offers, and the scenario that looks at it: the first pair of queries and keys, all of its
// tokens, the mask and the positions that the file speaks of. Headers only; nothing here reads a tensor's values.

#include "core/analysis/scenario.h"
#include "core/base/file_stamp.h"
#include "core/tensor/head_file.h"
#include "core/tensor/numbered_files.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
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
    std::vector<FileStamp> asRead;    ///< stampsOfTensors() before it was read
    std::vector<NumberedFile> run;    ///< the files of its run, it among them; empty: there is no other
};

/// Of a file of tensors and what is read beside it; empty where it is not there, or comes with the program.
std::vector<FileStamp> stampsOfTensors(const std::string& path);

/// Errors: those of openHeadSource, and DataError where no tensor of the file could be queries.
Result<OfferedFile> offersOf(const std::string& path);

/// A candidate's label as one reads it: "layer0, before RoPE" of the file's names is "layer 0, before RoPE".
QString labelInWords(const std::string& label);

/// Its place in its run; -1: it is of none.
int placeInRun(const OfferedFile& file);

/// `now` looking at the same head of another file of the run: the next but `by`, as far as there is one.
Scenario inRun(Scenario now, const OfferedFile& file, int by);

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

/// `now` after its file was written again: as it was, but within the tokens and heads that there are; with all tokens
/// where it looked at all of them before; with the nearest layer where there are fewer.
Scenario refitted(Scenario now, const OfferedFile& before, const OfferedFile& after);

/// Where methods can be told apart, seen from where n is not beyond N: n = 2 N, as far as a file has tokens (0: there
/// is no file); where it goes no further than N, N = half of them. Nothing where n is beyond N.
struct BeyondTrained {
    std::int64_t n = 0;
    double nTrain = 0;
};
std::optional<BeyondTrained> beyondTrained(const Scenario& now, std::int64_t tokens);
/// "Try n = 1 024", and what it is good for.
std::pair<QString, QString> offerOf(const BeyondTrained& beyond, const Scenario& now);

/// Does it look at a file that is not there? Not of what comes with the program.
bool isFileMissing(const Scenario& scenario);

/// `base` with another source, its lengths brought into what that source can do.
Scenario withSource(Scenario base, const Choice& source);

}  // namespace attnscope
