#pragma once
// What the window says of the cell under the pointer, and of how a map was pooled.

#include "core/analysis/analysis.h"
#include "ui/workbench/pointer.h"

#include <QStringList>

#include <optional>
#include <utility>

namespace attnscope {

/// "a pixel is the mean of 32 \u00D7 32 weights", "a weight a cell", or "preview: a pixel is the middle of 32 \u00D7 32
/// weights".
QString cellKind(const PooledMap& map);
/// "32 \u00D7 32", beside a list that says "mean" or "max"; "a weight a cell", or "preview".
QString cellKindInShort(const PooledMap& map);

/// The summary of that very row: of the chosen one always, of the others in a preview where they were sampled. Null: it
/// is not known, and may be being computed.
const RowSummary* summaryOfRow(const Analysis& analysis, const MethodAnalysis& method, std::int64_t row);

/// Of that key among those of the row; nothing where it is masked.
std::optional<std::size_t> placeOf(const RowDetail& detail, std::int64_t key);

/// Of several methods its name first, then "weight 0.0312", "logit 2.31", "j 12", "i 417", "H 3.45 nats", "e^H 31.5 of
/// 512", as rich text. Without a pointed cell: the chosen row.
QStringList cellReading(const Analysis& analysis, std::size_t method, const Pointed& at);
/// Of two methods: their entropies, and at a pointed cell of the chosen row their weights and the first over the
/// second.
QStringList differenceReading(const Analysis& analysis, std::pair<std::size_t, std::size_t> methods, const Pointed& at);

}  // namespace attnscope
