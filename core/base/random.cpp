#include "core/base/random.h"

#include <cmath>
#include <numbers>

#include <Random123/philox.h>

namespace attnscope {

namespace {

/// The middle of one of 2^32 equal cells of (0, 1): never 0 or 1.
double toUniform(std::uint32_t bits) { return (bits + 0.5) * 0x1p-32; }

template <class Float, class Block>
void fill(std::span<Float> out, Block block)
{
    for (size_t c = 0; c < out.size(); c += 4) {
        const std::array<double, 4> four = block(c / 4);
        for (size_t k = 0; k < 4 && c + k < out.size(); ++k)
            out[c + k] = static_cast<Float>(four[k]);
    }
}

}  // namespace

std::array<std::uint32_t, 4> Random::block(std::uint64_t row, std::uint64_t column4) const
{
    // 128-bit counter: the row's low 48 bits, the column block's low 48 bits, the stream; 64-bit key: the seed
    const r123::Philox4x32::ctr_type counter{{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column4),
                                              static_cast<std::uint32_t>((row >> 32) << 16 | (column4 >> 32 & 0xffff)), m_stream}};
    const r123::Philox4x32::key_type key{{static_cast<std::uint32_t>(m_seed), static_cast<std::uint32_t>(m_seed >> 32)}};
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

double Random::uniform(std::uint64_t row, std::uint64_t column) const { return toUniform(block(row, column / 4)[column % 4]); }

double Random::normal(std::uint64_t row, std::uint64_t column) const { return normalBlock(row, column / 4)[column % 4]; }

void Random::normals(std::uint64_t row, std::span<float> out) const
{
    fill(out, [&](size_t c) { return normalBlock(row, c); });
}

void Random::normals(std::uint64_t row, std::span<double> out) const
{
    fill(out, [&](size_t c) { return normalBlock(row, c); });
}

}  // namespace attnscope
