// minimum 12 -7 33 -50 8 = 12 -7 -50 | -50 .
//
// The smallest of the numbers. The trace is the smallest so far, whenever it changes.

#include "core/base/text.h"
#include "core/labs/algorithms/algorithm_tasks.h"

namespace attnscope {

namespace {

AlgorithmProblem poseMinimum(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    std::vector<int> smallest{numbers.front()};
    for (const int number : numbers)
        if (number < smallest.back())
            smallest.push_back(number);
    return {joined(numbers, " "), joined(smallest, " "), std::to_string(smallest.back())};
}

}  // namespace

AlgorithmTask minimumTask() { return {"minimum", "Minimum", "the smallest number", poseMinimum}; }

}  // namespace attnscope
