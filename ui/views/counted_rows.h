#pragma once
// Which rows a number speaks of, in the few words that stand beside it.

#include <QString>

namespace attnscope {

struct Scenario;

/// The rows of n tokens that see about n keys: from three quarters of them to all.
inline const QString lastQuarter = QStringLiteral("last quarter of rows");

/// Of the maps' headings and of the table; of the curves against n, whose points stand at the keys that their rows
/// see, a mean of 7/8 n for the last quarter of rows: the table at n is of rows that see less than those of the curve.
QString pictureRows(const Scenario& scenario);
QString curveRows(const Scenario& scenario);

/// Do rows see other numbers of keys, so that it matters which of them count?
bool rowsDiffer(const Scenario& scenario);

}  // namespace attnscope
