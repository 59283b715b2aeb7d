#pragma once
// Trains a small Llama on a text: AdamW with warm-up and a cosine, gradients clipped, every step some windows of N tokens, the begin
// token and N - 1 of the text from a place drawn anew. With `logN` the logits of row i are multiplied by ln n_i / ln N in training,
// n_i = i + 1 the keys that it sees.

#include "core/learn/llama.h"
#include "core/learn/optimiser.h"

#include <Eigen/Core>

#include <map>
#include <string>
#include <vector>

namespace attnscope {

struct CausalLmSettings {
    learn::LlamaShape shape;
    std::int64_t length = 256;       ///< N
    std::int64_t batch = 8;          ///< windows a step
    std::int64_t steps = 1500;       ///< of the cosine
    std::int64_t warmup = 100;
    double rate = 2e-3, decay = 0.1, clip = 1;
    bool logN = false;
    std::uint64_t seed = 1;
    std::map<std::string, std::string> metadata() const;
};

class CausalLmTrainer {
public:
    /// The text's ids outlive it, at least N of them.
    CausalLmTrainer(const CausalLmSettings& settings, const std::vector<int>& ids);

    struct Step {
        double loss = 0;             ///< nats a token
        double accuracy = 0;
    };
    Step step();

    learn::Llama& model() { return m_model; }
    learn::Adam& adam() { return m_adam; }
    const learn::Weights& weights() const { return m_weights; }
    const CausalLmSettings& settings() const { return m_settings; }

private:
    CausalLmSettings m_settings;
    const std::vector<int>& m_ids;
    learn::Llama m_model;
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Schedule m_schedule;
    learn::Tape m_tape;
    std::vector<float> m_multipliers;
};

}  // namespace attnscope
