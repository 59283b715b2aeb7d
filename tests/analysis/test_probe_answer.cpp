// A probe in one sentence: its numbers are those of the cells, its tests those of each sample's means over the depths.

#include "core/analysis/probe_answer.h"
#include "core/statistics/samples.h"

#include <QTest>

using namespace attnscope;

namespace {

ProbeRequest needles(std::size_t policies, int samples = 4)
{
    ProbeRequest request{.task = ProbeTask::Needle, .lengths = {1024}, .depths = {0, 1}, .samples = samples};
    request.policies.resize(policies);  // the model as it is
    for (std::size_t policy = 1; policy < policies; ++policy)
        request.policies[policy].method.id = "softmax_plus";
    return request;
}

/// One policy's cells at both depths, right where the letter is x.
void add(std::vector<ProbeCell>& cells, std::size_t policy, const std::string& early, const std::string& late)
{
    for (const auto& [depth, found] : {std::pair(0.0, early), std::pair(1.0, late)}) {
        ProbeCell& cell = cells.emplace_back(ProbeCell{1024, depth, policy, {}, {}});
        for (const char letter : found)
            cell.scores.push_back({1, letter == 'x' ? 1.0 : 0.0, 0});
    }
}

}  // namespace

class TestProbeAnswer : public QObject {
    Q_OBJECT
private slots:
    void theModelAlone();
    void aDifferenceThatCounts();
    void atAGlance();
    void ofTheProbability();
    void noneCounts();
    void allTheSame();
    void manyAreCounted();
    void untested();
    void byAsMuchInEach();
    void chanceIsTested();
    void repeatedTokens();
    void anotherFirst();
    void nothingYet();
    void whatChanceGives();
};

void TestProbeAnswer::theModelAlone()
{
    std::vector<ProbeCell> cells;
    add(cells, 0, "x...", "xx..");
    QCOMPARE(probeInWords(needles(1), cells, std::vector<std::string>{"Vanilla"}, 1024),
             std::string("At n = 1\u202F024 the needle is found in 3 of 8 samples as the model is"));
}

void TestProbeAnswer::aDifferenceThatCounts()
{
    std::vector<ProbeCell> cells;
    add(cells, 0, "....", "..x.");
    add(cells, 1, "xxxx", "xxxx");
    const std::vector<double> own{0, 0, 0.5, 0}, other{1, 1, 1, 1};
    const double p = *pairedTTest(other, own);
    QVERIFY(p < 0.05);
    QCOMPARE(probeInWords(needles(2), cells, std::vector<std::string>{"Vanilla", "Softmax Plus"}, 1024),
             "At n = 1\u202F024 the needle is found in 1 of 8 samples as the model is; in 8 with Softmax Plus, p = " +
                 formatNumber(p, 2));
}

