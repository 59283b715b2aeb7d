#include "ui/window/views/length_lines.h"

#include "ui/figure/analysis_charts.h"
#include "ui/window/document.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace attnscope {

void moveLengthLine(Document& document, int line, double value)
{
    if (line == lineAtN)
        document.edit(QCoreApplication::translate("length_lines", "Length n"), [value](Scenario& scenario) {
            scenario.n = std::clamp<std::int64_t>(std::llround(value), 2, std::max<std::int64_t>(2, scenario.view.curveLast));
        });
    else
        document.edit(QCoreApplication::translate("length_lines", "Trained at N"), [value](Scenario& scenario) { scenario.nTrain = std::clamp(std::round(value), 2.0, double(1 << 20)); });
}

}  // namespace attnscope
