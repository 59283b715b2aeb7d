#include "core/networks/packing_network.h"

#include "core/networks/draw_solutions.h"
#include "core/networks/packing_decoder.h"

#include <cassert>

namespace attnscope::learn {

namespace {

class PackingTask {
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

    PackingTask(const Tape& tape, const PackingQueries& queries, std::span<const PackingInstance> instances,
                const SolutionDraw<Packing>& draw)
        : m_tape(tape), m_queries(queries), m_instances(instances), m_draw(draw),
          m_decoder(instances.front().size(), tape.columns(queries.keys), queries.heads, tape.rows(queries.up),
                    draw.solutions, true)
    {
    }

    void decode(Index instance)
    {
        m_instance = instance;
        const auto i = static_cast<std::size_t>(instance);
        m_decoder.decode(nodes(), m_instances[i],
                         {.seed = m_draw.seed,
                          .number = m_draw.step * static_cast<std::uint64_t>(m_instances.size()) + i,
                          .given = m_draw.given.empty() ? std::span<const Packing>() : m_draw.given[i]});
    }
    std::vector<Packing> solutions() const { return m_decoder.solutions(); }
    const std::vector<double>& logProbabilities() const { return m_decoder.logProbabilities(); }
    void goBack(std::span<const float> weights, const GradientOf& to)
    {
        m_decoder.goBack(nodes(), weights,
                         {to(Keys), to(Values), to(Pointers), to(Fixed), to(Remaining), to(State), to(Up), to(Bias),
                          to(Context), to(Down)});
    }

private:
    BoxNodes nodes() const
    {
        const auto rowsOf = [&](Var x) { return rowsOfInstance(m_tape, x, m_instance, std::ssize(m_instances)); };
        return {.pointed = {rowsOf(m_queries.keys), rowsOf(m_queries.values), rowsOf(m_queries.pointers)},
                .fixed = rowsOf(m_queries.fixed),
                .remaining = rowsOf(m_queries.remaining),
                .state = m_tape.value(m_queries.state),
                .up = m_tape.value(m_queries.up),
                .bias = m_tape.value(m_queries.bias),
                .context = m_tape.value(m_queries.context),
                .down = m_tape.value(m_queries.down),
                .scale = {}};
    }

    const Tape& m_tape;
    const PackingQueries& m_queries;
    std::span<const PackingInstance> m_instances;
    const SolutionDraw<Packing>& m_draw;
    Index m_instance = 0;
    PackingDecoder m_decoder;
};

}  // namespace

PackingNetwork::PackingNetwork(const PackingShape& shape, std::uint64_t seed) : m_shape(shape), m_weights(seed)
{
    const Index w = shape.encoder.width;
    assert(w % shape.encoder.heads == 0);
    m_weights.linear("init_embed", w, boxFeatures);
    addEncoder(m_weights, shape.encoder);
    addPointer(m_weights, w);
    m_weights.matrix("project_remaining", w, w);
    m_weights.matrix("project_state", w, stateFeatures);
    m_weights.linear("turn.up", shape.hidden, turnFeatures);
    m_weights.matrix("turn.context", shape.hidden, w);
    m_weights.matrix("turn.down", 1, shape.hidden);
}

PackingQueries PackingNetwork::operator()(Tape& tape, std::span<const PackingInstance> instances)
{
    const Index count = std::ssize(instances);
    const auto weight = [&](const char* name) { return m_weights(tape, name); };
    const Var start =
        linear(tape, tape.constant(describeBoxes(instances)), weight("init_embed.weight"), weight("init_embed.bias"));
    const Var h = encode(tape, m_weights, m_shape.encoder, start, count);
    const PointerQueries nodes = pointAt(tape, m_weights, h, count);
    return {.keys = nodes.keys,
            .values = nodes.values,
            .pointers = nodes.pointers,
            .fixed = nodes.fixed,
            .remaining = matmul(tape, h, weight("project_remaining"), true),
            .state = weight("project_state"),
            .up = weight("turn.up.weight"),
            .bias = weight("turn.up.bias"),
            .context = weight("turn.context"),
            .down = weight("turn.down"),
            .heads = m_shape.encoder.heads};
}

DrawnSolutions<Packing> packingLoss(Tape& tape, const PackingQueries& queries,
                                    std::span<const PackingInstance> instances, const SolutionDraw<Packing>& draw,
                                    const WeighSolutions<Packing>& weigh)
{
    const DecoderInputs inputs{.all = {queries.keys, queries.values, queries.pointers, queries.fixed, queries.remaining,
                                       queries.state, queries.up, queries.bias, queries.context, queries.down},
                               .ofInstances = PackingTask::State};
    return drawSolutions<Packing>(tape, inputs, std::ssize(instances), draw.solutions, weigh,
                                  [&] { return PackingTask(tape, queries, instances, draw); });
}

Result<void> savePacking(const std::string& path, const PackingNetwork& network,
                         const std::map<std::string, std::string>& facts, bool bfloat16)
{
    std::vector<StoredTensor> tensors = storedEncoder(network.m_weights, network.shape().encoder.heads);
    for (const std::string name :
         {"project_remaining", "project_state", "turn.up.weight", "turn.up.bias", "turn.context", "turn.down"}) {
        const Matrix& value = network.m_weights.value(name);
        const std::vector<std::int64_t> shape = name == "turn.up.bias"
                                                    ? std::vector<std::int64_t>{value.cols()}
                                                    : std::vector<std::int64_t>{value.rows(), value.cols()};
        tensors.push_back(
            {name.starts_with("project") || name == "turn.context" || name == "turn.down" ? name + ".weight" : name,
             shape, value});
    }
    std::map<std::string, std::string> all = facts;
    all["task"] = "packing";
    return saveTensors(path, tensors, all, bfloat16);
}

}  // namespace attnscope::learn
