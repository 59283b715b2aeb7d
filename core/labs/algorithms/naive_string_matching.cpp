// naive_string_matching a -60 b -7 b 12 a 33 find b b = -7 .
//
// Where two letters stand next to each other for the first time: every letter has a number behind it that tells its
// place. The numbers rise, and any may come, so that long texts have no place that short ones never had.

#include "core/labs/algorithms/algorithm_tasks.h"

namespace attnscope {

namespace {

constexpr std::size_t lettersOfPattern = 2;

std::string letter(std::int64_t which) { return std::string(1, static_cast<char>('a' + which)); }

AlgorithmProblem poseStringMatching(std::int64_t size, ProblemDraw& draw)
{
    const std::vector<int> places = draw.risingNumbers(size);
    std::vector<std::int64_t> letters;
    for (std::int64_t i = 0; i < size; ++i)
        letters.push_back(draw.below(4));
    const auto from = letters.begin() + draw.below(size - static_cast<std::int64_t>(lettersOfPattern) + 1);
    const std::vector<std::int64_t> pattern(from, from + lettersOfPattern);
    std::size_t shift = 0;
    for (std::size_t matched = 0; matched < pattern.size(); ++shift)
        for (matched = 0; matched < pattern.size() && letters[shift + matched] == pattern[matched];)
            ++matched;
    std::string input;
    for (std::size_t i = 0; i < letters.size(); ++i)
        input += fmt::format("{} {} ", letter(letters[i]), places[i]);
    input += "find";
    for (const std::int64_t wanted : pattern)
        input += " " + letter(wanted);
    return {input, {}, std::to_string(places[shift - 1])};
}

}  // namespace

AlgorithmTask stringMatchingTask()
{
    return {"naive_string_matching", "String matching", "the place where the letters first stand together",
            poseStringMatching};
}

}  // namespace attnscope
