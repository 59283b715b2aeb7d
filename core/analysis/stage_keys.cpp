#include "core/analysis/stage_keys.h"

#include "core/statistics/measures.h"

namespace attnscope {

namespace {

/// Nothing but the defaults, and no method.
Scenario blank()
{
    Scenario key;
    key.methods.clear();
    return key;
}

/// What a measure asks of the engine, in the place of the measure.
Choice onlyExtras(const Choice& measure)
{
    const SummaryExtras extras = bindMeasure(measure).map([](const BoundMeasure& bound) { return bound.extras; }).value_or(SummaryExtras{});
    return {"extras", {{"order", extras.order}, {"window", static_cast<double>(extras.window)}, {"top", extras.windowTop}}, {}};
}

void addMethod(Scenario& key, const Scenario& scenario, const Choice& method)
{
    key.attention = scenario.attention;
    key.nTrain = scenario.nTrain;
    key.temperature = scenario.temperature;
    key.engine = scenario.engine;
    key.methods = {method};
    key.view.measure = onlyExtras(scenario.view.measure);
}

void addLengths(Scenario& key, const Scenario& scenario)
{
    key.n = 0;
    key.view.curveFirst = scenario.view.curveFirst;
    key.view.curveLast = scenario.view.curveLast;
    key.view.curvePoints = scenario.view.curvePoints;
    key.view.curveRows = scenario.view.curveRows;
}

void addHead(Scenario& key, const Scenario& scenario)
{
    key.tensors.head = scenario.tensors.head;
    const Choice normaliser = key.attention.normaliser;
    key.attention = scenario.attention;
    key.attention.normaliser = normaliser;
}

}  // namespace

Scenario sourceKey(const Scenario& scenario)
{
    Scenario key = blank();
    key.source = scenario.source;
    if (scenario.ofFile()) {
        key.tensors = scenario.tensors;
        key.tensors.head = 0;
        key.tensors.mean.clear();
    } else {
        key.d = scenario.d;
        key.seed = scenario.seed;
    }
    key.n = scenario.n;
    key.attention.mask = scenario.attention.mask;
    return key;
}

Scenario headKey(const Scenario& scenario)
{
    Scenario key = sourceKey(scenario);
    addHead(key, scenario);
    return key;
}

Scenario rowsKey(const Scenario& scenario, const Choice& method)
{
    Scenario key = headKey(scenario);
    addMethod(key, scenario, method);
    key.view.preview = scenario.view.preview;
    if (scenario.view.preview) {  // the sampled rows are those of the heatmap
        key.view.region = scenario.view.region;
        key.view.pixels = scenario.view.pixels;
    }
    return key;
}

Scenario mapKey(const Scenario& scenario, const Choice& method)
{
    Scenario key = rowsKey(scenario, method);
    key.view.region = scenario.view.region;
    key.view.pixels = scenario.view.pixels;
    key.view.pool = scenario.view.pool;
    return key;
}

Scenario curveHeadKey(const Scenario& scenario)
{
    Scenario key = headKey(scenario);
    addLengths(key, scenario);
    return key;
}

Scenario curveKey(const Scenario& scenario, const Choice& method)
{
    Scenario key = curveHeadKey(scenario);
    addMethod(key, scenario, method);
    return key;
}

Scenario theoryKey(const Scenario& scenario, const Choice& method)
{
    Scenario key = curveKey(scenario, method);
    key.seed = 0;
    key.view.measure = scenario.view.measure;
    return key;
}

}  // namespace attnscope
