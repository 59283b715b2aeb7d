#include "core/model/norms.h"

#include "core/arithmetic/arithmetic.h"
#include "core/base/parallel.h"

#include <cmath>

namespace attnscope {

namespace {

using Row = Eigen::Map<Eigen::ArrayXf>;
using Weights = Eigen::Map<const Eigen::ArrayXf>;

constexpr Index rowsOfTask = 32;

/// Sums in double precision: the stream of a large model has a few coordinates thousands of times the others.
void normaliseRow(Row x, Norm norm, double epsilon, Weights weight, std::span<const float> bias)
{
    if (norm == Norm::Layer || norm == Norm::LayerFromOne || norm == Norm::Centred)
        x -= static_cast<float>(x.cast<double>().mean());
    const double root = std::sqrt(x.cast<double>().square().mean() + epsilon);
    x *= static_cast<float>(1 / root);
    if (norm == Norm::RmsFromOne || norm == Norm::LayerFromOne)
        x *= 1.0f + weight;
    else
        x *= weight;
    if (!bias.empty())
        x += Weights(bias.data(), static_cast<Index>(bias.size()));
}

}  // namespace

void normalise(MutableView x, Norm norm, double epsilon, std::span<const float> weight, std::span<const float> bias,
               Index group)
{
    const Index size = group > 0 ? group : static_cast<Index>(weight.size());
    forEachInParallel(x.rows(), rowsOfTask, [&](Index row) {
        float* const begin = x.data() + row * x.outerStride();
        for (Index at = 0; at < x.cols(); at += size)
            normaliseRow(Row(begin + at, size), norm, epsilon, Weights(weight.data() + (group > 0 ? at : 0), size),
                         bias);
    });
}

void activate(MutableView x, Activation activation)
{
    if (activation == Activation::Relu || activation == Activation::SquaredRelu) {
        x = (x.array() <= 0.0f).select(0.0f, x);  // what is no number stays none
        if (activation == Activation::SquaredRelu)
            x = x.cwiseAbs2();
        return;
    }
    const Arithmetic& loops = arithmetic();
    const auto loop = activation == Activation::Silu   ? loops.silu
                      : activation == Activation::Gelu ? loops.gelu
                                                       : loops.geluTanh;
    forEachInParallel(x.rows(), rowsOfTask, [&](Index row) { loop(x.data() + row * x.outerStride(), x.cols()); });
}

void activateGated(MutableView gate, const MatrixView& up, Activation activation)
{
    if (activation != Activation::ClampedSilu) {
        activate(gate, activation);
        gate.array() *= up.array();
        return;
    }
    constexpr float most = 7, slope = 1.702f;
    const auto g = gate.array().min(most).eval();
    gate.array() = g / (1 + (-slope * g).exp()) * (up.array().max(-most).min(most) + 1);
}

}  // namespace attnscope
