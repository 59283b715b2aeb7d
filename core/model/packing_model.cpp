// Reading a network that packs, and a run of it: its encoder on all instances, then its decoder on each.

#include "core/model/packing_model.h"

#include "core/model/attention_reader.h"
#include "core/model/packing_decoder.h"
#include "core/model/packing_state.h"

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
            return failure(ErrorKind::InvalidArgument, "the instances of a run must have equally many boxes, at least one");
        if (!std::ranges::all_of(instance.boxes, [&](const Sides& sides) { return fits(sides, instance.bin); }))
            return failure(ErrorKind::InvalidArgument, "every side of a box must be above 0 and no longer than the bin is wide");
    }
    return {};
}

}  // namespace

Result<PackingModel> readPackingModel(const TensorFile& file)
{
    AttentionReader reader(file);
    PackingModel model;
    reader.read(model);
    const Index w = model.width;
    model.start = reader.linear("init_embed", w, boxFeatures);
    model.remaining = reader.linear("project_remaining", w, w, false);
    model.state = reader.linear("project_state", w, stateFeatures, false);
    const std::vector<std::int64_t> up = reader.shapeOf("turn.up.weight");
    const Index hidden = up.size() == 2 ? up[0] : 1;
    model.turnUp = reader.linear("turn.up", hidden, turnFeatures);
    model.turnContext = reader.linear("turn.context", hidden, w, false);
    model.turnDown = reader.linear("turn.down", 1, hidden, false);
    if (reader.error())
        return tl::unexpected(*reader.error());
    return model;
}

Result<PackingModel> openPackingModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

Result<Solved<Packing>> runPacking(const PackingModel& model, std::span<const PackingInstance> instances, const SolveRequest& request)
{
    TRY(checkInstances(instances));
    const Index n = instances.empty() ? 0 : instances.front().size(), count = std::ssize(instances);
    const auto embed = [&](Matrix& h) {
        Matrix features(count * n, boxFeatures);
        for (Index i = 0; i < count; ++i)
            features.middleRows(i * n, n) = describeBoxes(instances[static_cast<std::size_t>(i)]);
        return apply(model.start, features, h, false, request.stop);
    };
    return solve<Packing>(model, count, n, n, request, embed, [&](Index i, const MatrixView& boxes, const DecodeRequest& one) { return decodePackings(model, instances[static_cast<std::size_t>(i)], boxes, one); });
}

}  // namespace attnscope
