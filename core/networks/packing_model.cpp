#include "core/networks/packing_model.h"

#include "core/networks/attention_reader.h"
#include "core/networks/packing_decoder.h"
#include "core/networks/projected_nodes.h"
#include "core/networks/solver.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Does the box fit however it is turned?
bool fits(const Sides& sides, const Bin& bin)
{
    const auto [least, most] = std::ranges::minmax(sides);
    return least > 0 && most <= bin.length && most <= bin.width;
}

Result<void> checkInstances(std::span<const PackingInstance> instances)
{
    for (const PackingInstance& instance : instances) {
        if (instance.size() != instances.front().size() || instance.boxes.empty())
            return failure(ErrorKind::InvalidArgument,
                           "the instances of a run must have equally many boxes, at least one");
        if (!std::ranges::all_of(instance.boxes, [&](const Sides& sides) { return fits(sides, instance.bin); }))
            return failure(ErrorKind::InvalidArgument,
                           "every side of a box must be above 0 and no longer than the bin is wide");
    }
    return {};
}

/// One instance, whose encoded boxes are h (n, w).
Decoded<Packing> decodePackings(const PackingModel& model, const PackingInstance& instance, const MatrixView& h,
                                const DecodeRequest& request)
{
    const Index w = model.width, hidden = model.turnUp.outputs();
    const SolveRequest& run = request.run;
    const ProjectedNodes boxes(model, h);
    const Matrix remaining = applied(model.remaining, h);
    PackingDecoder decoder(h.rows(), w, model.heads, hidden, std::max<Index>(1, run.samples), false);
    decoder.decode({.pointed = boxes.pointed(),
                    .fixed = boxes.fixed,
                    .remaining = remaining,
                    .state = columnsOf(model.state, 0, stateFeatures),
                    .up = columnsOf(model.turnUp, 0, turnFeatures),
                    .bias = Eigen::Map<const Matrix>(model.turnUp.bias.data(), 1, hidden),
                    .context = columnsOf(model.turnContext, 0, w),
                    .down = columnsOf(model.turnDown, 0, hidden),
                    .scale = request.scale},
                   instance,
                   {.greedy = run.samples == 0, .seed = run.seed, .number = static_cast<std::uint64_t>(request.number)},
                   run.stop);
    return decodedBy<Packing>(decoder, request);
}

}  // namespace

Result<PackingModel> readPackingModel(const TensorFile& file)
{
    AttentionReader reader(file);
    PackingModel model;
    TRY(reader.read(model));
    const Index w = model.width;
    model.start = TRY(reader.linear("init_embed", w, boxFeatures));
    model.remaining = TRY(reader.linear("project_remaining", w, w, false));
    model.state = TRY(reader.linear("project_state", w, stateFeatures, false));
    const std::vector<std::int64_t> up = reader.shapeOf("turn.up.weight");
    const Index hidden = up.size() == 2 ? up[0] : 1;
    model.turnUp = TRY(reader.linear("turn.up", hidden, turnFeatures));
    model.turnContext = TRY(reader.linear("turn.context", hidden, w, false));
    model.turnDown = TRY(reader.linear("turn.down", 1, hidden, false));
    return model;
}

Result<PackingModel> openPackingModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

Result<Solved<Packing>> runPacking(const PackingModel& model, std::span<const PackingInstance> instances,
                                   const SolveRequest& request)
{
    TRY(checkInstances(instances));
    const Index n = instances.empty() ? 0 : instances.front().size(), count = std::ssize(instances);
    const auto embed = [&](Matrix& h) { return apply(model.start, describeBoxes(instances), h, false, request.stop); };
    return solve<Packing>(model, count, n, n, request, embed,
                          [&](Index i, const MatrixView& boxes, const DecodeRequest& one) {
                              return decodePackings(model, instances[static_cast<std::size_t>(i)], boxes, one);
                          });
}

}  // namespace attnscope
