#pragma once
// Everything the program knows about one row of attention, in a fixed number of floats whatever n is. Engines fill it
// (the reference engine from the whole row, the fast ones from tiles); every measure of core/statistics is a function
// of it. p_j is the row renormalised to sum 1; w_j the weights as the normaliser gives them; z_j the final logits
// (scaled, soft-capped, biased) of the visible keys. Nats.

#include <array>
#include <cstdint>

namespace attnscope {

/// What a normaliser found out about a row: with it the weight of a key depends on its logit alone, w = weight(z,
/// state), as a function of scale (z - origin) - shift. Large logits keep their digits where the origin is the row's
/// largest.
struct NormaliserState {
    double scale = 1;   ///< factor on the logits: softmax's beta, entmax's alpha - 1, ...; infinite: the hard maximum
    double shift = 0;   ///< softmax: ln Z of the scaled logits; sparsemax, entmax: the threshold; ...
    double origin = 0;  ///< what logits are measured from

    /// The shift of logits that are measured from 0: ln Z itself.
    double shiftFromZero() const { return origin == 0 ? shift : scale * origin + shift; }
};

/// What a measure may ask of an engine beside what every summary holds.
struct SummaryExtras {
    double order = 2;         ///< of RowSummary::sumPower
    std::int64_t window = 0;  ///< of RowSummary::windowMass: keys with |i - j| < window; 0: it is not asked for
    int windowTop = 0;        ///< ... and how many of them, at most RowSummary::topCount
    bool operator==(const SummaryExtras&) const = default;
};

struct RowSummary {
    /// A row that gives its keys less than this altogether gives them nothing: near the end of double precision weights
    /// have no digits left to be renormalised.
    static constexpr double leastMass = 1e-290;
    static constexpr int topCount = 16;
    static constexpr int sinkCount = 4;

    std::int64_t visible = 0;  ///< number of keys that the row sees; 0: every statistic is absent
    NormaliserState state;
    double beta = 1;           ///< what the normaliser multiplies the logits of a softmax by; 1 where it does not
    double mass = 0;           ///< sum w; 0 below leastMass: all that is a function of p is then absent
    double entropy = 0;        ///< -sum p ln p
    double sumSquares = 0;     ///< sum p^2
    double sumRoots = 0;       ///< sum sqrt p
    double sumPower = 0;       ///< sum p^order, of SummaryExtras
    std::int64_t support = 0;  ///< keys with p > 0, however small
    double logitMax = 0;
    double logitMin = 0;
    std::int64_t argmax = -1;           ///< first key of the largest weight
    double sinkMass = 0;                ///< sum of p over keys 0..3
    double windowMass = 0;              ///< the largest p of the keys near the query together, of SummaryExtras
    double meanDistance = 0;            ///< sum p |i - j|, i the query's position
    std::array<float, topCount> top{};  ///< the largest p, falling; zero where there are fewer keys
};

}  // namespace attnscope
