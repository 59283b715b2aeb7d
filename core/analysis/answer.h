#pragma once
// The ticked methods in numbers, side by side, and what these say in one sentence: which method comes nearest to the
// entropy of N, and what would keep it. The table of the window and the sentence above the maps both ask here.

#include <cstddef>
#include <string>

namespace attnscope {

struct Analysis;

/// NaN where there is no value. Entropies are means over the rows that count, nats; expected ones where there are no
/// queries and keys.
struct ComparedMethod {
    double entropy = 0;     ///< H at n
    double atTrained = 0;   ///< H(N) of the same rows under m = 1
    double multiplier = 0;  ///< m / tau of the last row
    double keeps = 0;       ///< the m that would give these rows H(N)
};
ComparedMethod comparedMethod(const Analysis& analysis, std::size_t method);

/// "At n = 4 096 Softmax Plus keeps 1.62 of the 2.29 nats of N = 64, Vanilla has 3.9; a multiplier m = 1.662 would keep
/// them exactly". The method that comes nearest is named first, then Vanilla and the one that is farthest off. In a
/// preview the multiplier is still to come, and an ellipsis stands for it. Empty where no method has an entropy yet.
std::string answerInWords(const Analysis& analysis);

/// n = N, several methods, and every one has the same entropy as far as it is said: nothing can be compared there.
bool areAlikeAtTrained(const Analysis& analysis);

}  // namespace attnscope
