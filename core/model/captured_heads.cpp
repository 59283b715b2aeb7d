#include "core/model/captured_heads.h"

#include "core/model/head_multipliers.h"
#include "core/model/architecture.h"

#include <utility>

namespace attnscope {

Result<CapturedHeads> captureHeads(const Model& model, Window window, const CaptureRequest& request)
{
    const Architecture& a = model.architecture;
    const auto n = static_cast<std::int64_t>(window.inputs.size());
    TRY(checkLayer(a, request.layer));
    const Policy policy = withDocuments(request.policy, a, window.inputs);
    ResolvedPolicy picture = TRY(resolve(policy, a, n)), plain = TRY(resolve(withoutMethod(policy), a, n));
    ResolvedPolicy run = request.captured ? TRY(resolve({}, a, n)) : picture;
    const double bytes = 4.0 * a.layers * static_cast<double>(n) * a.headSize * (a.heads + a.keyHeads);
    const bool all = bytes <= request.mostBytes;
    CapturedHeads captured{std::move(window), std::move(picture), std::move(plain),
                           std::vector<HeadSet>(static_cast<size_t>(a.layers))};
    bool complete = false;
    const auto observe = [&](const LayerHeads& layer) -> Result<void> {
        if (all || layer.layer == request.layer)
            captured.layers[static_cast<size_t>(layer.layer)] = layer.heads;
        complete = layer.layer == (all ? a.layers - 1 : request.layer);
        return complete ? failure(ErrorKind::Cancelled, "there is nothing more to keep") : Result<void>{};
    };
    Sequence sequence(
        model, std::move(run),
        {.remember = false, .engine = request.engine, .observe = observe, .progress = {}, .stop = request.stop});
    if (const auto stream = sequence.append(captured.window.inputs); !stream && !complete)
        return tl::unexpected(stream.error());
    return captured;
}

Result<Window> firstWindow(const Model& model, std::span<const int> ids, std::int64_t n)
{
    return spreadWindows(model.architecture, ids, n, 1).and_then([&](const std::vector<std::int64_t>& starts) {
        return windowOf(model.architecture, ids, starts.front(), n);
    });
}

Result<CapturedHeads> captureFirstWindow(const Model& model, std::span<const int> ids, std::int64_t n,
                                         std::int64_t last, CaptureRequest request)
{
    Window window = TRY(firstWindow(model, ids, n));
    request.policy = TRY(withMeasuredHeads(model, std::move(request.policy), ids, n,
                                           {.last = last, .engine = request.engine, .stop = request.stop}));
    return captureHeads(model, std::move(window), request);
}

Result<PreparedHead> prepareCaptured(const CapturedHeads& captured, int layer, int head)
{
    if (!captured.has(layer))
        return failure(ErrorKind::InvalidArgument, "layer {} was not kept; run the model again for it", layer);
    const LayerRule& rule = *captured.picture.layers[static_cast<size_t>(layer)];
    const HeadSet& heads = captured.layers[static_cast<size_t>(layer)];
    return prepareHead(heads, head, rule.spec).map([&](AttentionHead&& made) {
        const auto index = static_cast<size_t>(head);
        const auto ofRows = [&](const LayerRule& one) {
            const std::span<const double> scale = one.scale(index);
            return std::vector<double>(scale.begin(), scale.begin() + heads.queryCount());
        };
        return PreparedHead{std::move(made), rule.normaliser(index), ofRows(rule),
                            ofRows(*captured.plain.layers[static_cast<size_t>(layer)])};
    });
}

}  // namespace attnscope
