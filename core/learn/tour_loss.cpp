// Rows of the decoder's are choices: all tours' of the first step, of the second, ...

#include "core/learn/tour_loss.h"

#include "core/base/random.h"
#include "core/learn/decoding.h"
#include "core/learn/glimpse_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr float slackOfLoad = 1e-5f;  // loads that add up to 1 in float32 may be a little above

/// One instance at a time; buffers stay for the next.
class InstanceTours {
public:
    enum Input : std::size_t { Keys, Values, Pointers, Fixed, First, Last, Start };  ///< the last one shared

    InstanceTours(const Tape& tape, const TourQueries& queries, const RoutingBatch& batch, const TourDraw& draw,
                  const TourWeights& weigh)
        : m_tape(tape), m_queries(queries), m_batch(batch), m_draw(draw), m_weigh(weigh),
          m_random(draw.seed, Stream::Sampling), m_nodes(batch.nodes), m_width(tape.columns(queries.keys)),
          m_tours(draw.tours), m_room((batch.hasDepot() ? 2 : 1) * m_nodes *
                                      m_tours),  // a vehicle returns to the depot once a customer at most
          m_glimpses(m_nodes, m_width, queries.heads, m_room)
    {
        m_choices.reserve(static_cast<std::size_t>(m_room));
    }

    /// Tours of the instance, with the logarithms of their probabilities.
    void decode(Index instance, std::vector<Path>& tours, std::vector<double>& logProbabilities)
    {
        begin(instance, tours);
        for (Index step = 0; unfinished(); ++step) {
            if (!m_batch.hasDepot() && step + 1 == m_nodes) {  // one city is left: no choice
                for (Index tour = 0; tour < m_tours; ++tour)
                    visit(tour, onlyAllowed(tour), tours);
                continue;
            }
            const Index first = m_rows, choosing = step == 0 ? std::min(m_draw.freeStarts, m_tours) : m_tours;
            assert(first + choosing <= m_room);
            m_rows += choosing;
            point(first, choosing, tours);
            for (Index tour = 0; tour < m_tours; ++tour) {
                if (tour >= choosing) {
                    visit(tour, static_cast<int>(tour % customers() + firstCustomer()), tours);
                    continue;
                }
                Choice choice{tour, lastOf(tours[at(tour)]), -1, m_load[at(tour)], step == 0};
                if (m_left[at(tour)] > 0) {
                    choice.node = choose(instance, tour, step, first + tour);
                    logProbabilities[at(tour)] +=
                        std::log(static_cast<double>(m_glimpses.shares(first + tour)[choice.node]));
                    visit(tour, choice.node, tours);
                }
                m_choices.push_back(choice);
            }
        }
    }

    void weigh(Index instance, std::span<const Path> tours, std::span<float> weights) const
    {
        m_weigh(instance, tours, weights);
    }

    /// What weights of the tours' ln p make of the loss.
    void goBack(std::span<const Path> tours, std::span<const float> weights, const GradientOf& to)
    {
        m_weighed.clear();
        for (const Choice& choice : m_choices)
            m_weighed.push_back({choice.node, weights[at(choice.tour)]});
        const MatrixView dQuery = m_glimpses.goBack(m_weighed, nullptr, to(Keys), to(Values), to(Pointers));
        MatrixView fixed = to(Fixed), first = to(First), last = to(Last), start = to(Start);
        for (Index row = 0; row < m_rows; ++row) {
            const Choice& choice = m_choices[at(row)];
            const auto d = dQuery.row(row);
            if (choice.node < 0)
                continue;
            fixed.row(0) += d;
            if (m_batch.hasDepot()) {
                last.row(std::max(choice.last, 0)) += d;
                start.row(0) += (1 - choice.load) * d;
            } else if (choice.firstStep) {
                start.row(0) += d;
            } else {
                first.row(tours[at(choice.tour)].front()) += d;
                last.row(choice.last) += d;
            }
        }
    }

private:
    struct Choice {
        Index tour = 0;
        int last = -1;  ///< node before it, -1 for none
        int node = -1;  ///< -1: the tour was finished
        float load = 0;
        bool firstStep = false;
    };

    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static int lastOf(const Path& tour) { return tour.empty() ? -1 : tour.back(); }
    Index firstCustomer() const { return m_batch.hasDepot() ? 1 : 0; }
    Index customers() const { return m_nodes - firstCustomer(); }
    bool unfinished() const
    {
        return std::ranges::any_of(m_left, [](Index left) { return left > 0; });
    }
    ConstMatrixView nodesOf(Var x) const
    {
        return {m_tape.value(x).data() + m_instance * m_nodes * m_width, m_nodes, m_width};
    }
    float demandOf(Index node) const { return m_batch.demands[at(m_instance * m_nodes + node)]; }

