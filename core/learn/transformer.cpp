#include "core/learn/transformer.h"

#include "core/learn/kernels/kernels.h"
#include "core/learn/parallel.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr Index rowsOfTask = 64, elementsOfTask = 1 << 15;

}  // namespace

Var embedding(Tape& tape, Var table, std::span<const int> ids)
{
    const std::vector<int> kept(ids.begin(), ids.end());
    const Var y =
        tape.node(static_cast<Index>(ids.size()), tape.columns(table), {table}, [=, out = tape.nextNode()](Tape& t) {
            MatrixView words = t.growing(table);
            for (std::size_t row = 0; row < kept.size(); ++row)  // in order: a word may come often
                words.row(kept[row]) += t.gradient(out).row(static_cast<Index>(row));
        });
    for (std::size_t row = 0; row < kept.size(); ++row) {
        assert(kept[row] >= 0 && kept[row] < tape.rows(table));
        tape.fill(y).row(static_cast<Index>(row)) = tape.value(table).row(kept[row]);
    }
    return y;
}

Var rmsNorm(Tape& tape, Var x, Var gain, float eps)
{
    assert(tape.columns(gain) == tape.columns(x) && tape.rows(gain) == 1);
    const Index rows = tape.rows(x), columns = tape.columns(x);
    const Var inverse = tape.constant(rows, 1);
    const Var y = tape.node(rows, columns, {x, gain}, [=, out = tape.nextNode()](Tape& t) {
        Buffer unwanted, sum;
        const bool wantsX = t.needsGradient(x);
        Tape::Slot dx = wantsX ? t.slot(x) : Tape::Slot{unwanted.shape(rows, columns), false};
        MatrixView dgain = sum.shape(1, columns);
        sumChunks(rows, rowsOfTask, dgain, [&](Index begin, Index end, MatrixView part) {
            part.setZero();
            kernels().rmsNormBack(t.value(x).data() + begin * columns, t.value(gain).data(),
                                  t.value(inverse).data() + begin, t.gradient(out).data() + begin * columns,
                                  end - begin, columns, dx.view.data() + begin * columns, dx.accumulate, part.data());
        });
        t.addGradient(gain, dgain);
    });
    const float* const in = tape.value(x).data();
    float* const to = tape.fill(y).data();
    float* const factors = tape.fill(inverse).data();
    forChunks(rows, rowsOfTask, [&](Index begin, Index end, Index) {
        kernels().rmsNorm(in + begin * columns, tape.value(gain).data(), end - begin, columns, eps,
                          to + begin * columns, factors + begin);
    });
    return y;
}

Var swiglu(Tape& tape, Var gate, Var up)
{
    assert(gate.index != up.index && tape.rows(gate) == tape.rows(up) && tape.columns(gate) == tape.columns(up));
    const Index count = tape.rows(gate) * tape.columns(gate);
    const Var y = tape.node(tape.rows(gate), tape.columns(gate), {gate, up}, [=, out = tape.nextNode()](Tape& t) {
        Buffer unwanted;
        const auto slotOf = [&](Var v) {
            return t.needsGradient(v) ? t.slot(v) : Tape::Slot{unwanted.shape(t.rows(v), t.columns(v)), false};
        };
        Tape::Slot da = slotOf(gate), db = slotOf(up);
        forChunks(count, elementsOfTask, [&](Index begin, Index end, Index) {
            kernels().swigluBack(t.value(gate).data() + begin, t.value(up).data() + begin,
                                 t.gradient(out).data() + begin, end - begin, da.view.data() + begin, da.accumulate,
                                 db.view.data() + begin, db.accumulate);
        });
    });
    const float *const a = tape.value(gate).data(), *const b = tape.value(up).data();
    float* const to = tape.fill(y).data();
    forChunks(count, elementsOfTask,
              [&](Index begin, Index end, Index) { kernels().swiglu(a + begin, b + begin, end - begin, to + begin); });
    return y;
}

std::shared_ptr<const Rotation> rotation(Index places, Index headSize, double base)
{
    assert(headSize % 2 == 0);
    auto made = std::make_shared<Rotation>(Rotation{Matrix(places, headSize / 2), Matrix(places, headSize / 2)});
    for (Index j = 0; j < headSize / 2; ++j) {
        const double frequency = std::pow(base, -2 * static_cast<double>(j) / static_cast<double>(headSize));
        for (Index t = 0; t < places; ++t) {
            made->cosines(t, j) = static_cast<float>(std::cos(static_cast<double>(t) * frequency));
            made->sines(t, j) = static_cast<float>(std::sin(static_cast<double>(t) * frequency));
        }
    }
    return made;
}

