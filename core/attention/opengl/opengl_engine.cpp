#include "core/attention/opengl/opengl_engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/opengl/block_plan.h"

#include <algorithm>

namespace attnscope::opengl {

namespace {

/// Why the device cannot take this at all, or empty.
std::string refusal(const AttentionHead& head, const Normaliser& normaliser, const Choice& choice,
                    const SummaryExtras& extras = {})
{
    const Result<gpu::Device> device = gpu::device();
    if (!device)
        return "OpenGL cannot be used: " + device.error().message;
    if (!normaliser.softmaxForm)
        return "OpenGL's shaders know softmax and its kin, not " + normaliser.label;
    if (normaliser.softmaxForm->eps && normaliser.softmaxForm->eps(Parameters(normaliser, choice)) > 0)
        return "OpenGL's shaders know no entropy with an eps within its logarithm";
    constexpr double leastOrder = 0.25;  // below, powers of weights that float32 holds no more still count
    if (PassPlan::needsPowers(extras.order) && (extras.order < leastOrder || PassPlan::isNearOne(extras.order)))
        return "OpenGL's shaders sum powers of weights of order " + formatNumber(leastOrder) + " on, but near 1";
    if (extras.window > 0)
        return "OpenGL's shaders rank whole rows, not windows of them";
    if (head.bias)
        return "OpenGL's shaders know no bias of positions but ALiBi's";
    const std::int64_t tile =
        std::min<std::int64_t>(head.keyCount, gpu::tileKeys) * head.key.cols() * std::int64_t{sizeof(float)};
    if (tile > device->largestBlock)
        return fmt::format("a tile of keys of size {} is larger than what a shader sees of {}", head.key.cols(),
                           device->renderer);
    return {};
}

bool deviceTakes(const AttentionHead& head, const Normaliser& normaliser, const Choice& choice,
                 const SummaryExtras& extras = {})
{
    return refusal(head, normaliser, choice, extras).empty() && head.keysAreFinite();
}

Result<std::vector<std::vector<RowSummary>>> summariseOnDevice(const AttentionHead& head, const SummaryRequest& request,
                                                               const Normaliser& normaliser,
                                                               const std::stop_token& stop)
{
    auto tiles = TRY(gpu::Tiles::open(viewOf(head)));
    auto [begin, end, summaries] = rowsOfPasses(head, request);
    for (std::int64_t first = begin; first < end; first += gpu::blockRows) {
        const int count = static_cast<int>(std::min<std::int64_t>(gpu::blockRows, end - first));
        TRY(BlockPlan(head, request, normaliser, first, count, summaries).run(tiles, stop));
    }
    if (stop.stop_requested())
        return cancelled();
    return summaries;
}

}  // namespace

std::string unavailable()
{
    const Result<gpu::Device> device = gpu::device();
    return device ? "" : device.error().message;
}

std::string runsOn()
{
    const Result<gpu::Device> device = gpu::device();
    return device ? device->renderer + (device->software ? ", in software" : "") + "; OpenGL " + device->version : "";
}

bool hasDevice()
{
    if (!gpu::mayHaveHardware())  // a renderer in software costs a moment and much memory to start
        return false;
    const Result<gpu::Device> device = gpu::device();
    return device && !device->software;
}

std::string handsOver(const AttentionHead& head, const Choice& choice, const SummaryExtras& extras)
{
    const auto normaliser = findNormaliser(choice);
    if (!normaliser)
        return {};
    const std::string why = refusal(head, **normaliser, choice, extras);
    return why.empty() ? why : why + "; the processor computes instead";
}

gpu::KeyView viewOf(const AttentionHead& head)
{
    gpu::KeyView view{.keys = (*head.key).data(),
                      .keyCount = head.keyCount,
                      .d = static_cast<int>(head.key.cols()),
                      .softCap = static_cast<float>(head.softCap),
                      .slope = static_cast<float>(head.slope)};
    if (head.key.size() == 0)
        view.d = 0;
    if (head.far) {
        view.farKeys = (*head.far->key).data();
        view.cap = head.far->cap;
    }
    return view;
}

gpu::QueryView viewOf(const AttentionHead& head, std::int64_t firstRow, int count)
{
    const auto from = [&](const SharedMatrix& rows) {
        return rows.size() == 0 ? nullptr : (*rows).data() + firstRow * rows.cols();
    };
    gpu::QueryView view{.near = from(head.query), .count = count};
    if (head.far) {
        view.before = from(head.far->queryBefore);
        view.after = from(head.far->queryAfter);
    }
    return view;
}

gpu::Row rowOf(const AttentionHead& head, std::int64_t row)
{
    const VisibleKeys visible = head.visible(row, head.keyCount);
    return {.position = static_cast<std::int32_t>(head.position(row)),
            .sinkEnd = static_cast<std::int32_t>(visible.sinkEnd),
            .begin = static_cast<std::int32_t>(visible.begin),
            .end = static_cast<std::int32_t>(visible.end)};
}

bool irregular(const AttentionHead& head, std::int64_t row)
{
    const auto finite = [&](const SharedMatrix& rows) { return rows.allFinite() || (*rows).row(row).allFinite(); };
    const auto reaches = [&](const SharedMatrix& rows, const SharedMatrix& keys) {
        constexpr double most = 0.5 * std::numeric_limits<float>::max();
        const double largest = keys.size() == 0 ? 1 : static_cast<double>(keys.largest());
        return rows.rows() > 0 &&
               !(static_cast<double>(rows.largest()) * static_cast<double>(rows.cols()) * largest < most);
    };
    return !finite(head.query) || reaches(head.query, head.key) ||
           (head.far && !(finite(head.far->queryBefore) && finite(head.far->queryAfter)));
}

Result<std::vector<std::vector<RowSummary>>> summarise(const AttentionHead& head, const SummaryRequest& request,
                                                       std::stop_token stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    if (deviceTakes(head, *normaliser, request.normaliser, request.extras)) {
        auto summaries = summariseOnDevice(head, request, *normaliser, stop);
        if (summaries || summaries.error().kind != ErrorKind::Unavailable)
            return summaries;  // else the device has failed on the way, and handsOver tells why from now on
    }
    return fast::summarise(fast::fastestKernels(), head, request, stop);
}

Result<PooledMap> pool(const AttentionHead& head, const PoolRequest& request, std::stop_token stop)
{
    const auto normaliser = TRY(checkedNormaliser(head, request));
    if (!request.preview && deviceTakes(head, *normaliser, request.normaliser)) {
        auto map = poolOnDevice(head, request, *normaliser, stop);
        if (map || map.error().kind != ErrorKind::Unavailable)
            return map;
    }
    return fast::pool(fast::fastestKernels(), head, request, stop);
}

Result<void> attend(const AttentionHead& head, const AttendRequest& request, std::stop_token stop)
{
    return fast::attend(fast::fastestKernels(), head, request, stop);
}

}  // namespace attnscope::opengl
