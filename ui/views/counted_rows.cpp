#include "ui/views/counted_rows.h"

#include "core/analysis/scenario.h"
#include "core/attention/masks.h"
#include "ui/plot/qt_text.h"

namespace attnscope {

namespace {

QString words(bool all) { return all ? u"all rows"_s : u"rows with n keys"_s; }

}  // namespace

bool rowsDiffer(const Scenario& scenario) { return !scenario.ofTheory() && looksAtPositions(scenario.attention.mask); }

QString pictureRows(const Scenario& scenario)
{
    return words(!rowsDiffer(scenario) || scenario.view.rows != CountedRows::AboutN);
}

QString curveRows(const Scenario& scenario)
{
    return words(!rowsDiffer(scenario) || scenario.view.rows == CountedRows::All);
}

}  // namespace attnscope