/// What is best goes first where it counts, and no less is known beside it than in the sentence.
void TestProbeAnswer::atAGlance()
{
    const std::vector<std::string> labels{"Vanilla", "A", "B"};
    std::vector<ProbeCell> cells;
    add(cells, 0, "....", "..x.");
    add(cells, 1, "x...", "....");
    add(cells, 2, "xxxx", "xxxx");
    const std::vector<double> own{0, 0, 0.5, 0}, first{0.5, 0, 0, 0}, second{1, 1, 1, 1};
    const auto p = holm(std::vector{*pairedTTest(first, own), *pairedTTest(second, own)});
    const ShortAnswer answer = probeInShort(needles(3), cells, labels, 1024);
    QCOMPARE(answer.use, std::string("B finds 8 of 8 at n = 1\u202F024; the model as it is finds 1"));
    const std::vector<std::pair<std::string, std::string>> facts{{"The model as it is", "1 of 8"},
                                                                 {"B", "8 of 8, p = " + formatNumber(p[1], 2)},
                                                                 {"A", "1 of 8, p = " + formatNumber(p[0], 2)},
                                                                 {"Each p", "Holm-corrected for 2 comparisons"}};
    QCOMPARE(answer.facts.size(), facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i)
        QCOMPARE(std::pair(answer.facts[i].about, answer.facts[i].said), facts[i]);

    std::vector<ProbeCell> even;
    add(even, 0, "x...", "....");
    add(even, 1, "x...", "....");
    QCOMPARE(probeInShort(needles(2), even, std::vector<std::string>{"Vanilla", "A"}, 1024).use,
             std::string("The model as it is finds 1 of 8 at n = 1\u202F024; no difference from that counts"));
    QCOMPARE(probeInShort(needles(1), std::span(even).first(2), std::vector<std::string>{"Vanilla"}, 1024).use,
             std::string("The model as it is finds 1 of 8 at n = 1\u202F024"));
    QVERIFY(probeInShort(needles(1), {}, std::vector<std::string>{"Vanilla"}, 1024).use.empty());
    std::vector<ProbeCell> worse;
    add(worse, 0, "xxxx", "xxxx");
    add(worse, 1, "x...", "....");
    QCOMPARE(probeInShort(needles(2), worse, std::vector<std::string>{"Vanilla", "A"}, 1024).use,
             std::string("The model as it is finds 8 of 8 at n = 1\u202F024; nothing that was run does better by more "
                         "than chance"));
}

/// e to the mean of ln p, tested by each sample's mean of ln p over the depths; of repeated tokens there is none.
void TestProbeAnswer::ofTheProbability()
{
    const std::vector<std::vector<double>> losses{{2, 1.5, 2.5, 2}, {0.5, 0.4, 0.7, 0.4}};
    std::vector<ProbeCell> cells;
    for (std::size_t policy = 0; policy < 2; ++policy)
        for (const double depth : {0.0, 1.0}) {
            ProbeCell& cell = cells.emplace_back(ProbeCell{1024, depth, policy, {}, {}});
            for (const double loss : losses[policy])
                cell.scores.push_back({loss, 1, 0});
        }
    const std::vector<std::string> labels{"Vanilla", "A"};
    const std::string p = formatNumber(*pairedTTest(losses[1], losses[0]), 2);
    QCOMPARE(probeInWords(needles(2), cells, labels, 1024, true),  // e^-2 and e^-0.5
             "At n = 1\u202F024 the geometric mean of the probability of the needle's answer is 0.14 as the model is; "
             "0.61 with A, p = " +
                 p);
    QCOMPARE(
        probeInShort(needles(2), cells, labels, 1024, true).use,
        std::string("A gives the answer a probability of 0.61 (geometric mean) at n = 1\u202F024; the model as it is "
                    "gives it 0.14"));
    QCOMPARE(probeInShort(needles(2), cells, labels, 1024).use,
             std::string("The model as it is finds 8 of 8 at n = 1\u202F024; no difference from that counts"));
    ProbeRequest repeated = needles(2);
    repeated.task = ProbeTask::Repeat;
    repeated.depths = {0};
    std::vector<ProbeCell> once{cells[0], cells[2]};
    QCOMPARE(probeInWords(repeated, once, labels, 1024, true), probeInWords(repeated, once, labels, 1024));
}

void TestProbeAnswer::noneCounts()
{
    std::vector<ProbeCell> cells;
    add(cells, 0, "x...", "....");
    add(cells, 1, "xx..", "....");
    add(cells, 2, "....", "x.xx");
    const std::vector<double> own{0.5, 0, 0, 0}, first{0.5, 0.5, 0, 0}, second{0.5, 0, 0.5, 0.5};
    const auto p = holm(std::vector{*pairedTTest(first, own), *pairedTTest(second, own)});
    QCOMPARE(probeInWords(needles(3), cells, std::vector<std::string>{"Vanilla", "A", "B"}, 1024),
             "At n = 1\u202F024 no difference counts: the needle is found in 1 of 8 samples as the model is; in 3 with "
             "B, p = " +
                 formatNumber(p[1], 2) + "; and in 2 with A, p = " + formatNumber(p[0], 2) +
                 "; each p Holm-corrected for 2 comparisons");
}

