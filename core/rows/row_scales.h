#pragma once
// The factor that multiplies the logits of each row: a scale method's multiplier, for the keys that the method counts,
// over the temperature.

#include "core/attention/engine.h"
#include "core/scaling/scale_method.h"

#include <functional>
#include <string>
#include <vector>

namespace attnscope {

/// What a method needs besides the head: see ScaleContext.
struct ScaleSetting {
    double nTrain = usualTrainLength;
    double temperature = 1;
    int d = 64;
    std::function<Result<double>(double n)> measured;  ///< empty where there are no tensors
};

/// m_i / tau of queries, and noScale for those that see no key or for which the method has no value.
struct RowScales {
    std::vector<double> scale;
    std::string partly;  ///< not empty: "2 of 512 rows have no value: ", and why the first of them has none; or that m
                         ///< is interpolated
    std::string absent = {};  ///< not empty: why the method has a value for none of them; `scale` is then empty
};

/// Of the head's queries [firstRow, rowEnd) over its first n keys. Errors: those of bindScale and of the method.
Result<RowScales> rowScales(const AttentionHead& head, const Choice& method, const ScaleSetting& setting,
                            std::int64_t n, std::int64_t firstRow, std::int64_t rowEnd);

}  // namespace attnscope
