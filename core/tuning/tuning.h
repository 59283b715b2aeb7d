#pragma once
// Which scale for this model? A multiplier, positions, both, or a multiplier a layer or a head are fitted on some
// windows of a text, and judged on others: a TuneRequest goes in, a TuneReport comes out. Losses come from a function,
// so that the search is the same on a model (tune_model.h) and on numbers made by hand.

#include "core/model/head_values.h"
#include "core/statistics/rank_correlation.h"
#include "core/statistics/samples.h"
#include "core/tuning/loss_table.h"
#include "core/tuning/setting.h"
#include "core/tuning/tune_over.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// The schemes whose parameters can be searched: ids of positions().
std::vector<std::string> tunedSchemes();

/// The parameter that is searched of the setting's scheme, with the value that it has by itself where none is given;
/// nothing where its positions are none of tunedSchemes().
struct SchemeParameter {
    std::string scheme, parameter;
    double value = 0;
};
std::optional<SchemeParameter> schemeParameter(const Setting& setting, const TunedAt& at);

struct TuneRequest {
    std::int64_t n = 0;
    TuneOver over = TuneOver::Scale;
    /// Of scaleRules(), one of those that are the same at n; what is best of them on the fitting windows.
    std::vector<std::string> rules{"constant"};
    std::vector<std::string> schemes = {};  ///< of tunedSchemes(), searched and compared; empty: all
    double trainLength = 0;                 ///< N; 0: the model's
    bool gradients = false;                 ///< of the loss by ln m of every head, where they are not needed anyway
    double budget = 0;                      ///< seconds after which nothing new is searched; 0: as long as it takes
    bool operator==(const TuneRequest&) const = default;
};

/// Of every head, under the model as it is, on a fitting window.
struct HeadLook {
    HeadValues multipliers;                 ///< that keep its entropy of N tokens at n (entropy_measured)
    HeadValues entropyAtTrain, entropyAtN;  ///< nats
};

struct TuneProblem {
    Architecture architecture;
    std::vector<std::int64_t> fitting, verdict;  ///< where windows of n begin; no token is in two of them
    /// Of the window of that many tokens that begins there. Errors: Undefined, where the policy has no value; others
    /// end the search.
    std::function<Result<WindowLoss>(const Policy&, std::int64_t length, std::int64_t start)> loss;
    std::function<Result<HeadLook>()> heads = {};  ///< empty: nothing is known of heads
    /// The gradient of the same loss with respect to ln m of every head, by a pass back through the network; empty:
    /// there is none, and why. Errors as above, and Unavailable, where it is not for this policy.
    std::function<Result<WindowLoss>(const Policy&, std::int64_t length, std::int64_t start)> slopes = {};
    std::string withoutSlopes = {};
};

/// One that was run on all or the first few of the fitting windows.
struct TriedSetting {
    Setting setting;
    std::size_t windows = 0;
    double loss = 0;             ///< mean over them, nats; infinite: no value at n
    std::string published = {};  ///< what it is called, where it is published
    double change = 0;           ///< that less the loss of the model as it is, over the same windows
};

/// On the verdict's windows: the mean of one's loss less the other's, window by window.
struct Comparison {
    std::string what, against;  ///< "tuned", a published method, "as it is"
    std::int64_t n = 0;
    SampleMean difference;          ///< nats; below 0: `what` predicts better
    double low = 0, high = 0;       ///< its 95 % interval, Student's; NaN of one window
    std::optional<double> p, holm;  ///< paired t-test, two-sided; over all comparisons. Nothing where nothing differs
};

struct PlaceGain {
    std::int64_t first = 0, last = 0;
    SampleMean difference;  ///< tuned less as it is
};

/// What theory or a published method asks for at n.
struct TheoryMark {
    std::string method;
    double multiplier = 1;
};

struct HeadRow {
    int layer = 0, head = 0;  ///< head -1: a whole layer
    std::optional<double> gradient = {},
                          error = {};  ///< dL / d ln m where the search began, its standard error over windows
    double multiplier = 1;             ///< found
    std::optional<double> measured = {}, entropyAtTrain = {}, entropyAtN = {};
};

struct TuneReport {
    TunedAt at;
    Setting tuned;
    TriedSetting published;  ///< the best of the published ones on the fitting windows
    std::vector<TriedSetting> tried;
    std::vector<TriedSetting> surface = {};  ///< of TuneOver::Both, on few windows
    std::vector<Comparison> comparisons;
    std::vector<PlaceGain> places;
    std::vector<TheoryMark> theory;
    std::vector<HeadRow> heads;
    std::string gradientsBy = {};                                      ///< as HeadGradients::by; empty: there are none
    std::optional<RankCorrelation> gainAndMeasured, gainAndDispersal;  ///< over heads; gain: minus the gradient
    std::size_t fitting = 0, verdict = 0;                              ///< windows
    bool helps = false;        ///< something beats the model as it is, by the verdict's tests
    bool tunedIsBest = false;  ///< and it is what was tuned
    bool atEdge = false;       ///< what was tuned lies where the search ends: the optimum may lie beyond
    bool outOfTime = false;    ///< the search was not over
    /// Mean losses on the verdict's windows at n, nats: of the model as it is, and of the best of what was judged.
    double asItIsLoss = 0, bestLoss = 0;
    int vocabulary = 0;
    bool causal = true;  ///< off: of an encoder, whose hidden tokens alone count
    /// The best predicts no better than equal odds of all words, ln(vocabulary): then nothing is recommended.
    bool worseThanChance = false;
    std::string answer;  ///< one sentence
    const Setting& use() const { return tunedIsBest || !helps ? tuned : published.setting; }
};

/// Windows that such a search runs, at most about (254 of 342 over the scale of stories, 430 of 776 over positions),
/// where so many are there to fit on and to judge on. The gradients of a search over layers or heads come on top.
std::size_t windowsOfSearch(const TuneRequest& request, std::size_t fitting, std::size_t verdict);

struct TuneProgress {
    double fraction = 0;
    std::string stage;
    double best = 0, asItIs = 0;               ///< losses on the fitting windows so far, nats
    std::string setting = {};                  ///< of the best
    std::span<const TriedSetting> tried = {};  ///< so far, while it is told
};

struct TuneWatch {
    std::function<void(const TuneProgress&)> progress = {};  ///< hears of every window
    /// Hears of every window that was run, with its lossKey.
    std::function<void(const std::string& key, const WindowLoss&)> onLoss = {};
    LossTable known = {};                ///< from an earlier run of the same
    std::function<double()> clock = {};  ///< seconds; empty: a steady clock's
    std::stop_token stop = {};
};

/// Errors: InvalidArgument (a rule or scheme that cannot be here, too few windows), Cancelled, those of the losses.
Result<TuneReport> tune(const TuneProblem& problem, const TuneRequest& request, const TuneWatch& watch = {});

}  // namespace attnscope
