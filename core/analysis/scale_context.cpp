#include "core/analysis/scale_context.h"

#include "core/attention/masks.h"

#include <algorithm>

namespace attnscope {

ScaleContext scaleContextOf(const Scenario& scenario)
{
    const std::int64_t row = scenario.view.row < 0 ? scenario.n - 1 : std::min(scenario.view.row, scenario.n - 1);
    ScaleContext context{.position = static_cast<double>(row),
                         .nTrain = scenario.nTrain,
                         .d = scenario.d,
                         .temperature = scenario.temperature,
                         .measured = {}};
    const Choice& choice = scenario.attention.mask;
    if (const Result<const Mask*> mask = findRow(masks(), choice.id, "mask")) {
        context.keys = static_cast<double>(unmaskedKeys(choice, scenario.n));
        context.rowKeys = static_cast<double>((*mask)->visible(row, scenario.n, Parameters(**mask, choice)).count());
    }
    return context;
}

}  // namespace attnscope
