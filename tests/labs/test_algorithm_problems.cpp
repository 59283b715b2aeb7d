// The problems of the lab algorithms: right by independent answers, drawn fairly, written as they should be, in
// sequences and in batches.

#include "core/labs/algorithms/problem_evaluation.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

using namespace attnscope;

namespace {

std::vector<std::string> wordsIn(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    return words;
}

std::vector<int> numbersIn(const std::string& text)
{
    std::vector<int> numbers;
    for (const std::string& word : wordsIn(text))
        numbers.push_back(std::stoi(word));
    return numbers;
}

const AlgorithmTask& taskOf(const char* id) { return **findRow(algorithmTasks(), id, "task"); }

/// check(problem) of some problems of every size.
template <class Check>
void forProblems(const char* id, const Check& check)
{
    for (std::int64_t size = smallestProblem; size <= largestProblem; size += size < 16 ? 1 : 13)
        for (std::uint64_t problem = 0; problem < 20; ++problem) {
            ProblemDraw draw(7, Stream::Sampling, problem);
            check(taskOf(id).pose(size, draw), static_cast<std::size_t>(size));
        }
}

}  // namespace

class TestAlgorithmProblems : public QObject {
    Q_OBJECT
private slots:
    void problemsAsTheyAreWritten_data();
    void problemsAsTheyAreWritten();
    void minimum();
    void insertionSort();
    void binarySearch();
    void maximumSubarray();
    void stringMatching();
    void everyWordIsKnown();
    void choicesAreFair();
    void batchesAskForAnswersAlone();
    void noTaskIsLeftOut();
};

void TestAlgorithmProblems::problemsAsTheyAreWritten_data()
{
    QTest::addColumn<QString>("task");
    QTest::addColumn<QString>("question");
    QTest::addColumn<QString>("said");
    QTest::addColumn<QString>("withTrace");
    QTest::addRow("minimum") << "minimum"
                             << "minimum -5 -29 62 -92 -81 ="
                             << "-92 ."
                             << "-5 -29 -92 | -92 .";
    QTest::addRow("insertion sort") << "insertion_sort"
                                    << "insertion_sort -5 -29 62 -92 -81 ="
                                    << "-92 -81 -29 -5 62 ."
                                    << "-92 -81 -29 -5 62 .";
    QTest::addRow("binary search") << "binary_search"
                                   << "binary_search -92 -81 -29 -5 85 find 62 ="
                                   << "85 ."
                                   << "-29 -5 | 85 .";
    QTest::addRow("maximum subarray") << "maximum_subarray"
                                      << "maximum_subarray -5 -29 62 -92 -81 ="
                                      << "62 62 ."
                                      << "62 62 .";
    QTest::addRow("string matching") << "naive_string_matching"
                                     << "naive_string_matching b -92 a -81 b -29 c -5 c 62 find c c ="
                                     << "-5 ."
                                     << "-5 .";
}

/// The first problem of five numbers of seed 3, to the letter.
void TestAlgorithmProblems::problemsAsTheyAreWritten()
{
    QFETCH(QString, task);
    QFETCH(QString, question);
    QFETCH(QString, said);
    QFETCH(QString, withTrace);
    const AlgorithmTask& row = taskOf(task.toUtf8().constData());
    ProblemDraw draw(3, Stream::Sampling, 0);
    const AlgorithmProblem problem = row.pose(5, draw);
    const ProblemTokens plain = tokensOf(row, problem, false), traced = tokensOf(row, problem, true);
    QCOMPARE(QString::fromStdString(textOf(plain.question)), question);
    QCOMPARE(QString::fromStdString(textOf(plain.answer)), said);
    QCOMPARE(QString::fromStdString(textOf(traced.answer)), withTrace);
    QCOMPARE(traced.question, plain.question);
}

void TestAlgorithmProblems::minimum()
{
    forProblems("minimum", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<int> numbers = numbersIn(problem.input);
        QCOMPARE(numbers.size(), size);
        QCOMPARE(std::set<int>(numbers.begin(), numbers.end()).size(), size);
        QCOMPARE(std::stoi(problem.answer), *std::min_element(numbers.begin(), numbers.end()));
        std::vector<int> sofar(numbers.size());
        std::partial_sum(numbers.begin(), numbers.end(), sofar.begin(), [](int a, int b) { return std::min(a, b); });
        sofar.erase(std::unique(sofar.begin(), sofar.end()), sofar.end());
        QCOMPARE(numbersIn(problem.trace), sofar);
    });
}

