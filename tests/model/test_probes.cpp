// Probes: what they ask for was told within the window, their scores are those of the plain forward pass and of greedy
// decoding, and differences are paired by sample.

#include "core/model/generation.h"
#include "core/model/generated_text.h"
#include "core/model/probes.h"
#include "core/model/text_tokens.h"
#include "tests/model/small_models.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace attnscope;

class TestProbes : public QObject {
    Q_OBJECT
private slots:
    void repeatedTokensAgainstThePlainForwardPass();
    void aNeedleIsToldAtItsDepthAndFoundByGreedyDecoding();
    void networksOfTheLabRecallFindPairs();
    void neighbouringSeedsShareNoSample();
    void allTokensOfNAreRun();
    void samplesShareNoText();
    void otherLengthsChangeNothing();
    void headsAreMeasuredHereToo();
    void scoresByHand();
    void meansOverDepths();
    void whatIsComparedWithWhat();
    void whatIsTold();
    void whatCannotBeAsked();
};

void TestProbes::repeatedTokensAgainstThePlainForwardPass()
{
    QTemporaryDir folder;
    const SmallModel small = smallModel("llama");
    QCOMPARE(writeModel(small, folder.path().toStdString()), std::string());
    const auto model = openModel(folder.path().toStdString());
    QVERIFY(model);
    const auto probe = repeatedIn(model->architecture, 21, 4, 0);
    QVERIFY(probe);
    const std::vector<int>& ids = probe->window.inputs;
    const std::int64_t begin = model->architecture.beginToken ? 1 : 0, copy = (21 - begin) / 2;
    for (std::int64_t i = 0; i < copy; ++i)
        QCOMPARE(ids[static_cast<std::size_t>(begin + i)], ids[static_cast<std::size_t>(begin + copy + i)]);
    const auto logits = plainLogits(small, ids);
    double first = 0, second = 0, right = 0;
    for (std::int64_t i = 0; i + 1 < copy; ++i) {  // each token but the first of a copy, by the row before it
        const auto early = static_cast<std::size_t>(begin + i), late = static_cast<std::size_t>(begin + copy + i);
        first += plainLoss(logits[early], ids[early + 1]) / static_cast<double>(copy - 1);
        second += plainLoss(logits[late], ids[late + 1]) / static_cast<double>(copy - 1);
        right += static_cast<double>(std::ranges::max_element(logits[late]) - logits[late].begin() == ids[late + 1]) /
                 static_cast<double>(copy - 1);
    }
    ProbeRequest request{.lengths = {21}, .policies = {Policy{}}, .samples = 2, .seed = 4};
    std::vector<std::int64_t> told;
    const auto cells = runProbe(*model, {}, request, {}, {}, [&](const ProbeCell& cell) { told.push_back(cell.n); });
    QVERIFY2(cells, cells ? "" : cells.error().message.c_str());
    QCOMPARE(cells->size(), std::size_t{1});
    QCOMPARE(told, std::vector<std::int64_t>{21});
    const ProbeScore& score = cells->front().scores.front();
    QVERIFY2(std::abs(score.firstLoss - first) < 1e-4, qPrintable(QString("%1 %2").arg(score.firstLoss).arg(first)));
    QVERIFY2(std::abs(score.loss - second) < 1e-4, qPrintable(QString("%1 %2").arg(score.loss).arg(second)));
    QCOMPARE(score.right, right);
}

void TestProbes::aNeedleIsToldAtItsDepthAndFoundByGreedyDecoding()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    const auto text = model->tokenizer->encode(testText(2000));
    QVERIFY(text);
    ProbeRequest request{.task = ProbeTask::Needle,
                         .lengths = {128},
                         .depths = {0, 0.5, 1},
                         .policies = {Policy{}},
                         .samples = 6,
                         .words = needleOfStories()};
    const auto cells = runProbe(*model, *text, request, {}, {});
    QVERIFY2(cells, cells ? "" : cells.error().message.c_str());
    QCOMPARE(cells->size(), std::size_t{3});
    for (const ProbeCell& cell : *cells)
        for (std::int64_t sample = 0; sample < 6; ++sample) {
            const auto probe = needleIn(*model, *text, request, 128, cell.depth, sample);
            QVERIFY(probe);
            QCOMPARE(std::ssize(probe->window.inputs), std::ptrdiff_t{128});
            const std::vector<int> answer(probe->window.targets.begin() + probe->answer, probe->window.targets.end());
            QCOMPARE(std::ssize(answer), static_cast<std::ptrdiff_t>(probe->count));
            const std::string said = model->tokenizer->decode(probe->window.inputs),
                              value = model->tokenizer->decode(answer);
            const std::size_t told = said.find("People called", cell.depth == 0.5 ? said.size() / 4 : 0);
            QVERIFY2(said.find(value.substr(value.find_first_not_of(' '))) != std::string::npos, said.c_str());
            QVERIFY(told != std::string::npos);
            // greedy decoding of the question says the answer exactly where the probe counts it
            const std::span<const int> prompt =
                std::span(probe->window.inputs).first(static_cast<std::size_t>(probe->answer + 1));
            const auto decoded = continueText(*model, {}, prompt, {.count = probe->count}, {}, {});
            QVERIFY(decoded);
            const ProbeScore& score = cell.scores[static_cast<std::size_t>(sample)];
            QCOMPARE(score.right, *decoded == answer ? 1.0 : 0.0);
            QVERIFY(score.loss > 0 && std::isnan(score.firstLoss));
        }
}

