#pragma once
// Algorithms as text, in the manner of CLRS-Text (Markeeva et al. 2024), written by our own generators. A problem is a
// line of words,
//
//     minimum 12 -7 33 = 12 -7 | -7 .
//     ^ task  ^ input    ^ trace ^ answer
//
// of which everything up to "=" is given and the rest is to be said, the trace only where it is asked for. A word is a
// token. Numbers of a problem are distinct, so that a place is told by the number that stands there, where the
// benchmark has indices: longer problems then need no word that shorter ones do not have.
//
// A new task is its generator and a row in algorithm_tasks.cpp.

#include "core/base/random.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

constexpr int largestNumber = 99;  ///< numbers are -99 .. 99
constexpr std::int64_t numbersThere = 2 * largestNumber + 1;

/// The random numbers of one problem, a function of (seed, stream, problem).
class ProblemDraw {
public:
    ProblemDraw(std::uint64_t seed, Stream stream, std::uint64_t problem) : m_random(seed, stream), m_problem(problem)
    {
    }
    std::int64_t below(std::int64_t bound)
    {
        return static_cast<std::int64_t>(m_random.uniform(m_problem, m_next++) * static_cast<double>(bound));
    }
    /// `count` different ones of 0 .. bound - 1, all choices alike likely, rising.
    std::vector<int> rising(std::int64_t count, std::int64_t bound);
    /// `count` different numbers, in no order.
    std::vector<int> numbers(std::int64_t count);
    std::vector<int> risingNumbers(std::int64_t count);

private:
    Random m_random;
    std::uint64_t m_problem, m_next = 0;
};

/// Words with spaces between them.
struct AlgorithmProblem {
    std::string input, trace, answer;  ///< no trace: it is as long as the input, or longer
};

struct AlgorithmTask {
    std::string id, label, about;
    AlgorithmProblem (*pose)(std::int64_t size, ProblemDraw& draw);
};

/// All of them, in the order shown.
std::span<const AlgorithmTask> algorithmTasks();

constexpr std::int64_t smallestProblem = 4, largestProblem = 99;

/// Every word that a problem may have; a token is a place among them.
std::span<const std::string> algorithmWords();

/// A problem in tokens: what is given, "=" last, and what is to be said, "." last.
struct ProblemTokens {
    std::vector<int> question, answer;
};
/// Asserts that every word is known.
ProblemTokens tokensOf(const AlgorithmTask& task, const AlgorithmProblem& problem, bool traces);

/// The words of the tokens.
std::string textOf(std::span<const int> tokens);

}  // namespace attnscope
