// A run of the Attention Model: its encoder on all instances, then its decoder on each.

#include "core/base/random.h"
#include "core/model/attention_model.h"
#include "core/model/glimpse_pointer.h"
#include "core/model/solver.h"

#include <algorithm>

namespace attnscope {

namespace {

constexpr float slack = 1e-5f;  // so that loads that add up to 1 in float32, a little above it, count as 1

/// Some tours of one instance at a time, each step one product for all of them. What depends on the nodes alone is made
/// once: keys, values and pointer keys, and what the first and the last node add to the query.
class TourDecoder {
public:
    TourDecoder(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& nodes,
                const DecodeRequest& request)
        : m_model(model), m_instance(instance), m_request(request), m_count(nodes.rows()),
          m_tours(std::max<Index>(1, request.run.samples)), m_random(request.run.seed, Stream::Sampling),
          m_point(model, nodes, request.scale)
    {
        if (keepsGlimpses())
            m_point.keepWeights();
        prepare(nodes);
        m_allowed = Matrix::Zero(m_tours, m_count);
        m_counted.resize(at(m_tours));
        m_query.resize(m_tours, model.width);
        m_out.solutions.resize(static_cast<std::size_t>(m_tours));
        m_out.logProbabilities.assign(static_cast<std::size_t>(request.run.samples), 0);
        m_left.assign(static_cast<std::size_t>(m_tours), instance.size());
        m_load.assign(static_cast<std::size_t>(m_tours), 0);
        m_served.setConstant(m_tours, m_count, false);
        if (model.hasDepot)
            m_allowed.col(0).setConstant(forbidden);  // from the depot a vehicle goes to a customer
    }

    Decoded<Tour> operator()()
    {
        Index step = 0;
        for (; unfinished() && !m_request.run.stop.stop_requested(); ++step) {
            makeQueries(step);
            if (!m_request.run.everyStart || step > 0) {
                for (Index tour = 0; tour < m_tours; ++tour)
                    m_counted[at(tour)] = m_left[at(tour)] > 0;
                m_point(m_query, m_allowed, m_counted, m_logits);
                if (keepsGlimpses())
                    m_glimpses.push_back(m_point.weights().row(0));
            }
            for (Index tour = 0; tour < m_tours; ++tour)
                if (m_left[at(tour)] > 0)
                    go(tour, choose(tour, step));
        }
        m_out.entropies = m_point.entropies();
        m_out.glimpses.resize(std::ssize(m_glimpses), m_count);
        for (std::size_t made = 0; made < m_glimpses.size(); ++made)
            m_out.glimpses.row(static_cast<Index>(made)) = m_glimpses[made];
        return std::move(m_out);
    }

private:
    static std::size_t at(Index tour) { return static_cast<std::size_t>(tour); }
    bool keepsGlimpses() const { return m_request.run.glimpses && m_request.run.samples == 0; }
    bool unfinished() const
    {
        return std::ranges::any_of(m_left, [](Index left) { return left > 0; });
    }

    void prepare(const MatrixView& nodes)
    {
        const Index w = m_model.width;
        const Matrix mean = nodes.colwise().mean();
        m_fixed = applied(m_model.fixed, mean);
        m_last.resize(m_count, w);
        if (m_model.hasDepot) {
            multiply(plain(nodes), transposed(columnsOf(m_model.step, 0, w)), w, m_last);
            m_ofRoom = columnsOf(m_model.step, w, 1).transpose();
            return;
        }
        m_first.resize(m_count, w);
        multiply(plain(nodes), transposed(columnsOf(m_model.step, 0, w)), w, m_first);
        multiply(plain(nodes), transposed(columnsOf(m_model.step, w, w)), w, m_last);
        m_atStart = applied(m_model.step, Eigen::Map<const Matrix>(m_model.placeholder.data(), 1, 2 * w));
    }

    void makeQueries(Index step)
    {
        for (Index tour = 0; tour < m_tours; ++tour) {
            const Tour& made = m_out.solutions[at(tour)];
            auto query = m_query.row(tour);
            query = m_fixed.row(0);
            if (m_model.hasDepot)
                query += m_last.row(made.empty() ? 0 : made.back()) + (1 - m_load[at(tour)]) * m_ofRoom.row(0);
            else if (step == 0)
                query += m_atStart.row(0);
            else
                query += m_first.row(made.front()) + m_last.row(made.back());
        }
    }

    int choose(Index tour, Index step)
    {
        if (m_request.run.everyStart && step == 0)
            return static_cast<int>(tour % m_instance.size() + (m_model.hasDepot ? 1 : 0));
        return static_cast<int>(m_request.run.samples == 0 ? largestAllowed(m_logits, m_allowed, tour)
                                                           : drawn(tour, step));
    }

