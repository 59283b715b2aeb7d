#pragma once
// Which rows a number speaks of, in the few words that stand beside it.

#include <QString>

namespace attnscope {

struct Scenario;

/// The rows of n tokens that see about n keys: from three quarters of them to all.
inline const QString lastQuarter = QStringLiteral("last quarter of rows");

/// Of maps' headings, tables and curves against n: View::rows.
QString rowSetWords(const Scenario& scenario);

/// Do rows see other numbers of keys, so that it matters which of them count?
bool rowsDiffer(const Scenario& scenario);

}  // namespace attnscope
