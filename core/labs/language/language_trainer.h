#pragma once
// Trains a small Llama: AdamW with warm-up and a cosine, gradients clipped, every step a batch of sequences. Of a text
// they are windows of N tokens from places drawn anew. A causal one sees the begin token and the first N - 1, and
// learns to predict each; of a masked one some tokens are hidden behind token 0, and it learns to find those (Devlin et
// al. 2019, always hidden: nothing else is asked of it later).

#include "core/networks/llama.h"
#include "core/learn/optimiser.h"

#include <Eigen/Core>

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// What the logits of each of n rows are multiplied with, in a sequence of n tokens; empty: 1.
using MultipliersOf = std::function<std::vector<float>(std::int64_t n)>;

struct LanguageSettings {
    learn::LlamaShape shape;    ///< one that is not causal is trained to find hidden tokens
    std::int64_t length = 256;  ///< N
    std::int64_t batch = 8;     ///< windows a step
    std::int64_t parts = 1;     ///< in which they go through the network, one after another: without dropout the same
                                ///< step, to within rounding, in less memory
    std::int64_t steps = 1500;  ///< of the cosine
    std::int64_t warmup = 100;
    double rate = 2e-3, decay = 0.1, clip = 1;
    double dropout = 0;                   ///< of what layers write to the stream
    double hidden = 0;                    ///< each token of a masked model's window is hidden with this probability
    std::vector<float> multipliers;       ///< of the logits of each of the N rows in training; empty: 1
    MultipliersOf multipliersOf = {};     ///< of shorter sequences; empty: the first of those
    learn::InverseTemperature beta = {};  ///< of the entropy of each row in training; empty: 1
    std::uint64_t seed = 1;
    std::map<std::string, std::string> metadata() const;  ///< but for the multipliers and beta
};

/// What a step is made of: sequences of one length one after another, and what is to be said at each place, -1 where
/// nothing is.
struct LanguageBatch {
    std::vector<int> inputs, targets;
    std::vector<int> positions = {};  ///< of each input; empty: 0, 1, ... in every sequence
    std::int64_t sequences = 1;
};
/// A function of the number of the step alone. Some place has a target, and no sequence is longer than N.
using BatchSource = std::function<LanguageBatch(std::uint64_t step)>;
/// Windows of a text, whose ids outlive it, at least N of them.
BatchSource windowsOf(const LanguageSettings& settings, const std::vector<int>& ids);

class LanguageTrainer {
public:
    LanguageTrainer(const LanguageSettings& settings, BatchSource source);

    struct Step {
        double loss = 0;  ///< nats a token
        double accuracy = 0;
    };
    Step step();

    /// Of a sequence of n tokens, at most N.
    std::span<const float> multipliers(std::int64_t n);

    LanguageBatch batch(std::uint64_t step) const { return m_source(step); }

    learn::Llama& model() { return m_model; }
    learn::Adam& adam() { return m_adam; }
    const learn::Weights& weights() const { return m_weights; }
    const LanguageSettings& settings() const { return m_settings; }

private:
    /// What a part of a step found: sums over its targets.
    struct PartFound {
        double loss = 0, right = 0;
    };
    PartFound learnFrom(const LanguageBatch& part, std::int64_t targetsOfStep, std::int64_t number);

    LanguageSettings m_settings;
    BatchSource m_source;
    learn::Llama m_model;
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Schedule m_schedule;
    learn::Tape m_tape;
    std::map<std::int64_t, std::vector<float>> m_multipliers;  // of lengths below N
};

}  // namespace attnscope
