// With x = g.P / sqrt(w), u = c tanh x, p = softmax(u) over the nodes allowed and weight a of a row's choice, the way back is
//
//     du = a (onehot - p),   dx = du (c - u^2 / c),   dg = dx P / sqrt(w),   dP = dx^T g / sqrt(w),
//
// and through each head's softmax attention as in attention.cpp. Rows are choices: all tours' of the first step, of the second, ...

#include "core/learn/tour_loss.h"

#include "core/arithmetic/arithmetic.h"
#include "core/base/random.h"
#include "core/learn/kernels/kernels.h"
#include "core/learn/parallel.h"

#include <array>
#include <cassert>
#include <cmath>

namespace attnscope::learn {

namespace {

constexpr float clipOfLogits = 10;               // Kool et al. 2019, section 3.2
constexpr float slackOfLoad = 1e-5f;             // loads that add up to 1 in float32 may be a little above
constexpr float farBelow = 1e9f;                 // what logits of nodes that are not allowed are lowered by
constexpr Index instancesPerTask = 4;

/// Gradients of what TourQueries has, of the instances' parts of them; `start` has a row for each instance.
struct QueryGradients {
    MatrixView keys, values, pointers, fixed, first, last, start;
};

/// One instance at a time; buffers stay for the next.
class InstanceTours {
public:
    InstanceTours(const Tape& tape, const TourQueries& queries, const RoutingBatch& batch, const TourDraw& draw)
        : m_tape(tape), m_queries(queries), m_batch(batch), m_draw(draw), m_random(draw.seed, Stream::Sampling), m_nodes(batch.nodes), m_width(tape.columns(queries.keys)),
          m_size(m_width / queries.heads), m_tours(draw.tours), m_scale(1 / std::sqrt(static_cast<float>(m_size)))
    {
        const Index steps = batch.hasDepot() ? 2 * m_nodes : m_nodes;  // a vehicle returns to the depot once a customer at most
        m_room = steps * m_tours;
        m_query = m_buffers[0].shape(m_room, m_width).data();
        m_glimpse = m_buffers[1].shape(m_room, m_width).data();
        m_logits = m_buffers[2].shape(m_room, m_nodes).data();
        m_shares = m_buffers[3].shape(m_room, m_nodes).data();
        m_attention = m_buffers[4].shape(queries.heads * m_room, m_nodes).data();
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
                    logProbabilities[at(tour)] += std::log(static_cast<double>(m_shares[(first + tour) * m_nodes + choice.node]));
                    visit(tour, choice.node, tours);
                }
                m_choices.push_back(choice);
            }
        }
    }

    /// Adds what weights of the tours' ln p make of the loss to the gradients, which are 0 before.
    void goBack(Index instance, std::span<const Path> tours, std::span<const float> weights, QueryGradients to)
    {
        MatrixView dLogits = m_buffers[5].shape(m_rows, m_nodes);
        MatrixView dGlimpse = m_buffers[6].shape(m_rows, m_width), dQuery = m_buffers[7].shape(m_rows, m_width);
        for (Index row = 0; row < m_rows; ++row) {
            const Choice& choice = m_choices[at(row)];
            const Eigen::Map<const Eigen::ArrayXf> u(m_logits + row * m_nodes, m_nodes), p(m_shares + row * m_nodes, m_nodes);
            auto d = dLogits.row(row).transpose().array();
            if (choice.node < 0) {
                d.setZero();
                continue;
            }
            d = -p;
            d[choice.node] += 1;
            d *= weights[at(choice.tour)] * (clipOfLogits - u.square() / clipOfLogits);
        }
        const float pointerScale = 1 / std::sqrt(static_cast<float>(m_width));
        multiply({dLogits.data(), m_nodes, false}, {partOf(m_queries.pointers), m_width, false}, m_rows, m_width, m_nodes, dGlimpse.data(), m_width);
        dGlimpse *= pointerScale;
        const Index firstNode = instance * m_nodes;
        multiply({dLogits.data(), m_nodes, true}, {m_glimpse, m_width, false}, m_nodes, m_width, m_rows, to.pointers.data() + firstNode * m_width, m_width);
        to.pointers.middleRows(firstNode, m_nodes) *= pointerScale;
        for (Index head = 0; head < m_queries.heads; ++head)
            goBackThroughHead(head, firstNode, dLogits, dGlimpse, dQuery, to);
        dQuery *= m_scale;
        for (Index row = 0; row < m_rows; ++row)
            addToNodes(instance, firstNode, m_choices[at(row)], tours, dQuery.row(row), to);
    }

