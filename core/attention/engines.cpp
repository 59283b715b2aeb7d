#include "core/attention/engines.h"

#include "core/attention/engine_support.h"
#include "core/attention/fast/cpu.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/opengl/opengl_engine.h"
#include "core/attention/reference_engine.h"

#include <atomic>
#include <string>
#include <type_traits>
#include <utility>

namespace attnscope {

namespace {

std::atomic<const Engine*> saidToBeAutomatic{nullptr};

std::string alwaysAvailable() { return {}; }

template <const fast::TileKernels& kernels>
Result<std::vector<std::vector<RowSummary>>> fastSummarise(const AttentionHead& head, const SummaryRequest& request,
                                                           std::stop_token stop)
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

/// The engine's function, asked for the head's own sink where it has one.
template <auto run, class Request>
std::invoke_result_t<decltype(run), const AttentionHead&, const Request&, std::stop_token>
withOwnSink(const AttentionHead& head, const Request& request, std::stop_token stop)
{
    if (!head.sink)
        return run(head, request, std::move(stop));
    Request own = request;
    own.normaliser = normaliserOf(head, request.normaliser);
    return run(head, own, std::move(stop));
}

bool isAutomatic(std::string_view id) { return id == automaticEngineId; }

Entry entry(std::string id, std::string label, std::string formula, std::string about)
{
    Entry entry;
    entry.id = std::move(id);
    entry.label = std::move(label);
    entry.formula = std::move(formula);
    entry.about = std::move(about);
    return entry;
}

template <const fast::TileKernels& kernels>
Engine tileEngine(Entry entry, std::string (*unavailable)(), Instructions instructions)
{
    return {std::move(entry),
            unavailable,
            withOwnSink<fastSummarise<kernels>>,
            withOwnSink<fastPool<kernels>>,
            withOwnSink<fastAttend<kernels>>,
            1e-4,
            instructions,
            &kernels};
}

const std::vector<Engine>& table()
{
    static const std::vector<Engine> rows{
        {entry("reference", "Reference", "double precision, one row at a time",
               "The definition: slow, simple, and what the other engines are held against."),
         alwaysAvailable, withOwnSink<reference::summarise>, withOwnSink<reference::pool>,
         withOwnSink<reference::attend>, 0},
        tileEngine<fast::baselineKernels>(
            entry("baseline", "Tiles", "float32 tiles, 4 rows at once", "The streaming engine for any processor."),
            alwaysAvailable, Instructions::Baseline),
#ifdef ATTNSCOPE_X86
        tileEngine<fast::avx2Kernels>(entry("avx2", "Tiles, AVX2", "float32 tiles, 8 rows at once",
                                            "The streaming engine for processors since about 2013."),
                                      fast::withoutAvx2, Instructions::Avx2),
        tileEngine<fast::avx512Kernels>(entry("avx512", "Tiles, AVX-512", "float32 tiles, 16 rows at once",
                                              "The streaming engine for recent server and AMD processors."),
                                        fast::withoutAvx512, Instructions::Avx512),
#endif
        {entry("opengl", "OpenGL", "float32 tiles, 256 rows at once, compute shaders",
               "The streaming engine for graphics devices with OpenGL 4.3: softmax and its kin. What its shaders "
               "cannot do, and everything where there is no such "
               "device, the processor does, and a note says so; previews, and rows with logits beyond 256, are always "
               "the processor's. On a renderer in software it is "
               "slower than the processor's own engines."),
         opengl::unavailable, withOwnSink<opengl::summarise>, withOwnSink<opengl::pool>, withOwnSink<opengl::attend>,
         1e-4, Instructions::Avx512, nullptr, opengl::runsOn, opengl::hasDevice, opengl::handsOver},
    };
    return rows;
}

}  // namespace

std::span<const Engine> engines() { return table(); }

const Engine& processorEngine()
{
    const Engine* fastest = &table().front();
    for (const Engine& engine : table())
        if (!engine.runsOn && engine.unavailable().empty() && engine.instructions <= instructionsInUse())
            fastest = &engine;
    return *fastest;
}

const Engine& automaticEngine(const Engine& processor, const Engine& device, const EngineTrial& secondsOf)
{
    if (!device.hasDevice || !device.hasDevice())
        return processor;
    const std::optional<double> ofDevice = secondsOf(device),
                                ofProcessor = ofDevice ? secondsOf(processor) : std::nullopt;
    return ofDevice && ofProcessor && *ofDevice < *ofProcessor ? device : processor;
}

Result<void> setAutomaticEngine(std::string_view id)
{
    const auto engine = TRY(chooseEngine(id));
    saidToBeAutomatic = engine;
    useAtMost(engine->instructions);
    return {};
}

Result<const Engine*> chooseEngine(std::string_view id)
{
    if (isAutomatic(id)) {
        if (const Engine* said = saidToBeAutomatic)
            return said;
        static const Engine* const found = &automaticEngine(processorEngine(), table().back(), secondsOfTrial);
        return found;
    }
    const auto engine = TRY(findRow(engines(), id, "engine"));
    if (engine->handsOver)
        return engine;
    if (const std::string reason = engine->unavailable(); !reason.empty())
        return failure(ErrorKind::Unavailable,
                       "the engine '{}' cannot run here: {}; choose another of `attnscope engines`, or auto", id,
                       reason);
    return engine;
}

WhatRuns whatRuns(std::string_view asked, const AttentionHead& head, const Choice& normaliser,
                  const SummaryExtras& extras)
{
    const Engine& engine = *chooseEngine(asked).value_or(&processorEngine());
    WhatRuns runs{engine.id, engine.handsOver ? engine.handsOver(head, normaliser, extras) : "", {}};
    if (!runs.handOver.empty())
        runs.engine = processorEngine().id;
    if (isAutomatic(asked))
        runs.handOver.clear();
    else if (runs.handOver.empty())
        runs.note = "computed by " + engine.label + (engine.runsOn ? " on " + engine.runsOn() : "");
    else
        runs.note = runs.handOver;
    return runs;
}

}  // namespace attnscope
