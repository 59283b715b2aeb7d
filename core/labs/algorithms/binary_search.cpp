// binary_search -50 -7 12 33 find 8 = -7 12 | 12 .
//
// Of rising numbers the one before which the number asked for belongs: the first that is not below it. It is not among
// them, and the last of them is above it. The trace is the middle of what is left, halving by halving.

#include "core/base/text.h"
#include "core/labs/algorithms/algorithm_tasks.h"

namespace attnscope {

namespace {

AlgorithmProblem poseBinarySearch(std::int64_t size, ProblemDraw& draw)
{
    std::vector<int> numbers = draw.risingNumbers(size + 1);
    const auto asked = numbers.begin() + draw.below(size);
    const int target = *asked;
    numbers.erase(asked);
    std::vector<int> middles;
    std::size_t low = 0, high = numbers.size() - 1;  // the answer is in [low, high]
    while (low < high) {
        const std::size_t middle = (low + high) / 2;
        middles.push_back(numbers[middle]);
        if (numbers[middle] < target)
            low = middle + 1;
        else
            high = middle;
    }
    return {fmt::format("{} find {}", joined(numbers, " "), target), joined(middles, " "),
            std::to_string(numbers[low])};
}

}  // namespace

AlgorithmTask binarySearchTask()
{
    return {"binary_search", "Binary search", "the first number above the one asked for", poseBinarySearch};
}

}  // namespace attnscope