private:
    struct Choice {
        Index tour = 0;
        int last = -1;       ///< node before it, -1 for none
        int node = -1;       ///< -1: the tour was finished
        float load = 0;
        bool firstStep = false;
    };

    static std::size_t at(Index i) { return static_cast<std::size_t>(i); }
    static int lastOf(const Path& tour) { return tour.empty() ? -1 : tour.back(); }
    static void multiply(Operand a, Operand b, Index rows, Index columns, Index inner, float* c, Index stride) { arithmetic().multiply(a, b, rows, columns, inner, c, stride, false); }
    Index firstCustomer() const { return m_batch.hasDepot() ? 1 : 0; }
    Index customers() const { return m_nodes - firstCustomer(); }
    bool unfinished() const { return std::ranges::any_of(m_left, [](Index left) { return left > 0; }); }
    const float* partOf(Var x) const { return m_tape.value(x).data() + m_instance * m_nodes * m_width; }
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
        // keys and pointers are transposed once: a step's products run along the nodes
        m_keys = ConstMatrixView(partOf(m_queries.keys), m_nodes, m_width).transpose();
        m_pointers = ConstMatrixView(partOf(m_queries.pointers), m_nodes, m_width).transpose() * (clipOfLogits / std::sqrt(static_cast<float>(m_width)));
    }

    void makeQuery(Index row, Index tour, const Path& made)
    {
        Eigen::Map<Eigen::RowVectorXf> query(m_query + row * m_width, m_width);
        query = m_tape.value(m_queries.fixed).row(m_instance);
        const auto nodes = [&](Var x) { return ConstMatrixView(partOf(x), m_nodes, m_width); };
        if (m_batch.hasDepot())
            query += nodes(m_queries.last).row(made.empty() ? 0 : made.back()) + (1 - m_load[at(tour)]) * m_tape.value(m_queries.start).row(0);
        else if (made.empty())
            query += m_tape.value(m_queries.start).row(0);
        else
            query += nodes(m_queries.first).row(made.front()) + nodes(m_queries.last).row(made.back());
        query *= m_scale;
    }

    /// Fills the rows of the first `count` tours: queries, attention, glimpses, u, and the softmax of u.
    void point(Index first, Index count, const std::vector<Path>& tours)
    {
        for (Index tour = 0; tour < count; ++tour)
            makeQuery(first + tour, tour, tours[at(tour)]);
        for (Index head = 0; head < m_queries.heads; ++head) {
            float* const weights = m_attention + (head * m_room + first) * m_nodes;
            multiply({m_query + first * m_width + head * m_size, m_width, false}, {m_keys.data() + head * m_size * m_nodes, m_nodes, false}, count, m_nodes, m_size, weights, m_nodes);
            softmaxOfAllowed(weights, count);
            multiply({weights, m_nodes, false}, {partOf(m_queries.values) + head * m_size, m_width, false}, count, m_size, m_nodes, m_glimpse + first * m_width + head * m_size, m_width);
        }
        float* const logits = m_logits + first * m_nodes;
        multiply({m_glimpse + first * m_width, m_width, false}, {m_pointers.data(), m_nodes, false}, count, m_nodes, m_width, logits, m_nodes);
        arithmetic().softCap(logits, count * m_nodes, clipOfLogits);
        std::copy(logits, logits + count * m_nodes, m_shares + first * m_nodes);
        softmaxOfAllowed(m_shares + first * m_nodes, count);
    }

    /// Of each of the first `count` tours' rows, over the nodes that it may go to; all exponentials of the rows at once.
    void softmaxOfAllowed(float* z, Index count) const
    {
        const float* const allowed = m_allowed.data();
        for (Index tour = 0; tour < count; ++tour) {
            float* const row = z + tour * m_nodes;
            for (Index node = 0; node < m_nodes; ++node)
                row[node] += (allowed[tour * m_nodes + node] - 1) * farBelow;
            const float largest = kernels().largest(row, m_nodes, nullptr);
            for (Index node = 0; node < m_nodes; ++node)
                row[node] -= largest;
        }
        kernels().exponentials(z, count * m_nodes, 0, z);
        for (Index tour = 0; tour < count; ++tour) {
            float* const row = z + tour * m_nodes;
            float sum = 0;
            for (Index node = 0; node < m_nodes; ++node) {
                row[node] *= allowed[tour * m_nodes + node];
                sum += row[node];
            }
            const float part = sum > 0 ? 1 / sum : 0;  // a finished tour may go nowhere
            for (Index node = 0; node < m_nodes; ++node)
                row[node] *= part;
        }
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
        const std::uint64_t number = m_draw.step * static_cast<std::uint64_t>(m_batch.instances) + static_cast<std::uint64_t>(instance);
        double left = m_random.uniform(number << 16 | static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(tour));
        int last = -1;
        for (Index node = 0; node < m_nodes && (last < 0 || left >= 0); ++node)
            if (m_allowed(tour, node) != 0.0f) {
                last = static_cast<int>(node);
                left -= static_cast<double>(m_shares[row * m_nodes + node]);
            }
        return last;
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

    void goBackThroughHead(Index head, Index firstNode, MatrixView scratch, MatrixView dGlimpse, MatrixView dQuery, QueryGradients& to)
    {
        const Index column = head * m_size;
        float* const weights = m_attention + head * m_room * m_nodes;
        const Operand outward{dGlimpse.data() + column, m_width, false};
        multiply({weights, m_nodes, true}, outward, m_nodes, m_size, m_rows, to.values.data() + firstNode * m_width + column, m_width);
        multiply(outward, {partOf(m_queries.values) + column, m_width, true}, m_rows, m_nodes, m_size, scratch.data(), m_nodes);
        for (Index row = 0; row < m_rows; ++row) {
            float* const d = scratch.data() + row * m_nodes;
            const float* const p = weights + row * m_nodes;
            float inner = 0;
            for (Index node = 0; node < m_nodes; ++node)
                inner += p[node] * d[node];
            kernels().softmaxBack(p, d, m_nodes, inner, d);
        }
        multiply({scratch.data(), m_nodes, false}, {partOf(m_queries.keys) + column, m_width, false}, m_rows, m_size, m_nodes, dQuery.data() + column, m_width);
        multiply({scratch.data(), m_nodes, true}, {m_query + column, m_width, false}, m_nodes, m_size, m_rows, to.keys.data() + firstNode * m_width + column, m_width);
    }

    template <class Row>
    void addToNodes(Index instance, Index firstNode, const Choice& choice, std::span<const Path> tours, const Row& d, QueryGradients& to)
    {
        if (choice.node < 0)
            return;
        to.fixed.row(instance) += d;
        if (m_batch.hasDepot()) {
            to.last.row(firstNode + std::max(choice.last, 0)) += d;
            to.start.row(instance) += (1 - choice.load) * d;
        } else if (choice.firstStep) {
            to.start.row(instance) += d;
        } else {
            to.first.row(firstNode + tours[at(choice.tour)].front()) += d;
            to.last.row(firstNode + choice.last) += d;
        }
    }

    const Tape& m_tape;
    const TourQueries& m_queries;
    const RoutingBatch& m_batch;
    const TourDraw& m_draw;
    Random m_random;
    Index m_nodes, m_width, m_size, m_tours, m_room = 0, m_rows = 0, m_instance = 0;
    float m_scale;
    std::array<Buffer, 8> m_buffers;
    float *m_query = nullptr, *m_glimpse = nullptr, *m_logits = nullptr, *m_shares = nullptr, *m_attention = nullptr;
    Matrix m_keys, m_pointers;                // (w, nodes)
    Matrix m_allowed;                         // (tours, nodes): 1, or 0 where a tour may not go
    Eigen::Array<bool, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> m_served;
    std::vector<Index> m_left;
    std::vector<float> m_load;
    std::vector<Choice> m_choices;            // of the rows
};

}  // namespace