void TestProbeAnswer::allTheSame()
{
    std::vector<ProbeCell> cells;
    add(cells, 0, "x...", "....");
    add(cells, 1, "x...", "....");
    QCOMPARE(probeInWords(needles(2), cells, std::vector<std::string>{"Vanilla", "A"}, 1024),
             std::string("At n = 1\u202F024 no difference counts: the needle is found in 1 of 8 samples as the model "
                         "is; in 1 with A, the same in every sample"));
}

void TestProbeAnswer::manyAreCounted()
{
    std::vector<ProbeCell> cells;
    std::vector<std::string> labels;
    const char* found[] = {"....", "xxxx", "xxxx", "xxxx", "x...", "xx.."};
    for (std::size_t policy = 0; policy < std::size(found); ++policy) {
        add(cells, policy, found[policy], "....");
        labels.push_back(std::string(1, static_cast<char>('A' + policy)));
    }
    const std::string said = probeInWords(needles(labels.size()), cells, labels, 1024);
    // four equal signs have the p 2 / 2^4 = 0.125, of five comparisons 0.625
    const std::string equal = ", by as much in every sample, sign test p = 0.62";
    QVERIFY2(said.find("in 4 with B" + equal + "; in 4 with C" + equal + "; in 4 with D" + equal +
                       "; and in 1 to 2 with 2 others") != std::string::npos,
             said.c_str());
    QVERIFY2(said.starts_with("At n = 1\u202F024 no difference counts: "), said.c_str());
}

/// Samples that share text are not independent: what they find makes no headline, nor is it beside chance.
void TestProbeAnswer::untested()
{
    std::vector<ProbeCell> cells;
    add(cells, 0, "....", "....");
    add(cells, 1, "xxxx", "xxxx");
    for (ProbeCell& cell : cells)
        cell.sharesText = true;
    const std::vector<std::string> labels{"Vanilla", "A"};
    const ShortAnswer answer = probeInShort(needles(2), cells, labels, 1024, false, 512);
    QCOMPARE(answer.use, std::string("The model as it is finds 0 of 8 at n = 1\u202F024; differences from that are not "
                                     "tested"));
    QCOMPARE(answer.facts.back().said, std::string("any of the 16 values that it may be: 6.25 %"));
    const std::string said = probeInWords(needles(2), cells, labels, 1024, false, 512);
    QVERIFY2(said.starts_with("At n = 1\u202F024 the needle is found in 0 of 8 samples as the model is; in 8 with A; "),
             said.c_str());
}

/// Eight samples that all differ by as much: the sign test's p is 2 / 2^8 = 0.0078, which counts.
void TestProbeAnswer::byAsMuchInEach()
{
    ProbeRequest request = needles(2, 8);
    request.depths = {0.5};
    std::vector<ProbeCell> cells{{1024, 0.5, 0, std::vector<ProbeScore>(8, {1, 0, 0})},
                                 {1024, 0.5, 1, std::vector<ProbeScore>(8, {1, 1, 0})}};
    const ShortAnswer answer = probeInShort(request, cells, std::vector<std::string>{"Vanilla", "A"}, 1024);
    QCOMPARE(answer.use, std::string("A finds 8 of 8 at n = 1\u202F024; the model as it is finds 0"));
    QCOMPARE(answer.facts[1].said, std::string("8 of 8, by as much in every sample, sign test p = 0.0078"));
}

