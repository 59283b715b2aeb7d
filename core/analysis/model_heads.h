#pragma once
// The heads of a model's run in the values that heads of a scenario have: an Analysis of one of them to draw, and
// numbers of all.

#include "core/analysis/analysis.h"
#include "core/analysis/head_numbers.h"
#include "core/model/captured_heads.h"
#include "core/model/study.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct ModelHeadView {
    Choice method;                         ///< of the policy that was put on the head
    std::vector<std::string> tokens = {};  ///< a label a key, or empty
    Region region = {};                    ///< of the map; without rows: all of it
    int pixels = 512;                      ///< at most so many cells a side
    std::string engine = "auto";
};

/// Its rows and the map, under that one method. Errors: Cancelled, UnknownName.
Result<Analysis> analyseModelHead(const PreparedHead& head, ModelHeadView view, const std::stop_token& stop);

/// [layer][head], of one policy at n: entropy, share and roles as means over the windows so far, the slope over the
/// lengths so far, without keepsEntropy. Cells of another shape than the architecture's say nothing.
std::vector<std::vector<HeadNumbers>> headNumbers(const Architecture& architecture, const StudyResult& study,
                                                  std::int64_t n, std::size_t policy);

/// What they are means over: "last 128 rows of 4 windows". Empty before the first.
std::string headRowsInWords(const StudyCell& cell);

/// HeadNumbers::keepsEntropy of the heads of a layer that was kept, on rowsToSolveOn(n) rows each: the m beside the
/// model's own factors on its logits. Errors: Cancelled, UnknownName, those of prepareCaptured.
Result<std::vector<std::optional<double>>> keepsEntropy(const CapturedHeads& captured, int layer, double nTrain,
                                                        const std::string& engine, const std::stop_token& stop);

}  // namespace attnscope
