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
                static_cast<float>(bound * (2 * random.uniform(firstRow + static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column)) - 1));
}

constexpr std::uint64_t rowsApart = std::uint64_t{1} << 32;  // between the draws of two weights

}  // namespace

void initialise(Weight& weight, Start start, std::uint64_t seed, std::uint64_t number)
{
    const Random random(seed, Stream::Weights);
    const double in = static_cast<double>(weight.value.cols()), out = static_cast<double>(weight.value.rows());
    const std::uint64_t first = number * rowsApart;
    switch (start) {
    case Start::LecunNormal:
        for (Index row = 0; row < weight.value.rows(); ++row)
            for (Index column = 0; column < weight.value.cols(); ++column)
                weight.value(row, column) = static_cast<float>(
                    cutNormal(random.uniform(first + static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(column))) / std::sqrt(in));
        break;
    case Start::KaimingUniform: fillUniform(weight.value, 1 / std::sqrt(in), random, first); break;
    case Start::XavierUniform: fillUniform(weight.value, std::sqrt(6 / (in + out)), random, first); break;
    }
}

Linear::Linear(const std::string& name, Index in, Index out) : weight(name + ".weight", out, in), bias(name + ".bias", 1, out, true) {}

void Linear::initialise(Start start, std::uint64_t seed, std::uint64_t number)
{
    learn::initialise(weight, start, seed, number);
    bias.value.setZero();
    if (start == Start::KaimingUniform)
        fillUniform(bias.value, 1 / std::sqrt(static_cast<double>(weight.value.cols())), Random(seed, Stream::Weights), number * rowsApart + rowsApart / 2);
}

BatchNorm::BatchNorm(const std::string& name, Index width)
    : gain(name + ".weight", 1, width, true), bias(name + ".bias", 1, width, true), runningMean(name + ".running_mean", 1, width, true),
      runningVariance(name + ".running_var", 1, width, true)
{
    gain.value.setOnes();
    runningVariance.value.setOnes();
    runningMean.trained = runningVariance.trained = false;
}

Var BatchNorm::operator()(Tape& tape, Var x, bool training)
{
    constexpr float eps = 1e-5f;
    const Var g = tape.weight(gain), b = tape.weight(bias);
    if (training) {
        Matrix mean(1, tape.columns(x)), variance(1, tape.columns(x));
        columnStatistics(tape.value(x), MatrixView(mean.data(), 1, mean.cols()), MatrixView(variance.data(), 1, variance.cols()));
        const float rows = static_cast<float>(tape.rows(x));
        runningMean.value += momentum * (mean - runningMean.value);
        runningVariance.value += momentum * (variance * (rows / std::max(rows - 1, 1.0f)) - runningVariance.value);  // unbiased, as torch
        return batchNorm(tape, x, g, b, eps);
    }
    Matrix factor = (runningVariance.value.array() + eps).rsqrt(), shift = -runningMean.value.cwiseProduct(factor);
    const Matrix every = Matrix::Ones(tape.rows(x), 1);
    const Var standard = add(tape, multiply(tape, x, tape.constant(every * factor)), tape.constant(shift));
    return add(tape, multiply(tape, standard, matmul(tape, tape.constant(every), g)), b);
}

}  // namespace attnscope::learn
