#pragma once
// Positions: how the place of a token enters its logits. Rotary methods turn pair p of a query at position t by the
// angle t theta_p and that of a key at j by j theta_p, so that scores depend on t - j alone; each is a table of d/2
// frequencies theta_p (radians per token). Biases are added to the logit instead: ALiBi's -slope |t - j|, and those of
// position_bias.h.
//
//   rope       theta_p = base^(-2p/d)                          Su et al. 2021
//   pi         theta_p / s                                     Chen et al. 2023
//   ntk        (base s^(d/(d-2)))^(-2p/d)                      bloc97 2023
//   yarn_rope  theta_p ((1 - g_p) / s + g_p), g by wavelength  Peng et al. 2023
//   long_rope  theta_p / lambda_p, found by search             Ding et al. 2024
//   rerope     theta_p, distances held at w                    Su 2023

#include "core/attention/bias_schemes.h"
#include "core/base/choice.h"
#include "core/tensor/head_set.h"

#include <cstdint>
#include <span>
#include <vector>

namespace attnscope {

struct Position : Entry {
    /// floor(d/2) angles per token, fastest first, d the number of coordinates that turn; null: the vectors are not
    /// rotated.
    std::vector<double> (*frequencies)(int d, const Parameters&) = nullptr;
    /// The distance at which rotations are held, or null.
    std::int64_t (*distanceCap)(const Parameters&) = nullptr;
    /// The bias is -slope |t - j|; null: none. Heads count from 0.
    double (*slope)(int head, int headCount, const Parameters&) = nullptr;
    /// Any other bias; null: none.
    BiasScheme* bias = nullptr;
    /// A scheme made for causal rows: what it does to keys after the query all the same, where the mask shows them.
    std::string ahead = {};
    /// The file that it reads, or empty. Null: none ever.
    std::string (*file)(const Parameters&) = nullptr;
    /// Why heads of which d coordinates turn, two or more, turn as under RoPE; empty: they do not. Null: never.
    std::string (*asRope)(int d) = nullptr;
    /// Is the choice's text what the row takes? Null: any text is, or whatever reads it says so.
    Result<void> (*check)(const std::string& text) = nullptr;

    bool hasBias() const { return slope || bias; }
};

std::span<const Position> positions();

bool hasPositions(const Choice& position);

/// RoPE as it was published, with any parameters.
bool isRope(const Choice& position);

/// The file that the choice reads, or empty.
std::string biasFileOf(const Choice& position);

/// How many coordinates of a head of size d a rotary position turns.
int turnedCoordinates(int d, const Parameters& parameters);

/// Which coordinates make a pair: (2p, 2p + 1), or (p, p + r/2), r/2 the number of frequencies. Coordinates from r on
/// stay.
enum class Pairing { Interleaved, Halves };

/// Turns row r of `rows` by the angles position[r] theta_p, computed in double precision, and makes what turns `factor`
/// times as long.
void rotate(Matrix& rows, std::span<const std::int64_t> position, std::span<const double> frequencies, Pairing pairing,
            double factor = 1);

/// Turns every row as if it stood at `position`.
void rotateAll(Matrix& rows, std::int64_t position, std::span<const double> frequencies, Pairing pairing,
               double factor = 1);

/// What a rotary choice does to heads of size d.
struct Rotation {
    std::vector<double> frequencies;
    Pairing pairing = Pairing::Interleaved;
    double factor = 1;  ///< on the coordinates that turn, of queries and of keys
};
Rotation rotationOf(const Position& row, const Choice& choice, int d);

}  // namespace attnscope
