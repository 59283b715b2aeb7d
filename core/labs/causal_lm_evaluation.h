#pragma once
// How a causal language model predicts at length n under scale methods and positions: rows of the table `quality`, over windows that
// every policy sees alike, each with a paired t-test against `vanilla` with the same positions.

#include "core/labs/lab.h"
#include "core/labs/language_corpus.h"
#include "core/model/evaluation.h"

#include <optional>

namespace attnscope {

/// What the lab's text asks for: "vanilla; infoscale:row=1 | rope; yarn_rope | FILE", methods, positions and a corpus; the last two
/// may be absent: the model's own positions, the generated text.
struct CausalLmText {
    std::vector<Choice> methods, positions;
    std::string file;
};
Result<CausalLmText> parseCausalLmText(const std::string& text);

/// The mean loss and entropy of one window, and its answers that were told within it.
struct PolicyScore {
    double loss = 0, accuracy = 0, entropy = 0;
    std::int64_t asked = 0, recalled = 0;
};

struct CausalLmTest {
    std::int64_t length = 0;         ///< n
    std::int64_t windows = 8;        ///< at most
    std::int64_t last = 128;         ///< predictions of a window that count, as core/model/evaluation.h
};

/// Scores of one policy, a window each; nothing where the method has no value at this n. Errors: Cancelled, those of runWindow.
Result<std::optional<std::vector<PolicyScore>>> scorePolicy(const Model& model, const Policy& policy, const LanguageCorpus& corpus, const CausalLmTest& test, std::stop_token stop);

/// A row; `vanilla` of the same windows may be null.
LabCells qualityCells(std::int64_t seed, const Model& model, const Policy& policy, const CausalLmTest& test, const std::optional<std::vector<PolicyScore>>& scores,
                      const std::vector<PolicyScore>* vanilla);

}  // namespace attnscope
