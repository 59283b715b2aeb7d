#pragma once
// Quality against length: a model under several policies, at several n, over windows of one text. Runs come in the
// order in which they tell most: the first window under every policy at every length, shortest first, before the second
// window of any. So whoever watches has all lines after one round, and their standard errors from the second on. A
// further window of a length is there once every policy has run it: at every moment the policies of one length are
// measured over the same windows. Before a long first run stand the beginnings of its windows, where no token looks
// ahead: their losses are already those of the whole window.

#include "core/model/evaluation.h"

#include <memory>
#include <string>

namespace attnscope {

struct StudyRequest {
    std::vector<std::int64_t> lengths{};
    std::vector<Policy> policies{};
    bool captured =
        false;        ///< the policies are put on the queries and keys of the published model, one run for all of them
    int windows = 4;  ///< of each length, as far apart as the text allows
    std::vector<std::int64_t> starts{};  ///< where windows begin, in ids of the text; empty: `windows` of them, spread
    std::int64_t last = 0;               ///< predictions of a window that count, as countedOf() has it
    std::int64_t beginning = 0;          ///< tokens of such a beginning; 0: none
    bool everyPrediction = true;         ///< those that do not count too: for lossByPlace
    bool strict = false;  ///< what makes a cell absent is an error, but for a method without a value at that length
    std::string engine = "auto";
    bool operator==(const StudyRequest&) const = default;
};

/// One window under one policy.
struct StudyWindow {
    std::vector<Prediction> predictions;             ///< of all n or of those that count, in order
    std::int64_t counted = 0;                        ///< of which the last so many count
    HeadValues entropies;                            ///< of the rows that count, nats
    std::vector<std::vector<HeadRoles>> roles = {};  ///< layer, head: of the same rows

    std::span<const Prediction> thatCount() const { return std::span(predictions).last(static_cast<size_t>(counted)); }
    double loss() const;  ///< mean over the predictions that count, nats
    double accuracy() const;
};

struct StudyCell {
    std::int64_t n = 0;
    size_t policy = 0;                                        ///< of the request
    std::vector<std::shared_ptr<const StudyWindow>> windows;  ///< so far, as all policies have them
    std::vector<double> logKeys = {};  ///< of each layer, once a window has run: meanLogKeys of the rows that count
    std::vector<Prediction> beginning = {};  ///< the first of the first window's, which may come before it does
    std::string absent = {};                 ///< not empty: why there are none
    std::string partly = {};                 ///< not empty: what of the policy holds for some heads alone, and why

    /// Nothing before the first window.
    std::optional<Quality> quality() const;
};

/// Cells stand lengths outermost, in the request's order.
struct StudyResult {
    std::vector<StudyCell> cells;
    int runs = 0, done = 0;
    double work = 0, worked = 0;  ///< workOf() of all runs and beginnings, and of those that are done
    bool complete() const { return done == runs; }
};

/// A mean loss over places [first, last] of the window.
struct PlaceLoss {
    std::int64_t first = 0, last = 0;
    SampleMean loss;
};
/// Predictions that a range has of all windows together, at least: the mean of fewer says little.
constexpr std::int64_t leastAskedByPlace = 40;
/// In at most `ranges` + 1 ranges of places, shorter ones first: the k-th of r ends at 8 (n/8)^(k/r), so that a log
/// axis shows them evenly, or later, where it has leastAskedByPlace. Before the first window: as far as its beginning
/// goes.
std::vector<PlaceLoss> lossByPlace(const StudyCell& cell, int ranges);

/// Likewise the mean of `cell`'s loss less `other`'s over the windows that both have: paired differences. Empty before
/// there is one, and where their n is not the same.
std::vector<PlaceLoss> differenceByPlace(const StudyCell& cell, const StudyCell& other, int ranges);

/// The mean of `cell`'s loss less `other`'s over the windows that both have, which share their text: a paired
/// difference, nats.
std::optional<SampleMean> pairedDifference(const StudyCell& cell, const StudyCell& other);

/// Mean entropies of each layer and head over the windows so far; empty before the first.
HeadValues meanEntropies(const StudyCell& cell);

/// What a head of that layer is for, over the windows so far.
HeadRoles meanRoles(const StudyCell& cell, std::size_t layer, std::size_t head);

/// Mean of ln(keys seen) over the last `counted` rows of n in that layer under the policy: what no mean entropy can
/// exceed. Errors: those of resolve.
Result<double> meanLogKeys(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n,
                           std::int64_t counted);

/// Callbacks of a study, and its stop token.
struct StudyWatch {
    std::function<void(const StudyResult&)> onResult = {};        ///< hears of every run that ended and every beginning
    std::function<void(double)> progress = {};                    ///< the fraction of all work
    std::function<Result<void>(const LayerHeads&)> observe = {};  ///< of every run, as SequenceOptions::observe
    std::stop_token stop = {};
};

/// A policy that cannot be at a length, and a text that is too short for it, make that cell absent, or are errors where
/// the request is strict. Errors: those of runWindow.
Result<StudyResult> runStudy(const Model& model, std::span<const int> ids, const StudyRequest& request,
                             const StudyWatch& watch = {});

}  // namespace attnscope
