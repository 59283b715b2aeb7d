#include "core/networks/routing_network.h"

#include "core/networks/draw_solutions.h"
#include "core/networks/tour_decoder.h"

#include <cassert>

namespace attnscope::learn {

namespace {

class TourTask {
public:
    enum Input : std::size_t { Keys, Values, Pointers, Fixed, First, Last, Start };  ///< the last one shared

    TourTask(const Tape& tape, const TourQueries& queries, std::span<const RoutingInstance> instances,
             const SolutionDraw<Tour>& draw, Index freeStarts)
        : m_tape(tape), m_queries(queries), m_instances(instances), m_draw(draw), m_freeStarts(freeStarts),
          m_decoder(instances.front().nodes(), tape.columns(queries.keys), queries.heads, draw.solutions,
                    instances.front().hasDepot(), true)
    {
    }

    void decode(Index instance)
    {
        const Index count = std::ssize(m_instances);
        const auto i = static_cast<std::size_t>(instance);
        const auto rowsOf = [&](Var x) { return rowsOfInstance(m_tape, x, instance, count); };
        m_decoder.decode({.pointed = {rowsOf(m_queries.keys), rowsOf(m_queries.values), rowsOf(m_queries.pointers)},
                          .fixed = rowsOf(m_queries.fixed),
                          .first = rowsOf(m_queries.first),
                          .last = rowsOf(m_queries.last),
                          .start = m_tape.value(m_queries.start),
                          .demands = m_instances[i].demands,
                          .scale = {}},
                         {.freeStarts = m_freeStarts,
                          .seed = m_draw.seed,
                          .number = m_draw.step * static_cast<std::uint64_t>(count) + i,
                          .given = m_draw.given.empty() ? std::span<const Tour>() : m_draw.given[i]});
    }
    const std::vector<Tour>& solutions() const { return m_decoder.solutions(); }
    const std::vector<double>& logProbabilities() const { return m_decoder.logProbabilities(); }
    void goBack(std::span<const float> weights, const GradientOf& to)
    {
        m_decoder.goBack(weights, {to(Keys), to(Values), to(Pointers), to(Fixed), to(First), to(Last), to(Start)});
    }

private:
    const Tape& m_tape;
    const TourQueries& m_queries;
    std::span<const RoutingInstance> m_instances;
    const SolutionDraw<Tour>& m_draw;
    Index m_freeStarts;
    TourDecoder m_decoder;
};

}  // namespace

RoutingNetwork::RoutingNetwork(const RoutingShape& shape, std::uint64_t seed) : m_shape(shape), m_weights(seed)
{
    const Index w = shape.encoder.width;
    assert(w % shape.encoder.heads == 0);
    m_weights.linear("init_embed", w, shape.depot ? 3 : 2);
    if (shape.depot)
        m_weights.linear("init_embed_depot", w, 2);
    addEncoder(m_weights, shape.encoder);
    addPointer(m_weights, w);
    m_weights.matrix("project_step_context.last", w, w);
    if (shape.depot) {
        m_weights.matrix("project_step_context.room", 1, w);
    } else {
        m_weights.matrix("project_step_context.first", w, w);
        m_weights.matrix("W_placeholder.first", 1, w);
        m_weights.matrix("W_placeholder.last", 1, w);
    }
}

/// h = W x + b; a depot's with a W and b of its own.
Var RoutingNetwork::embed(Tape& tape, std::span<const RoutingInstance> instances)
{
    const Index nodes = instances.front().nodes(), rows = std::ssize(instances) * nodes;
    Matrix places(rows, 2);
    for (std::size_t i = 0; i < instances.size(); ++i)
        places.middleRows(static_cast<Index>(i) * nodes, nodes) = instances[i].places;
    if (!m_shape.depot)
        return linear(tape, tape.constant(places), m_weights(tape, "init_embed.weight"),
                      m_weights(tape, "init_embed.bias"));
    Matrix customer = Matrix::Zero(rows, 3), isCustomer = Matrix::Zero(rows, 1), depot = Matrix::Zero(rows, 2),
           isDepot = Matrix::Zero(rows, 1);
    for (Index row = 0; row < rows; ++row)
        if (row % nodes == 0) {
            depot.row(row) = places.row(row);
            isDepot(row) = 1;
        } else {
            customer.row(row) << places(row, 0), places(row, 1),
                instances[static_cast<std::size_t>(row / nodes)].demands[static_cast<std::size_t>(row % nodes)];
            isCustomer(row) = 1;
        }
    const auto embedded = [&](const Matrix& x, const Matrix& is, const std::string& name) {
        return add(tape, matmul(tape, tape.constant(x), m_weights(tape, name + ".weight"), true),
                   matmul(tape, tape.constant(is), m_weights(tape, name + ".bias")));
    };
    return add(tape, embedded(customer, isCustomer, "init_embed"), embedded(depot, isDepot, "init_embed_depot"));
}

TourQueries RoutingNetwork::operator()(Tape& tape, std::span<const RoutingInstance> instances)
{
    assert(instances.front().hasDepot() == m_shape.depot);
    const Index count = std::ssize(instances);
    const Var h = encode(tape, m_weights, m_shape.encoder, embed(tape, instances), count);
    const auto projected = [&](Var x, const std::string& name) { return matmul(tape, x, m_weights(tape, name), true); };
    const PointerQueries nodes = pointAt(tape, m_weights, h, count);
    TourQueries queries{.keys = nodes.keys,
                        .values = nodes.values,
                        .pointers = nodes.pointers,
                        .fixed = nodes.fixed,
                        .first = {},
                        .last = projected(h, "project_step_context.last"),
                        .start = {},
                        .heads = m_shape.encoder.heads};
    if (m_shape.depot) {
        queries.first = queries.last;
        queries.start = m_weights(tape, "project_step_context.room");
    } else {
        queries.first = projected(h, "project_step_context.first");
        queries.start = add(tape, projected(m_weights(tape, "W_placeholder.first"), "project_step_context.first"),
                            projected(m_weights(tape, "W_placeholder.last"), "project_step_context.last"));
    }
    return queries;
}

DrawnSolutions<Tour> tourLoss(Tape& tape, const TourQueries& queries, std::span<const RoutingInstance> instances,
                              const SolutionDraw<Tour>& draw, Index freeStarts, const WeighSolutions<Tour>& weigh)
{
    const DecoderInputs inputs{.all = {queries.keys, queries.values, queries.pointers, queries.fixed, queries.first,
                                       queries.last, queries.start},
                               .ofInstances = TourTask::Start};
    return drawSolutions<Tour>(tape, inputs, std::ssize(instances), draw.solutions, weigh,
                               [&] { return TourTask(tape, queries, instances, draw, freeStarts); });
}

Result<void> saveRouting(const std::string& path, const RoutingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16)
{
    const RoutingShape& shape = network.shape();
    const Index w = shape.encoder.width;
    std::vector<StoredTensor> tensors = storedEncoder(network.m_weights, shape.encoder.heads);
    const auto value = [&](const std::string& name) -> const Matrix& { return network.m_weights.value(name); };
    Matrix step(w, shape.depot ? w + 1 : 2 * w);
    if (shape.depot) {
        step << value("project_step_context.last"), value("project_step_context.room").transpose();
    } else {
        step << value("project_step_context.first"), value("project_step_context.last");
        Matrix placeholder(1, 2 * w);
        placeholder << value("W_placeholder.first"), value("W_placeholder.last");
        tensors.push_back({"W_placeholder", {2 * w}, placeholder});
    }
    tensors.push_back({"project_step_context.weight", {step.rows(), step.cols()}, step});
    return saveTensors(path, tensors, facts, bfloat16);
}

}  // namespace attnscope::learn
