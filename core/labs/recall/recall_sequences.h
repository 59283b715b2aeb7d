#pragma once
// Multi-query associative recall (Arora et al. 2023, arXiv 2312.04927): D pairs of a key and its value, then fillers,
// among which every key comes once more; there its value is asked for.
//
//     k3 v7 k1 v2 ... | f f k1 f f f f k3 f ...
//                             ^ v2?     ^ v7?
//
// Where they are scattered, the pairs stand anywhere too, each before its key is asked for: needles in fillers.
//
//     f f k3 v7 f k1 v2 f f k1 f k3 ...
//
// Or a sequence is copied: words drawn at random, then the same ones again, each of which asks for the next.
//
//     w5 w2 w9 w7 w5 w2 w9 w7
//                 ^w2?  ^w7?
//
// In tests the first half is copied; in training fewer words are, again and again, since a network that always finds
// half of the sequence back looks so many places back, and not for the word.
//
// Keys of a sequence are distinct, values are not, and which value a key has is drawn anew in every sequence, so that
// it can be known only by finding the one place where it was told. Only the fillers grow with the sequence: what is to
// be found stays the same, and what it is to be found among is ever more.
//
// What helps a network to begin (it is not in tests): the longest sequences grow from 16 tokens to N, and meanwhile
// each value asks for the key before it, since a head that looks one token back is half of what finds a pair. In all of
// training keys are asked for again in a share of the places left, drawn anew for each sequence, so that a step has
// more answers to learn from. Without the value's question a network guesses among the values that were told for
// thousands of steps. Pairs are scattered only once those that come first are found, ever more in the second half of
// the growth; and so does it grow how far positions jump, where they do (as PoSE's, Zhu et al. 2023).

#include "core/labs/lab.h"
#include "core/labs/language/language_trainer.h"
#include "core/model/evaluation.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

struct RecallSettings {
    std::int64_t length = 64;  ///< N
    std::int64_t pairs = 4;    ///< D, of a sequence that has room: at most a quarter of its tokens
    std::int64_t keys = 16, values = 16, fillers = 16;
    double power = 1;  ///< a: the gaps' density is that of u^(1/a); 1: all places alike, below: near ones more often
    double scattered = 0;    ///< share of the sequences whose pairs stand anywhere
    double copied = 0;       ///< share of the sequences that are copies
    std::int64_t skips = 0;  ///< places in training sequences where positions jump
    double reach = 16;       ///< to where they do, in N
    std::uint64_t seed = 1;
    std::int64_t words() const { return keys + values + fillers; }  ///< tokens: keys first, then values, then fillers
};

/// Of a run of the lab `recall`.
RecallSettings recallSettings(const Parameters& run, std::uint64_t seed);

/// Seeds of the sequences tested with are this above those of training.
constexpr std::uint64_t recallTestSeed = 1'000'000'000'000;

/// What a sequence is like: how long it is, how many pairs it tells, and how many keys and values they choose from.
struct RecallStage {
    std::int64_t length = 0, pairs = 0, keys = 0, values = 0;
    double again = 0;        ///< share of the free places in which some key is asked for once more
    bool namesKeys = false;  ///< values ask for the key before them
    double scattered = 0;    ///< chance that the pairs stand anywhere
    double copied = 0;       ///< that it is copied, and tells no pairs
    std::int64_t block = 0;  ///< words of such a one before they come again
    double reach = 1;        ///< to where positions jump, in N; 1: they do not
};
/// The stage of a test at n tokens: all keys and values, no help.
RecallStage testStage(const RecallSettings& settings, std::int64_t n);
/// One of training: `grown`, 0 to 1, says how much of the growth is behind, and `draws`, each in 0 .. 1, how long the
/// sequence is of what there is by then, how many pairs it has (below one half all), and `again`. Lengths are even on
/// the logarithm from 8 on; once all has grown, half of them are N.
RecallStage trainingStage(const RecallSettings& settings, double grown, std::array<double, 3> draws);

struct RecallSequence {
    std::vector<int> inputs, targets, positions;  ///< -1: nothing is asked for
    std::vector<std::int64_t> distances;          ///< from where a value is asked for to where it was told; else 0
    std::vector<double> guesses;  ///< where one is asked for, right of who guesses (guessedShare); else 0
};
/// A function of the settings, the stage and the number.
RecallSequence recallSequence(const RecallSettings& settings, const RecallStage& stage, std::uint64_t number);

/// The vocabulary as a tokenizer.json: names for keys, things for values, and small words for fillers, with a number
/// where there are more (core/model/probes.h has the first of the names and things).
std::string recallTokenizer(const RecallSettings& settings);

/// The sequence as core/model runs it: its tokens at 0, 1, ...
Window windowOf(const RecallSequence& sequence);

/// Batches of training, sequences of one length each, about as many as have so many tokens together. The longest grow
/// over the first `share` of the steps; short sequences stay among them.
BatchSource recallBatches(const RecallSettings& settings, std::int64_t tokens, std::int64_t steps, double share);

/// Answers right, in the mean over all tests at n tokens, of who knows which values were told before the question, and
/// guesses among them: of t values the pair's own, or any other that is the same word, 1/t + (1 - 1/t) / values. Where
/// all D pairs come first t is D; where they stand anywhere fewer are told by then. Of copies one of all words.
double guessedShare(const RecallSettings& settings, std::int64_t n);

}  // namespace attnscope
