// The encoder of the Attention Model through the engine, and a run of it with its decoder.

#include "core/attention/engines.h"
#include "core/base/parallel.h"
#include "core/model/norms.h"
#include "core/model/policy.h"
#include "core/model/tour_decoder.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

tl::unexpected<Error> runStopped() { return failure(ErrorKind::Cancelled, "stopped"); }

/// What a step of the encoder adds to the stream, and the norm after it.
void addAndNormalise(Matrix& stream, const Matrix& added, const AttentionModel::NodeNorm& norm)
{
    const Eigen::Map<const Eigen::ArrayXf> factor(norm.factor.data(), stream.cols()), shift(norm.shift.data(), stream.cols());
    stream += added;
    if (norm.layer)
        normalise(stream, Norm::Layer, 1e-5, norm.factor, norm.shift);
    else
        stream.array() = (stream.array().rowwise() * factor.transpose()).rowwise() + shift.transpose();
}

class AttentionModelRun {
public:
    AttentionModelRun(const AttentionModel& model, std::span<const RoutingInstance> instances, const RoutingRequest& request)
        : m_model(model), m_instances(instances), m_request(request), m_nodes(instances.empty() ? 0 : instances.front().nodes())
    {
    }

    Result<RoutingRun> operator()()
    {
        for (Result<void> (AttentionModelRun::*part)() : {&AttentionModelRun::check, &AttentionModelRun::resolve, &AttentionModelRun::encode, &AttentionModelRun::decode})
            if (const Result<void> done = (this->*part)(); !done)
                return tl::unexpected(done.error());
        return std::move(m_out);
    }

private:
    Result<void> check()
    {
        for (const RoutingInstance& instance : m_instances) {
            if (instance.hasDepot() != m_model.hasDepot)
                return failure(ErrorKind::InvalidArgument, m_model.hasDepot ? "the model routes vehicles (CVRP), and the instances have no depot" : "the model makes tours of cities (TSP), and the instances have a depot");
            if (instance.nodes() != m_nodes || instance.size() < 1 || instance.places.cols() != 2 || (instance.hasDepot() && std::ssize(instance.demands) != m_nodes))
                return failure(ErrorKind::InvalidArgument, "the instances of a run must have equally many nodes, at least one, of two coordinates each");
            if (!instance.places.allFinite() || !std::ranges::all_of(instance.demands, [](float demand) { return demand >= 0 && demand <= 1; }))
                return failure(ErrorKind::InvalidArgument, "coordinates must be finite, and demands from 0 to 1, parts of a vehicle's load");
        }
        return {};
    }

    /// The method at this n, in force where the policy says, else 1.
    Result<std::vector<float>> scaleOf(bool inForce, std::span<const std::int64_t> rowKeys) const
    {
        if (!inForce)
            return std::vector<float>(rowKeys.size(), 1.0f);
        const ScaleContext context{.keys = static_cast<double>(m_instances.front().size()), .nTrain = m_request.policy.trainLength, .d = static_cast<int>(m_model.headSize()), .measured = {}};
        return rowMultipliers(m_request.policy.method, context, rowKeys).map([](const std::vector<double>& all) { return std::vector<float>(all.begin(), all.end()); });
    }

    Result<void> resolve()
    {
        if (m_instances.empty())
            return {};
        // the depot is a node and no customer: n leaves it out, as the published n do
        const std::int64_t n = m_instances.front().size();
        std::vector<std::int64_t> allowed;
        for (std::int64_t node = 0; node < m_nodes; ++node)
            allowed.push_back(std::max<std::int64_t>(1, n - node));
        auto encoder = scaleOf(m_request.policy.encoder, std::vector<std::int64_t>(static_cast<std::size_t>(m_nodes), n));
        auto decoder = scaleOf(m_request.policy.decoder, allowed);
        if (!encoder)
            return tl::unexpected(encoder.error());
        if (!decoder)
            return tl::unexpected(decoder.error());
        m_encoderScale = std::move(*encoder);
        m_decoderScale = std::move(*decoder);
        return {};
    }

    bool product(const Linear& linear, const MatrixView& x, Matrix& y) const
    {
        y.resize(x.rows(), linear.outputs());
        return apply(linear, x, y, false, m_request.stop);
    }

    bool embed()
    {
        const Index inputs = m_model.start.inputs(), count = std::ssize(m_instances);
        Matrix features(count * m_nodes, inputs);
        for (Index i = 0; i < count; ++i) {
            const RoutingInstance& instance = m_instances[static_cast<std::size_t>(i)];
            features.middleRows(i * m_nodes, m_nodes).leftCols(2) = instance.places;
            if (m_model.hasDepot)
                features.middleRows(i * m_nodes, m_nodes).col(2) = Eigen::Map<const Eigen::VectorXf>(instance.demands.data(), m_nodes);
        }
        if (!product(m_model.start, features, m_stream))
            return false;
        for (Index i = 0; m_model.hasDepot && i < count; ++i)
            if (!apply(m_model.startOfDepot, m_instances[static_cast<std::size_t>(i)].places.topRows(1), m_stream.middleRows(i * m_nodes, 1), false, m_request.stop))
                return false;
        return true;
    }

