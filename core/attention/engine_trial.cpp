#include "core/attention/engines.h"
#include "core/base/random.h"

#include <algorithm>
#include <chrono>

namespace attnscope {

namespace {

constexpr std::int64_t trialKeys = 1024;
constexpr int trialHeadSize = 64, trialPixels = 512;
constexpr double trialSeconds = 0.125;

AttentionHead trialHead()
{
    const auto normals = [](Stream stream) {
        Matrix rows(trialKeys, trialHeadSize);
        for (std::int64_t row = 0; row < trialKeys; ++row)
            Random(1, stream).normals(static_cast<std::uint64_t>(row),
                                      std::span(rows.row(row).data(), static_cast<size_t>(trialHeadSize)));
        return rows;
    };
    AttentionHead head;
    head.query = Matrix(normals(Stream::Queries) / std::sqrt(static_cast<float>(trialHeadSize)));
    head.key = normals(Stream::Keys);
    head.keyCount = trialKeys;
    head.mask.id = "causal";
    return head;
}

/// What a step of a slider asks for.
bool takesStep(const Engine& engine, const AttentionHead& head)
{
    SummaryRequest request;
    for (const float scale : {1.0f, 1.25f, 1.5f})
        request.passes.push_back({trialKeys, 0, trialKeys, std::vector<double>(static_cast<size_t>(trialKeys), scale)});
    const auto rows = engine.summarise(head, request, {});
    if (!rows)
        return false;
    std::vector<NormaliserState> states;
    for (const RowSummary& row : rows->front())
        states.push_back(row.state);
    const Region whole{0, trialKeys, 0, trialKeys};
    return engine
        .pool(head,
              {request.normaliser,
               request.passes.front().scale,
               states,
               whole,
               trialPixels,
               trialPixels,
               Pool::Mean,
               false,
               true,
               {}},
              {})
        .has_value();
}

}  // namespace

std::optional<double> secondsOfTrial(const Engine& engine)
{
    using Clock = std::chrono::steady_clock;
    const AttentionHead head = trialHead();
    std::optional<double> least;
    if (!takesStep(engine, head))  // makes threads, compiles shaders
        return least;
    const auto end = Clock::now() + std::chrono::duration<double>(trialSeconds);
    do {
        const auto start = Clock::now();
        if (!takesStep(engine, head))
            return std::nullopt;
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        least = std::min(seconds, least.value_or(seconds));
    } while (Clock::now() < end);
    return least;
}

}  // namespace attnscope