/// As they were trained all of them do at N, wherever the pair stands; eight times as far, with no new distances, only
/// with a scale. Their text is fillers, and they say that their loss over it means nothing.
void TestProbes::networksOfTheLabRecallFindPairs()
{
    for (const char* name : {"recall1", "recall2", "recall3"}) {
        const auto model = openShipped(*findShippedModel(name));
        QVERIFY(model && model->says == TrainedToSay::Values);
        QCOMPARE(std::ssize(notesOf(*model)), std::ptrdiff_t{1});
        const auto fillers = generatedTokens(*model, 3000);
        QVERIFY(fillers);
        QVERIFY(std::ranges::all_of(*fillers, [](int id) { return id >= 32 && id < 48; }));
        Policy vanilla;
        vanilla.position = Choice{"rerope", {{"w", 64}}, {}};
        Policy plus = vanilla;
        plus.method = {"softmax_plus", {}, {}};
        const ProbeRequest request{.task = ProbeTask::Needle,
                                   .lengths = {64, 512},
                                   .depths = {0.25, 0.75},
                                   .policies = {vanilla, plus},
                                   .samples = 4,
                                   .words = needleWordsFor(*model, true)};
        const auto cells = runProbe(*model, *fillers, request, {}, {});
        QVERIFY2(cells, cells ? "" : cells.error().message.c_str());
        double far[2] = {0, 0};
        for (const ProbeCell& cell : *cells)
            if (cell.n == 64)
                QCOMPARE(meansOf(cell, nullptr).right.mean, 1.0);
            else
                far[cell.policy] += meansOf(cell, nullptr).loss.mean;
        QVERIFY2(far[1] < far[0], name);
    }
}

void TestProbes::neighbouringSeedsShareNoSample()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    std::set<std::vector<int>> all;
    for (const std::uint64_t seed : {1, 2, 3, 4})
        for (std::int64_t sample = 0; sample < 8; ++sample)
            all.insert(repeatedIn(model->architecture, 64, seed, sample)->window.inputs);
    QCOMPARE(all.size(), std::size_t{4 * 8});
}

/// With a begin token an even n leaves an odd number: the repetition goes on by one, which is not asked.
void TestProbes::allTokensOfNAreRun()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model && model->architecture.beginToken);
    for (const std::int64_t n : {64, 65}) {
        const auto probe = repeatedIn(model->architecture, n, 1, 0);
        QVERIFY(probe);
        QCOMPARE(std::ssize(probe->window.inputs), std::ptrdiff_t{n});
        QCOMPARE(probe->count, (n - 1) / 2 - 1);
        QCOMPARE(probe->answer, 1 + (n - 1) / 2);
    }
}

