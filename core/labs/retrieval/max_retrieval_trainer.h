#pragma once
// Trains the max-retrieval head as "softmax is not enough", appendix A.4, does: Adam at 1e-3, 100 000 steps of 128 sets
// that all have the same size, drawn from 5..16 anew at every step, cross-entropy and "L2 regularisation" of 0.001. The
// settings' defaults are the reading of it that gives the published table: AdamW's decoupled decay, and factors of
// products in bfloat16, JAX's default on a TPU (core/learn/rounding.h). Step t is a function of (seed, t) and the
// weights before it.

#include "core/base/choice.h"
#include "core/labs/retrieval/max_retrieval_model.h"
#include "core/learn/optimiser.h"

#include <map>
#include <string>
#include <vector>

namespace attnscope {

/// What a head learns with, where it is not plain softmax: alpha = normaliser(m(n) e), and perhaps a loss that grows as
/// the row's entropy leaves a target, constraint (H - target)^2, H in nats, mean over the sets.
struct HeadLearning {
    Choice method{"vanilla", {}, {}}, normaliser{"softmax", {}, {}};
    double constraint = 0, target = 0;
    bool operator==(const HeadLearning&) const = default;
};

struct MaxRetrievalSettings {
    std::int64_t width = 128, batch = 128, itemsMin = 5, itemsMax = 16;
    double rate = 1e-3, l2 = 0, decay = 1e-3;
    bool everyWeight = true;  ///< l2 and decay hold for biases too; off: for matrices alone
    learn::Products products = learn::Products::Bfloat16;
    std::uint64_t seed = 1;
    HeadLearning learning = {};

    std::map<std::string, std::string>
    metadata(const std::string& lab) const;  ///< for files: what the weights were trained with, and by which lab
};

/// A normaliser of the registry with the way back. Errors: UnknownName, and those of validate().
Result<learn::RowFunction> trainedRows(const Choice& normaliser);

/// What the settings' learning means for sets of the sizes trained with.
struct HeadRule {
    learn::RowFunction rows = {};          ///< none: plain softmax
    std::vector<double> multipliers = {};  ///< for sets of itemsMin, itemsMin + 1, ... items
};
/// Errors: those of trainedRows and bindScale, and of the method at those sizes.
Result<HeadRule> headRule(const MaxRetrievalSettings& settings);

class MaxRetrievalTrainer {
public:
    explicit MaxRetrievalTrainer(const MaxRetrievalSettings& settings, HeadRule rule = {});

    /// One step; of its batch before it: mean cross-entropy, and the share of the sets whose class was right.
    struct Batch {
        double loss, accuracy;
    };
    Batch step();
    std::int64_t steps() const { return m_adam.steps(); }

    MaxRetrievalModel& model() { return m_model; }
    learn::Adam& adam() { return m_adam; }
    const learn::Weights& weights() const { return m_weights; }
    const MaxRetrievalSettings& settings() const { return m_settings; }

private:
    struct Outcome {
        learn::Var classes, loss;
    };
    Outcome run(const MaxRetrievalBatch& batch);

    MaxRetrievalSettings m_settings;
    MaxRetrievalModel m_model;
    learn::Weights m_weights;
    learn::Adam m_adam;
    learn::Tape m_tape;
    HeadRule m_rule;
};

}  // namespace attnscope