void TestAlgorithmProblems::insertionSort()
{
    forProblems("insertion_sort", [](const AlgorithmProblem& problem, std::size_t size) {
        std::vector<int> numbers = numbersIn(problem.input);
        QCOMPARE(numbers.size(), size);
        std::sort(numbers.begin(), numbers.end());
        QCOMPARE(numbersIn(problem.answer), numbers);
        QVERIFY(problem.trace.empty());
    });
}

void TestAlgorithmProblems::binarySearch()
{
    forProblems("binary_search", [](const AlgorithmProblem& problem, std::size_t size) {
        const auto find = problem.input.find(" find ");
        QVERIFY(find != std::string::npos);
        const std::vector<int> numbers = numbersIn(problem.input.substr(0, find));
        const int asked = std::stoi(problem.input.substr(find + 6));
        QCOMPARE(numbers.size(), size);
        QVERIFY(std::ranges::is_sorted(numbers) && std::ranges::find(numbers, asked) == numbers.end());
        QCOMPARE(std::stoi(problem.answer), *std::lower_bound(numbers.begin(), numbers.end(), asked));
        // a middle is looked at once, and there are as many as halvings of the size
        const std::vector<int> middles = numbersIn(problem.trace);
        const auto looked = static_cast<double>(middles.size()), halvings = std::log2(static_cast<double>(size));
        QVERIFY(looked >= std::floor(halvings) && looked <= std::ceil(halvings));
        QCOMPARE(middles.front(), numbers[(size - 1) / 2]);
        QCOMPARE(std::set<int>(middles.begin(), middles.end()).size(), middles.size());
    });
}

/// By the sums of all stretches.
void TestAlgorithmProblems::maximumSubarray()
{
    forProblems("maximum_subarray", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<int> numbers = numbersIn(problem.input), ends = numbersIn(problem.answer);
        QCOMPARE(numbers.size(), size);
        QCOMPARE(ends.size(), std::size_t{2});
        int largest = -1000000;
        for (std::size_t first = 0; first < size; ++first)
            for (std::size_t last = first; last < size; ++last)
                largest =
                    std::max(largest, std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                                      numbers.begin() + static_cast<std::ptrdiff_t>(last) + 1, 0));
        const auto first = std::ranges::find(numbers, ends[0]), last = std::ranges::find(numbers, ends[1]);
        QVERIFY(first <= last && last != numbers.end());
        QCOMPARE(std::accumulate(first, last + 1, 0), largest);
    });
}

void TestAlgorithmProblems::stringMatching()
{
    forProblems("naive_string_matching", [](const AlgorithmProblem& problem, std::size_t size) {
        const std::vector<std::string> words = wordsIn(problem.input);
        const auto find = std::ranges::find(words, std::string("find"));
        QCOMPARE(find - words.begin(), std::ptrdiff_t(2 * size));
        std::string letters, pattern;
        std::vector<int> places;
        for (auto word = words.begin(); word != find; word += 2) {
            letters += *word;
            places.push_back(std::stoi(word[1]));
        }
        for (auto word = find + 1; word != words.end(); ++word)
            pattern += *word;
        QCOMPARE(pattern.size(), std::size_t{2});
        QVERIFY(std::ranges::is_sorted(places) && letters.find_first_not_of("abcd") == std::string::npos);
        const auto shift = letters.find(pattern);
        QVERIFY(shift != std::string::npos);
        QCOMPARE(std::stoi(problem.answer), places[shift]);
    });
}

void TestAlgorithmProblems::everyWordIsKnown()
{
    const auto words = algorithmWords();
    QCOMPARE(words[0], std::string("."));
    QCOMPARE(words.size(), std::size_t{8 + 199 + 5});
    QCOMPARE(std::set<std::string>(words.begin(), words.end()).size(), words.size());
    QCOMPARE(textOf(tokensOf(taskOf("minimum"), {"12 -7 33 8", "12 -7", "-7"}, true).question),
             std::string("minimum 12 -7 33 8 ="));
    QCOMPARE(textOf(tokensOf(taskOf("minimum"), {"12 -7 33 8", "12 -7", "-7"}, true).answer),
             std::string("12 -7 | -7 ."));
    QCOMPARE(textOf(tokensOf(taskOf("binary_search"), {"-50 12 find 8", "-50", "12"}, false).answer),
             std::string("12 ."));
}

