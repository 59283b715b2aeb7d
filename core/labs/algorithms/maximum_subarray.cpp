// maximum_subarray 12 -50 33 -7 20 -3 = 33 20 .
//
// The first and the last number of the stretch with the largest sum (Kadane); of several the one that ends first, and
// begins last.

#include "core/base/text.h"
#include "core/labs/algorithms/algorithm_tasks.h"

namespace attnscope {

namespace {

AlgorithmProblem poseMaximumSubarray(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    int sum = 0, largest = -largestNumber - 1;
    std::size_t begin = 0, first = 0, last = 0;
    for (std::size_t end = 0; end < numbers.size(); ++end) {
        if (sum <= 0) {
            sum = 0;
            begin = end;
        }
        sum += numbers[end];
        if (sum > largest) {
            largest = sum;
            first = begin;
            last = end;
        }
    }
    return {joined(numbers, " "), {}, fmt::format("{} {}", numbers[first], numbers[last])};
}

}  // namespace

AlgorithmTask maximumSubarrayTask()
{
    return {"maximum_subarray", "Subarray", "the ends of the stretch with the largest sum", poseMaximumSubarray};
}

}  // namespace attnscope
