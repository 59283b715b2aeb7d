#include "ui/figure/counted_rows.h"

#include "core/analysis/scenario.h"
#include "core/attention/masks.h"
#include "ui/plot/qt_text.h"

namespace attnscope {

bool rowsDiffer(const Scenario& scenario) { return !scenario.ofTheory() && looksAtPositions(scenario.attention.mask); }

QString rowSetWords(const Scenario& scenario)
{
    return !rowsDiffer(scenario) || scenario.view.rows == RowSet::Kind::All ? u"all rows"_s : lastQuarter;
}

}  // namespace attnscope
