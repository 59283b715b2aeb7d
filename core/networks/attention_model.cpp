#include "core/networks/attention_model.h"

#include "core/networks/attention_reader.h"
#include "core/networks/projected_nodes.h"
#include "core/networks/solver.h"
#include "core/networks/tour_decoder.h"

#include <algorithm>

namespace attnscope {

namespace {

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

/// One instance, whose encoded nodes are h (n, w).
Decoded<Tour> decodeTours(const AttentionModel& model, const RoutingInstance& instance, const MatrixView& h,
                          const DecodeRequest& request)
{
    const Index n = h.rows(), w = model.width;
    const SolveRequest& run = request.run;
    const ProjectedNodes nodes(model, h);
    const auto stepOf = [&](Index first) {
        Matrix y(n, w);
        multiply(plain(h), transposed(columnsOf(model.step, first, w)), w, y);
        return y;
    };
    const Matrix first = stepOf(0), last = model.hasDepot ? first : stepOf(w),
                 start = model.hasDepot
                             ? Matrix(columnsOf(model.step, w, 1).transpose())
                             : applied(model.step, Eigen::Map<const Matrix>(model.placeholder.data(), 1, 2 * w));
    TourDecoder decoder(n, w, model.heads, std::max<Index>(1, run.samples), model.hasDepot, false);
    decoder.decode({.pointed = nodes.pointed(),
                    .fixed = nodes.fixed,
                    .first = first,
                    .last = last,
                    .start = start,
                    .demands = instance.demands,
                    .scale = request.scale},
                   {.freeStarts = run.everyStart ? 0 : std::max<Index>(1, run.samples),
                    .greedy = run.samples == 0,
                    .seed = run.seed,
                    .number = static_cast<std::uint64_t>(request.number),
                    .glimpses = run.glimpses && run.samples == 0},
                   run.stop);
    Decoded<Tour> decoded = decodedBy<Tour>(decoder, request);
    decoded.glimpses = decoder.glimpses();
    return decoded;
}

}  // namespace

Result<AttentionModel> readAttentionModel(const TensorFile& file)
{
    AttentionReader reader(file);
    AttentionModel model;
    TRY(reader.read(model));
    const Index w = model.width;
    model.hasDepot = reader.has("init_embed_depot.weight");
    model.start = TRY(reader.linear("init_embed", w, model.hasDepot ? 3 : 2));
    if (model.hasDepot)
        model.startOfDepot = TRY(reader.linear("init_embed_depot", w, 2));
    model.step = TRY(reader.linear("project_step_context", w, model.hasDepot ? w + 1 : 2 * w, false));
    if (!model.hasDepot)
        model.placeholder = TRY(reader.vector("W_placeholder", 2 * w));
    return model;
}

Result<AttentionModel> openAttentionModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readAttentionModel(file); });
}

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
            return decodeTours(model, instances[static_cast<std::size_t>(i)], h, one);
        });
}

}  // namespace attnscope