/// Each of 20 places is among 5 with probability 1/4, each of 199 numbers first of a problem with probability 1/199.
void TestAlgorithmProblems::choicesAreFair()
{
    constexpr int draws = 8000;
    std::map<int, int> chosen, first;
    for (std::uint64_t problem = 0; problem < draws; ++problem) {
        ProblemDraw draw(5, Stream::Structure, problem);
        const std::vector<int> places = draw.rising(5, 20);
        QVERIFY(places.size() == 5 && std::ranges::adjacent_find(places, std::greater_equal<>()) == places.end());
        for (const int place : places)
            ++chosen[place];
        ++first[draw.numbers(4).front()];
    }
    QCOMPARE(chosen.size(), std::size_t{20});
    for (const auto& [place, count] : chosen)
        QVERIFY2(std::abs(count - draws / 4.0) < 4 * std::sqrt(draws * 0.25 * 0.75),
                 qPrintable(QString("%1: %2").arg(place).arg(count)));
    QCOMPARE(first.size(), std::size_t{199});
    QVERIFY(first.begin()->first == -99 && first.rbegin()->first == 99);
    for (const auto& [number, count] : first)
        QVERIFY2(std::abs(count - draws / 199.0) < 4.5 * std::sqrt(draws / 199.0),
                 qPrintable(QString("%1: %2").arg(number).arg(count)));
}

/// Every sequence of a batch reads as a problem and its answer, padded; its targets are the answer's words, one place
/// ahead.
void TestAlgorithmProblems::batchesAskForAnswersAlone()
{
    ProblemSettings settings{.tasks = {&taskOf("minimum"), &taskOf("insertion_sort")},
                             .smallest = 4,
                             .largest = 6,
                             .positions = 40,
                             .traces = true,
                             .seed = 2};
    const BatchSource source = problemBatches(settings, 6);
    std::set<std::size_t> sizes;
    for (std::uint64_t step = 0; step < 40; ++step) {
        const LanguageBatch batch = source(step);
        QCOMPARE(batch.sequences, std::int64_t{6});
        const std::size_t n = batch.inputs.size() / 6;
        QVERIFY(batch.targets.size() == batch.inputs.size() && batch.positions.size() == batch.inputs.size());
        for (std::size_t sequence = 0; sequence < 6; ++sequence) {
            const auto part = [&](const std::vector<int>& all) {
                return std::vector<int>(all.begin() + static_cast<std::ptrdiff_t>(sequence * n),
                                        all.begin() + static_cast<std::ptrdiff_t>((sequence + 1) * n));
            };
            const std::vector<int> inputs = part(batch.inputs), targets = part(batch.targets),
                                   positions = part(batch.positions);
            const std::vector<std::string> words = wordsIn(textOf(inputs));
            QCOMPARE(words[0], std::string(sequence % 2 ? "insertion_sort" : "minimum"));
            const auto equals = static_cast<std::size_t>(std::ranges::find(words, std::string("=")) - words.begin());
            const auto length = static_cast<std::size_t>(
                std::ranges::find_if(targets.rbegin(), targets.rend(), [](int target) { return target >= 0; }).base() -
                targets.begin());
            sizes.insert(equals - 1);
            for (std::size_t t = 0; t < n; ++t) {
                QCOMPARE(targets[t] >= 0, t >= equals && t < length);
                if (t >= equals && t + 1 < length)
                    QCOMPARE(targets[t], inputs[t + 1]);
                if (t > 0 && t < length)
                    QVERIFY(positions[t] > positions[t - 1] && positions[t] < 40);
            }
            QCOMPARE(targets[length - 1], 0);
        }
    }
    QCOMPARE(sizes, (std::set<std::size_t>{4, 5, 6}));
    const ProblemSequence one = problemSequence(settings, taskOf("minimum"), 6, 3),
                          other = problemSequence(settings, taskOf("minimum"), 6, 4);
    QVERIFY(one.inputs != other.inputs && one.positions != other.positions);
}

/// Of steps with fewer problems than there are tasks: two a step, of three tasks.
void TestAlgorithmProblems::noTaskIsLeftOut()
{
    const std::vector<std::string> ids{"minimum", "insertion_sort", "binary_search"};
    ProblemSettings settings;
    for (const std::string& id : ids)
        settings.tasks.push_back(&taskOf(id.c_str()));
    const BatchSource source = problemBatches(settings, 2);
    for (std::uint64_t step = 0; step < 6; ++step) {
        const LanguageBatch batch = source(step);
        const auto second = batch.inputs.begin() + std::ssize(batch.inputs) / 2;
        QCOMPARE(wordsIn(textOf({batch.inputs.begin(), second}))[0], ids[2 * step % 3]);
        QCOMPARE(wordsIn(textOf({second, batch.inputs.end()}))[0], ids[(2 * step + 1) % 3]);
    }
}

QTEST_GUILESS_MAIN(TestAlgorithmProblems)
#include "test_algorithm_problems.moc"
