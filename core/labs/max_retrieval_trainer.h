#pragma once
// Trains the max-retrieval head as "softmax is not enough", appendix A.4, does: Adam at 1e-3, 100 000 steps of 128 sets that
// all have the same size, drawn from 5..16 anew at every step, cross-entropy and "L2 regularisation" of 0.001. The settings'
// defaults are the reading of it that gives the published table: AdamW's decoupled decay, and factors of products in
// bfloat16, JAX's default on a TPU (core/learn/rounding.h). Step t is a function of (seed, t) and the weights before it.

#include "core/labs/max_retrieval_model.h"
#include "core/learn/optimiser.h"

#include <map>
#include <string>

namespace attnscope {

struct MaxRetrievalSettings {
    std::int64_t width = 128, batch = 128, itemsMin = 5, itemsMax = 16;
    double rate = 1e-3, l2 = 0, decay = 1e-3;
    bool everyWeight = true;  ///< l2 and decay hold for biases too; off: for matrices alone
    learn::Products products = learn::Products::Bfloat16;
    std::uint64_t seed = 1;

    std::map<std::string, std::string> metadata() const;  ///< for files: what the weights were trained with
};

class MaxRetrievalTrainer {
public:
    explicit MaxRetrievalTrainer(const MaxRetrievalSettings& settings);

    /// One step; of its batch before it: mean cross-entropy, and the share of the sets whose class was right.
    struct Batch {
        double loss, accuracy;
    };
    Batch step();
    std::int64_t steps() const { return m_adam.steps(); }

    MaxRetrievalModel& model() { return m_model; }
    learn::Adam& adam() { return m_adam; }
    const MaxRetrievalSettings& settings() const { return m_settings; }

private:
    MaxRetrievalSettings m_settings;
    MaxRetrievalModel m_model;
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Tape m_tape;
};

}  // namespace attnscope