/// Whatever is shown, chance is told from the answers that are right: 6 of 8 where any of two is right by chance has
/// the binomial p (28 + 8 + 1) / 256 = 0.145, 0.29 of the best of two; 8 of 8 has 1 / 256.
void TestProbeAnswer::chanceIsTested()
{
    ProbeRequest request = needles(2, 8);
    request.depths = {0.5};
    request.keys = 2;
    const auto cellOf = [](std::size_t policy, int right, double loss) {
        ProbeCell cell{256, 0.5, policy, {}};
        for (int sample = 0; sample < 8; ++sample)
            cell.scores.push_back({loss + 0.01 * sample, sample < right ? 1.0 : 0.0, 0});
        return cell;
    };
    const std::vector<std::string> labels{"Vanilla", "A"};
    std::vector<ProbeCell> cells{cellOf(0, 2, 2.9), cellOf(1, 6, 1.2)};
    cells[1].scores[0].loss = 1.3;
    for (const bool probability : {false, true}) {
        QCOMPARE(
            probeInShort(request, cells, labels, 256, probability, 512).use,
            std::string("Nothing is shown to be right more often than chance at n = 256: the model as it is finds 2 "
                        "of 8, chance alone gives 50 %"));
        const std::string said = probeInWords(request, cells, labels, 256, probability, 512);
        QVERIFY2(said.ends_with("; chance: any of the 2 values told: 50 %; A with 6 of 8: binomial test p = 0.29, "
                                "Holm-corrected for 2 comparisons"),
                 said.c_str());
    }
    cells[1] = cellOf(1, 8, 1.2);  // e^-1.235 is less than a half, and yet all are right
    cells[1].scores[0].loss = 1.3;
    QVERIFY(probeInWords(request, cells, labels, 256, true, 512)
                .starts_with("At n = 256 the geometric mean of the probability of the needle's answer is 0.053 as"));
    QCOMPARE(probeInShort(request, cells, labels, 256, true, 512).use,
             std::string("A gives the answer a probability of 0.29 (geometric mean) at n = 256; the model as it is "
                         "gives it 0.053, right no more often than chance (50 %)"));
    // depths of a sample are no tries of their own: 2 of 2 where chance gives a half is 1 / 4, of the best of two 1 / 2
    request = needles(1, 2);
    request.keys = 2;
    std::vector<ProbeCell> two;
    add(two, 0, "xx", "xx");
    QVERIFY(probeInWords(request, two, std::vector<std::string>{"Vanilla"}, 1024, false, 512)
                .ends_with("; the model as it is with 4 of 4: binomial test p = 0.5, at the best of 2 depths by "
                           "Bonferroni"));
    // what is found at one depth alone is no chance: 2 / 16^4
    request = needles(1);
    std::vector<ProbeCell> late;
    add(late, 0, "....", "xxxx");
    const std::string said = probeInWords(request, late, std::vector<std::string>{"Vanilla"}, 1024, false, 512);
    QVERIFY2(said.starts_with("At n = 1\u202F024 the needle is found in 4 of 8 samples as the model is; chance") &&
                 said.ends_with("with 4 of 8: binomial test p = 3.1e-05, at the best of 2 depths by Bonferroni"),
             said.c_str());
}

