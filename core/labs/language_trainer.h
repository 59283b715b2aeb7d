#pragma once
// Trains a small Llama on a text: AdamW with warm-up and a cosine, gradients clipped, every step some windows of N tokens from places
// drawn anew. A causal one sees the begin token and the first N - 1, and learns to predict each; of a masked one some tokens are hidden
// behind token 0, and it learns to find those (Devlin et al. 2019, always hidden: nothing else is asked of it later).

#include "core/learn/llama.h"
#include "core/learn/optimiser.h"

#include <Eigen/Core>

#include <map>
#include <string>
#include <vector>

namespace attnscope {

struct LanguageSettings {
    learn::LlamaShape shape;         ///< one that is not causal is trained to find hidden tokens
    std::int64_t length = 256;       ///< N
    std::int64_t batch = 8;          ///< windows a step
    std::int64_t steps = 1500;       ///< of the cosine
    std::int64_t warmup = 100;
    double rate = 2e-3, decay = 0.1, clip = 1;
    double hidden = 0;               ///< each token of a masked model's window is hidden with this probability
    std::vector<float> multipliers;  ///< of the logits of each of the N rows in training; empty: 1
    std::uint64_t seed = 1;
    std::map<std::string, std::string> metadata() const;   ///< but for the multipliers
};

class LanguageTrainer {
public:
    /// The text's ids outlive it, at least N of them.
    LanguageTrainer(const LanguageSettings& settings, const std::vector<int>& ids);

    struct Step {
        double loss = 0;             ///< nats a token
        double accuracy = 0;
    };
    Step step();

    /// What a step is made of: `batch` windows one after another, and what is to be said at each place, -1 where nothing is.
    struct Batch {
        std::vector<int> inputs, targets;
    };
    Batch batch(std::uint64_t step) const;

    learn::Llama& model() { return m_model; }
    learn::Adam& adam() { return m_adam; }
    const learn::Weights& weights() const { return m_weights; }
    const LanguageSettings& settings() const { return m_settings; }

private:
    LanguageSettings m_settings;
    const std::vector<int>& m_ids;
    learn::Llama m_model;
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Schedule m_schedule;
    learn::Tape m_tape;
};

}  // namespace attnscope