    Result<void> encode()
    {
        if (m_instances.empty())
            return {};
        if (!embed())
            return runStopped();
        Matrix projected, mixed(m_stream.rows(), m_model.width), added, inner;
        for (const AttentionModel::Layer& layer : m_model.layers) {
            if (!product(layer.projection, m_stream, projected))
                return runStopped();
            if (const Result<void> done = attend(projected, mixed); !done)
                return done;
            if (!product(layer.output, mixed, added))
                return runStopped();
            addAndNormalise(m_stream, added, layer.afterAttention);
            if (!product(layer.up, m_stream, inner))
                return runStopped();
            inner = inner.cwiseMax(0.0f);
            if (!product(layer.down, inner, added))
                return runStopped();
            addAndNormalise(m_stream, added, layer.afterFeed);
        }
        return {};
    }

    /// Every instance's heads, on any thread; the outputs beside each other in `mixed`.
    Result<void> attend(const Matrix& projected, Matrix& mixed)
    {
        const Index heads = m_model.heads, d = m_model.headSize(), w = m_model.width, count = std::ssize(m_instances) * heads;
        const Result<const Engine*> engine = chooseEngine(m_request.engine);
        if (!engine)
            return tl::unexpected(engine.error());
        std::vector<Result<double>> done(static_cast<std::size_t>(count), 0.0);
        forEachInParallel(count, 1, [&](std::int64_t index) {
            const Index first = index / heads * m_nodes, column = index % heads * d;
            const auto part = [&](Index which) { return projected.block(first, which * w + column, m_nodes, d); };
            done[static_cast<std::size_t>(index)] = attendHead(**engine, part(0), part(1), part(2), mixed.block(first, column, m_nodes, d));
        });
        std::vector<double> entropies(static_cast<std::size_t>(heads), 0.0);
        for (Index index = 0; index < count; ++index) {
            const Result<double>& entropy = done[static_cast<std::size_t>(index)];
            if (!entropy)
                return tl::unexpected(entropy.error());
            entropies[static_cast<std::size_t>(index % heads)] += *entropy / static_cast<double>(std::ssize(m_instances));
        }
        if (m_request.entropies)
            m_out.encoderEntropies.push_back(std::move(entropies));
        return {};
    }

    /// The mean entropy of its rows, where it is wanted.
    Result<double> attendHead(const Engine& engine, Matrix query, Matrix key, const MatrixView& values, Eigen::Ref<Matrix> output) const
    {
        HeadSet heads;
        heads.queries.push_back(std::move(query));
        heads.keys.push_back(std::move(key));
        const Choice softmax{"softmax", {}, {}};
        const auto head = prepareHead(std::move(heads), 0, {.kernel = {"dot", {}, {}}, .position = {"none", {}, {}}, .mask = {"full", {}, {}}, .normaliser = softmax});
        if (!head)
            return tl::unexpected(head.error());
        const AttendRequest request{.normaliser = softmax, .scale = m_encoderScale, .values = values, .output = output, .firstRow = 0, .parallel = true};
        if (const Result<void> attended = engine.attend(*head, request, m_request.stop); !attended)
            return tl::unexpected(attended.error());
        if (!m_request.entropies)
            return 0.0;
        const auto rows = engine.summarise(*head, {.normaliser = softmax, .passes = {{m_nodes, 0, m_nodes, m_encoderScale}}, .parallel = true}, m_request.stop);
        if (!rows)
            return tl::unexpected(rows.error());
        double sum = 0;
        for (const RowSummary& row : rows->front())
            sum += row.entropy;
        return sum / static_cast<double>(m_nodes);
    }

    Result<void> decode()
    {
        const Index count = std::ssize(m_instances);
        std::vector<DecodedTours> decoded(static_cast<std::size_t>(count));
        forEachInParallel(count, 1, [&](std::int64_t i) {
            const DecoderRequest request{.scale = m_decoderScale, .samples = m_request.samples, .seed = m_request.seed, .number = i, .everyStart = m_request.everyStart, .stop = m_request.stop};
            decoded[static_cast<std::size_t>(i)] = decodeTours(m_model, m_instances[static_cast<std::size_t>(i)], m_stream.middleRows(i * m_nodes, m_nodes), request);
        });
        if (m_request.stop.stop_requested())
            return runStopped();
        m_out.decoderEntropies.assign(static_cast<std::size_t>(m_model.heads), 0.0);
        for (DecodedTours& each : decoded) {
            m_out.tours.push_back(std::move(each.tours));
            m_out.logProbabilities.push_back(std::move(each.logProbabilities));
            for (std::size_t head = 0; head < m_out.decoderEntropies.size(); ++head)
                m_out.decoderEntropies[head] += each.entropies[head] / static_cast<double>(count);
        }
        return {};
    }

    const AttentionModel& m_model;
    std::span<const RoutingInstance> m_instances;
    const RoutingRequest& m_request;
    Index m_nodes;
    std::vector<float> m_encoderScale, m_decoderScale;  ///< of rows; of steps with that many nodes no longer allowed
    Matrix m_stream;                                    ///< (instances nodes, w)
    RoutingRun m_out;
};

}  // namespace

Result<RoutingRun> runRouting(const AttentionModel& model, std::span<const RoutingInstance> instances, const RoutingRequest& request)
{
    return AttentionModelRun(model, instances, request)();
}

}  // namespace attnscope
