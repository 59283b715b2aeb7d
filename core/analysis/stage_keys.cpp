#include "core/analysis/stage_keys.h"

#include "core/statistics/measures.h"

namespace attnscope {

namespace {

WeighingKey weighingKey(const Scenario& scenario, const Choice& method)
{
    const auto extras =
        bindMeasure(scenario.view.measure).map([](const BoundMeasure& measure) { return measure.extras; });
    return {.normaliser = scenario.attention.normaliser,
            .method = method,
            .nTrain = scenario.nTrain,
            .temperature = scenario.temperature,
            .d = scenario.d,
            .extras = extras.value_or(SummaryExtras{}),
            .engine = scenario.engine,
            .measuredOn = isMeasured(method) ? RowSet{scenario.view.rows} : RowSet{}};
}

HeadKey headOf(const Scenario& scenario, SourceKey source)
{
    const AttentionSpec& spec = scenario.attention;
    return {std::move(source), scenario.tensors.head, spec.kernel, spec.position, spec.mask, spec.softCap};
}

/// Theory is of a law, not of its samples, and no engine computes it.
LawKey lawKey(const Scenario& scenario, const Choice& method)
{
    LawKey key{headOf(scenario, anyLengthKey(scenario)), weighingKey(scenario, method)};
    key.head.head = 0;
    key.head.source.seed = 0;
    key.weighing.extras = {};
    key.weighing.engine.clear();
    key.rows = scenario.view.rows;
    return key;
}

}  // namespace

SourceKey sourceKey(const Scenario& scenario)
{
    SourceKey key{.source = scenario.source, .n = scenario.n};
    if (scenario.ofFile()) {
        key.tensors = scenario.tensors;
        key.tensors.head = 0;
        key.tensors.mean.clear();
        key.mask = scenario.attention.mask;
    } else {
        key.d = scenario.d;
        key.seed = scenario.seed;
    }
    return key;
}

SourceKey anyLengthKey(const Scenario& scenario)
{
    SourceKey key = sourceKey(scenario);
    key.n = 0;
    return key;
}

HeadKey headKey(const Scenario& scenario) { return headOf(scenario, sourceKey(scenario)); }

RowsKey rowsKey(const Scenario& scenario, const Choice& method)
{
    const View& view = scenario.view;
    return {headKey(scenario), weighingKey(scenario, method), view.preview, view.preview ? view.region : Region{},
            view.preview ? view.pixels : 0};
}

MapKey mapKey(const Scenario& scenario, const Choice& method)
{
    return {rowsKey(scenario, method), scenario.view.region, scenario.view.pixels, scenario.view.pool, {}};
}

MapKey jointMapKey(const Scenario& scenario, const Choice& method)
{
    MapKey key = mapKey(scenario, method);
    key.rows.head.head = 0;
    key.mean = scenario.tensors.mean;
    return key;
}

SampleKey sampleKey(const Scenario& scenario)
{
    const View& view = scenario.view;
    return {headOf(scenario, anyLengthKey(scenario)),
            view.curveFirst,
            view.curveLast,
            view.curvePoints,
            view.curveRows,
            view.rows};
}

CurveKey curveKey(const Scenario& scenario, const Choice& method)
{
    return {sampleKey(scenario), weighingKey(scenario, method)};
}

MultiplierKey multiplierKey(const Scenario& scenario, const SampleKey& head, std::int64_t n, bool preview, RowSet rows)
{
    MultiplierKey key{head, weighingKey(scenario, {}), n, preview, rows};
    key.weighing.extras = {};
    return key;
}

TheoryKey theoryKey(const Scenario& scenario, const Choice& method)
{
    return {lawKey(scenario, method), scenario.view.measure, scenario.view.curveFirst, scenario.view.curveLast,
            scenario.view.curvePoints};
}

TheoryScaleKey theoryScaleKey(const Scenario& scenario) { return {lawKey(scenario, {}), scenario.n}; }

AllHeadsKey allHeadsKey(const Scenario& scenario)
{
    AllHeadsKey key{headKey(scenario), weighingKey(scenario, scenario.methods.front()), {scenario.view.rows}};
    key.head.head = 0;
    key.weighing.extras = {};
    return key;
}

}  // namespace attnscope
