#pragma once
// A search for the scale of a model (core/tuning) as charts: what was tried by its multiplier or by its positions'
// parameter, beside what theory and published methods ask for; and the gain by place in the window. The ordinate is
// always the loss less that of the model as it is over the same windows: settings that were tried on few of them can be
// compared with others too.

#include "core/tuning/tuning.h"
#include "ui/plot/chart.h"

#include <optional>
#include <vector>

namespace attnscope {

struct TuneCurve {
    TunedAt at;
    int headSize = 64;
    std::vector<TriedSetting> tried;  ///< those on fewer windows than others are faint
    std::vector<TheoryMark> theory;
    bool searching = false;           ///< others may come yet, on more windows
    std::optional<Setting> use = {};  ///< what the verdict recommends, if anything: its point is marked
};

/// Against the multiplier of the last row of n keys.
ChartSpec tuneChart(const TuneCurve& curve);

/// Against the parameter of the scheme of positions: a line a scheme.
ChartSpec schemeChart(const TuneCurve& curve);

/// What was tuned less the model as it is, on the verdict's windows, with standard errors.
ChartSpec gainByPlaceChart(const TuneReport& report);

}  // namespace attnscope
