#include "core/attention/engine.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/opengl/opengl_engine.h"
#include "core/attention/reference_engine.h"
#include "core/attention/row_logits.h"
#include "core/base/processor.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <string>

namespace attnscope {

namespace {

std::atomic<const Engine*> automaticEngine{nullptr};  ///< what "auto" means, where it was said

std::string alwaysAvailable() { return {}; }

template <const fast::TileKernels& kernels>
Result<std::vector<std::vector<RowSummary>>> fastSummarise(const AttentionHead& head, const SummaryRequest& request, std::stop_token stop)
{
    return fast::summarise(kernels, head, request, stop);
}

template <const fast::TileKernels& kernels>
Result<PooledMap> fastPool(const AttentionHead& head, const PoolRequest& request, std::stop_token stop)
{
    return fast::pool(kernels, head, request, stop);
}

template <const fast::TileKernels& kernels>
Result<void> fastAttend(const AttentionHead& head, const AttendRequest& request, std::stop_token stop)
{
    return fast::attend(kernels, head, request, stop);
}

Entry entry(std::string id, std::string label, std::string formula, std::string about)
{
    Entry entry;
    entry.id = std::move(id);
    entry.label = std::move(label);
    entry.formula = std::move(formula);
    entry.about = std::move(about);
    return entry;
}

const std::vector<Engine>& table()
{
    static const std::vector<Engine> rows{
        {entry("reference", "Reference", "double precision, one row at a time", "The definition: slow, simple, and what the other engines are held against."),
         alwaysAvailable, reference::summarise, reference::pool, reference::attend, 0},
        {entry("baseline", "Tiles", "float32 tiles, 4 rows at once", "The streaming engine for any processor."),
         alwaysAvailable, fastSummarise<fast::baselineKernels>, fastPool<fast::baselineKernels>, fastAttend<fast::baselineKernels>, 1e-4},
#ifdef ATTNSCOPE_X86
        {entry("avx2", "Tiles, AVX2", "float32 tiles, 8 rows at once", "The streaming engine for processors since about 2013."),
         fast::withoutAvx2, fastSummarise<fast::avx2Kernels>, fastPool<fast::avx2Kernels>, fastAttend<fast::avx2Kernels>, 1e-4},
        {entry("avx512", "Tiles, AVX-512", "float32 tiles, 16 rows at once", "The streaming engine for recent server and AMD processors."),
         fast::withoutAvx512, fastSummarise<fast::avx512Kernels>, fastPool<fast::avx512Kernels>, fastAttend<fast::avx512Kernels>, 1e-4},
#endif
        {entry("opengl", "OpenGL", "float32 tiles, 256 rows at once, compute shaders",
               "The streaming engine for graphics devices with OpenGL 4.3: softmax and its kin. What its shaders cannot do, and everything where there is no such "
               "device, the processor does, and a note says so; previews, and rows with logits beyond 256, are always the processor's. On a renderer in software it is "
               "slower than the processor's own engines."),
         opengl::unavailable, opengl::summarise, opengl::pool, opengl::attend, 1e-4, false, opengl::runsOn, opengl::handsOver},
    };
    return rows;
}

}  // namespace

std::span<const Engine> engines()
{
    return table();
}

Result<void> setAutomaticEngine(std::string_view id)
{
    const auto engine = chooseEngine(id);
    if (!engine)
        return tl::unexpected(engine.error());
    automaticEngine = *engine;
    useAtMost((*engine)->id == "baseline" ? Instructions::Baseline : (*engine)->id == "avx2" ? Instructions::Avx2 : Instructions::Avx512);
    return {};
}

Result<const Engine*> chooseEngine(std::string_view id)
{
    if (id.empty() || id == "auto") {
        if (const Engine* said = automaticEngine)
            return said;
        const auto fastest = std::find_if(table().rbegin(), table().rend(), [](const Engine& engine) { return engine.automatic && engine.unavailable().empty(); });
        return &*fastest;
    }
    const auto engine = findRow(engines(), id, "engine");
    if (!engine)
        return engine;
    if ((*engine)->handsOver)
        return engine;
    if (const std::string reason = (*engine)->unavailable(); !reason.empty())
        return failure(ErrorKind::Unavailable, "the engine '" + std::string(id) + "' cannot run here: " + reason);
    return engine;
}

std::string handOver(std::string_view id, const AttentionHead& head, const Choice& normaliser)
{
    const auto engine = chooseEngine(id);
    return engine && (*engine)->handsOver ? (*engine)->handsOver(head, normaliser) : "";
}

Result<RowDetail> rowDetail(const AttentionHead& head, const Choice& normaliser, std::int64_t row, std::int64_t prefix, double scale)
{
    if (row < 0 || row >= head.queryCount() || prefix < 0 || prefix > head.keyCount)
        return failure(ErrorKind::InvalidArgument, "row " + std::to_string(row) + " over " + std::to_string(prefix) + " keys, but the head has "
                       + std::to_string(head.queryCount()) + " queries and " + std::to_string(head.keyCount) + " keys");
    const auto found = findNormaliser(normaliser);
    if (!found)
        return tl::unexpected(found.error());
    const Parameters parameters(**found, normaliser);

    RowDetail detail;
    if (std::isnan(scale))
        return detail;
    RowLogits logits;
    readRowLogits(head, row, prefix, scale, logits);
    if (logits.logits.empty())
        return detail;
    const NormaliserState state = (*found)->solve(logits.logits, parameters);
    for (std::int64_t index = 0; index < std::ssize(logits.logits); ++index) {
        const double x = logits.logits[static_cast<size_t>(index)];
        if (x == -std::numeric_limits<double>::infinity())
            continue;
        detail.keys.push_back(logits.key(index));
        detail.logits.push_back(x);
        detail.weights.push_back((*found)->weight(x, state, parameters));
    }
    return detail;
}

Result<std::vector<double>> meanRow(const AttentionHead& head, const Choice& normaliser, std::span<const float> scale,
                                    std::span<const RowSummary> rows, std::stop_token stop)
{
    const size_t queries = static_cast<size_t>(head.queryCount());
    if (scale.size() != queries || rows.size() != queries)
        return failure(ErrorKind::InvalidArgument, "the mean row needs the scale and the summary of every query row");
    const auto found = findNormaliser(normaliser);
    if (!found)
        return tl::unexpected(found.error());
    if ((*found)->softmaxForm && head.keysAreFinite())
        return fast::meanRow(fast::fastestKernels(), head, **found, normaliser, scale, rows, stop);
    const Parameters parameters(**found, normaliser);
    const auto counted = std::ranges::count_if(rows, [](const RowSummary& row) { return row.mass > 0; });

    // Over blocks of columns, so that every sum runs in the same order on one thread and on many.
    constexpr std::int64_t width = 64;
    std::vector<double> mean(static_cast<size_t>(head.keyCount), 0.0);
    const bool done = forEachBlock((head.keyCount + width - 1) / width, true, stop, [&](std::int64_t block) {
        const std::int64_t end = std::min(head.keyCount, (block + 1) * width);
        for (size_t i = 0; i < queries && !stop.stop_requested(); ++i) {
            if (!(rows[i].mass > 0))
                continue;
            const std::int64_t row = static_cast<std::int64_t>(i);
            const VisibleKeys visible = head.visible(row, head.keyCount);
            for (std::int64_t key = block * width; key < end; ++key)
                if (visible.sees(key))
                    mean[static_cast<size_t>(key)] += (*found)->weight(logitOf(head, row, key, static_cast<double>(scale[i])), rows[i].state, parameters)
                                                      / rows[i].mass / static_cast<double>(counted);
        }
    });
    if (!done)
        return cancelled();
    return mean;
}

}  // namespace attnscope
