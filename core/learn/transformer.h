#pragma once
// The operations of a Llama-like transformer. A batch of sequences is one matrix: the n rows of sequence 0, those of
// sequence 1, ...

#include "core/learn/operations.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace attnscope::learn {

/// Rows of a table (words, width): y_t = table[ids[t]].
Var embedding(Tape& tape, Var table, std::span<const int> ids);

/// x / sqrt(mean x^2 + eps) gain over the columns of each row (Zhang & Sennrich 2019); gain (1, columns).
Var rmsNorm(Tape& tape, Var x, Var gain, float eps);

/// silu(gate) up, element by element (Shazeer 2020).
Var swiglu(Tape& tape, Var gate, Var up);

/// Rotary positions (Su et al. 2021) in half-split pairs: coordinates j and j + d/2 of a head turn by t base^(-2j/d) at
/// place t.
struct Rotation {
    Matrix cosines, sines;  ///< (places, d/2)
};
std::shared_ptr<const Rotation> rotation(Index places, Index headSize, double base);
/// The rows of the table at these places, one after another.
std::shared_ptr<const Rotation> rotationAt(const Rotation& table, std::span<const int> places);
/// x (batch n, heads d), each row turned by its place in its sequence; n is the rotation's number of places.
Var rotate(Tape& tape, Var x, std::shared_ptr<const Rotation> rotation);

/// beta and its slope at the entropy of a row, -sum p ln(p + eps).
struct InverseTemperature : std::function<Jet(double entropy)> {
    using function::function;
    double eps = 0;
};

/// Self-attention of each of `batch` sequences of n rows: q (batch n, heads d), k and v (batch n, keyHeads d), query
/// head h on key head h keyHeads / heads; the result (batch n, heads d) = softmax(s_i q_i . k_j) v_j over the keys j
/// that row i sees. Rows that see none give 0. Weights exist for some rows of one key head at a time, and are computed
/// anew on the way back.
///
/// With `beta` the temperature follows the row's own entropy (Veličković et al. 2024): with z_ij = s_i q_i.k_j, p =
/// softmax(z_i) and H = -sum p ln(p + eps), the weights are softmax(beta(H) z_i), and gradients pass through H as well.
struct SelfAttention {
    Index batch = 1, heads = 1, keyHeads = 1;
    std::vector<float> scale =
        {};              ///< s_i of row i, the same in every sequence, 1/sqrt(d) and all: n of them, or one for all
    bool causal = true;  ///< j <= i
    Index window = 0;    ///< |i - j| < window; 0: no limit
    std::vector<Index> lengths = {};  ///< keys from here on are padding, of each sequence; empty: none
    InverseTemperature beta = {};     ///< of the row's entropy in nats; empty: 1
};
Var selfAttention(Tape& tape, Var q, Var k, Var v, SelfAttention shape);

/// Mean of -ln softmax(logits)[label] over the rows whose label is not below 0.
struct TokenLoss {
    Var loss;  ///< 1 x 1; 0 where no row counts
    Index counted = 0;
    double accuracy = 0;  ///< share of them whose label has the largest logit
};
TokenLoss tokenLoss(Tape& tape, Var logits, std::span<const int> labels);

/// Scales all gradients by min(1, largest / norm); the norm of all of them together before that (Pascanu et al. 2013).
double clipGradients(const Weights& weights, double largest);

}  // namespace attnscope::learn