std::shared_ptr<const Rotation> rotationAt(const Rotation& table, std::span<const int> places)
{
    const auto rows = static_cast<Index>(places.size()), half = table.cosines.cols();
    auto made = std::make_shared<Rotation>(Rotation{Matrix(rows, half), Matrix(rows, half)});
    for (Index row = 0; row < rows; ++row) {
        const int place = places[static_cast<std::size_t>(row)];
        assert(place >= 0 && place < table.cosines.rows());
        made->cosines.row(row) = table.cosines.row(place);
        made->sines.row(row) = table.sines.row(place);
    }
    return made;
}

Var rotate(Tape& tape, Var x, std::shared_ptr<const Rotation> rotation)
{
    const Index rows = tape.rows(x), columns = tape.columns(x), places = rotation->cosines.rows(),
                half = rotation->cosines.cols();
    assert(rows % places == 0 && columns % (2 * half) == 0);
    const auto turn = [=, turned = std::move(rotation)](const float* from, float* to, float sign, bool accumulate) {
        forChunks(rows, rowsOfTask, [&](Index begin, Index end, Index) {
            for (Index row = begin; row < end; ++row)
                for (Index first = 0; first < columns; first += 2 * half)
                    kernels().rotate(from + row * columns + first, turned->cosines.data() + (row % places) * half,
                                     turned->sines.data() + (row % places) * half, half, sign,
                                     to + row * columns + first, accumulate);
        });
    };
    const Var y = tape.node(rows, columns, {x}, [=, out = tape.nextNode()](Tape& t) {
        Tape::Slot dx = t.slot(x);
        turn(t.gradient(out).data(), dx.view.data(), -1.0f, dx.accumulate);  // a rotation's transpose turns back
    });
    turn(tape.value(x).data(), tape.fill(y).data(), 1, false);
    return y;
}

TokenLoss tokenLoss(Tape& tape, Var logits, std::span<const int> labels)
{
    assert(static_cast<Index>(labels.size()) == tape.rows(logits));
    const Index rows = tape.rows(logits), words = tape.columns(logits);
    TokenLoss result;
    for (const int label : labels)
        result.counted += label >= 0;
    const float part = result.counted > 0 ? 1 / static_cast<float>(result.counted) : 0;
    const Var excess = tape.constant(rows, words);  // (softmax - onehot) / counted, the gradient
    result.loss = tape.node(1, 1, {logits}, [=, out = tape.nextNode()](Tape& t) {
        const Tape::Slot dz = t.slot(logits);
        const float factor = t.gradient(out)(0, 0);
        forChunks(rows, rowsOfTask, [&](Index begin, Index end, Index) {
            const auto here = factor * t.value(excess).middleRows(begin, end - begin);
            if (dz.accumulate)
                MatrixView(dz.view).middleRows(begin, end - begin) += here;
            else
                MatrixView(dz.view).middleRows(begin, end - begin) = here;
        });
    });
    std::vector<double> losses(labels.size(), 0.0);
    std::vector<char> right(labels.size(), 0);
    const float* const z = tape.value(logits).data();
    float* const p = tape.fill(excess).data();
    forChunks(rows, rowsOfTask, [&](Index begin, Index end, Index) {
        for (Index row = begin; row < end; ++row) {
            const int label = labels[static_cast<std::size_t>(row)];
            const float* const from = z + row * words;
            float* const to = p + row * words;
            Eigen::Map<Eigen::ArrayXf> weights(to, words);
            if (label < 0) {
                weights.setZero();
                continue;
            }
            assert(label < words);
            const float largest = kernels().largest(from, words, nullptr);
            const float total = kernels().exponentials(from, words, largest, to);
            losses[static_cast<std::size_t>(row)] =
                std::log(static_cast<double>(total)) + static_cast<double>(largest) - static_cast<double>(from[label]);
            right[static_cast<std::size_t>(row)] = from[label] >= largest;
            weights *= part / total;
            to[label] -= part;
        }
    });
    double sum = 0, hits = 0;
    for (std::size_t row = 0; row < labels.size(); ++row) {
        sum += losses[row];
        hits += right[row];
    }
    const double counted = static_cast<double>(std::max<Index>(result.counted, 1));
    tape.fill(result.loss)(0, 0) = static_cast<float>(sum / counted);
    result.accuracy = hits / counted;
    return result;
}

double clipGradients(const Weights& weights, double largest)
{
    double squares = 0;
    for (const Weight* weight : weights)
        if (weight->trained)
            for (Index i = 0; i < weight->gradient.size(); ++i) {
                const double g = static_cast<double>(weight->gradient.data()[i]);
                squares += g * g;
            }
    const double norm = std::sqrt(squares);
    if (norm > largest)
        for (Weight* weight : weights)
            weight->gradient *= static_cast<float>(largest / norm);
    return norm;
}

}  // namespace attnscope::learn
