// Softmax attention and its backward. With P = softmax(s Q K^T), O = P V and dO given,
//
//     dV = P^T dO,   dP = dO V^T,   dZ = P o (dP - rowsum(P o dP)),   dQ = s dZ K,   dK = s dZ^T Q.
//
// Sets are independent: they are shared out over the threads in fixed groups.

#include "core/arithmetic/arithmetic.h"
#include "core/learn/operations.h"
#include "core/learn/parallel.h"

#include <cassert>

namespace attnscope::learn {

namespace {

constexpr Index setsPerTask = 16;

/// Rows of set `set` and columns of head `head` of a (batch rows, heads width) matrix.
struct Part {
    const float* data;
    Index rows, width, stride;

    template <class View>
    Part(const View& x, Index rowsOfSet, Index widthOfHead, Index set, Index head)
        : data(x.data() + set * rowsOfSet * x.cols() + head * widthOfHead), rows(rowsOfSet), width(widthOfHead),
          stride(x.cols())
    {
    }
    Operand plain() const { return {data, stride, false}; }
    Operand transposed() const { return {data, stride, true}; }
};

/// c (+)= a b, with the part `c` of a matrix that the caller may write to.
void product(Operand a, Operand b, Index inner, Part c, bool accumulate)
{
    arithmetic().multiply(a, b, c.rows, c.width, inner, const_cast<float*>(c.data), c.stride, accumulate);
}

void softmaxRows(MatrixView z)
{
    for (Index row = 0; row < z.rows(); ++row) {
        z.row(row) = (z.row(row).array() - z.row(row).maxCoeff()).exp();
        z.row(row) /= z.row(row).sum();
    }
}

}  // namespace

Attended attention(Tape& tape, Var q, Var k, Var v, const AttentionShape& shape)
{
    const Index batch = shape.batch, heads = shape.heads;
    const Index m = tape.rows(q) / batch, n = tape.rows(k) / batch, d = tape.columns(q) / heads,
                e = tape.columns(v) / heads;
    assert(m * batch == tape.rows(q) && n * batch == tape.rows(k) && tape.rows(v) == tape.rows(k) &&
           tape.columns(k) == tape.columns(q));
    const float s = shape.scale;

    /// body(set, head, weights of that set and head)
    const auto forHeads = [=](auto weights, const auto& body) {
        forChunks(batch, setsPerTask, [&](Index begin, Index end, Index) {
            for (Index set = begin; set < end; ++set)
                for (Index head = 0; head < heads; ++head)
                    body(set, head, decltype(weights)(weights.data() + (set * heads + head) * m * n, m, n));
        });
    };

    const auto factor = [products = tape.products()](ConstMatrixView x) { return Factor(products, x); };

    const Var weights = tape.constant(batch * heads * m, n);
    const Var output = tape.node(tape.rows(q), heads * e, {q, k, v}, [=, out = tape.nextNode()](Tape& t) {
        // One node may be keys and values at once: all three are added to.
        const auto cleared = [&](Var x) {
            if (t.needsGradient(x))
                t.growing(x);
        };
        cleared(q), cleared(k), cleared(v);
        const Factor queries = factor(t.value(q)), keys = factor(t.value(k)), values = factor(t.value(v)),
                     outward = factor(t.gradient(out));
        forHeads(t.value(weights), [&](Index set, Index head, ConstMatrixView p) {
            const Factor roundedWeights = factor(p);
            const Part dO(outward.view(), m, e, set, head), weightsHere(roundedWeights.view(), m, n, 0, 0);
            if (t.needsGradient(v))
                product(weightsHere.transposed(), dO.plain(), m, Part(t.slot(v).view, n, e, set, head), true);
            if (!t.needsGradient(q) && !t.needsGradient(k))
                return;
            Buffer scratch;
            MatrixView dZ = scratch.shape(m, n);
            product(dO.plain(), Part(values.view(), n, e, set, head).transposed(), e, Part(dZ, m, n, 0, 0), false);
            const Eigen::ArrayXf inner = (dZ.array() * p.array()).rowwise().sum();
            dZ = s * (p.array() * (dZ.array().colwise() - inner));
            const Factor inward = factor(ConstMatrixView(dZ.data(), m, n));
            if (t.needsGradient(q))
                product(Part(inward.view(), m, n, 0, 0).plain(), Part(keys.view(), n, d, set, head).plain(), n,
                        Part(t.slot(q).view, m, d, set, head), true);
            if (t.needsGradient(k))
                product(Part(inward.view(), m, n, 0, 0).transposed(), Part(queries.view(), m, d, set, head).plain(), m,
                        Part(t.slot(k).view, n, d, set, head), true);
        });
    });
    const Factor queries = factor(tape.value(q)), keys = factor(tape.value(k)), values = factor(tape.value(v));
    forHeads(tape.fill(weights), [&](Index set, Index head, MatrixView p) {
        product(Part(queries.view(), m, d, set, head).plain(), Part(keys.view(), n, d, set, head).transposed(), d,
                Part(p, m, n, 0, 0), false);
        p *= s;
        softmaxRows(p);
        const Factor roundedWeights = factor(ConstMatrixView(p.data(), m, n));
        product(Part(roundedWeights.view(), m, n, 0, 0).plain(), Part(values.view(), n, e, set, head).plain(), n,
                Part(tape.fill(output), m, e, set, head), false);
    });
    return {output, weights};
}

}  // namespace attnscope::learn
