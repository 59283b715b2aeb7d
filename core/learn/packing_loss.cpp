// Rows are steps: all packings' first, all packings' second, ... With a the weight of a row's ln p, s the scores of its
// turns, q = softmax s and y = relu(z), z = up x + bias + context g, the way back through a turn is
//
//     ds = a (onehot - q),   ddown = ds y,   dz = ds down [z > 0],
//     dup = dz x^T,   dbias = dz,   dcontext = dz g^T,   dg = context^T dz

#include "core/learn/packing_loss.h"

#include "core/base/random.h"
#include "core/learn/decoding.h"
#include "core/learn/glimpse_rows.h"

#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

/// One instance at a time; buffers stay for the next.
class InstancePackings {
public:
    enum Input : std::size_t {
        Keys,
        Values,
        Pointers,
        Fixed,
        Remaining,
        State,
        Up,
        Bias,
        Context,
        Down
    };  ///< shared from State on

    InstancePackings(const Tape& tape, const PackingQueries& queries, const PackingDraw& draw, const MakeGame& play,
                     const PackingWeights& weigh)
        : m_tape(tape), m_queries(queries), m_draw(draw), m_play(play), m_weigh(weigh),
          m_random(draw.seed, Stream::Sampling), m_boxes(draw.boxes), m_width(tape.columns(queries.keys)),
          m_packings(draw.packings), m_rows(m_boxes * m_packings), m_hidden(tape.rows(queries.up)),
          m_glimpses(m_boxes, m_width, queries.heads, m_rows), m_shares(m_rows, m_boxes),
          m_states(m_rows, tape.columns(queries.state)), m_turns(m_rows * draw.turns, tape.columns(queries.up)),
          m_activations(m_rows * draw.turns, m_hidden), m_scores(m_rows, draw.turns)
    {
    }

    void decode(Index instance, std::vector<PackingPath>& paths, std::vector<double>& logProbabilities)
    {
        m_instance = instance;
        paths.assign(at(m_packings), {});
        m_games.clear();
        for (Index k = 0; k < m_packings; ++k)
            m_games.push_back(m_play(instance));
        m_allowed = Matrix::Ones(m_packings, m_boxes);
        m_glimpses.begin(nodesOf(m_queries.keys), nodesOf(m_queries.values), nodesOf(m_queries.pointers));
        for (Index step = 0; step < m_boxes; ++step) {
            point(step);
            chooseBoxes(step, paths, logProbabilities);
            scoreTurns(step, paths);
            chooseTurns(step, paths, logProbabilities);
            for (Index k = 0; k < m_packings; ++k)
                m_games[at(k)]->put(paths[at(k)].back().turn);
        }
    }

    void weigh(Index instance, const std::vector<PackingPath>&, std::span<float> weights) const
    {
        m_weigh(instance, m_games, weights);
    }

    void goBack(const std::vector<PackingPath>& paths, std::span<const float> weights, const GradientOf& to)
    {
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
                dHidden.row(row * turns + turn) =
                    dScores(row, turn) * (active.array() > 0.0f).select(down.array(), 0.0f);
                dContext.row(row) += dHidden.row(row * turns + turn);
            }
        }
        const MatrixView glimpses = m_glimpses.glimpses(0, m_rows);
        to(Down) = Eigen::Map<const Matrix>(dScores.data(), 1, m_rows * turns) * m_activations;
        product({dHidden.data(), m_hidden, true}, {m_turns.data(), m_turns.cols(), false}, m_rows * turns, to(Up));
        to(Bias) = dHidden.colwise().sum();
        product({dContext.data(), m_hidden, true}, {glimpses.data(), m_width, false}, m_rows, to(Context));
        Matrix toGlimpses(m_rows, m_width);
        product({dContext.data(), m_hidden, false}, {m_tape.value(m_queries.context).data(), m_width, false}, m_hidden,
                toGlimpses);

        const MatrixView dQuery = m_glimpses.goBack(weighed, toGlimpses.data(), to(Keys), to(Values), to(Pointers));
        to(Fixed) = dQuery.colwise().sum();
        product({m_shares.data(), m_boxes, true}, {dQuery.data(), m_width, false}, m_rows, to(Remaining));
        product({dQuery.data(), m_width, true}, {m_states.data(), m_states.cols(), false}, m_rows, to(State));
    }

