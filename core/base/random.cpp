#include "core/base/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include <Eigen/Core>
#include <Random123/philox.h>

namespace attnscope {

namespace {

/// The middle of one of 2^32 equal cells of (0, 1): never 0 or 1.
double toUniform(std::uint32_t bits) { return (bits + 0.5) * 0x1p-32; }

}  // namespace

std::array<std::uint32_t, 4> Random::block(std::uint64_t row, std::uint64_t column4) const
{
    // 128-bit counter: 64 bits of the row, 48 of the column's block, 16 of the stream; 64-bit key: the seed
    assert(column4 < 1ULL << 48 && m_stream < 1U << 16);
    const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column4),
                                              static_cast<std::uint32_t>((row >> 32) << 16 | (column4 >> 32 & 0xffff)),
                                              static_cast<std::uint32_t>((row >> 48) << 16 | m_stream)}};
    const r123::Philox4x32::key_type key{
        {static_cast<std::uint32_t>(m_seed), static_cast<std::uint32_t>(m_seed >> 32)}};
    const auto out = r123::Philox4x32{}(counter, key);
    return {out[0], out[1], out[2], out[3]};
}

std::array<double, 4> Random::normalBlock(std::uint64_t row, std::uint64_t column4) const
{
    const auto bits = block(row, column4);
    std::array<double, 4> out{};
    for (size_t pair = 0; pair < 2; ++pair) {
        const double radius = std::sqrt(-2 * std::log(toUniform(bits[2 * pair])));
        const double angle = 2 * std::numbers::pi * toUniform(bits[2 * pair + 1]);
        out[2 * pair] = radius * std::cos(angle);
        out[2 * pair + 1] = radius * std::sin(angle);
    }
    return out;
}

double Random::uniform(std::uint64_t row, std::uint64_t column) const
{
    return toUniform(block(row, column / 4)[column % 4]);
}

double Random::uniform(std::uint64_t number, std::uint64_t step, std::uint64_t column) const
{
    assert(number < 1ULL << 48 && step < 1ULL << 32 && column < 1ULL << 32);
    return uniform(number << 16 | (step & 0xffff), (step >> 16) << 32 | column);  // the step's high half to the column
}

double Random::normal(std::uint64_t row, std::uint64_t column) const
{
    return normalBlock(row, column / 4)[column % 4];
}

/// The same numbers as `normal`, in float32 and by packets: the columns 4c and 4c + 1 are one pair, 4c + 2 and 4c + 3
/// the next.
void Random::normals(std::uint64_t row, std::span<float> out) const
{
    constexpr int pairs = 32;
    using Pairs = Eigen::Array<float, pairs, 1>;
    for (size_t begin = 0; begin < out.size(); begin += 2 * pairs) {
        Pairs first, second;
        for (int pair = 0; pair < pairs; pair += 2) {
            const auto bits = block(row, begin / 4 + static_cast<size_t>(pair) / 2);
            first[pair] = static_cast<float>(bits[0]), second[pair] = static_cast<float>(bits[1]);
            first[pair + 1] = static_cast<float>(bits[2]), second[pair + 1] = static_cast<float>(bits[3]);
        }
        const Pairs radius = (-2 * ((first + 0.5f) * 0x1p-32f).log()).max(0).sqrt();
        const Pairs angle = (second + 0.5f) * (0x1p-31f * std::numbers::pi_v<float>);
        const Pairs even = radius * angle.cos(), odd = radius * angle.sin();
        for (size_t c = begin; c < std::min(out.size(), begin + 2 * pairs); ++c)
            out[c] = ((c - begin) % 2 == 0 ? even : odd)[static_cast<Eigen::Index>((c - begin) / 2)];
    }
}

void Random::normals(std::uint64_t row, std::span<double> out) const
{
    for (size_t c = 0; c < out.size(); c += 4)
        std::ranges::copy_n(normalBlock(row, c / 4).begin(),
                            static_cast<std::ptrdiff_t>(std::min<size_t>(4, out.size() - c)),
                            out.begin() + static_cast<std::ptrdiff_t>(c));
}

}  // namespace attnscope