DrawnTours tourLoss(Tape& tape, const TourQueries& queries, const RoutingBatch& batch, const TourDraw& draw, const TourWeights& weigh)
{
    assert(tape.rows(queries.keys) == batch.instances * batch.nodes && draw.tours > 0);
    const std::array<Var, 7> inputs{queries.keys, queries.values, queries.pointers, queries.fixed, queries.first, queries.last, queries.start};
    std::array<Var, 7> gradients;             // of the loss, found with its value
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        gradients[i] = tape.constant(i == 6 ? batch.instances : tape.rows(inputs[i]), tape.columns(inputs[i]));
        tape.fill(gradients[i]).setZero();
    }
    DrawnTours drawn;
    drawn.loss = tape.node(1, 1, std::vector<Var>(inputs.begin(), inputs.end()), [=, out = tape.nextNode()](Tape& t) {
        const float outward = t.gradient(out)(0, 0);
        for (std::size_t i = 0; i + 1 < inputs.size(); ++i)
            t.addGradient(inputs[i], outward * t.value(gradients[i]));
        t.addGradient(inputs.back(), outward * t.value(gradients.back()).colwise().sum());
    });
    drawn.tours.resize(static_cast<std::size_t>(batch.instances));
    drawn.logProbabilities.assign(static_cast<std::size_t>(batch.instances), std::vector<double>(static_cast<std::size_t>(draw.tours), 0.0));
    std::vector<double> losses(static_cast<std::size_t>(batch.instances), 0.0);
    const auto view = [&](std::size_t i) { return tape.fill(gradients[i]); };
    const QueryGradients to{view(0), view(1), view(2), view(3), view(4), view(5), view(6)};
    forChunks(batch.instances, instancesPerTask, [&](Index begin, Index end, Index) {
        InstanceTours one(tape, queries, batch, draw);
        std::vector<float> weights(static_cast<std::size_t>(draw.tours));
        for (Index instance = begin; instance < end; ++instance) {
            const auto i = static_cast<std::size_t>(instance);
            one.decode(instance, drawn.tours[i], drawn.logProbabilities[i]);
            weigh(instance, drawn.tours[i], weights);
            for (std::size_t tour = 0; tour < weights.size(); ++tour)
                losses[i] += static_cast<double>(weights[tour]) * drawn.logProbabilities[i][tour];
            one.goBack(instance, drawn.tours[i], weights, to);
        }
    });
    double sum = 0;
    for (const double loss : losses)
        sum += loss;
    tape.fill(drawn.loss)(0, 0) = static_cast<float>(sum);
    return drawn;
}

}  // namespace attnscope::learn
