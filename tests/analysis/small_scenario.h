#pragma once
// What the tests of the analysis share: a scenario of 96 tokens, two methods and 32 x 32 pixels, and its analysis.

#include "core/analysis/analysis.h"

#include <QtGlobal>

inline attnscope::Scenario small(const char* source = "gaussian")
{
    attnscope::Scenario scenario;
    scenario.source.id = source;
    scenario.n = 96;
    scenario.d = 16;
    scenario.nTrain = 64;
    scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {{"B", 64}}, {}}};
    scenario.view.curveLast = 256;
    scenario.view.curvePoints = 5;
    scenario.view.pixels = 32;
    return scenario;
}

/// Of a fresh start, with nothing remembered; an error ends the test program.
inline attnscope::Analysis analysed(const attnscope::Scenario& scenario)
{
    attnscope::Result<attnscope::Analysis> result = attnscope::analyse(scenario, {});
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}
