#pragma once
// Counter-based random numbers (Philox 4x32-10, Salmon et al. 2011, by Random123). A number is a function of
// (seed, stream, row, column) alone: the same picture on one thread or many, in any order, on any machine; and a longer
// sequence begins with the shorter one. One Philox block gives the four columns 4c .. 4c + 3 of a row. Every row of 64
// bits has numbers of its own, and every column below 2^50: two cells share a number nowhere within these.

#include <array>
#include <cstdint>
#include <span>

namespace attnscope {

/// Keeps independent uses of one seed apart.
enum class Stream : std::uint32_t { Queries, Keys, Structure, Weights, Logits, Sampling, Other, Target };

class Random {
public:
    Random(std::uint64_t seed, Stream stream) : m_seed(seed), m_stream(static_cast<std::uint32_t>(stream)) {}

    double uniform(std::uint64_t row, std::uint64_t column) const;  ///< in (0, 1), 32 bits
    double normal(std::uint64_t row, std::uint64_t column) const;   ///< N(0, 1), Box-Muller, |x| < 6.8

    /// For what is drawn step by step, a number for each (number, step, column): number < 2^48, the others < 2^32.
    double uniform(std::uint64_t number, std::uint64_t step, std::uint64_t column) const;

    /// out[c] = normal(row, c), many times cheaper than one at a time; as float, within 3e-5 (where the radius is near
    /// 0).
    void normals(std::uint64_t row, std::span<float> out) const;
    void normals(std::uint64_t row, std::span<double> out) const;

private:
    std::array<std::uint32_t, 4> block(std::uint64_t row, std::uint64_t column4) const;
    std::array<double, 4> normalBlock(std::uint64_t row, std::uint64_t column4) const;
    std::uint64_t m_seed;
    std::uint32_t m_stream;
};

}  // namespace attnscope
