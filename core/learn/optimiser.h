#pragma once
// Adam (Kingma & Ba 2015, Algorithm 1) and AdamW (Loshchilov & Hutter 2019), and schedules of the learning rate.
//
//     g += l2 w;   m = b1 m + (1-b1) g;   v = b2 v + (1-b2) g^2;
//     w -= rate (m / (1-b1^t)) / (sqrt(v / (1-b2^t)) + eps) + rate decay w.

#include "core/learn/weight.h"

#include <cstdint>
#include <functional>

namespace attnscope::learn {

struct AdamOptions {
    double rate = 1e-3;
    double beta1 = 0.9, beta2 = 0.999, eps = 1e-8;
    double l2 = 0;  ///< a penalty l2/2 |w|^2 in the loss: its gradient l2 w is added (torch.optim.Adam's weight_decay)
    double decay = 0;         ///< AdamW: w shrinks by rate times this, past the moments
    bool everyWeight = true;  ///< l2 and decay hold for biases and gains too; off: for matrices alone
};

class Adam {
public:
    explicit Adam(const AdamOptions& options = {}) : m_options(options) {}

    /// One step by the gradients of the weights, always the same weights in the same order; `factor` on the rate.
    void step(const Weights& weights, double factor = 1);

    std::int64_t steps() const { return m_steps; }
    const AdamOptions& options() const { return m_options; }

    /// For checkpoints: the moments, in the order of the weights, and the number of steps done.
    struct Moments {
        Matrix first, second;
    };
    std::vector<Moments>& moments() { return m_moments; }
    const std::vector<Moments>& moments() const { return m_moments; }
    void resumeAt(std::int64_t steps) { m_steps = steps; }

private:
    AdamOptions m_options;
    std::vector<Moments> m_moments;
    std::int64_t m_steps = 0;
};

/// A factor on the learning rate at a step, from 0.
using Schedule = std::function<double(std::int64_t step)>;
Schedule cosineRate(std::int64_t steps, std::int64_t warmup = 0,
                    double last = 0);  ///< rises linearly, falls to `last` along a cosine

}  // namespace attnscope::learn
