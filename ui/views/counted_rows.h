#pragma once
// Which rows a number speaks of, in the few words that stand beside it.

#include <QString>

namespace attnscope {

struct Scenario;

/// Of the maps' headings and of the table; of the curves against n.
QString pictureRows(const Scenario& scenario);
QString curveRows(const Scenario& scenario);

/// Do rows see other numbers of keys, so that it matters which of them count?
bool rowsDiffer(const Scenario& scenario);

}  // namespace attnscope