    Index drawn(Index tour, Index step)
    {
        const DrawnNode drawn =
            drawAllowed(m_logits, m_allowed, tour,
                        m_random.uniform(static_cast<std::uint64_t>(m_request.number), static_cast<std::uint64_t>(step),
                                         static_cast<std::uint64_t>(tour)));
        m_out.logProbabilities[at(tour)] += drawn.logProbability;
        return drawn.node;
    }

    /// The tour goes on to `node`, and where it may go next follows.
    void go(Index tour, int node)
    {
        m_out.solutions[at(tour)].push_back(node);
        auto allowed = m_allowed.row(tour);
        if (!m_model.hasDepot) {
            allowed[node] = forbidden;
            --m_left[at(tour)];
            return;
        }
        const std::vector<float>& demands = m_instance.demands;
        float& load = m_load[at(tour)];
        load = node == 0 ? 0 : load + demands[static_cast<std::size_t>(node)];
        if (node != 0) {
            m_served(tour, node) = true;
            --m_left[at(tour)];
        }
        allowed[0] = node == 0 ? forbidden : 0;
        for (Index customer = 1; customer < m_count; ++customer)
            allowed[customer] =
                m_served(tour, customer) || load + demands[static_cast<std::size_t>(customer)] > 1 + slack ? forbidden
                                                                                                           : 0;
    }

    const AttentionModel& m_model;
    const RoutingInstance& m_instance;
    const DecodeRequest& m_request;
    Index m_count, m_tours;
    Random m_random;
    GlimpsePointer m_point;
    Matrix m_fixed, m_atStart, m_ofRoom;  // (1, w)
    Matrix m_first, m_last;               // (nodes, w)
    Matrix m_allowed;                     // (tours, nodes): 0, or -infinity where the tour may not go
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m_served;
    std::vector<std::uint8_t> m_counted;         // of a tour: has it nodes left?
    Matrix m_query, m_logits;                    // (tours, w), (tours, nodes)
    std::vector<Index> m_left;                   // customers or cities that a tour has not seen
    std::vector<float> m_load;                   // of the vehicle under way
    std::vector<Eigen::RowVectorXf> m_glimpses;  // of the choices so far, (nodes), if wanted
    Decoded<Tour> m_out;
};

Result<void> checkInstances(const AttentionModel& model, std::span<const RoutingInstance> instances)
{
    for (const RoutingInstance& instance : instances) {
        if (instance.hasDepot() != model.hasDepot)
            return failure(ErrorKind::InvalidArgument,
                           model.hasDepot ? "the model routes vehicles (CVRP), and the instances have no depot"
                                          : "the model makes tours of cities (TSP), and the instances have a depot");
        if (instance.nodes() != instances.front().nodes() || instance.size() < 1 || instance.places.cols() != 2 ||
            (instance.hasDepot() && std::ssize(instance.demands) != instance.nodes()))
            return failure(
                ErrorKind::InvalidArgument,
                "the instances of a run must have equally many nodes, at least one, of two coordinates each");
        if (!instance.places.allFinite() ||
            !std::ranges::all_of(instance.demands, [](float demand) { return demand >= 0 && demand <= 1; }))
            return failure(ErrorKind::InvalidArgument,
                           "coordinates must be finite, and demands from 0 to 1, parts of a vehicle's load");
    }
    return {};
}

/// False if stopped.
bool embed(const AttentionModel& model, std::span<const RoutingInstance> instances, const std::stop_token& stop,
           Matrix& h)
{
    const Index count = std::ssize(instances), nodes = instances.front().nodes();
    Matrix features(count * nodes, model.start.inputs());
    for (Index i = 0; i < count; ++i) {
        const RoutingInstance& instance = instances[static_cast<std::size_t>(i)];
        features.middleRows(i * nodes, nodes).leftCols(2) = instance.places;
        if (model.hasDepot)
            features.middleRows(i * nodes, nodes).col(2) =
                Eigen::Map<const Eigen::VectorXf>(instance.demands.data(), nodes);
    }
    if (!apply(model.start, features, h, false, stop))
        return false;
    for (Index i = 0; model.hasDepot && i < count; ++i)
        if (!apply(model.startOfDepot, instances[static_cast<std::size_t>(i)].places.topRows(1),
                   h.middleRows(i * nodes, 1), false, stop))
            return false;
    return true;
}

}  // namespace

Result<Solved<Tour>> runRouting(const AttentionModel& model, std::span<const RoutingInstance> instances,
                                const SolveRequest& request)
{
    TRY(checkInstances(model, instances));
    // the depot is a node and no customer: n leaves it out, as the published n do
    const Index n = instances.empty() ? 0 : instances.front().size(),
                nodes = instances.empty() ? 0 : instances.front().nodes();
    return solve<Tour>(
        model, std::ssize(instances), n, nodes, request,
        [&](Matrix& h) { return embed(model, instances, request.stop, h); },
        [&](Index i, const MatrixView& h, const DecodeRequest& one) {
            return TourDecoder(model, instances[static_cast<std::size_t>(i)], h, one)();
        });
}

}  // namespace attnscope
