#pragma once
// Which rows a curve over n looks at. At length n it wants rows that see about n keys:
//   - where order means nothing, any queries, each over the first n keys;
//   - of a file under a mask that does not look at positions, every query;
//   - elsewhere some of the last quarter of the first n tokens, spread evenly, so that one topic does not speak for all.

#include "core/analysis/source.h"

namespace attnscope {

/// Rows [begin, end) of the sample stand for the first `length` tokens.
struct RowRange {
    std::int64_t length = 0, begin = 0, end = 0;
};

struct CurveSample {
    AttentionHead whole;            ///< every query, for what is solved on all of them
    AttentionHead head;             ///< the queries that are looked at
    std::vector<RowRange> ranges;   ///< rising in length
    std::int64_t needleKey = -1;
};

/// Whether its rows see from three quarters of the n keys to all of them; else they see all n.
bool looksAtLastQuarter(const Scenario& scenario);

/// For View::curveFirst .. curveLast. Errors: those of sources and of prepareHead.
Result<CurveSample> sampleForCurve(const Scenario& scenario);

}  // namespace attnscope
