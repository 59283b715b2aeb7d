#include "core/learn/layers.h"

#include <cmath>

#include <boost/math/special_functions/erf.hpp>

namespace attnscope::learn {

namespace {

/// N(0, 1) cut at two standard deviations and widened to variance 1, from u in (0, 1).
double cutNormal(double u)
{
    constexpr double edge = 0.9544997361036416;       // erf(sqrt 2)
    constexpr double deviation = 0.8796256610342398;  // of the cut law
    return std::sqrt(2.0) * boost::math::erf_inv(edge * (2 * u - 1)) / deviation;
}

void fillUniform(Matrix& values, double bound, const Random& random, std::uint64_t firstRow)
{
    for (Index row = 0; row < values.rows(); ++row)
        for (Index column = 0; column < values.cols(); ++column)
            values(row, column) =
                static_cast<float>(bound * (2 * random.uniform(firstRow + static_cast<std::uint64_t>(row),
                                                               static_cast<std::uint64_t>(column)) -
                                            1));
}

constexpr std::uint64_t rowsApart = std::uint64_t{1} << 32;  // between the draws of two weights

}  // namespace

void initialise(Weight& weight, Start start, std::uint64_t seed, std::uint64_t number)
{
    const Random random(seed, Stream::Weights);
    const double in = static_cast<double>(weight.value.cols());
    const std::uint64_t first = number * rowsApart;
    switch (start) {
    case Start::LecunNormal:
        for (Index row = 0; row < weight.value.rows(); ++row)
            for (Index column = 0; column < weight.value.cols(); ++column)
                weight.value(row, column) =
                    static_cast<float>(cutNormal(random.uniform(first + static_cast<std::uint64_t>(row),
                                                                static_cast<std::uint64_t>(column))) /
                                       std::sqrt(in));
        break;
    case Start::KaimingUniform:
        fillUniform(weight.value, 1 / std::sqrt(in), random, first);
        break;
    }
}

Linear::Linear(const std::string& name, Index in, Index out)
    : weight(name + ".weight", out, in), bias(name + ".bias", 1, out, true)
{
}

void Linear::initialise(Start start, std::uint64_t seed, std::uint64_t number)
{
    learn::initialise(weight, start, seed, number);
    bias.value.setZero();
    if (start == Start::KaimingUniform)
        fillUniform(bias.value, 1 / std::sqrt(static_cast<double>(weight.value.cols())), Random(seed, Stream::Weights),
                    number * rowsApart + rowsApart / 2);
}

}  // namespace attnscope::learn