/// Fillers of the made text, whose tokens are their places here, are of places of their own; in a text that is too
/// short for that there are means and nothing that takes samples as independent.
void TestProbes::samplesShareNoText()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    ProbeRequest request{.task = ProbeTask::Needle,
                         .lengths = {96},
                         .policies = {Policy{}, Policy{}},
                         .samples = 4,
                         .words = needleOfStories()};
    request.policies[1].method = {"softmax_plus", {}, {}};
    request.policies[1].trainLength = 16;
    std::vector<int> places(static_cast<std::size_t>(fillerTokens(request)));
    std::iota(places.begin(), places.end(), 100000);
    std::set<int> seen;
    std::size_t taken = 0;
    for (std::int64_t sample = 0; sample < request.samples; ++sample) {
        const auto probe = needleIn(*model, places, request, 96, 0.5, sample);
        QVERIFY(probe && !probe->sharesText);
        for (const int id : probe->window.inputs)
            if (id >= 100000) {
                seen.insert(id);
                ++taken;
            }
    }
    QVERIFY(taken > 4 * 60);
    QCOMPARE(seen.size(), taken);
    const std::vector<int> text = model->tokenizer->encode(testText(600)).value();
    for (const bool isShort : {false, true}) {
        const auto cells = runProbe(*model, isShort ? std::span(text).first(150) : std::span(text), request, {}, {});
        QVERIFY2(cells, cells ? "" : cells.error().message.c_str());
        const ProbeCell all = overDepths(*cells, request, 96, 1), reference = overDepths(*cells, request, 96, 0);
        for (const auto& [cell, against] : {std::pair{&(*cells)[1], &(*cells)[0]}, std::pair{&all, &reference}}) {
            const ProbeMeans means = meansOf(*cell, against);
            QVERIFY(std::isfinite(means.loss.mean) && std::isfinite(means.lossChange.mean));
            QCOMPARE(means.loss.standardError.has_value(), !isShort);
            QCOMPARE(means.lossChange.standardError.has_value(), !isShort);
            QCOMPARE(means.lossP.has_value(), !isShort);
        }
    }
}

/// Of a made text, which is as long as the longest needs: a length's windows are what they are without the others.
void TestProbes::otherLengthsChangeNothing()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    const ProbeRequest alone{.task = ProbeTask::Needle, .lengths = {96}, .samples = 4, .words = needleOfStories()};
    ProbeRequest beside = alone;
    beside.lengths = {96, 256, 512};
    std::vector<int> shorter(static_cast<std::size_t>(fillerTokens(alone))),
        longer(static_cast<std::size_t>(fillerTokens(beside)));
    std::iota(shorter.begin(), shorter.end(), 0);
    std::iota(longer.begin(), longer.end(), 0);
    for (std::int64_t sample = 0; sample <= alone.samples; ++sample) {
        const auto one = needleIn(*model, shorter, alone, 96, 0.5, sample),
                   other = needleIn(*model, longer, beside, 96, 0.5, sample);
        QVERIFY(one && other);
        QCOMPARE(one->window.inputs, other->window.inputs);
        QVERIFY(!one->sharesText && !other->sharesText);
    }
}

/// A method that measures each head's entropy finds tokens to measure it on.
void TestProbes::headsAreMeasuredHereToo()
{
    const auto model = openShipped(*findShippedModel("copy1"));
    QVERIFY(model);
    ProbeRequest request{.lengths = {64, 128}, .policies = {Policy{}, Policy{}}, .samples = 2};
    request.policies[1].method = {"entropy_measured", {}, {}};
    const auto cells = runProbe(*model, {}, request, {}, {});
    QVERIFY2(cells, cells ? "" : cells.error().message.c_str());
    for (const ProbeCell& cell : *cells)
        QVERIFY2(cell.scores.size() == 2, cell.absent.c_str());
    QCOMPARE((*cells)[1].scores[0].loss, (*cells)[0].scores[0].loss);  // at N nothing changes
    QVERIFY(std::abs((*cells)[3].scores[0].loss - (*cells)[2].scores[0].loss) > 1e-6);
}

/// Two copies of four tokens without a begin token: rows 4, 5 and 6 are asked, and rows 0, 1 and 2 are the same of the
/// first copy.
void TestProbes::scoresByHand()
{
    const std::vector<Prediction> predictions{{6, 0}, {5, 0}, {4, 0}, {9, 0}, {1, 1}, {2, 1}, {3, 0}, {7, 0}};
    const ProbeWindow probe{{}, 4, 3};
    const ProbeScore repeat = scoreOf(probe, predictions, ProbeTask::Repeat),
                     needle = scoreOf(probe, predictions, ProbeTask::Needle);
    QCOMPARE(repeat.loss, 2.0);
    QCOMPARE(repeat.firstLoss, 5.0);
    QVERIFY(std::abs(repeat.right - 2.0 / 3) < 1e-12);
    QCOMPARE(repeat.asked, 3.0);
    QCOMPARE(needle.asked, 1.0);
    QCOMPARE(needle.loss, 6.0);
    QCOMPARE(needle.right, 0.0);

    ProbeCell here, other;
    for (const double loss : {1.0, 2.0, 4.0})
        here.scores.push_back({loss, 1, 0});
    for (const double loss : {0.0, 1.0, 2.0})
        other.scores.push_back({loss, 0, 0});
    const ProbeMeans means = meansOf(here, &other);
    QVERIFY(std::abs(means.lossChange.mean - 4.0 / 3) < 1e-12);
    QVERIFY(std::abs(*means.lossChange.standardError - 1.0 / 3) < 1e-12);  // of 1, 1, 2: variance 1/3
    const double t = 4, p = 1 - t / std::sqrt(t * t + 2);                  // Student's with two degrees of freedom
    QVERIFY(std::abs(*means.lossP - p) < 1e-9);
    QVERIFY(std::isnan(meansOf(here, nullptr).lossChange.mean));
    // all and none are right, which is not known to within 0; of 1, 1, 0 the variance is 1/3
    QVERIFY(!means.right.standardError && !meansOf(other, nullptr).right.standardError);
    here.scores[2].right = 0;
    QVERIFY(std::abs(*meansOf(here, nullptr).right.standardError - 1.0 / 3) < 1e-12);
}

