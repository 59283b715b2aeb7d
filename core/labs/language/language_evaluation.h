#pragma once
// How a language model predicts at length n under scale methods and positions: rows of the table `quality`, over
// windows that every policy sees alike, each with paired t-tests against `vanilla` with the same positions; and what
// several networks have in common.

#include "core/labs/lab.h"
#include "core/labs/language/language_corpus.h"
#include "core/model/evaluation.h"

#include <optional>

namespace attnscope {

/// The mean loss, accuracy and entropy of one window, and its answers that were told within it.
struct PolicyScore {
    struct Answer {
        std::int64_t distance = 0;  ///< tokens since it was told
        double right = 0;           ///< as Prediction::right
    };
    double loss = 0, accuracy = 0, entropy = 0;
    std::int64_t asked = 0;
    double recalled = 0;               ///< of them
    std::vector<Answer> answers = {};  ///< of texts that say where things were told
};
using PolicyScores = std::vector<PolicyScore>;

struct LanguageTest {
    std::int64_t length = 0;          ///< n
    std::int64_t windows = 8;         ///< at most
    std::int64_t last = 128;          ///< predictions of a window that count, as core/model/evaluation.h
    std::optional<Choice> mask = {};  ///< that every policy is tested under, in place of positions (Placement)
};

/// Scores of one policy, a window each; nothing where the method has no value at this n. Errors: Cancelled, those of
/// runWindow.
Result<std::optional<PolicyScores>> scorePolicy(const Model& model, const Policy& policy, const LanguageCorpus& corpus,
                                                const LanguageTest& test, std::stop_token stop);

/// Which network a row is of.
struct NetworkLabel {
    std::int64_t seed = 1;
    Choice trained{"vanilla", {}, {}};  ///< the method in force in training
};

/// Columns of `quality` that say how it went: loss, perplexity, accuracy and entropy with their errors and paired
/// differences from the vanilla scores of the same windows, which may be null. `names`: of the answers recalled, of
/// those asked for, and of the windows.
struct ScoreNames {
    const char *recall = "recall", *asked = "asked", *windows = "windows";
};
void addScores(LabCells& cells, const std::optional<PolicyScores>& scores, const PolicyScores* vanilla,
               const ScoreNames& names = {});

/// A row; `vanilla` of the same windows may be null.
LabCells qualityCells(const NetworkLabel& network, const Model& model, const Policy& policy, const LanguageTest& test,
                      const std::optional<PolicyScores>& scores, const PolicyScores* vanilla);

/// Rows of `recall`: the answers of all windows by how far back each was told, from 1 token to 1, from 2 to 3, from 4
/// to 7, ...; none where nothing was asked.
std::vector<LabCells> recallCells(const NetworkLabel& network, const Model& model, const Policy& policy,
                                  const LanguageTest& test, const PolicyScores& scores);

/// Rows of `quality` of networks of several seeds, averaged over the seeds: a row for each task, n and policy, with
/// paired t-tests over the seeds that both have, against the network that was trained and tested with `vanilla`, with
/// the same positions (or, if there is none such, trained alike): `against` says which policy that is.
std::vector<LabCells> seedCells(const std::vector<LabRow>& quality);

}  // namespace attnscope
