#pragma once
// The decoder of a network that packs (packing_model.h has its formulas), of one instance at a time: some packings,
// each step one product for all of them. It chooses a box and then a way to turn it, until none is left, so that ln p
// is a sum of ln p(box) + ln p(turn | box); and what weights of ln p make of the loss. With a the weight of a row's ln
// p, s the scores of its turns, q = softmax s and y = relu(z), z = up x + bias + context g, the way back through a turn
// is
//
//     ds = a (onehot - q),   ddown = ds y,   dz = ds down [z > 0],
//     dup = dz x^T,   dbias = dz,   dcontext = dz g^T,   dg = context^T dz

#include "core/networks/glimpse_pointer.h"
#include "core/networks/packing_state.h"

#include <stop_token>

namespace attnscope {

/// What the decoder asks of an instance's boxes, and its own weights. The query of a step is fixed + mean over the
/// boxes left of `remaining` + state s; a turn's score is down relu(up x + bias + context g), g the step's glimpse.
struct BoxNodes {
    PointedNodes pointed;
    MatrixView fixed;               ///< (1, w)
    MatrixView remaining;           ///< (n, w)
    MatrixView state;               ///< (w, stateFeatures)
    MatrixView up, bias;            ///< (hidden, turnFeatures), (1, hidden)
    MatrixView context, down;       ///< (hidden, w), (1, hidden)
    std::span<const double> scale;  ///< of GlimpsePointer
};

struct PackingChoices {
    bool greedy = false;                  ///< the largest, else drawn from the softmax:
    std::uint64_t seed = 0, number = 0;   ///< a function of them, the packing and the choice's number
    std::span<const Packing> given = {};  ///< the boxes and turns of these in place of drawn ones
};

class PackingDecoder {
public:
    /// Where it `learns`, what its choices compute is kept for goBack.
    PackingDecoder(Index boxes, Index width, Index heads, Index hidden, Index packings, bool learns);

    /// A stopped one leaves packings unfinished.
    void decode(const BoxNodes& nodes, const PackingInstance& instance, const PackingChoices& choices,
                const std::stop_token& stop = {});
    std::vector<Packing> solutions() const;
    const std::vector<double>& logProbabilities() const { return m_logProbabilities; }  ///< of the packings, nats
    std::vector<double> entropies() const { return m_pointer.entropies(); }  ///< head: mean over steps, packings, nats

    struct Gradients {
        learn::MatrixView keys, values, pointers, fixed, remaining, state, up, bias, context, down;
    };
    /// Sets them to what weights of the packings' ln p make of the loss; `nodes` as decoded.
    void goBack(const BoxNodes& nodes, std::span<const float> weights, Gradients to);

private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static constexpr Index turns = boxTurns.size();

    void point(const BoxNodes& nodes, Index step, Index first);
    std::vector<int> chooseBoxes(const PackingChoices& choices, Index step, Index first);
    void scoreTurns(const BoxNodes& nodes, Index first, const std::vector<int>& boxes);
    void chooseTurns(const PackingChoices& choices, Index step, Index first);

    Index m_boxes, m_width, m_hidden, m_packings, m_rows;
    bool m_learns;
    GlimpsePointer m_pointer;
    std::vector<PackingState> m_states;
    std::vector<double> m_logProbabilities;
    Matrix m_allowed;                     // (packings, boxes): 0, or -infinity where a box is packed
    std::vector<std::uint8_t> m_counted;  // all of them
    // of the pointer's rows: all packings' first step, all packings' second, ...
    Matrix m_shares;                // (rows, boxes): 1 / boxes left for those, else 0
    Matrix m_described;             // (rows, stateFeatures)
    Matrix m_turns, m_activations;  // (rows turns, turnFeatures), (rows turns, hidden)
    Matrix m_scores;                // (rows, turns), where they are drawn after the softmax
};

}  // namespace attnscope
