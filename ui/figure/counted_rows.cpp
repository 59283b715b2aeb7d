#include "ui/figure/counted_rows.h"

#include "core/analysis/scenario.h"
#include "core/attention/masks.h"
#include "ui/plot/qt_text.h"

namespace attnscope {

bool rowsDiffer(const Scenario& scenario) { return !scenario.ofTheory() && looksAtPositions(scenario.attention.mask); }

QString pictureRows(const Scenario& scenario)
{
    return !rowsDiffer(scenario) || scenario.view.rows != CountedRows::AboutN ? u"all rows"_s : lastQuarter;
}

QString curveRows(const Scenario& scenario)
{
    return !rowsDiffer(scenario) || scenario.view.rows == CountedRows::All ? u"all rows"_s : lastQuarter;
}

}  // namespace attnscope
