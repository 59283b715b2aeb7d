#include "core/networks/tour_decoder.h"

#include "core/base/random.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope {

namespace {

constexpr float slack = 1e-5f;  // so that loads that add up to 1 in float32, a little above it, count as 1

/// A vehicle returns to the depot once a customer at most.
Index rowsOf(Index nodes, Index tours, bool depot, bool learns)
{
    return learns ? (depot ? 2 : 1) * nodes * tours : tours;
}

}  // namespace

TourDecoder::TourDecoder(Index nodes, Index width, Index heads, Index tours, bool depot, bool learns)
    : m_nodes(nodes), m_tours(tours), m_depot(depot), m_learns(learns),
      m_pointer(nodes, width, heads, rowsOf(nodes, tours, depot, learns)), m_counted(at(tours))
{
}

bool TourDecoder::unfinished() const
{
    return std::ranges::any_of(m_left, [](Index left) { return left > 0; });
}

int TourDecoder::onlyAllowed(Index tour) const
{
    int node = 0;
    while (m_allowed(tour, node) == forbidden)
        ++node;
    return node;
}

void TourDecoder::begin(const TourNodes& nodes)
{
    m_pointer.begin(nodes.pointed, nodes.scale);
    m_made.assign(at(m_tours), {});
    m_logProbabilities.assign(at(m_tours), 0.0);
    m_left.assign(at(m_tours), customers());
    m_load.assign(at(m_tours), 0.0f);
    m_allowed = Matrix::Zero(m_tours, m_nodes);
    m_served.setConstant(m_tours, m_nodes, false);
    m_choices.clear();
    m_glimpses.clear();
    if (m_depot)
        m_allowed.col(0).setConstant(forbidden);  // from the depot a vehicle goes to a customer
}

void TourDecoder::decode(const TourNodes& nodes, const TourChoices& choices, const std::stop_token& stop)
{
    begin(nodes);
    Index rows = 0;
    for (Index step = 0; unfinished() && !stop.stop_requested(); ++step) {
        if (m_learns && oneIsLeft(step)) {  // no choice, and nothing to learn
            for (Index tour = 0; tour < m_tours; ++tour)
                visit(nodes.demands, tour, onlyAllowed(tour));
            continue;
        }
        const Index choosing = step == 0 ? std::min(choices.freeStarts, m_tours) : m_tours, first = m_learns ? rows : 0;
        rows += choosing;
        if (choosing > 0) {
            point(nodes, first, choosing);
            if (choices.glimpses)
                m_glimpses.push_back(m_pointer.weights(first));
        }
        for (Index tour = 0; tour < m_tours; ++tour) {
            if (tour >= choosing) {
                visit(nodes.demands, tour, static_cast<int>(tour % customers() + firstCustomer()));
                continue;
            }
            Choice choice{tour, m_made[at(tour)].empty() ? -1 : m_made[at(tour)].back(), -1, m_load[at(tour)]};
            if (m_left[at(tour)] > 0) {
                choice.node = choose(choices, tour, step, first + tour);
                visit(nodes.demands, tour, choice.node);
            }
            if (m_learns)
                m_choices.push_back(choice);
        }
    }
}

Matrix TourDecoder::glimpses() const
{
    Matrix all(std::ssize(m_glimpses), m_nodes);
    for (Index choice = 0; choice < all.rows(); ++choice)
        all.row(choice) = m_glimpses[at(choice)];
    return all;
}

/// Fills the rows of the first `count` tours.
void TourDecoder::point(const TourNodes& nodes, Index first, Index count)
{
    learn::MatrixView queries = m_pointer.queries(first, count);
    for (Index tour = 0; tour < count; ++tour) {
        const Tour& made = m_made[at(tour)];
        auto query = queries.row(tour);
        query = nodes.fixed.row(0);
        if (m_depot)
            query += nodes.last.row(made.empty() ? 0 : made.back()) + (1 - m_load[at(tour)]) * nodes.start.row(0);
        else if (made.empty())
            query += nodes.start.row(0);
        else
            query += nodes.first.row(made.front()) + nodes.last.row(made.back());
        m_counted[at(tour)] = m_left[at(tour)] > 0;
    }
    m_pointer.point(first, count, m_allowed, m_counted);
}

int TourDecoder::choose(const TourChoices& choices, Index tour, Index step, Index row)
{
    const float* const allowed = m_allowed.row(tour).data();
    if (choices.greedy)
        return largestAllowed(m_pointer.logits(row), allowed);
    const std::span<const float> shares = m_pointer.shares(row, allowed);
    const int node = choices.given.empty() ? drawnPlace(shares, allowed,
                                                        Random(choices.seed, Stream::Sampling)
                                                            .uniform(choices.number, static_cast<std::uint64_t>(step),
                                                                     static_cast<std::uint64_t>(tour)))
                                           : choices.given[at(tour)][at(step)];
    m_logProbabilities[at(tour)] += std::log(static_cast<double>(shares[at(node)]));
    return node;
}

/// The tour goes on to `node`, and where it may go next follows.
void TourDecoder::visit(std::span<const float> demands, Index tour, int node)
{
    m_made[at(tour)].push_back(node);
    auto allowed = m_allowed.row(tour);
    if (!m_depot) {
        allowed[node] = forbidden;
        --m_left[at(tour)];
        return;
    }
    float& load = m_load[at(tour)];
    load = node == 0 ? 0 : load + demands[at(node)];
    if (node != 0) {
        m_served(tour, node) = true;
        --m_left[at(tour)];
    }
    allowed[0] = node == 0 ? forbidden : 0;
    for (Index customer = 1; customer < m_nodes; ++customer)
        allowed[customer] = m_served(tour, customer) || load + demands[at(customer)] > 1 + slack ? forbidden : 0;
}

void TourDecoder::goBack(std::span<const float> weights, Gradients to)
{
    std::vector<WeighedChoice> weighed;
    for (const Choice& choice : m_choices)
        weighed.push_back({choice.node, weights[at(choice.tour)]});
    const learn::MatrixView dQuery = m_pointer.goBack(weighed, nullptr, to.keys, to.values, to.pointers);
    for (Index row = 0; row < dQuery.rows(); ++row) {
        const Choice& choice = m_choices[at(row)];
        const auto d = dQuery.row(row);
        if (choice.node < 0)
            continue;
        to.fixed.row(0) += d;
        if (m_depot) {
            to.last.row(std::max(choice.last, 0)) += d;
            to.start.row(0) += (1 - choice.load) * d;
        } else if (choice.last < 0) {
            to.start.row(0) += d;
        } else {
            to.first.row(m_made[at(choice.tour)].front()) += d;
            to.last.row(choice.last) += d;
        }
    }
}

}  // namespace attnscope
