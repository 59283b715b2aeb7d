#pragma once
// Rows of a head and what they say together. Whoever says an entropy of a head says of which rows, and asks here: one
// set of rows with a name, one call of an engine, one mean.

#include "core/attention/engine.h"
#include "core/statistics/measures.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// Which query rows of the first n tokens a number speaks of.
struct RowSet {
    enum class Kind {
        All,          ///< all that belong to the first n tokens
        SeeingAboutN  ///< those that see about n keys: the last quarter, where a row sees what is before it
    };
    Kind kind = Kind::All;
    std::int64_t last = 0;  ///< of All: of them the last so many; 0: all
    bool operator==(const RowSet&) const = default;
};

/// "all rows", "rows that see about n keys", "last 128 rows": what stands beside a number.
std::string labelOf(const RowSet& rows);

/// How many of the queries, from the first on, belong to the first n tokens. Queries are the last of the keys'
/// positions, and those below n belong; where there are fewer or more of them than keys and the mask does not look at
/// positions they are another sequence, and all belong.
std::int64_t queriesWithin(std::int64_t queries, std::int64_t keys, const Choice& mask, std::int64_t n);
std::int64_t queriesWithin(const AttentionHead& head, std::int64_t n);

/// How many of the last of n tokens see about n keys, where a token sees those before it: those with more than 3/4 n.
constexpr std::int64_t quarterOf(std::int64_t n) { return (n + 3) / 4; }

/// How many keys the first row of the set sees there. With them the set is rows of fewestKeys .. n keys.
constexpr std::int64_t fewestKeys(RowSet::Kind rows, std::int64_t n)
{
    return rows == RowSet::Kind::All ? 1 : n - quarterOf(n) + 1;
}

/// The set's rows of the head at n: [first, end).
struct RowSpan {
    std::int64_t first = 0, end = 0;
    std::int64_t count() const { return end - first; }
};
RowSpan rowsOf(const AttentionHead& head, const RowSet& rows, std::int64_t n);

/// Summaries of rows first .. first + scale.size() - 1 of the head over its first n keys. Errors: the engine's.
Result<std::vector<RowSummary>> summariesOf(const AttentionHead& head, const Choice& normaliser, const Engine& engine,
                                            std::int64_t n, std::int64_t first, std::vector<double> scale,
                                            const std::stop_token& stop);

/// Rows of one sequence share its keys. How far they lie apart is how much they differ, and no error of their mean: in
/// another sequence, or another draw of the same law, the mean may lie anywhere.
struct RowMean {
    std::int64_t count = 0;
    double mean = 0;                                        ///< NaN of no rows
    std::optional<double> deviation;                        ///< standard deviation between the rows; one alone has none
    double low = std::numeric_limits<double>::quiet_NaN();  ///< the middle four fifths of the rows, by value, lie ...
    double high = std::numeric_limits<double>::quiet_NaN();  ///< ... from low to high; NaN of fewer than two
};
RowMean rowMean(std::vector<double> values);

/// Over the rows that have a value.
RowMean meanOverRows(std::span<const RowSummary> rows,
                     const std::function<std::optional<double>(const RowSummary&)>& value);

/// Of a measure: geometric, where it says so.
RowMean meanOverRows(std::span<const RowSummary> rows, const BoundMeasure& measure);

/// The same over the rows whose value is finite.
RowMean finiteMean(std::span<const RowSummary> rows, const BoundMeasure& measure);

/// The mean of Shannon's entropy, nats, over the rows that have one: a row that sees no key, or gives those that it
/// sees no weight (measures.h), is none of them. NaN where no row has any.
RowMean entropyMean(std::span<const RowSummary> rows);

}  // namespace attnscope