    void begin(Index instance, std::vector<Path>& tours)
    {
        m_instance = instance;
        m_rows = 0;
        m_choices.clear();
        tours.assign(at(m_tours), {});
        m_left.assign(at(m_tours), customers());
        m_load.assign(at(m_tours), 0.0f);
        m_allowed = Matrix::Ones(m_tours, m_nodes);
        m_served.setConstant(m_tours, m_nodes, false);
        if (m_batch.hasDepot())
            m_allowed.col(0).setZero();
        m_glimpses.begin(nodesOf(m_queries.keys), nodesOf(m_queries.values), nodesOf(m_queries.pointers));
    }

    void makeQuery(Index row, Index tour, const Path& made)
    {
        Eigen::Map<Eigen::RowVectorXf> query = m_glimpses.query(row);
        query = m_tape.value(m_queries.fixed).row(m_instance);
        if (m_batch.hasDepot())
            query += nodesOf(m_queries.last).row(made.empty() ? 0 : made.back()) +
                     (1 - m_load[at(tour)]) * m_tape.value(m_queries.start).row(0);
        else if (made.empty())
            query += m_tape.value(m_queries.start).row(0);
        else
            query += nodesOf(m_queries.first).row(made.front()) + nodesOf(m_queries.last).row(made.back());
    }

    /// Fills the rows of the first `count` tours.
    void point(Index first, Index count, const std::vector<Path>& tours)
    {
        for (Index tour = 0; tour < count; ++tour)
            makeQuery(first + tour, tour, tours[at(tour)]);
        m_glimpses.point(first, count, m_allowed.data());
    }

    int onlyAllowed(Index tour) const
    {
        int node = 0;
        while (m_allowed(tour, node) == 0.0f)
            ++node;
        return node;
    }

    int choose(Index instance, Index tour, Index step, Index row) const
    {
        if (!m_draw.given.empty())
            return m_draw.given[at(instance)][at(tour)][at(step)];
        const std::uint64_t number =
            m_draw.step * static_cast<std::uint64_t>(m_batch.instances) + static_cast<std::uint64_t>(instance);
        const float* const shares = m_glimpses.shares(row);
        return drawnPlace(
            m_random.uniform(number, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(tour)), m_nodes,
            [&](Index node) { return shares[node]; }, [&](Index node) { return m_allowed(tour, node) != 0.0f; });
    }

    void visit(Index tour, int node, std::vector<Path>& tours)
    {
        tours[at(tour)].push_back(node);
        auto allowed = m_allowed.row(tour);
        if (!m_batch.hasDepot()) {
            allowed[node] = 0;
            --m_left[at(tour)];
            return;
        }
        float& load = m_load[at(tour)];
        load = node == 0 ? 0 : load + demandOf(node);
        if (node != 0) {
            m_served(tour, node) = true;
            --m_left[at(tour)];
        }
        allowed[0] = node == 0 ? 0.0f : 1.0f;
        for (Index customer = 1; customer < m_nodes; ++customer)
            allowed[customer] = m_served(tour, customer) || load + demandOf(customer) > 1 + slackOfLoad ? 0.0f : 1.0f;
    }

    const Tape& m_tape;
    const TourQueries& m_queries;
    const RoutingBatch& m_batch;
    const TourDraw& m_draw;
    const TourWeights& m_weigh;
    Random m_random;
    Index m_nodes, m_width, m_tours, m_room, m_rows = 0, m_instance = 0;
    GlimpseRows m_glimpses;
    std::vector<WeighedChoice> m_weighed;  // of the rows
    Matrix m_allowed;                      // (tours, nodes): 1, or 0 where a tour may not go
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m_served;
    std::vector<Index> m_left;
    std::vector<float> m_load;
    std::vector<Choice> m_choices;  // of the rows
};

}  // namespace

DrawnSolutions<Path> tourLoss(Tape& tape, const TourQueries& queries, const RoutingBatch& batch, const TourDraw& draw,
                              const TourWeights& weigh)
{
    assert(tape.rows(queries.keys) == batch.instances * batch.nodes && draw.tours > 0);
    const DecoderInputs inputs{.all = {queries.keys, queries.values, queries.pointers, queries.fixed, queries.first,
                                       queries.last, queries.start},
                               .ofInstances = InstanceTours::Start,
                               .sum = [](ConstMatrixView each, Index) -> Matrix { return each.colwise().sum(); }};
    return decodingLoss<Path>(tape, inputs, batch.instances, draw.tours,
                              [&] { return InstanceTours(tape, queries, batch, draw, weigh); });
}

}  // namespace attnscope::learn
