// Rows are steps: all packings' first, all packings' second, ... With a the weight of a row's ln p, s the scores of its turns,
// q = softmax s and y = relu(z), z = up x + bias + context g, the way back through a turn is
//
//     ds = a (onehot - q),   ddown = ds y,   dz = ds down [z > 0],   dup = dz x^T,   dbias = dz,   dcontext = dz g^T,   dg = context^T dz

#include "core/learn/packing_loss.h"

#include "core/base/random.h"
#include "core/learn/glimpse_rows.h"
#include "core/learn/parallel.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr Index packedPerTask = 4;               // instances
constexpr std::size_t inputsOfPacking = 10;      // of which the first five are of instances and the others one matrix for all

/// Gradients of what PackingQueries has; of the last five a matrix for each instance, one below the other.
using PackingGradients = std::array<Var, inputsOfPacking>;

/// One instance at a time; buffers stay for the next.
class InstancePackings {
public:
    InstancePackings(Tape& tape, const PackingQueries& queries, const PackingDraw& draw, const MakeGame& play)
        : m_tape(tape), m_queries(queries), m_draw(draw), m_play(play), m_random(draw.seed, Stream::Sampling), m_boxes(draw.boxes), m_width(tape.columns(queries.keys)), m_packings(draw.packings),
          m_rows(m_boxes * m_packings), m_hidden(tape.rows(queries.up)), m_glimpses(m_boxes, m_width, queries.heads, m_rows), m_shares(m_rows, m_boxes), m_states(m_rows, tape.columns(queries.state)),
          m_turns(m_rows * draw.turns, tape.columns(queries.up)), m_activations(m_rows * draw.turns, m_hidden), m_scores(m_rows, draw.turns)
    {
    }

    void decode(Index instance, std::vector<PackingPath>& paths, std::vector<double>& logProbabilities, Games& games)
    {
        m_instance = instance;
        paths.assign(at(m_packings), {});
        games.clear();
        for (Index k = 0; k < m_packings; ++k)
            games.push_back(m_play(instance));
        m_allowed = Matrix::Ones(m_packings, m_boxes);
        m_glimpses.begin(nodesOf(m_queries.keys), nodesOf(m_queries.values), nodesOf(m_queries.pointers));
        for (Index step = 0; step < m_boxes; ++step) {
            point(step, games);
            chooseBoxes(step, paths, logProbabilities);
            scoreTurns(step, paths, games);
            chooseTurns(step, paths, logProbabilities);
            for (Index k = 0; k < m_packings; ++k)
                games[at(k)]->put(paths[at(k)].back().turn);
        }
    }

    void goBack(const std::vector<PackingPath>& paths, std::span<const float> weights, const PackingGradients& to)
    {
        const auto part = [&](std::size_t input) {
            const Index rows = m_tape.rows(to[input]) / m_draw.instances, columns = m_tape.columns(to[input]);
            return MatrixView(m_tape.fill(to[input]).data() + m_instance * rows * columns, rows, columns);
        };
        const Index turns = m_draw.turns;
        Matrix dHidden(m_rows * turns, m_hidden), dContext = Matrix::Zero(m_rows, m_hidden);
        const auto down = m_tape.value(m_queries.down).row(0);
        std::vector<WeighedChoice> weighed;
        Matrix dScores(m_rows, turns);
        for (Index row = 0; row < m_rows; ++row) {
            const PackingChoice& choice = paths[at(row % m_packings)][at(row / m_packings)];
            const float weight = weights[at(row % m_packings)];
            weighed.push_back({choice.box, weight});
            dScores.row(row) = -weight * m_scores.row(row);
            dScores(row, choice.turn) += weight;
            for (Index turn = 0; turn < turns; ++turn) {
                const auto active = m_activations.row(row * turns + turn);
                dHidden.row(row * turns + turn) = dScores(row, turn) * (active.array() > 0.0f).select(down.array(), 0.0f);
                dContext.row(row) += dHidden.row(row * turns + turn);
            }
        }
        const MatrixView glimpses = m_glimpses.glimpses(0, m_rows);
        part(9) = Eigen::Map<const Matrix>(dScores.data(), 1, m_rows * turns) * m_activations;
        product({dHidden.data(), m_hidden, true}, {m_turns.data(), m_turns.cols(), false}, m_rows * turns, part(6));
        part(7) = dHidden.colwise().sum();
        product({dContext.data(), m_hidden, true}, {glimpses.data(), m_width, false}, m_rows, part(8));
        Matrix toGlimpses(m_rows, m_width);
        product({dContext.data(), m_hidden, false}, {m_tape.value(m_queries.context).data(), m_width, false}, m_hidden, toGlimpses);

        const MatrixView dQuery = m_glimpses.goBack(weighed, toGlimpses.data(), part(0), part(1), part(2));
        part(3) = dQuery.colwise().sum();
        product({m_shares.data(), m_boxes, true}, {dQuery.data(), m_width, false}, m_rows, part(4));
        product({dQuery.data(), m_width, true}, {m_states.data(), m_states.cols(), false}, m_rows, part(5));
    }

private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static void product(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c) { arithmetic().multiply(a, b, c.rows(), c.cols(), inner, c.data(), c.outerStride(), false); }
    ConstMatrixView nodesOf(Var x) const { return {m_tape.value(x).data() + m_instance * m_boxes * m_width, m_boxes, m_width}; }

