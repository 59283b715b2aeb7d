#include "core/analysis/stages.h"

#include <algorithm>
#include <bit>

namespace attnscope {

namespace {

/// An eighth more at most, so that a hand that drags n upwards does not have everything made again at every step.
std::int64_t withRoomToGrow(std::int64_t n)
{
    const std::int64_t unit =
        std::max<std::int64_t>(1, static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(n))) / 8);
    return (n + unit - 1) / unit * unit;
}

/// q and k of a sequence that may be made longer than asked for: 256 MB at most.
bool fitsInMemory(const Scenario& scenario) { return scenario.n * scenario.d <= std::int64_t(1) << 25; }

}  // namespace

Result<Shared<Source>> sourceStage(Stage& stage)
{
    const Scenario& scenario = stage.scenario;
    if (!beginsLongerOnes(scenario) || !fitsInMemory(scenario))
        return stage.cache.sources.get(sourceKey(scenario),
                                       [&] { return openSource(scenario, scenario.n, scenario.n); });
    const SourceKey anyLength = anyLengthKey(scenario);
    Shared<Source> longest = stage.cache.longest.find(anyLength);
    if (!longest || longest->heads.keyCount() < scenario.n) {
        Source source = TRY(longest ? lengthened(*longest, scenario, withRoomToGrow(scenario.n))
                                    : openSource(scenario, scenario.n, scenario.n));
        longest = stage.cache.longest.keep(anyLength, std::move(source));
    }
    return longest;
}

Result<Shared<AttentionHead>> headStage(Stage& stage, const Shared<Source>& source)
{
    const HeadSet& heads = source->heads;
    const int head = std::clamp(stage.scenario.tensors.head, 0, std::max(0, heads.headCount() - 1));
    const AttentionSpec& spec = stage.scenario.attention;
    HeadKey key = headKey(stage.scenario);
    if (!beginsLongerOnes(stage.scenario))
        // one of many heads takes a copy of its keys, or the others would stay in memory as long as it does
        return stage.cache.heads.get(key, [&] {
            return heads.headCount() == 1 ? prepareHead({source, &heads}, head, spec) : prepareHead(heads, head, spec);
        });
    const std::int64_t n = key.source.n;
    key.source.n = heads.keyCount();
    const auto longest = TRY(stage.cache.longestHeads.get(key, [&] {
        return prepareHead({source, &heads}, head, spec);
    }));
    if (key.source.n == n)
        return longest;
    key.source.n = n;
    return stage.cache.heads.get(key, [&]() -> Result<AttentionHead> { return firstTokens(*longest, n, n); });
}

}  // namespace attnscope