private:
    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static void product(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c)
    {
        arithmetic().multiply(a, b, c.rows(), c.cols(), inner, c.data(), c.outerStride(), false);
    }
    ConstMatrixView nodesOf(Var x) const
    {
        return {m_tape.value(x).data() + m_instance * m_boxes * m_width, m_boxes, m_width};
    }

    void point(Index step)
    {
        const Index first = step * m_packings;
        m_shares.middleRows(first, m_packings) = m_allowed / static_cast<float>(m_boxes - step);
        for (Index k = 0; k < m_packings; ++k)
            m_games[at(k)]->describe({m_states.row(first + k).data(), at(m_states.cols())});
        MatrixView query = m_glimpses.queries(first, m_packings);
        const ConstMatrixView state = m_tape.value(m_queries.state);
        product({m_shares.row(first).data(), m_boxes, false}, {nodesOf(m_queries.remaining).data(), m_width, false},
                m_boxes, query);
        arithmetic().multiply({m_states.row(first).data(), m_states.cols(), false}, {state.data(), state.cols(), true},
                              m_packings, m_width, m_states.cols(), query.data(), m_width, true);
        query.rowwise() += m_tape.value(m_queries.fixed).row(m_instance);
        m_glimpses.point(first, m_packings, m_allowed.data());
    }

    double uniform(Index step, Index which, Index packing) const
    {
        const std::uint64_t number =
            m_draw.step * static_cast<std::uint64_t>(m_draw.instances) + static_cast<std::uint64_t>(m_instance);
        return m_random.uniform(number, static_cast<std::uint64_t>(2 * step + which),
                                static_cast<std::uint64_t>(packing));
    }

    void chooseBoxes(Index step, std::vector<PackingPath>& paths, std::vector<double>& logProbabilities)
    {
        for (Index k = 0; k < m_packings; ++k) {
            const float* const shares = m_glimpses.shares(step * m_packings + k);
            const int box = m_draw.given.empty() ? drawnPlace(
                                                       uniform(step, 0, k), m_boxes, [&](Index i) { return shares[i]; },
                                                       [&](Index i) { return m_allowed(k, i) != 0.0f; })
                                                 : m_draw.given[at(m_instance)][at(k)][at(step)].box;
            logProbabilities[at(k)] += std::log(static_cast<double>(shares[box]));
            m_allowed(k, box) = 0;
            paths[at(k)].push_back({box, 0});
        }
    }

    void scoreTurns(Index step, const std::vector<PackingPath>& paths)
    {
        const Index first = step * m_packings, turns = m_draw.turns;
        for (Index k = 0; k < m_packings; ++k)
            m_games[at(k)]->consider(paths[at(k)].back().box,
                                     MatrixView(m_turns.row((first + k) * turns).data(), turns, m_turns.cols()));
        const ConstMatrixView up = m_tape.value(m_queries.up), down = m_tape.value(m_queries.down);
        Matrix context(m_packings, m_hidden);
        product({m_glimpses.glimpses(first, m_packings).data(), m_width, false},
                {m_tape.value(m_queries.context).data(), m_width, true}, m_width, context);
        context.rowwise() += m_tape.value(m_queries.bias).row(0);
        Eigen::Ref<Matrix> hidden = m_activations.middleRows(first * turns, m_packings * turns);
        product({m_turns.row(first * turns).data(), m_turns.cols(), false}, {up.data(), up.cols(), true}, up.cols(),
                hidden);
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
            const int turn = m_draw.given.empty() ? drawnPlace(
                                                        uniform(step, 1, k), m_draw.turns,
                                                        [&](Index i) { return scores[i]; }, [](Index) { return true; })
                                                  : m_draw.given[at(m_instance)][at(k)][at(step)].turn;
            logProbabilities[at(k)] += std::log(static_cast<double>(scores[turn]));
            paths[at(k)].back().turn = turn;
        }
    }

    const Tape& m_tape;
    const PackingQueries& m_queries;
    const PackingDraw& m_draw;
    const MakeGame& m_play;
    const PackingWeights& m_weigh;
    Random m_random;
    Index m_boxes, m_width, m_packings, m_rows, m_hidden, m_instance = 0;
    Games m_games;
    GlimpseRows m_glimpses;
    Matrix m_allowed;               // (packings, boxes): 1, or 0 where a box is packed
    Matrix m_shares;                // (rows, boxes): 1 / boxes left for those, else 0
    Matrix m_states;                // (rows, state features)
    Matrix m_turns, m_activations;  // (rows turns, turn features), (rows turns, hidden)
    Matrix m_scores;                // (rows, turns), after the softmax
};

Matrix sumOfInstances(ConstMatrixView each, Index instances)
{
    const Index rows = each.rows() / instances;
    Matrix sum = each.topRows(rows);
    for (Index instance = 1; instance < instances; ++instance)
        sum += each.middleRows(instance * rows, rows);
    return sum;
}

}  // namespace

DrawnSolutions<PackingPath> packingLoss(Tape& tape, const PackingQueries& queries, const PackingDraw& draw,
                                        const MakeGame& play, const PackingWeights& weigh)
{
    assert(tape.rows(queries.keys) == draw.instances * draw.boxes && draw.packings > 0);
    const DecoderInputs inputs{.all = {queries.keys, queries.values, queries.pointers, queries.fixed, queries.remaining,
                                       queries.state, queries.up, queries.bias, queries.context, queries.down},
                               .ofInstances = InstancePackings::State,
                               .sum = sumOfInstances};
    return decodingLoss<PackingPath>(tape, inputs, draw.instances, draw.packings,
                                     [&] { return InstancePackings(tape, queries, draw, play, weigh); });
}

}  // namespace attnscope::learn
