#pragma once
// Which rows a number speaks of, in the few words that stand beside it.

#include <QString>

namespace attnscope {

struct Scenario;

/// The rows of n tokens that see about n keys: from three quarters of them to all.
inline const QString lastQuarter = QStringLiteral("last quarter of rows");

/// Of the maps' headings and of the table; of the curves against n, which differ from them only in sessions from before
/// this could be chosen (CountedRows::Unsaid).
QString pictureRows(const Scenario& scenario);
QString curveRows(const Scenario& scenario);

/// Do rows see other numbers of keys, so that it matters which of them count?
bool rowsDiffer(const Scenario& scenario);

}  // namespace attnscope
