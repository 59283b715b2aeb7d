#pragma once
// Which rows a curve over n looks at: at each n the rows that count (View::rows) of the first n tokens, or some of
// them. So the point at n is the mean that lengthStatistics() and the picture of n tokens give, or near it.
//   - Up to curveCountsAllRowsUpTo tokens all of them. Beyond:
//   - Under a mask that looks at positions some of them, at most View::curveRows, spread evenly, so that one topic does
//     not speak for all.
//   - Elsewhere each sees the same keys. Of a file all are looked at; of a synthetic source every 2^k-th.

#include "core/analysis/source.h"

namespace attnscope {

inline constexpr std::int64_t curveCountsAllRowsUpTo = 1024;

/// Does a curve look at some of the rows that count at this length?
bool looksAtSomeRows(const Scenario& scenario, double length);
/// Is the point at this length of some of the rows that count? At the scenario's own n it is the picture's.
bool isOfSomeRows(const Scenario& scenario, double length);

/// Rows [begin, end) of the sample stand for the first `length` tokens.
struct RowRange {
    std::int64_t length = 0, begin = 0, end = 0;
    std::vector<std::int64_t> rows = {};  ///< of them these alone, rising; empty: all
};

struct CurveSample {
    AttentionHead whole;           ///< every query, for what is solved on all of them
    AttentionHead head;            ///< the queries that are looked at
    std::vector<RowRange> ranges;  ///< rising in length
    std::int64_t needleKey = -1;
};

/// For View::curveFirst .. curveLast. Errors: those of sources and of prepareHead.
Result<CurveSample> sampleForCurve(const Scenario& scenario);

}  // namespace attnscope
