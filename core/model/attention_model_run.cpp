// A run of the Attention Model: its encoder on all instances, then its decoder on each.

#include "core/base/parallel.h"
#include "core/model/tour_decoder.h"

#include <algorithm>

namespace attnscope {

namespace {

tl::unexpected<Error> runStopped() { return failure(ErrorKind::Cancelled, "stopped"); }

class AttentionModelRun {
public:
    AttentionModelRun(const AttentionModel& model, std::span<const RoutingInstance> instances, const RoutingRequest& request)
        : m_model(model), m_instances(instances), m_request(request), m_nodes(instances.empty() ? 0 : instances.front().nodes())
    {
    }

    Result<RoutingRun> operator()()
    {
        for (Result<void> (AttentionModelRun::*part)() : {&AttentionModelRun::check, &AttentionModelRun::resolve, &AttentionModelRun::encode, &AttentionModelRun::decode})
            TRY((this->*part)());
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

    Result<void> resolve()
    {
        if (m_instances.empty())
            return {};
        // the depot is a node and no customer: n leaves it out, as the published n do
        return resolveScale(m_request.policy, m_model.headSize(), m_instances.front().size(), m_nodes).map([&](ResolvedScale scale) { m_scale = std::move(scale); });
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
        m_stream.resize(features.rows(), m_model.width);
        if (!apply(m_model.start, features, m_stream, false, m_request.stop))
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
        const ScalePolicy& policy = m_request.policy;
        m_out.encoder = TRY(encodeNodes(m_model, m_stream, std::ssize(m_instances), {.scale = m_scale.encoder, .layer = policy.layer, .targets = policy.entropies, .entropies = m_request.entropies, .engine = m_request.engine, .stop = m_request.stop, .observe = m_request.observe}));
        return {};
    }

    Result<void> decode()
    {
        const Index count = std::ssize(m_instances);
        std::vector<DecodedTours> decoded(static_cast<std::size_t>(count));
        forEachInParallel(count, 1, [&](std::int64_t i) {
            const DecoderRequest request{.scale = m_scale.decoder, .samples = m_request.samples, .seed = m_request.seed, .number = i, .everyStart = m_request.everyStart, .stop = m_request.stop};
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
    ResolvedScale m_scale;
    Matrix m_stream;                       ///< (instances nodes, w)
    RoutingRun m_out;
};

}  // namespace

Result<RoutingRun> runRouting(const AttentionModel& model, std::span<const RoutingInstance> instances, const RoutingRequest& request)
{
    return AttentionModelRun(model, instances, request)();
}

}  // namespace attnscope
