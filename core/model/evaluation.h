#pragma once
// How well a model predicts a text, and how its rows of attention look while it does. A window of n tokens is the begin
// token and the text's ids from some place on (a model without a begin token: the ids alone); it makes n predictions,
// of which the last min(last, n/2) count, or all. Beside them stand the entropies of the rows that made them, under the
// policy in force, or under others put on the queries and keys of the same run ("as captured").
//
// A model with a mask token (Devlin et al. 2019) sees the ids of its window with some of them hidden, and finds those:
// they are what counts, wherever they stand. Which are hidden depends on the place in the text alone, so that windows
// of all lengths agree.

#include "core/model/head_values.h"
#include "core/model/prediction.h"
#include "core/model/sequence.h"
#include "core/rows/head_role.h"
#include "core/statistics/samples.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct Window {
    std::vector<int> inputs, targets;  ///< n each: targets[t] follows inputs[t]; of a masked model, what is hidden at
                                       ///< t; -1: nothing is asked
    std::vector<std::int64_t> places = {};  ///< positions of the inputs; empty: 0, 1, ...
};

/// Is the token at this place of a text hidden from a masked model, with that probability? A function of the seed and
/// the place.
bool isHidden(std::uint64_t seed, std::int64_t place, double share);
constexpr double hiddenShare = 0.15;  ///< in windows

/// The place in the text of what place 0 of a window that begins at `start` is asked for: the same token, which is
/// hidden there or follows the begin token; else the next one. What place t is asked for stands t further on.
std::int64_t firstTarget(const Architecture& architecture, std::int64_t start);

/// The window of n tokens that begins at ids[start]. Errors: InvalidArgument, with how many ids there are.
Result<Window> windowOf(const Architecture& architecture, std::span<const int> ids, std::int64_t start, std::int64_t n);

/// At most `most` places for windows that share no token, as far apart as the text allows. Errors: InvalidArgument (a
/// text shorter than n).
Result<std::vector<std::int64_t>> spreadWindows(const Architecture& architecture, std::span<const int> ids,
                                                std::int64_t n, int most);

/// Predictions that count of n; last = 0: all. Of a masked model all rows do, and among them those that have a target.
std::int64_t countedOf(const Architecture& architecture, std::int64_t n, std::int64_t last);

struct WindowResult {
    std::vector<Prediction> predictions;  ///< that count, or all
    std::vector<HeadValues> entropies;    ///< of each picture: means over the rows that count, nats
    std::vector<std::vector<std::vector<HeadRoles>>> roles =
        {};  ///< of each picture, layer, head: of the same rows, where they were asked for
};

struct WindowRequest {
    Policy policy = {};                 ///< in force
    std::vector<Policy> pictures = {};  ///< whose entropies are wanted; in force: the same policy
    std::int64_t last = 0;
    bool everyPrediction = false;  ///< the predictions of all rows; entropies are of those that count
    std::int64_t length = 0;       ///< n, where the window is only its first tokens; 0: the window is whole
    std::string engine = "auto";
    std::function<Result<void>(const LayerHeads&)> observe = {};  ///< as SequenceOptions::observe
    std::function<void(double)> progress = {};
    std::stop_token stop = {};
    bool roles = false;  ///< WindowResult::roles too
};

/// Multiplications of a pass over n tokens, about: each matrix once a token, each query with the keys before it. To
/// say how far work on several lengths is, and how long its rest takes.
double workOf(const Model& model, std::int64_t n);

/// Errors: those of resolve, Sequence::append and predict.
Result<WindowResult> runWindow(const Model& model, const Window& window, const WindowRequest& request);

/// The mean over those that were asked for; the accuracy of a model that tells nothing apart is chance's, 1/vocabulary.
struct MeanPrediction {
    double loss = 0, accuracy = 0;  ///< NaN where nothing was asked
    std::int64_t asked = 0;
};
MeanPrediction meanOf(std::span<const Prediction> predictions);

/// A loss of ln(vocabulary) or more: what then predicts best, predicts nothing.
bool predictsWorseThanChance(double leastLoss, int vocabulary);
/// "worse than chance (loss 7.1 nats, 6.9 with the best that was tried, equal odds of its 512 tokens are 6.24)".
std::string worseThanChance(double loss, double leastLoss, int vocabulary);

/// What a table says of several windows.
struct Quality {
    double loss = 0;                      ///< mean over the windows, nats
    std::optional<double> standardError;  ///< of that mean, over the windows; nothing for one
    double accuracy = 0;
    double entropy = 0;  ///< mean over layers, heads and rows, of one picture
};
/// What one window adds to it.
struct WindowQuality {
    double loss = 0;                                              ///< mean over the predictions that count, nats
    double accuracy = 0;                                          ///< of them
    const std::vector<std::vector<double>>* entropies = nullptr;  ///< layer, head; null: of no interest
};
Quality qualityOf(std::span<const WindowQuality> windows);
Quality qualityOf(std::span<const WindowResult> windows, size_t picture);

}  // namespace attnscope
