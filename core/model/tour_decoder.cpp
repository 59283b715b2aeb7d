#include "core/model/tour_decoder.h"

#include "core/arithmetic/arithmetic.h"
#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr float clip = 10;                       // Kool et al., section 3.2
constexpr float slack = 1e-5f;                   // so that loads that add up to 1 in float32, a little above it, count as 1
constexpr float forbidden = -std::numeric_limits<float>::infinity();

Matrix applied(const Linear& linear, const MatrixView& x)
{
    Matrix y(x.rows(), linear.outputs());
    apply(linear, x, y, false, {});
    return y;
}

/// The columns [first, first + count) of W as a map of their own.
Eigen::Map<const Matrix, 0, Eigen::OuterStride<>> columnsOf(const Linear& linear, Index first, Index count)
{
    return {reinterpret_cast<const float*>(linear.weight.data) + first, linear.weight.rows, count, Eigen::OuterStride<>(linear.weight.columns)};
}

void multiply(Operand a, Operand b, Index inner, Eigen::Ref<Matrix> c)
{
    arithmetic().multiply(a, b, c.rows(), c.cols(), inner, c.data(), c.outerStride(), false);
}

Operand plain(const MatrixView& x) { return {x.data(), x.outerStride(), false}; }
Operand transposed(const MatrixView& x) { return {x.data(), x.outerStride(), true}; }

class TourDecoder {
public:
    TourDecoder(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& nodes, const DecoderRequest& request)
        : m_model(model), m_instance(instance), m_request(request), m_count(nodes.rows()), m_tours(std::max<Index>(1, request.samples)), m_random(request.seed, Stream::Sampling)
    {
        prepare(nodes);
        m_allowed = Matrix::Zero(m_tours, m_count);
        m_query.resize(m_tours, model.width);
        m_mixed.resize(m_tours, model.width);
        m_logits.resize(m_tours, m_count);
        m_out.tours.resize(static_cast<std::size_t>(m_tours));
        m_out.entropies.assign(static_cast<std::size_t>(model.heads), 0);
        m_out.logProbabilities.assign(static_cast<std::size_t>(request.samples), 0);
        m_left.assign(static_cast<std::size_t>(m_tours), instance.size());
        m_load.assign(static_cast<std::size_t>(m_tours), 0);
        m_served.setConstant(m_tours, m_count, false);
        if (model.hasDepot)
            m_allowed.col(0).setConstant(forbidden);  // from the depot a vehicle goes to a customer
    }

    DecodedTours operator()()
    {
        Index step = 0;
        for (; unfinished() && !m_request.stop.stop_requested(); ++step) {
            makeQueries(step);
            if (!m_request.everyStart || step > 0)
                point();
            for (Index tour = 0; tour < m_tours; ++tour)
                if (m_left[at(tour)] > 0)
                    go(tour, choose(tour, step));
        }
        for (double& entropy : m_out.entropies)
            entropy /= static_cast<double>(std::max<std::int64_t>(1, m_rowsSeen));
        return std::move(m_out);
    }

private:
    static std::size_t at(Index tour) { return static_cast<std::size_t>(tour); }
    bool unfinished() const { return std::ranges::any_of(m_left, [](Index left) { return left > 0; }); }