/// Two samples at two depths: each sample's mean is over its own depths.
void TestProbes::meansOverDepths()
{
    const ProbeRequest request{
        .task = ProbeTask::Needle, .lengths = {64}, .depths = {0, 1}, .policies = {Policy{}}, .samples = 2};
    std::vector<ProbeCell> cells{{64, 0, 0, {{1, 1, 0}, {2, 0, 0}}, {}}};
    QVERIFY(overDepths(cells, request, 64, 0).scores.empty());  // the other depth is still to come
    cells.push_back({64, 1, 0, {{3, 1, 0}, {6, 1, 0}}, {}});
    const ProbeCell all = overDepths(cells, request, 64, 0);
    QCOMPARE(all.scores.size(), std::size_t{2});
    QCOMPARE(all.scores[0].loss, 2.0);
    QCOMPARE(all.scores[1].loss, 4.0);
    QCOMPARE(all.scores[0].right, 1.0);
    QCOMPARE(all.scores[1].right, 0.5);
    QVERIFY(overDepths(cells, request, 128, 0).scores.empty());
}

/// Three methods under two position schemes.
void TestProbes::whatIsComparedWithWhat()
{
    const std::optional<std::size_t> expected[] = {{}, 0, 0, 0, 3, 3};
    for (std::size_t policy = 0; policy < std::size(expected); ++policy)
        QCOMPARE(comparedWith(policy, 3), expected[policy]);
    std::vector<ProbeCell> cells(6);
    for (std::size_t policy = 0; policy < cells.size(); ++policy)
        cells[policy] = {32, 0.5, policy, {{1, 1, 0}}, {}};
    QCOMPARE(referenceOf(cells[4], cells, 3), &cells[3]);
    QCOMPARE(referenceOf(cells[0], cells, 3), nullptr);
    cells[3].scores.clear();
    QCOMPARE(referenceOf(cells[4], cells, 3), nullptr);
}

void TestProbes::whatIsTold()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    QCOMPARE(needleWordsFor(*model, true), needleOfStories());
    QCOMPARE(needleWordsFor(*model, false), NeedleWords{});
    QCOMPARE(fillerTokens({.lengths = {64, 512, 128}, .samples = 3}), std::int64_t{4 * 512});
}

void TestProbes::whatCannotBeAsked()
{
    const auto model = openShipped(*findShippedModel("stories"));
    QVERIFY(model);
    const auto says = [](const auto& result, const char* what) {
        return !result && result.error().message.find(what) != std::string::npos;
    };
    ProbeRequest request{.task = ProbeTask::Needle, .words = needleOfStories()};
    const std::vector<int> text(40, 5);
    QVERIFY(says(needleIn(*model, text, request, 8, 0.5, 0), "leave no room"));
    QVERIFY(says(needleIn(*model, text, request, 4000, 0.5, 0), "give a longer text"));
    request.words.told = "The word is {value}.";
    QVERIFY(says(needleIn(*model, text, request, 60, 0.5, 0), "{key} and {value}"));
    QVERIFY(says(repeatedIn(model->architecture, 4, 1, 0), "5 or more"));
    const auto masked = openShipped(*findShippedModel("masked"));
    QVERIFY(masked);
    QVERIFY(says(repeatedIn(masked->architecture, 40, 1, 0), "finds hidden tokens"));
}

QTEST_GUILESS_MAIN(TestProbes)
#include "test_probes.moc"
