#pragma once
// Tasks that a scale can pass or fail, for any causal model, no instruction needed. Perplexity is mostly local; these
// ask for what stands far back.
//
// Repeated tokens (Elhage et al. 2021; Olsson et al. 2022): r tokens drawn at random, then the same ones again. The
// first time nothing tells them; the second time each stands where it stood r tokens before, and a model that looks
// there knows it. Of the second copy's tokens but its first: the mean loss, the share right, and beside them the loss
// of the same tokens the first time.
//
// A needle (Kamradt 2023): "The secret word of Mia is Wolf." told once at a depth of a filler text, 0 its beginning and
// 1 its end, and at the end of all "The secret word of Mia is". The probability of all tokens of the answer, and
// whether each is the likeliest after those before it, which is what greedy decoding says. With several keys the others
// are told too, with values of their own, evenly over the text.

#include "core/model/evaluation.h"
#include "core/model/probe_task.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

/// What is told, with {key} and {value} in it, and what asks for it, with {key}: the value follows.
struct NeedleWords {
    std::string told = " The secret word of {key} is {value}.", asked = " The secret word of {key} is";
    bool operator==(const NeedleWords&) const = default;
};
/// Those of the stories that the program makes, which models that come with it were trained on.
NeedleWords needleOfStories();
/// The key and its value alone, which networks of the lab recall were trained on.
NeedleWords needleOfPairs();

/// What is told and asked where nobody says it: in stories that the program makes, as these tell and ask; of networks
/// of the lab recall, pairs.
NeedleWords needleWordsFor(const Model& model, bool generatedText);

/// Whom something is told of, and what: words of which the first are one token of most models, 16 each.
std::span<const std::string_view> needleKeys();
std::span<const std::string_view> needleValues();
/// Small words, which say nothing: what stands around pairs in the lab recall.
std::span<const std::string_view> needleFillers();

inline constexpr int mostNeedleKeys = 16;
struct ProbeRequest {
    ProbeTask task = ProbeTask::Repeat;
    std::vector<std::int64_t> lengths{};
    std::vector<double> depths{0.5};  ///< of needles, 0 .. 1
    std::vector<Policy> policies{};
    int samples = 8;  ///< of each length and depth; every policy sees the same
    int keys = 1;     ///< needles told, at most mostNeedleKeys
    NeedleWords words{};
    std::uint64_t seed = 1;
    std::string engine = "auto";
    bool operator==(const ProbeRequest&) const = default;
};

/// Tokens of a filler text that is made: enough for the samples of the longest needle to share none.
std::int64_t fillerTokens(const ProbeRequest& request);

/// A window whose answers are told within it: from `answer` on, so many targets count.
struct ProbeWindow {
    Window window;
    std::int64_t answer = 0, count = 0;
    bool sharesText = false;  ///< the text is too short for samples that have no filler in common
};
/// Of n tokens: the begin token if the model has one, and a copy and its repetition, which goes on by one token where
/// they are not even. The tokens are those of repeatedTokens() (text_tokens.h), a row a sample. Errors: InvalidArgument
/// (fewer than 5 tokens, a model that is not causal).
Result<ProbeWindow> repeatedIn(const Architecture& architecture, std::int64_t n, std::uint64_t seed,
                               std::int64_t sample);
/// Of n tokens, the answer's but its last among them; filler are ids of `text` from a place on that is drawn within the
/// sample's share of it, or anywhere where shares are too short. Errors: Unavailable (no tokeniser), InvalidArgument
/// (no room, a text too short, words without {key} and {value}), those of the tokeniser.
Result<ProbeWindow> needleIn(const Model& model, std::span<const int> text, const ProbeRequest& request, std::int64_t n,
                             double depth, std::int64_t sample);

/// What one sample gives.
struct ProbeScore {
    double loss = 0;       ///< nats: of repeated tokens the mean of a token, of a needle of the whole answer
    double right = 0;      ///< of repeated tokens the share, of a needle 1 or 0
    double firstLoss = 0;  ///< of the same tokens in the first copy; NaN of needles
    double asked = 1;      ///< what `right` is a share of: the repeated tokens asked for; of a needle it alone
};
ProbeScore scoreOf(const ProbeWindow& probe, std::span<const Prediction> predictions, ProbeTask task);

struct ProbeCell {
    std::int64_t n = 0;
    double depth = 0;  ///< of needles
    std::size_t policy = 0;
    std::vector<ProbeScore> scores = {};  ///< a sample each, the same ones under every policy; empty: `absent` says why
    std::string absent = {};
    bool sharesText = false;  ///< as ProbeWindow has it: the samples are not independent
};

/// By length, then depth, then policy; `found` hears of each as it comes. A method that measures heads does so on one
/// sample more, which is not asked. Errors: Cancelled, those of the windows and
/// of runWindow, but for a method that has no value at a length.
Result<std::vector<ProbeCell>> runProbe(const Model& model, std::span<const int> text, const ProbeRequest& request,
                                        const std::function<void(double)>& progress, std::stop_token stop,
                                        const std::function<void(const ProbeCell&)>& found = {});

inline constexpr std::string_view sharesTextNote =
    "the text is too short for samples that share none of it: no errors and no p; give a longer one, or fewer samples";

/// Means over samples, with their standard errors, and how they differ from another policy's, paired by sample. Samples
/// that share text have neither errors nor p.
struct ProbeMeans {
    SampleMean loss, right, firstLoss;
    SampleMean lossChange, rightChange;             ///< minus the other's; NaN without one
    std::optional<double> lossP = {}, rightP = {};  ///< Student's paired t-test
};
ProbeMeans meansOf(const ProbeCell& cell, const ProbeCell* against);

/// Which policy another one is compared with, where they are so many methods under one position scheme after another:
/// the first method with the same positions; that one under further positions with the first of all.
std::optional<std::size_t> comparedWith(std::size_t policy, std::size_t methods);
/// Null: it is not there (yet), or without scores.
const ProbeCell* cellOf(std::span<const ProbeCell> cells, std::int64_t n, double depth, std::size_t policy);
/// What cellOf() finds of comparedWith().
const ProbeCell* referenceOf(const ProbeCell& cell, std::span<const ProbeCell> cells, std::size_t methods);
/// The cells of a length and a policy as one: each sample's means over the depths, as samples are what is independent.
/// Without scores while one of the depths is still to come.
ProbeCell overDepths(std::span<const ProbeCell> cells, const ProbeRequest& request, std::int64_t n, std::size_t policy);

}  // namespace attnscope
