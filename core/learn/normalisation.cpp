// Layer normalisation. With xhat = (x - mean) / s, s = sqrt(variance + eps), y = gain xhat + bias and
// g = dy gain, the gradient along the row is  dx = (g - mean(g) - xhat mean(g xhat)) / s.

#include "core/learn/operations.h"

#include <cassert>

namespace attnscope::learn {

Var layerNorm(Tape& tape, Var x, Var gain, Var bias, float eps)
{
    assert(tape.columns(gain) == tape.columns(x) && tape.columns(bias) == tape.columns(x));
    const Var normalised = tape.constant(tape.rows(x), tape.columns(x)), inverse = tape.constant(tape.rows(x), 1);
    MatrixView xhat = tape.fill(normalised), s = tape.fill(inverse);
    xhat = tape.value(x).colwise() - tape.value(x).rowwise().mean();
    s = (xhat.array().square().rowwise().mean() + eps).rsqrt();
    xhat.array().colwise() *= s.col(0).array();
    const Var y = tape.node(tape.rows(x), tape.columns(x), {x, gain, bias}, [=, out = tape.nextNode()](Tape& t) {
        const ConstMatrixView dy = t.gradient(out), hat = t.value(normalised);
        t.addGradient(gain, dy.cwiseProduct(hat).colwise().sum());
        t.addGradient(bias, dy.colwise().sum());
        if (!t.needsGradient(x))
            return;
        const Matrix g = dy.array().rowwise() * t.value(gain).row(0).array();
        const Eigen::ArrayXf shift = g.array().rowwise().mean(), tilt = (g.array() * hat.array()).rowwise().mean();
        t.addGradient(x, (((g.array().colwise() - shift) - hat.array().colwise() * tilt).colwise() *
                          t.value(inverse).col(0).array())
                             .matrix());
    });
    tape.fill(y) = (tape.value(normalised).array().rowwise() * tape.value(gain).row(0).array()).rowwise() +
                   tape.value(bias).row(0).array();
    return y;
}

}  // namespace attnscope::learn
