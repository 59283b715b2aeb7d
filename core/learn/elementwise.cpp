// Operations element by element, slices and means.

#include "core/base/random.h"
#include "core/learn/kernels/kernels.h"
#include "core/learn/operations.h"
#include "core/learn/parallel.h"

#include <algorithm>
#include <cassert>

namespace attnscope::learn {

namespace {

constexpr Index elementChunk = 1 << 15;

/// y = f(x), f returning the value and the slope of one element; the slope is kept for the way back.
template <class F>
Var mapped(Tape& tape, Var x, const F& f)
{
    const Var slope = tape.constant(tape.rows(x), tape.columns(x));
    const Var y = tape.node(tape.rows(x), tape.columns(x), {x}, [=, out = tape.nextNode()](Tape& t) {
        Tape::Slot dx = t.slot(x);
        forChunks(dx.view.size(), elementChunk, [&](Index begin, Index end, Index) {
            kernels().product(t.gradient(out).data() + begin, t.value(slope).data() + begin, end - begin,
                              dx.view.data() + begin, dx.accumulate);
        });
    });
    f(tape.value(x).data(), tape.value(x).size(), tape.fill(y).data(), tape.fill(slope).data());
    return y;
}

/// `mapped` from a formula for one element.
template <class F>
Var mappedByElement(Tape& tape, Var x, const F& f)
{
    return mapped(tape, x, [&](const float* in, Index count, float* out, float* slope) {
        for (Index i = 0; i < count; ++i)
            f(in[i], out[i], slope[i]);
    });
}

}  // namespace

Var dropout(Tape& tape, Var x, const Dropout& which)
{
    assert(which.share >= 0 && which.share < 1);
    if (which.share == 0)
        return x;
    const float kept = static_cast<float>(1 / (1 - which.share));
    return mapped(tape, x, [&](const float* in, Index count, float* out, float* slope) {
        const Random random(which.seed, Stream::Other);  // nothing else of a training draws from it
        forChunks(count, elementChunk, [&](Index begin, Index end, Index) {
            for (Index i = begin; i < end; ++i) {
                slope[i] = random.uniform(which.draw, static_cast<std::uint64_t>(i)) < which.share ? 0.0f : kept;
                out[i] = slope[i] * in[i];
            }
        });
    });
}

Var add(Tape& tape, Var a, Var b)
{
    const bool broadcast = tape.rows(b) == 1 && tape.rows(a) != 1;
    assert(tape.columns(a) == tape.columns(b) && (broadcast || tape.rows(a) == tape.rows(b)));
    const Var y = tape.node(tape.rows(a), tape.columns(a), {a, b}, [=, out = tape.nextNode()](Tape& t) {
        t.addGradient(a, t.gradient(out));
        if (broadcast)
            t.addGradient(b, t.gradient(out).colwise().sum());
        else
            t.addGradient(b, t.gradient(out));
    });
    if (broadcast)
        tape.fill(y) = tape.value(a).rowwise() + tape.value(b).row(0);
    else
        tape.fill(y) = tape.value(a) + tape.value(b);
    return y;
}

Var multiply(Tape& tape, Var a, Var b)
{
    assert(tape.rows(a) == tape.rows(b) && tape.columns(a) == tape.columns(b));
    const Var y = tape.node(tape.rows(a), tape.columns(a), {a, b}, [=, out = tape.nextNode()](Tape& t) {
        t.addGradient(a, t.gradient(out).cwiseProduct(t.value(b)));
        t.addGradient(b, t.gradient(out).cwiseProduct(t.value(a)));
    });
    tape.fill(y) = tape.value(a).cwiseProduct(tape.value(b));
    return y;
}

Var scale(Tape& tape, Var x, float factor)
{
    const Var y = tape.node(tape.rows(x), tape.columns(x), {x},
                            [=, out = tape.nextNode()](Tape& t) { t.addGradient(x, factor * t.gradient(out)); });
    tape.fill(y) = factor * tape.value(x);
    return y;
}

Var square(Tape& tape, Var x)
{
    return mappedByElement(tape, x, [](float in, float& out, float& slope) {
        out = in * in;
        slope = 2 * in;
    });
}

Var gelu(Tape& tape, Var x)
{
    return mapped(tape, x, [](const float* in, Index count, float* out, float* slope) {
        forChunks(count, elementChunk, [&](Index begin, Index end, Index) {
            kernels().gelu(in + begin, end - begin, out + begin, slope + begin);
        });
    });
}

Var relu(Tape& tape, Var x)
{
    return mapped(tape, x, [](const float* in, Index count, float* out, float* slope) {
        forChunks(count, elementChunk, [&](Index begin, Index end, Index) {
            for (Index i = begin; i < end; ++i) {
                out[i] = std::max(in[i], 0.0f);
                slope[i] = in[i] > 0 ? 1.0f : 0.0f;
            }
        });
    });
}

Var requ(Tape& tape, Var x)
{
    return mappedByElement(tape, x, [](float in, float& out, float& slope) {
        const float positive = std::max(in, 0.0f);
        out = positive * positive;
        slope = 2 * positive;
    });
}

Var requr(Tape& tape, Var x)
{
    return mappedByElement(tape, x, [](float in, float& out, float& slope) {
        const float low = std::clamp(in, 0.0f, 0.5f);  // the parabola below 1/2,
        out = low * low + std::max(in - 0.5f, 0.0f);   // x - 1/4 above
        slope = 2 * low;
    });
}

Var pointwise(Tape& tape, Var x, const std::function<Jet(Index, double)>& f)
{
    return mapped(tape, x, [&](const float* in, Index count, float* out, float* slope) {
        for (Index i = 0; i < count; ++i) {
            const Jet jet = f(i, in[i]);
            out[i] = static_cast<float>(jet.value);
            slope[i] = static_cast<float>(jet.slope);
        }
    });
}

Var reshape(Tape& tape, Var x, Index rows, Index columns)
{
    assert(rows * columns == tape.rows(x) * tape.columns(x));
    const Var y = tape.node(rows, columns, {x}, [=, out = tape.nextNode()](Tape& t) {
        t.addGradient(x, ConstMatrixView(t.gradient(out).data(), t.rows(x), t.columns(x)));
    });
    tape.fill(y) = ConstMatrixView(tape.value(x).data(), rows, columns);
    return y;
}

Var columns(Tape& tape, Var x, Index first, Index count)
{
    assert(first >= 0 && first + count <= tape.columns(x));
    const Var y = tape.node(tape.rows(x), count, {x}, [=, out = tape.nextNode()](Tape& t) {
        t.growing(x).middleCols(first, count) += t.gradient(out);
    });
    tape.fill(y) = tape.value(x).middleCols(first, count);
    return y;
}

Var mean(Tape& tape, Var x)
{
    const float part = 1.0f / static_cast<float>(tape.rows(x) * tape.columns(x));
    const Var y = tape.node(1, 1, {x}, [=, out = tape.nextNode()](Tape& t) {
        t.addGradient(x, Matrix::Constant(t.rows(x), t.columns(x), part * t.gradient(out)(0, 0)));
    });
    double sum = 0;
    for (const float element : tape.value(x).reshaped<Eigen::RowMajor>())
        sum += element;
    tape.fill(y)(0, 0) = static_cast<float>(sum * part);
    return y;
}

Var meanOfSets(Tape& tape, Var x, Index sets)
{
    const Index rows = tape.rows(x) / sets;
    assert(rows * sets == tape.rows(x));
    const Var y = tape.node(sets, tape.columns(x), {x}, [=, out = tape.nextNode()](Tape& t) {
        if (!t.needsGradient(x))
            return;
        MatrixView dx = t.growing(x);
        for (Index set = 0; set < sets; ++set)
            dx.middleRows(set * rows, rows).rowwise() += t.gradient(out).row(set) / static_cast<float>(rows);
    });
    for (Index set = 0; set < sets; ++set)
        tape.fill(y).row(set) = tape.value(x).middleRows(set * rows, rows).colwise().mean();
    return y;
}

}  // namespace attnscope::learn
