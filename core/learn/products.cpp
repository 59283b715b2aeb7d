// Matrix products: y = x W^T + b gives dx = dy W, dW = dy^T x, db = the columns' sums of dy.

#include "core/arithmetic/arithmetic.h"
#include "core/learn/operations.h"
#include "core/learn/parallel.h"

#include <cassert>

namespace attnscope::learn {

namespace {

constexpr Index rowChunk = 256;    // rows of a product a task makes
constexpr Index innerChunk = 512;  // terms of a long sum a task adds up

Operand operand(ConstMatrixView a, bool transposed = false) { return {a.data(), a.cols(), transposed}; }

/// c = or += a op(b), rows in parallel.
void multiplyRows(ConstMatrixView a, Operand b, MatrixView c, bool accumulate)
{
    forChunks(c.rows(), rowChunk, [&](Index begin, Index end, Index) {
        arithmetic().multiply({a.data() + begin * a.cols(), a.cols(), false}, b, end - begin, c.cols(), a.cols(),
                              c.data() + begin * c.cols(), c.cols(), accumulate);
    });
}

/// a^T b, a sum over rows.
void multiplyTransposed(ConstMatrixView a, ConstMatrixView b, MatrixView c, bool accumulate)
{
    if (accumulate || a.rows() <= innerChunk) {
        arithmetic().multiply(operand(a, true), operand(b), c.rows(), c.cols(), a.rows(), c.data(), c.cols(),
                              accumulate);
        return;
    }
    sumChunks(a.rows(), innerChunk, c, [&](Index begin, Index end, MatrixView part) {
        arithmetic().multiply({a.data() + begin * a.cols(), a.cols(), true},
                              {b.data() + begin * b.cols(), b.cols(), false}, c.rows(), c.cols(), end - begin,
                              part.data(), part.cols(), false);
    });
}

}  // namespace

Var matmul(Tape& tape, Var a, Var b, bool transposeB)
{
    assert(tape.columns(a) == (transposeB ? tape.columns(b) : tape.rows(b)));
    const Index width = transposeB ? tape.rows(b) : tape.columns(b);
    const Var y = tape.node(tape.rows(a), width, {a, b}, [=, out = tape.nextNode()](Tape& t) {
        const Factor dy(t.products(), t.gradient(out));
        if (t.needsGradient(a)) {
            const Tape::Slot da = t.slot(a);
            const Factor other(t.products(), t.value(b));
            multiplyRows(dy.view(), operand(other.view(), !transposeB), da.view, da.accumulate);
        }
        if (t.needsGradient(b)) {
            const Tape::Slot db = t.slot(b);
            const Factor other(t.products(), t.value(a));
            transposeB ? multiplyTransposed(dy.view(), other.view(), db.view, db.accumulate)
                       : multiplyTransposed(other.view(), dy.view(), db.view, db.accumulate);
        }
    });
    const Factor left(tape.products(), tape.value(a)), right(tape.products(), tape.value(b));
    multiplyRows(left.view(), operand(right.view(), transposeB), tape.fill(y), false);
    return y;
}

Var linear(Tape& tape, Var x, Var weight, Var bias)
{
    assert(tape.columns(x) == tape.columns(weight) && tape.columns(bias) == tape.rows(weight));
    const Var y = tape.node(tape.rows(x), tape.rows(weight), {x, weight, bias}, [=, out = tape.nextNode()](Tape& t) {
        const Factor dy(t.products(), t.gradient(out));
        if (t.needsGradient(weight)) {
            const Tape::Slot dw = t.slot(weight);
            multiplyTransposed(dy.view(), Factor(t.products(), t.value(x)).view(), dw.view, dw.accumulate);
        }
        t.addGradient(bias, t.gradient(out).colwise().sum());
        if (t.needsGradient(x)) {
            const Tape::Slot dx = t.slot(x);
            multiplyRows(dy.view(), operand(Factor(t.products(), t.value(weight)).view()), dx.view, dx.accumulate);
        }
    });
    MatrixView out = tape.fill(y);
    out.rowwise() = tape.value(bias).row(0);
    multiplyRows(Factor(tape.products(), tape.value(x)).view(),
                 operand(Factor(tape.products(), tape.value(weight)).view(), true), out, true);
    return y;
}

}  // namespace attnscope::learn
