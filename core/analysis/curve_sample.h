#pragma once
// Which rows a curve over n looks at: of the queries that belong to the first n tokens (queriesWithin), those that see
// about n keys.
//   - Under a mask that does not look at positions every one of them sees the same keys. Of a file all are looked at,
//     so the point of the curve is the mean that lengthStatistics() gives; of a synthetic source every 2^k-th, at most
//     View::curveRows.
//   - Where order means nothing any query may see all n keys: a few of them do.
//   - Elsewhere it is some of the last quarter of the first n tokens, spread evenly, so that one topic does not speak
//     for all.
// Where all rows count (View::rows), some of all of the first n tokens, spread evenly, each with what its mask shows.

#include "core/analysis/source.h"

namespace attnscope {

/// Rows [begin, end) of the sample stand for the first `length` tokens.
struct RowRange {
    std::int64_t length = 0, begin = 0, end = 0;
    std::vector<std::int64_t> rows = {};  ///< of them these alone, rising; empty: all, those of other lengths too
};

struct CurveSample {
    AttentionHead whole;           ///< every query, for what is solved on all of them
    AttentionHead head;            ///< the queries that are looked at
    std::vector<RowRange> ranges;  ///< rising in length
    std::int64_t needleKey = -1;
};

/// Whether its rows see from three quarters of the n keys to all of them; else all rows of the first n tokens see the
/// same keys.
bool rowsSeeAboutN(const Scenario& scenario);

/// For View::curveFirst .. curveLast. Errors: those of sources and of prepareHead.
Result<CurveSample> sampleForCurve(const Scenario& scenario);

}  // namespace attnscope
