// Layer and batch normalisation. With xhat = (x - mean) / s, s = sqrt(variance + eps), y = gain xhat + bias and
// g = dy gain, the gradient along the normalised axis is  dx = (g - mean(g) - xhat mean(g xhat)) / s.

#include "core/learn/operations.h"

#include <cassert>

namespace attnscope::learn {

namespace {

/// gain xhat + bias, and the gradients of gain and bias; the caller gives that of x.
template <class InputGradient>
Var affine(Tape& tape, Var x, Var normalised, Var gain, Var bias, const InputGradient& inputGradient)
{
    assert(tape.columns(gain) == tape.columns(x) && tape.columns(bias) == tape.columns(x));
    const Var y = tape.node(tape.rows(x), tape.columns(x), {x, gain, bias}, [=, out = tape.nextNode()](Tape& t) {
        const ConstMatrixView dy = t.gradient(out);
        t.addGradient(gain, dy.cwiseProduct(t.value(normalised)).colwise().sum());
        t.addGradient(bias, dy.colwise().sum());
        if (t.needsGradient(x))
            inputGradient(t, Matrix(dy.array().rowwise() * t.value(gain).row(0).array()));
    });
    tape.fill(y) = (tape.value(normalised).array().rowwise() * tape.value(gain).row(0).array()).rowwise() + tape.value(bias).row(0).array();
    return y;
}

}  // namespace

void columnStatistics(ConstMatrixView x, MatrixView mean, MatrixView variance)
{
    mean = x.colwise().mean();
    variance = (x.rowwise() - mean.row(0)).array().square().colwise().mean();
}

Var layerNorm(Tape& tape, Var x, Var gain, Var bias, float eps)
{
    const Var normalised = tape.constant(tape.rows(x), tape.columns(x)), inverse = tape.constant(tape.rows(x), 1);
    MatrixView xhat = tape.fill(normalised), s = tape.fill(inverse);
    xhat = tape.value(x).colwise() - tape.value(x).rowwise().mean();
    s = (xhat.array().square().rowwise().mean() + eps).rsqrt();
    xhat.array().colwise() *= s.col(0).array();
    return affine(tape, x, normalised, gain, bias, [=](Tape& t, const Matrix& g) {
        const ConstMatrixView hat = t.value(normalised);
        const Eigen::ArrayXf shift = g.array().rowwise().mean(), tilt = (g.array() * hat.array()).rowwise().mean();
        t.addGradient(x, (((g.array().colwise() - shift) - hat.array().colwise() * tilt).colwise() * t.value(inverse).col(0).array()).matrix());
    });
}

Var batchNorm(Tape& tape, Var x, Var gain, Var bias, float eps)
{
    const Var normalised = tape.constant(tape.rows(x), tape.columns(x)), inverse = tape.constant(1, tape.columns(x));
    MatrixView xhat = tape.fill(normalised), s = tape.fill(inverse);
    xhat = tape.value(x).rowwise() - tape.value(x).colwise().mean();
    s = (xhat.array().square().colwise().mean() + eps).rsqrt();
    xhat.array().rowwise() *= s.row(0).array();
    return affine(tape, x, normalised, gain, bias, [=](Tape& t, const Matrix& g) {
        const ConstMatrixView hat = t.value(normalised);
        const Eigen::Array<float, 1, Eigen::Dynamic> shift = g.array().colwise().mean(), tilt = (g.array() * hat.array()).colwise().mean();
        t.addGradient(x, (((g.array().rowwise() - shift) - hat.array().rowwise() * tilt).rowwise() * t.value(inverse).row(0).array()).matrix());
    });
}

}  // namespace attnscope::learn