    void prepare(const MatrixView& nodes)
    {
        const Index w = m_model.width;
        const Matrix mean = nodes.colwise().mean();
        m_fixed = applied(m_model.fixed, mean);
        // what is kept is transposed, (w, nodes): a step's products run along the nodes
        const Matrix projected = applied(m_model.nodes, nodes);
        m_keys = projected.leftCols(w).transpose();
        m_values = projected.middleCols(w, w).transpose();
        Matrix pointer(m_count, w);
        multiply(plain(projected.rightCols(w)), plain(columnsOf(m_model.out, 0, w)), w, pointer);
        m_pointer = pointer.transpose() / std::sqrt(static_cast<float>(w));

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
            const Tour& made = m_out.tours[at(tour)];
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

    /// Fills m_logits with u. A finished tour's rows are computed and not looked at.
    void point()
    {
        const Index d = m_model.headSize();
        std::vector<float> factors;
        for (Index tour = 0; tour < m_tours; ++tour) {
            const Index allowed = (m_allowed.row(tour).array() == 0.0f).count();
            factors.push_back(allowed == 0 ? 0 : m_request.scale[static_cast<std::size_t>(m_count - allowed)] / std::sqrt(static_cast<float>(d)));
            m_rowsSeen += m_left[at(tour)] > 0;
        }
        m_query.array().colwise() *= Eigen::Map<const Eigen::ArrayXf>(factors.data(), m_tours);
        for (Index head = 0; head < m_model.heads; ++head) {
            multiply(plain(m_query.middleCols(head * d, d)), plain(m_keys.middleRows(head * d, d)), d, m_logits);
            for (Index tour = 0; tour < m_tours; ++tour) {
                const double entropy = arithmetic().maskedSoftmax(m_logits.row(tour).data(), m_allowed.row(tour).data(), m_count);
                if (m_left[at(tour)] > 0)
                    m_out.entropies[static_cast<std::size_t>(head)] += entropy;
            }
            multiply(plain(m_logits), transposed(m_values.middleRows(head * d, d)), m_count, m_mixed.middleCols(head * d, d));
        }
        multiply(plain(m_mixed), plain(m_pointer), m_model.width, m_logits);
        m_logits *= clip;  // softCap(10 x, 10) = 10 tanh x
        arithmetic().softCap(m_logits.data(), m_logits.size(), clip);
    }

    int choose(Index tour, Index step)
    {
        if (m_request.everyStart && step == 0)
            return static_cast<int>(tour % m_instance.size() + (m_model.hasDepot ? 1 : 0));
        return static_cast<int>(m_request.samples == 0 ? largest(tour) : drawn(tour, step));
    }

    /// The first allowed node of the largest u.
    Index largest(Index tour) const
    {
        Index best = -1;
        for (Index node = 0; node < m_count; ++node)
            if (m_allowed(tour, node) != forbidden && (best < 0 || m_logits(tour, node) > m_logits(tour, best)))
                best = node;
        return best;
    }

    Index drawn(Index tour, Index step)
    {
        arithmetic().maskedSoftmax(m_logits.row(tour).data(), m_allowed.row(tour).data(), m_count);
        double left = m_random.uniform(static_cast<std::uint64_t>(m_request.number) << 20 | static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(tour));
        Index last = -1;
        for (Index node = 0; node < m_count && (last < 0 || left >= 0); ++node)
            if (m_allowed(tour, node) != forbidden) {
                last = node;
                left -= static_cast<double>(m_logits(tour, node));
            }
        m_out.logProbabilities[at(tour)] += std::log(static_cast<double>(m_logits(tour, last)));
        return last;
    }

    /// The tour goes on to `node`, and where it may go next follows.
    void go(Index tour, int node)
    {
        m_out.tours[at(tour)].push_back(node);
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
            allowed[customer] = m_served(tour, customer) || load + demands[static_cast<std::size_t>(customer)] > 1 + slack ? forbidden : 0;
    }

    const AttentionModel& m_model;
    const RoutingInstance& m_instance;
    const DecoderRequest& m_request;
    Index m_count, m_tours;
    Random m_random;
    Matrix m_fixed, m_atStart, m_ofRoom;        // (1, w)
    Matrix m_first, m_last;                     // (nodes, w)
    Matrix m_keys, m_values, m_pointer;         // (w, nodes)
    Matrix m_allowed;                           // (tours, nodes): 0, or -infinity where the tour may not go
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m_served;
    Matrix m_query, m_mixed, m_logits;          // (tours, w), (tours, w), (tours, nodes)
    std::vector<Index> m_left;                  // customers or cities that a tour has not seen
    std::vector<float> m_load;                  // of the vehicle under way
    std::int64_t m_rowsSeen = 0;
    DecodedTours m_out;
};

}  // namespace

DecodedTours decodeTours(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& nodes, const DecoderRequest& request)
{
    return TourDecoder(model, instance, nodes, request)();
}

}  // namespace attnscope
