#pragma once
// How well a model predicts a text, and how its rows of attention look while it does. A window of n tokens is the begin token
// and the text's ids from some place on (a model without a begin token: the ids alone); it makes n predictions, of which the
// last min(last, n/2) count, or all. Beside them stand the entropies of the rows that made them, under the policy in force, or
// under others put on the queries and keys of the same run ("as captured").

#include "core/model/sequence.h"
#include "core/model/prediction.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

struct Window {
    std::vector<int> inputs, targets;   ///< n each: targets[t] follows inputs[t]
};

/// The window of n tokens that begins at ids[start]. Errors: InvalidArgument, with how many ids there are.
Result<Window> windowOf(const Architecture& architecture, std::span<const int> ids, std::int64_t start, std::int64_t n);

/// At most `most` places for windows that share no token, as far apart as the text allows. Errors: InvalidArgument (a text shorter than n).
Result<std::vector<std::int64_t>> spreadWindows(const Architecture& architecture, std::span<const int> ids, std::int64_t n, int most);

/// Predictions that count of n; last = 0: all.
std::int64_t countedOf(std::int64_t n, std::int64_t last);

/// Mean entropies (nats) of the rows that count, of each layer and head.
using HeadEntropies = std::vector<std::vector<double>>;

struct WindowResult {
    std::vector<Prediction> predictions;       ///< that count, or all
    std::vector<HeadEntropies> entropies;      ///< of each picture
};

struct WindowRequest {
    Policy policy;                             ///< in force
    std::vector<Policy> pictures;              ///< whose entropies are wanted; in force: the same policy
    std::int64_t last = 0;
    bool everyPrediction = false;              ///< the predictions of all rows; entropies are of those that count
    std::string engine = "auto";
    std::function<Result<void>(const LayerHeads&)> observe;   ///< as SequenceOptions::observe
    std::function<void(double)> progress;
    std::stop_token stop;
};

/// Errors: those of resolve, Sequence::append and predict.
Result<WindowResult> runWindow(const Model& model, const Window& window, const WindowRequest& request);

/// A mean over windows with its standard error, which one window does not have.
struct MeanOfWindows {
    double mean = 0;
    std::optional<double> standardError;
};
MeanOfWindows meanOfWindows(std::span<const double> values);

/// What a table says of several windows.
struct Quality {
    double loss = 0;                           ///< mean over the windows, nats
    std::optional<double> standardError;       ///< of that mean, over the windows; nothing for one
    double accuracy = 0;
    double entropy = 0;                        ///< mean over layers, heads and rows, of one picture
};
/// What one window adds to it.
struct WindowQuality {
    double loss = 0;                                            ///< mean over the predictions that count, nats
    double accuracy = 0;                                        ///< of them
    const std::vector<std::vector<double>>* entropies = nullptr;   ///< layer, head
};
Quality qualityOf(std::span<const WindowQuality> windows);
Quality qualityOf(std::span<const WindowResult> windows, size_t picture);

}  // namespace attnscope
