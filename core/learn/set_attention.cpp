#include "core/learn/set_attention.h"

#include "core/learn/parallel.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr Index setsOfTask = 16;

/// body(set) for all sets, on all cores.
template <class Body>
void forSets(Index sets, const Body& body)
{
    forChunks(sets, setsOfTask, [&](Index begin, Index end, Index) {
        for (Index set = begin; set < end; ++set)
            body(set);
    });
}

}  // namespace

Var setLogits(Tape& tape, Var q, Var h)
{
    const Index sets = tape.rows(q), n = tape.rows(h) / sets;
    assert(sets * n == tape.rows(h) && tape.columns(q) == tape.columns(h));
    const Var logits = tape.node(sets, n, {q, h}, [=, out = tape.nextNode()](Tape& t) {
        const Factor inward(t.products(), t.gradient(out)), queries(t.products(), t.value(q)),
            rows(t.products(), t.value(h));
        if (t.needsGradient(q)) {
            MatrixView dq = t.growing(q);
            forSets(sets, [&](Index set) {
                dq.row(set).noalias() += inward.view().row(set) * rows.view().middleRows(set * n, n);
            });
        }
        if (t.needsGradient(h)) {
            MatrixView dh = t.growing(h);
            forSets(sets, [&](Index set) {
                dh.middleRows(set * n, n).noalias() += inward.view().row(set).transpose() * queries.view().row(set);
            });
        }
    });
    const Factor queries(tape.products(), tape.value(q)), rows(tape.products(), tape.value(h));
    MatrixView to = tape.fill(logits);
    forSets(sets, [&](Index set) {
        to.row(set).noalias() = queries.view().row(set) * rows.view().middleRows(set * n, n).transpose();
    });
    return logits;
}

Var setSums(Tape& tape, Var p, Var h)
{
    const Index sets = tape.rows(p), n = tape.columns(p);
    assert(sets * n == tape.rows(h));
    const Var sums = tape.node(sets, tape.columns(h), {p, h}, [=, out = tape.nextNode()](Tape& t) {
        const Factor outward(t.products(), t.gradient(out)), weights(t.products(), t.value(p)),
            rows(t.products(), t.value(h));
        if (t.needsGradient(p)) {
            MatrixView dp = t.growing(p);
            forSets(sets, [&](Index set) {
                dp.row(set).noalias() += outward.view().row(set) * rows.view().middleRows(set * n, n).transpose();
            });
        }
        if (t.needsGradient(h)) {
            MatrixView dh = t.growing(h);
            forSets(sets, [&](Index set) {
                dh.middleRows(set * n, n).noalias() += weights.view().row(set).transpose() * outward.view().row(set);
            });
        }
    });
    const Factor weights(tape.products(), tape.value(p)), rows(tape.products(), tape.value(h));
    MatrixView to = tape.fill(sums);
    forSets(sets,
            [&](Index set) { to.row(set).noalias() = weights.view().row(set) * rows.view().middleRows(set * n, n); });
    return sums;
}

Var mapRows(Tape& tape, Var z, RowFunction f)
{
    using Row = Eigen::RowVectorXd;
    const Index rows = tape.rows(z), n = tape.columns(z);
    const auto count = static_cast<std::size_t>(n);
    const Var y = tape.node(rows, n, {z}, [=, out = tape.nextNode()](Tape& t) {
        if (!t.needsGradient(z))
            return;
        MatrixView dz = t.growing(z);
        forSets(rows, [&](Index row) {
            const Row logits = t.value(z).row(row).cast<double>(), weights = t.value(out).row(row).cast<double>();
            Row g = t.gradient(out).row(row).cast<double>();
            f.back({logits.data(), count}, {weights.data(), count}, {g.data(), count});
            dz.row(row) += g.cast<float>();
        });
    });
    MatrixView to = tape.fill(y);
    forSets(rows, [&](Index row) {
        const Row logits = tape.value(z).row(row).cast<double>();
        Row weights(n);
        f.value({logits.data(), count}, {weights.data(), count});
        to.row(row) = weights.cast<float>();
    });
    return y;
}

Var rowEntropies(Tape& tape, Var p)
{
    const Var entropies = tape.node(tape.rows(p), 1, {p}, [=, out = tape.nextNode()](Tape& t) {
        if (!t.needsGradient(p))
            return;
        MatrixView dp = t.growing(p);
        for (Index row = 0; row < dp.rows(); ++row)
            for (Index j = 0; j < dp.cols(); ++j)
                if (const float w = t.value(p)(row, j); w > 0)
                    dp(row, j) -= t.gradient(out)(row, 0) * (std::log(w) + 1);
    });
    for (Index row = 0; row < tape.rows(p); ++row) {
        double h = 0;
        for (Index j = 0; j < tape.columns(p); ++j)
            if (const double w = static_cast<double>(tape.value(p)(row, j)); w > 0)
                h -= w * std::log(w);
        tape.fill(entropies)(row, 0) = static_cast<float>(h);
    }
    return entropies;
}

}  // namespace attnscope::learn
