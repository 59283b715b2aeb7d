#pragma once
// Heads and requests for the tests of the engines, and how two row summaries are compared.

#include "core/attention/engines.h"
#include "core/attention/normaliser.h"
#include "core/base/random.h"

#include <QMetaType>
#include <QString>

#include <cmath>
#include <vector>

namespace attnscope::test {

struct Case {
    std::int64_t m = 65, n = 65;
    int d = 64;
    AttentionSpec attention = {};
    double size = 1;                          ///< standard deviation of the logits at scale 1
    std::vector<double> scales{1};            ///< a pass each, the same for all rows
    std::vector<std::int64_t> prefixes = {};  ///< and each over these prefixes; empty: n
    double order = 2;
    std::int64_t window = 0;  ///< of windowMass, of five keys
    HeadSet::Kind kind = HeadSet::Kind::QueryKey;
    int head = 0, heads = 1, keyHeads = 1;
};

inline Matrix normals(Stream stream, std::uint64_t seed, std::int64_t rows, std::int64_t columns)
{
    Matrix matrix(rows, columns);
    for (std::int64_t r = 0; r < rows; ++r)
        Random(seed, stream)
            .normals(static_cast<std::uint64_t>(r), std::span(matrix.row(r).data(), static_cast<size_t>(columns)));
    return matrix;
}

inline HeadSet makeHeads(const Case& c)
{
    HeadSet heads;
    heads.kind = c.kind;
    const bool finished = c.kind != HeadSet::Kind::QueryKey;
    for (int h = 0; h < c.heads; ++h)
        heads.queries.push_back(static_cast<float>(c.size) *
                                normals(Stream::Queries, static_cast<std::uint64_t>(h + 1), c.m, finished ? c.n : c.d));
    if (c.kind == HeadSet::Kind::Weights)
        heads.queries.front() = heads.queries.front().cwiseAbs();
    if (finished)
        return heads;
    for (int h = 0; h < c.keyHeads; ++h)
        heads.keys.push_back(normals(Stream::Keys, static_cast<std::uint64_t>(h + 1), c.n, c.d));
    return heads;
}

inline SummaryRequest makeRequest(const Case& c)
{
    SummaryRequest request{c.attention.normaliser, {}, {c.order, c.window, c.window > 0 ? 5 : 0}, true};
    for (const double scale : c.scales)
        for (const std::int64_t prefix : c.prefixes.empty() ? std::vector{c.n} : c.prefixes) {
            const std::int64_t rows =
                prefix < c.n ? std::min(prefix, c.m) : c.m;  // a truncated sequence has fewer queries too
            request.passes.push_back({prefix, 0, rows, std::vector<double>(static_cast<size_t>(rows), scale)});
        }
    return request;
}

/// Which field strays, by how much; empty if none does. Weights are compared relative to the largest. `tolerance`
/// bounds the error of a logit, and so the relative error of a weight; a weight squared errs twice as much, one to the
/// powers asked for here (8 at most, of weights that are small then) four times.
inline QString strays(const RowSummary& is, const RowSummary& should, double tolerance, bool softmaxLike)
{
    QString text;
    const auto check = [&](const char* field, double a, double b, double allowed) {
        if (!(std::abs(a - b) <= allowed) && !(a == b))
            text += QStringLiteral("%1 is %2, should be %3; ")
                        .arg(QLatin1String(field))
                        .arg(a, 0, 'g', 10)
                        .arg(b, 0, 'g', 10);
    };
    const double top = static_cast<double>(should.top[0]);
    check("visible", static_cast<double>(is.visible), static_cast<double>(should.visible), 0);
    check("mass", is.mass, should.mass, tolerance * std::max(should.mass, 1e-300));
    check("entropy", is.entropy, should.entropy, tolerance);
    check("sumSquares", is.sumSquares, should.sumSquares, 2 * tolerance * should.sumSquares);
    check("sumRoots", is.sumRoots, should.sumRoots, tolerance * should.sumRoots);
    check("sumPower", is.sumPower, should.sumPower, 4 * tolerance * should.sumPower);
    check("logitMax", is.logitMax, should.logitMax, tolerance * std::max(1.0, std::abs(should.logitMax)));
    check("logitMin", is.logitMin, should.logitMin, tolerance * std::max(1.0, std::abs(should.logitMin)));
    check("sinkMass", is.sinkMass, should.sinkMass, tolerance);
    check("windowMass", is.windowMass, should.windowMass, tolerance);
    check("meanDistance", is.meanDistance, should.meanDistance, tolerance * (1 + should.meanDistance));
    check("shift", is.state.shiftFromZero(), should.state.shiftFromZero(),
          tolerance * std::max(1.0, std::abs(should.state.shiftFromZero())));
    check("scale", is.state.scale, should.state.scale, tolerance * std::max(1.0, std::abs(should.state.scale)));
    check("beta", is.beta, should.beta, tolerance * std::max(1.0, std::abs(should.beta)));
    check("support", static_cast<double>(is.support), static_cast<double>(should.support), softmaxLike ? 0 : 1);
    for (size_t k = 0; k < is.top.size(); ++k)
        check("top", static_cast<double>(is.top[k]), static_cast<double>(should.top[k]), tolerance * top);
    const bool clearWinner = top > static_cast<double>(should.top[1]) * (1 + 4 * tolerance);
    if (clearWinner)
        check("argmax", static_cast<double>(is.argmax), static_cast<double>(should.argmax), 0);
    return text;
}

inline std::vector<const Engine*> fastEngines()
{
    std::vector<const Engine*> fast;
    for (const Engine& engine : engines())
        if (engine.id != "reference" && engine.unavailable().empty())
            fast.push_back(&engine);
    return fast;
}

inline bool isSoftmaxLike(const Choice& choice)
{
    return (*findRow(normalisers(), choice.id, "normaliser"))->softmaxForm.has_value();
}

}  // namespace attnscope::test
Q_DECLARE_METATYPE(attnscope::test::Case)
