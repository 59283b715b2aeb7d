#include "core/model/shipped_heads.h"

#include "core/model/evaluation.h"
#include "core/model/head_recorder.h"
#include "core/model/probes.h"
#include "core/model/text_tokens.h"
#include "core/tensor/head_file.h"

#include <map>
#include <mutex>

namespace attnscope {

namespace {

/// What such a network is asked: four pairs in fillers, one of them asked for at the end.
Result<Window> needleToLookAt(const Model& model, std::span<const int> fillers, std::int64_t n)
{
    ProbeRequest request{.task = ProbeTask::Needle};
    request.keys = 4;
    request.words = needleOfPairs();
    return needleIn(model, fillers, request, n, 0.5, 0).map([](ProbeWindow probe) { return std::move(probe.window); });
}

Result<TensorFile> recordHeads(const ShippedModel& shipped)
{
    const Model model = TRY(openShipped(shipped));
    const std::vector<int> ids = TRY(generatedTokens(model, static_cast<double>(shipped.headTokens)));
    const Window window =
        TRY(model.says == TrainedToSay::Values ? needleToLookAt(model, ids, shipped.headTokens)
                                               : windowOf(model.architecture, ids, 0, shipped.headTokens));
    const ResolvedPolicy policy = TRY(resolve(Policy{}, model.architecture, shipped.headTokens));
    HeadRecorder recorder(model);
    Sequence sequence(
        model, policy,
        {.observe = [&](const LayerHeads& layer) { return recorder.take(layer); }, .progress = {}, .stop = {}});
    TRY(sequence.append(window.inputs));
    return recorder.bytes(shipped.id, window.inputs).and_then([&](std::vector<std::byte> bytes) {
        return TensorFile::fromBytes(std::move(bytes), shipped.id);
    });
}

}  // namespace

bool namesShippedHeads(const std::string& path) { return shippedModelAt(path) != nullptr; }

Result<TensorFile> shippedHeads(const ShippedModel& model)
{
    static std::mutex mutex;
    static std::map<std::string, Result<TensorFile>, std::less<>> kept;
    const std::scoped_lock lock(mutex);
    auto heads = kept.find(model.id);
    if (heads == kept.end())
        heads = kept.emplace(model.id, recordHeads(model)).first;
    return heads->second;
}

Result<TensorFile> openHeadSource(const std::string& path)
{
    return namesShippedHeads(path) ? shippedHeads(*findShippedModel(path)) : openHeadFile(path);
}

}  // namespace attnscope
