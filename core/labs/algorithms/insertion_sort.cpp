// insertion_sort 12 -7 33 8 = -7 8 12 33 .
//
// The numbers from the smallest to the largest. The benchmark's trace has a whole list for every number put in its
// place: n^2 words.

#include "core/base/text.h"
#include "core/labs/algorithms/algorithm_tasks.h"

#include <utility>

namespace attnscope {

namespace {

AlgorithmProblem poseInsertionSort(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> numbers = draw.numbers(size);
    std::vector<int> sorted = numbers;
    for (std::size_t i = 1; i < sorted.size(); ++i)
        for (std::size_t j = i; j > 0 && sorted[j - 1] > sorted[j]; --j)
            std::swap(sorted[j - 1], sorted[j]);
    return {joined(numbers, " "), {}, joined(sorted, " ")};
}

}  // namespace

AlgorithmTask insertionSortTask()
{
    return {"insertion_sort", "Insertion sort", "the numbers in order", poseInsertionSort};
}

}  // namespace attnscope