    void point(Index step, const Games& games)
    {
        const Index first = step * m_packings;
        m_shares.middleRows(first, m_packings) = m_allowed / static_cast<float>(m_boxes - step);
        for (Index k = 0; k < m_packings; ++k)
            games[at(k)]->describe({m_states.row(first + k).data(), at(m_states.cols())});
        MatrixView query = m_glimpses.queries(first, m_packings);
        const ConstMatrixView state = m_tape.value(m_queries.state);
        product({m_shares.row(first).data(), m_boxes, false}, {nodesOf(m_queries.remaining).data(), m_width, false}, m_boxes, query);
        arithmetic().multiply({m_states.row(first).data(), m_states.cols(), false}, {state.data(), state.cols(), true}, m_packings, m_width, m_states.cols(), query.data(), m_width, true);
        query.rowwise() += m_tape.value(m_queries.fixed).row(m_instance);
        m_glimpses.point(first, m_packings, m_allowed.data());
    }

    double uniform(Index step, Index which, Index packing) const
    {
        const std::uint64_t number = m_draw.step * static_cast<std::uint64_t>(m_draw.instances) + static_cast<std::uint64_t>(m_instance);
        return m_random.uniform(number << 16 | static_cast<std::uint64_t>(2 * step + which), static_cast<std::uint64_t>(packing));
    }

    /// The place at which the sum of the shares passes `left`, of those that are allowed.
    template <class Share, class Allowed>
    static int drawn(double left, Index count, const Share& share, const Allowed& allowed)
    {
        int last = -1;
        for (Index i = 0; i < count && (last < 0 || left >= 0); ++i)
            if (allowed(i)) {
                last = static_cast<int>(i);
                left -= static_cast<double>(share(i));
            }
        return last;
    }

    void chooseBoxes(Index step, std::vector<PackingPath>& paths, std::vector<double>& logProbabilities)
    {
        for (Index k = 0; k < m_packings; ++k) {
            const float* const shares = m_glimpses.shares(step * m_packings + k);
            const int box = m_draw.given.empty() ? drawn(uniform(step, 0, k), m_boxes, [&](Index i) { return shares[i]; }, [&](Index i) { return m_allowed(k, i) != 0.0f; })
                                                 : m_draw.given[at(m_instance)][at(k)][at(step)].box;
            logProbabilities[at(k)] += std::log(static_cast<double>(shares[box]));
            m_allowed(k, box) = 0;
            paths[at(k)].push_back({box, 0});
        }
    }

    void scoreTurns(Index step, const std::vector<PackingPath>& paths, const Games& games)
    {
        const Index first = step * m_packings, turns = m_draw.turns;
        for (Index k = 0; k < m_packings; ++k)
            games[at(k)]->consider(paths[at(k)].back().box, MatrixView(m_turns.row((first + k) * turns).data(), turns, m_turns.cols()));
        const ConstMatrixView up = m_tape.value(m_queries.up), down = m_tape.value(m_queries.down);
        Matrix context(m_packings, m_hidden);
        product({m_glimpses.glimpses(first, m_packings).data(), m_width, false}, {m_tape.value(m_queries.context).data(), m_width, true}, m_width, context);
        context.rowwise() += m_tape.value(m_queries.bias).row(0);
        Eigen::Ref<Matrix> hidden = m_activations.middleRows(first * turns, m_packings * turns);
        product({m_turns.row(first * turns).data(), m_turns.cols(), false}, {up.data(), up.cols(), true}, up.cols(), hidden);
        for (Index k = 0; k < m_packings; ++k) {
            auto ofOne = hidden.middleRows(k * turns, turns);
            ofOne.rowwise() += context.row(k);
            ofOne = ofOne.cwiseMax(0.0f);
            auto scores = m_scores.row(first + k);
            scores = (ofOne * down.transpose()).transpose();
            scores = (scores.array() - scores.maxCoeff()).exp();
            scores /= scores.sum();
        }
    }

