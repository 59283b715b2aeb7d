#include "core/networks/packing_decoder.h"

#include "core/base/random.h"

#include <cmath>

namespace attnscope {

namespace {

constexpr float everyTurn[boxTurns.size()] = {};  // none is forbidden

double uniform(const PackingChoices& choices, Index step, int which, Index packing)
{
    return Random(choices.seed, Stream::Sampling)
        .uniform(choices.number, static_cast<std::uint64_t>(2 * step + which), static_cast<std::uint64_t>(packing));
}

}  // namespace

PackingDecoder::PackingDecoder(Index boxes, Index width, Index heads, Index hidden, Index packings, bool learns)
    : m_boxes(boxes), m_width(width), m_hidden(hidden), m_packings(packings),
      m_rows(learns ? boxes * packings : packings), m_learns(learns), m_pointer(boxes, width, heads, m_rows),
      m_counted(at(packings), true), m_shares(m_rows, boxes), m_described(m_rows, stateFeatures),
      m_turns(m_rows * turns, turnFeatures), m_activations(m_rows * turns, hidden), m_scores(m_rows, turns)
{
}

void PackingDecoder::decode(const BoxNodes& nodes, const PackingInstance& instance, const PackingChoices& choices,
                            const std::stop_token& stop)
{
    m_pointer.begin(nodes.pointed, nodes.scale);
    m_states.assign(at(m_packings), PackingState(instance));
    m_logProbabilities.assign(at(m_packings), 0.0);
    m_allowed = Matrix::Zero(m_packings, m_boxes);
    for (Index step = 0; step < m_boxes && !stop.stop_requested(); ++step) {
        const Index first = m_learns ? step * m_packings : 0;
        point(nodes, step, first);
        scoreTurns(nodes, first, chooseBoxes(choices, step, first));
        chooseTurns(choices, step, first);
    }
}

std::vector<Packing> PackingDecoder::solutions() const
{
    std::vector<Packing> all;
    for (const PackingState& state : m_states)
        all.push_back(state.packing());
    return all;
}

void PackingDecoder::point(const BoxNodes& nodes, Index step, Index first)
{
    auto shares = m_shares.middleRows(first, m_packings);
    auto described = m_described.middleRows(first, m_packings);
    const float share = 1 / static_cast<float>(m_boxes - step);
    shares = m_allowed.unaryExpr([&](float allowed) { return allowed == 0.0f ? share : 0.0f; });
    for (Index k = 0; k < m_packings; ++k)
        m_states[at(k)].describe({described.row(k).data(), at(stateFeatures)});
    learn::MatrixView query = m_pointer.queries(first, m_packings);
    multiply(plain(described), transposed(nodes.state), stateFeatures, query);
    Matrix mean(m_packings, m_width);
    multiply(plain(shares), plain(nodes.remaining), m_boxes, mean);
    query += mean;
    query.rowwise() += nodes.fixed.row(0);
    m_pointer.point(first, m_packings, m_allowed, m_counted);
}

std::vector<int> PackingDecoder::chooseBoxes(const PackingChoices& choices, Index step, Index first)
{
    std::vector<int> boxes;
    for (Index k = 0; k < m_packings; ++k) {
        const float* const allowed = m_allowed.row(k).data();
        if (choices.greedy) {
            boxes.push_back(largestAllowed(m_pointer.logits(first + k), allowed));
        } else {
            const std::span<const float> shares = m_pointer.shares(first + k, allowed);
            boxes.push_back(choices.given.empty() ? drawnPlace(shares, allowed, uniform(choices, step, 0, k))
                                                  : choices.given[at(k)][at(step)].box);
            m_logProbabilities[at(k)] += std::log(static_cast<double>(shares[at(boxes.back())]));
        }
        m_allowed(k, boxes.back()) = forbidden;
    }
    return boxes;
}

void PackingDecoder::scoreTurns(const BoxNodes& nodes, Index first, const std::vector<int>& boxes)
{
    auto features = m_turns.middleRows(first * turns, m_packings * turns);
    for (Index k = 0; k < m_packings; ++k)
        m_states[at(k)].consider(boxes[at(k)], features.middleRows(k * turns, turns));
    auto hidden = m_activations.middleRows(first * turns, m_packings * turns);
    hidden.rowwise() = nodes.bias.row(0);
    multiply(plain(features), transposed(nodes.up), turnFeatures, hidden, true);
    Matrix context(m_packings, m_hidden);
    multiply(plain(m_pointer.glimpses(first, m_packings)), transposed(nodes.context), m_width, context);
    for (Index k = 0; k < m_packings; ++k)
        hidden.middleRows(k * turns, turns).rowwise() += context.row(k);
    hidden = hidden.cwiseMax(0.0f);
    learn::MatrixView scores(m_scores.row(first).data(), m_packings * turns, 1);
    multiply(plain(hidden), transposed(nodes.down), m_hidden, scores);
}

void PackingDecoder::chooseTurns(const PackingChoices& choices, Index step, Index first)
{
    for (Index k = 0; k < m_packings; ++k) {
        float* const row = m_scores.row(first + k).data();
        const std::span<const float> scores(row, at(turns));
        int turn = 0;
        if (choices.greedy) {
            turn = largestAllowed(scores, everyTurn);
        } else {
            arithmetic().maskedSoftmax(row, everyTurn, turns);
            turn = choices.given.empty() ? drawnPlace(scores, everyTurn, uniform(choices, step, 1, k))
                                         : choices.given[at(k)][at(step)].turn;
            m_logProbabilities[at(k)] += std::log(static_cast<double>(scores[at(turn)]));
        }
        m_states[at(k)].put(turn);
    }
}

void PackingDecoder::goBack(const BoxNodes& nodes, std::span<const float> weights, Gradients to)
{
    Matrix dHidden(m_rows * turns, m_hidden), dContext = Matrix::Zero(m_rows, m_hidden), dScores(m_rows, turns);
    std::vector<WeighedChoice> weighed;
    for (Index row = 0; row < m_rows; ++row) {
        const PlacedBox& choice = m_states[at(row % m_packings)].packing()[at(row / m_packings)];
        const float weight = weights[at(row % m_packings)];
        weighed.push_back({choice.box, weight});
        dScores.row(row) = -weight * m_scores.row(row);
        dScores(row, choice.turn) += weight;
        for (Index turn = 0; turn < turns; ++turn) {
            const auto active = m_activations.row(row * turns + turn);
            dHidden.row(row * turns + turn) =
                dScores(row, turn) * (active.array() > 0.0f).select(nodes.down.row(0).array(), 0.0f);
            dContext.row(row) += dHidden.row(row * turns + turn);
        }
    }
    to.down = Eigen::Map<const Matrix>(dScores.data(), 1, m_rows * turns) * m_activations;
    multiply(transposed(dHidden), plain(m_turns), m_rows * turns, to.up);
    to.bias = dHidden.colwise().sum();
    multiply(transposed(dContext), plain(m_pointer.glimpses(0, m_rows)), m_rows, to.context);
    Matrix toGlimpses(m_rows, m_width);
    multiply(plain(dContext), plain(nodes.context), m_hidden, toGlimpses);

    const learn::MatrixView dQuery = m_pointer.goBack(weighed, toGlimpses.data(), to.keys, to.values, to.pointers);
    to.fixed = dQuery.colwise().sum();
    multiply(transposed(m_shares), plain(dQuery), m_rows, to.remaining);
    multiply(transposed(dQuery), plain(m_described), m_rows, to.state);
}

}  // namespace attnscope