void TestProbeAnswer::repeatedTokens()
{
    ProbeRequest request = needles(2, 3);
    request.task = ProbeTask::Repeat;
    std::vector<ProbeCell> cells{{512, 0, 0, {{3, 0.1, 5, 200}, {3, 0.2, 5, 200}, {3, 0.3, 5, 200}}, {}},
                                 {512, 0, 1, {{1, 0.9, 5, 200}, {1, 0.8, 5, 200}, {1, 0.85, 5, 200}}, {}}};
    const std::string said = probeInWords(request, cells, std::vector<std::string>{"Vanilla", "A"}, 512);
    const double p = *meansOf(cells[1], &cells[0]).rightP;
    QCOMPARE(said,
             "At n = 512 the second copy is known to 20 % as the model is; to 85 % with A, p = " + formatNumber(p, 2));
    QCOMPARE(probeInShort(request, cells, std::vector<std::string>{"Vanilla", "A"}, 512).use,
             std::string("A knows 85 % of the second copy at n = 512; the model as it is knows 20 %"));
    // one token in three is more than 20 %, one in ten less, and 85 % is more than either
    const std::span base = std::span(cells).first(1);
    request.policies.resize(1);
    const auto alone = [&](std::int64_t vocabulary) {
        return probeInShort(request, base, std::vector<std::string>{"Vanilla"}, 512, false, vocabulary).use;
    };
    QCOMPARE(alone(3),
             std::string(
                 "Nothing is shown to be right more often than chance at n = 512: the model as it is knows 20 % of the "
                 "second copy, chance alone gives 33.3 %"));
    QVERIFY(
        QString::fromStdString(probeInWords(request, base, std::vector<std::string>{"Vanilla"}, 512, false, 3))
            .startsWith(
                "At n = 512 nothing is shown to be right more often than chance: the second copy is known to 20 %"));
    QCOMPARE(alone(10), std::string("The model as it is knows 20 % of the second copy at n = 512"));
    request = needles(2, 3);
    request.task = ProbeTask::Repeat;
    QCOMPARE(probeInShort(request, cells, std::vector<std::string>{"Vanilla", "A"}, 512, false, 3).use,
             std::string("A knows 85 % of the second copy at n = 512; the model as it is knows 20 %, right no "
                         "more often than chance (33.3 %)"));
    // by chance one of 16 values: of four samples one is right with p = 1 - (15 / 16)^4 = 0.228, three are with
    // (4 15 + 1) / 16^4 = 0.00093
    std::vector<ProbeCell> few;
    add(few, 0, "x...", "x...");
    add(few, 1, "x...", "....");
    const std::vector<std::string> two{"Vanilla", "A"};
    QCOMPARE(probeInShort(needles(2), few, two, 1024, false, 512).use,
             std::string("Nothing is shown to be right more often than chance at n = 1\u202F024: the model as it is "
                         "finds 2 of 8, chance alone gives 6.25 %"));
    std::vector<ProbeCell> above;
    add(above, 0, "xxx.", "xx..");
    add(above, 1, "x...", "....");
    QCOMPARE(probeInShort(needles(2), above, two, 1024, false, 512).use,
             std::string("The model as it is finds 5 of 8 at n = 1\u202F024; no difference from that counts"));
}

/// Where nothing that was run is the model as it is.
void TestProbeAnswer::anotherFirst()
{
    ProbeRequest request = needles(2);
    request.policies[0].method.id = "log_n";
    std::vector<ProbeCell> cells;
    add(cells, 0, "x...", "....");
    add(cells, 1, "x...", "....");
    const std::string said = probeInWords(request, cells, std::vector<std::string>{"Log n", "A"}, 1024);
    QVERIFY2(said.find("in 1 of 8 samples with Log n; in 1 with A") != std::string::npos, said.c_str());
}

void TestProbeAnswer::nothingYet()
{
    std::vector<ProbeCell> cells;
    const std::vector<std::string> labels{"Vanilla"};
    QCOMPARE(probeInWords(needles(1), cells, labels, 1024), std::string());
    add(cells, 0, "x...", "....");
    cells.pop_back();  // a depth is still to come
    QCOMPARE(probeInWords(needles(1), cells, labels, 1024), std::string());
}

void TestProbeAnswer::whatChanceGives()
{
    ProbeRequest request = needles(1);
    QCOMPARE(chanceOfProbe(request, 512), std::string("any of the 16 values that it may be: 6.25 %"));
    request.keys = 4;
    QCOMPARE(chanceOfProbe(request, 512), std::string("any of the 4 values told: 25 %"));
    request.task = ProbeTask::Repeat;
    QCOMPARE(chanceOfProbe(request, 512), std::string("equal odds of 512 tokens: 0.195 %, a loss of 6.24 nats"));
    QCOMPARE(chanceOfProbe(request, 32000),
             std::string("equal odds of 32\u202F000 tokens: 0.00313 %, a loss of 10.4 nats"));
}

QTEST_GUILESS_MAIN(TestProbeAnswer)
#include "test_probe_answer.moc"