    void chooseTurns(Index step, std::vector<PackingPath>& paths, std::vector<double>& logProbabilities)
    {
        for (Index k = 0; k < m_packings; ++k) {
            const auto scores = m_scores.row(step * m_packings + k);
            const int turn = m_draw.given.empty() ? drawn(uniform(step, 1, k), m_draw.turns, [&](Index i) { return scores[i]; }, [](Index) { return true; })
                                                  : m_draw.given[at(m_instance)][at(k)][at(step)].turn;
            logProbabilities[at(k)] += std::log(static_cast<double>(scores[turn]));
            paths[at(k)].back().turn = turn;
        }
    }

    Tape& m_tape;
    const PackingQueries& m_queries;
    const PackingDraw& m_draw;
    const MakeGame& m_play;
    Random m_random;
    Index m_boxes, m_width, m_packings, m_rows, m_hidden, m_instance = 0;
    GlimpseRows m_glimpses;
    Matrix m_allowed;                         // (packings, boxes): 1, or 0 where a box is packed
    Matrix m_shares;                          // (rows, boxes): 1 / boxes left for those, else 0
    Matrix m_states;                          // (rows, state features)
    Matrix m_turns, m_activations;            // (rows turns, turn features), (rows turns, hidden)
    Matrix m_scores;                          // (rows, turns), after the softmax
};

}  // namespace

DrawnPackings packingLoss(Tape& tape, const PackingQueries& queries, const PackingDraw& draw, const MakeGame& play, const PackingWeights& weigh)
{
    assert(tape.rows(queries.keys) == draw.instances * draw.boxes && draw.packings > 0);
    const std::array<Var, inputsOfPacking> inputs{queries.keys, queries.values, queries.pointers, queries.fixed, queries.remaining, queries.state, queries.up, queries.bias, queries.context, queries.down};
    const Index instances = draw.instances;
    PackingGradients gradients;               // of the loss, found with its value
    for (std::size_t i = 0; i < inputs.size(); ++i)
        gradients[i] = tape.constant(tape.rows(inputs[i]) * (i < 5 ? 1 : instances), tape.columns(inputs[i]));
    DrawnPackings drawn;
    drawn.loss = tape.node(1, 1, std::vector<Var>(inputs.begin(), inputs.end()), [=, out = tape.nextNode()](Tape& t) {
        const float outward = t.gradient(out)(0, 0);
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            const ConstMatrixView all = t.value(gradients[i]);
            if (i < 5) {
                t.addGradient(inputs[i], outward * all);
                continue;
            }
            const Index rows = all.rows() / instances;
            Matrix sum = all.topRows(rows);
            for (Index instance = 1; instance < instances; ++instance)
                sum += all.middleRows(instance * rows, rows);
            t.addGradient(inputs[i], outward * sum);
        }
    });
    drawn.paths.resize(static_cast<std::size_t>(instances));
    drawn.logProbabilities.assign(static_cast<std::size_t>(instances), std::vector<double>(static_cast<std::size_t>(draw.packings), 0.0));
    std::vector<double> losses(static_cast<std::size_t>(instances), 0.0);
    forChunks(instances, packedPerTask, [&](Index begin, Index end, Index) {
        InstancePackings one(tape, queries, draw, play);
        std::vector<float> weights(static_cast<std::size_t>(draw.packings));
        Games games;
        for (Index instance = begin; instance < end; ++instance) {
            const auto i = static_cast<std::size_t>(instance);
            one.decode(instance, drawn.paths[i], drawn.logProbabilities[i], games);
            weigh(instance, games, weights);
            for (std::size_t k = 0; k < weights.size(); ++k)
                losses[i] += static_cast<double>(weights[k]) * drawn.logProbabilities[i][k];
            one.goBack(drawn.paths[i], weights, gradients);
        }
    });
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    tape.fill(drawn.loss)(0, 0) = static_cast<float>(sum);
    return drawn;
}

}  // namespace attnscope::learn
