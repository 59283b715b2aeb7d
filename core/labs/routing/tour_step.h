#pragma once
// A tour while it is being made: the edges so far, where it stands, and what the decoder's glimpse attends to before it
// chooses.

#include "core/labs/lab.h"
#include "core/tensor/head_set.h"

#include <optional>

namespace attnscope {

struct TourStep {
    std::size_t made = 0;  ///< of the tour's edges, the first ones
    std::optional<int> at = {},
                       next = {};  ///< places; nowhere before the first city, and nothing next once the tour is made
    std::vector<float> weights =
        {};  ///< of the places, mean over heads; 0 where the tour may not go; empty once it is made
};

/// Before the choice of this number, from 0; from `glimpses.rows()` on the tour is made. `glimpses` (choices, places).
/// A tour of cities chooses where it begins, which makes no edge, and its last edge is the way home, which is no
/// choice.
TourStep stepOf(const LabTours::Panel& tour, const Matrix& glimpses, std::int64_t choice);

/// The places with the largest weights, at most `most`, the largest first; none without weight.
std::vector<int> mostLookedAt(const TourStep& step, std::size_t most);

}  // namespace attnscope
