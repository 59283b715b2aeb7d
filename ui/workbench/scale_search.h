#pragma once
// Find the scale (core/tuning) as a value of a key: what of a model, a text and a request was tried so far, and in the
// end the report with its words for others.

#include "core/tuning/tuning.h"
#include "core/tuning/tune_model.h"
#include "ui/workbench/known_losses.h"
#include "ui/workbench/model_values.h"
#include "ui/workbench/opened_model.h"

#include <QStringList>

namespace attnscope {

struct ScaleKey {
    std::shared_ptr<const Model> model;
    std::shared_ptr<const std::vector<int>> ids;  ///< null: the text is made, as long as the search needs
    ModelText made = ModelText::Generated;        ///< which, then
    TuneRequest request;
    TuneWindows windows;
    std::vector<FileStamp> files = {};  ///< of the model, as it was opened
    bool operator==(const ScaleKey&) const = default;
    /// What was found of a search stays when that goes on.
    bool sameInput(const ScaleKey& other) const { return *this == other; }
};

/// What a target is told (core/tuning/exports.h), or why it cannot be.
struct ScaleExport {
    QString target, label, text, error;
    QString about;  ///< where the text goes
    QStringList notes;
    bool exact = true;
    std::optional<double> loss;  ///< of what is not exact, on the verdict's windows
};

struct ScaleNews {
    std::vector<TriedSetting> tried;
    std::vector<TheoryMark> theory;
    std::shared_ptr<const TuneReport> report;  ///< null before the end
    std::vector<ScaleExport> exports;          ///< of the report
    double fraction = 0, gain = 0;     ///< how far it is; the best so far is that much below the model as it is, nats
    QString stage, left, best, error;  ///< left: as RunningPace::left()
};

/// The tokens that the search is of. Errors: those of making a text.
Result<std::vector<int>> tokensOf(const ScaleKey& key);

/// Nothing where it was stopped.
std::optional<ScaleNews> searched(const ScaleKey& key, KnownLosses& known, const std::stop_token& stop,
                                  const std::function<void(ScaleNews)>& publish);
/// The same of what is known already, without running the model: with its end where that is known, else as far as it
/// had come; nothing where it was never begun.
std::optional<ScaleNews> recalled(const ScaleKey& key, KnownLosses& known, const std::stop_token& stop);

inline constexpr const char* ownTarget = "factors";  // a file for this program's command line: nothing to copy

/// For the targets that one copies for.
std::vector<ScaleExport> exportsOf(const Model& model, const TuneProblem& problem, const TuneReport& report);

/// n where nobody chose one: what is looked at where that is beyond N, else 4 N, or what a text of so many tokens has
/// three windows of; 0 tokens: as many as are needed. No more than the model has learned positions, where it has them.
std::int64_t usualTuneLength(std::int64_t shown, std::int64_t trainLength, std::int64_t tokens,
                             std::int64_t learnedPositions = 0);

}  // namespace attnscope
