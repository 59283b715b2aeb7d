// A study runs every policy at every length over windows that policies share: its numbers are those of the windows one
// by one, its first round has every line, and a stop ends it. Against the plain forward pass and, where ../shared is,
// against NumPy's numbers.
#include "core/base/json_reader.h"
#include "core/model/captured_heads.h"
#include "core/model/generation.h"
#include "core/model/study.h"
#include "core/model/text_tokens.h"
#include "core/tensor/byte_source.h"
#include "tests/model/small_models.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace attnscope;

namespace {

const QString shared = QStringLiteral(SHARED);

Choice choiceOf(const char* id, std::map<std::string, double> values = {})
{
    Choice choice{id, {}, {}};
    for (const auto& [name, value] : values)
        choice.values[name] = value;
    return choice;
}

}  // namespace

class TestStudy : public QObject {
    Q_OBJECT
private slots:
    void init()
    {
        QVERIFY(m_folder.isValid());
        m_small = smallModel("llama");
        QCOMPARE(writeModel(m_small, m_folder.path().toStdString()), std::string());
        auto opened = openModel(m_folder.path().toStdString());
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        m_model = std::move(*opened);
        m_ids = repeatedTokens(m_model.architecture, 12, 64, 7);
    }

    /// The mean loss of the last predictions is the plain forward pass's; float32 through the layers against double
    /// precision.
    void lossesAreThoseOfThePlainForwardPass()
    {
        StudyRequest request;
        request.lengths = {16, 8};
        request.policies = {Policy{}};
        request.starts = {0, 3};
        request.last = 4;
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY2(study.has_value(), study ? "" : study.error().message.c_str());
        QVERIFY(study->complete());
        QCOMPARE(study->cells.size(), size_t(2));
        for (const StudyCell& cell : study->cells) {
            QCOMPARE(cell.windows.size(), size_t(2));
            double mean = 0;
            for (size_t w = 0; w < 2; ++w) {
                const Window window = windowOf(m_model.architecture, m_ids, request.starts[w], cell.n).value();
                const auto logits = plainLogits(m_small, window.inputs);
                QCOMPARE(cell.windows[w]->predictions.size(), size_t(cell.n));
                for (std::int64_t t = cell.n - countedOf(m_model.architecture, cell.n, 4); t < cell.n; ++t)
                    mean += plainLoss(logits[size_t(t)], window.targets[size_t(t)]) /
                            double(2 * countedOf(m_model.architecture, cell.n, 4));
            }
            QVERIFY2(std::abs(cell.quality()->loss - mean) < 2e-4,
                     qPrintable(QString("%1 against %2").arg(cell.quality()->loss).arg(mean)));
        }
    }

    /// A run of 32 tokens is more of it than one of 8: each token meets every weight but the table of words, and all
    /// tokens before it. Counted here from the tensors that were written.
    void progressIsOfTheWork()
    {
        StudyRequest request;
        request.lengths = {32, 8};
        request.policies = {Policy{}};
        request.starts = {0};
        double weights = 0;
        for (const auto& [name, tensor] : m_small.tensors)
            if (name.find("embed_tokens") == std::string::npos && name.find("lm_head") == std::string::npos)
                weights += double(tensor.values.size());
        const double heads = m_small.config["num_attention_heads"], layers = m_small.config["num_hidden_layers"],
                     size = m_small.config.value("head_dim", double(m_small.config["hidden_size"]) / heads);
        const auto work = [&](double n) { return n * weights + n * n / 2 * layers * heads * 2 * size; };
        std::vector<double> told;
        const auto fractions = [&] {
            told.clear();
            const auto study =
                runStudy(m_model, m_ids, request, {.progress = [&](double fraction) { told.push_back(fraction); }});
            return study && std::ranges::is_sorted(told) && !told.empty() && told.back() == 1.0 &&
                   study->worked == study->work;
        };
        QVERIFY(fractions());
        const double shorter = work(8) / (work(8) + work(32));
        QVERIFY2(std::ranges::any_of(told, [&](double one) { return std::abs(one - shorter) < 1e-9; }),
                 qPrintable(QString("%1 of the work is the shorter run").arg(shorter)));
        request.lengths = {32};  // a long run alone: its beginning tells how fast work goes before it
        request.beginning = 4;
        QVERIFY(fractions());
        QVERIFY2(std::abs(told.front() - work(4) / (work(4) + work(32))) < 1e-9,
                 qPrintable(QString("the beginning is %1 of the work").arg(told.front())));
    }

    void theFirstRoundHasEveryLine()
    {
        StudyRequest request;
        request.lengths = {16, 8};
        request.policies = {Policy{}, Policy{.method = choiceOf("log_n"), .position = {}, .mask = {}, .layers = {}}};
        request.windows = 3;
        std::vector<int> shown;  // cells with a window, after every run
        bool shortFirst = false;
        const auto study =
            runStudy(m_model, m_ids, request, {.onResult = [&](const StudyResult& so) {
                         shown.push_back(int(std::count_if(so.cells.begin(), so.cells.end(), [](const StudyCell& cell) {
                             return !cell.windows.empty();
                         })));
                         if (so.done == 1)
                             shortFirst = !so.cells[2].windows.empty();  // n = 8, which was asked for second
                     }});
        QVERIFY(study);
        QCOMPARE(study->runs, 12);
        QVERIFY(shortFirst);
        QCOMPARE(shown[0], 0);
        QCOMPARE(shown[4], 4);
        QCOMPARE(int(shown.size()), 13);
        QVERIFY(!study->cells[0].windows.empty() && study->cells[0].quality()->standardError);
    }

    /// Whatever is looked at while runs are going, the policies of one length that have windows have the same ones: of
    /// two that do the same, the second by a multiplier of 1, the losses are one at every moment.
    void policiesAreComparedOverTheSameWindows()
    {
        StudyRequest request;
        request.lengths = {16, 8};
        request.policies = {Policy{}, Policy{.method = choiceOf("log_n"), .position = {}, .mask = {}, .layers = {}},
                            Policy{.method = {"custom", {}, "1"}, .position = {}, .mask = {}, .layers = {}}};
        request.windows = 3;
        bool secondWindows = false;
        const auto study = runStudy(m_model, m_ids, request, {.onResult = [&](const StudyResult& so) {
                                        for (std::size_t at = 0; at < so.cells.size(); at += 3) {
                                            std::set<std::size_t> windows;
                                            for (std::size_t p = 0; p < 3; ++p)
                                                if (!so.cells[at + p].windows.empty())
                                                    windows.insert(so.cells[at + p].windows.size());
                                            QVERIFY(windows.size() <= 1);
                                            secondWindows |= windows.contains(2) && !so.complete();
                                            const auto one = so.cells[at].quality(), other = so.cells[at + 2].quality();
                                            if (one && other)
                                                QCOMPARE(one->loss, other->loss);
                                        }
                                    }});
        QVERIFY(study);
        QVERIFY(secondWindows);
        for (const StudyCell& cell : study->cells)
            QCOMPARE(cell.windows.size(), size_t(3));
    }

    /// A long window's first losses come before it does, and are those that it will have: a causal model does not look
    /// ahead. With a scale that counts the whole n they are the whole window's too.
    void aBeginningIsThatOfTheWholeWindow()
    {
        StudyRequest request{.lengths = {32},
                             .policies = {Policy{}, Policy{.method = choiceOf("log_n", {{"row", 0}}),
                                                           .position = {},
                                                           .mask = {},
                                                           .trainLength = 8,
                                                           .layers = {}}},
                             .starts = {0},
                             .beginning = 4};
        std::vector<StudyCell> before;
        const auto study = runStudy(m_model, m_ids, request, {.onResult = [&](const StudyResult& so) {
                                        if (so.done == 0)
                                            before = so.cells;
                                    }});
        QVERIFY(study);
        const Window window = windowOf(m_model.architecture, m_ids, 0, 32).value();
        const auto logits = plainLogits(m_small, window.inputs);
        for (size_t p = 0; p < before.size(); ++p) {
            QCOMPARE(before[p].beginning.size(), size_t(4));
            for (size_t t = 0; t < 4; ++t) {
                if (p == 0)  // float32 through the layers against double precision
                    QVERIFY(std::abs(before[p].beginning[t].loss - plainLoss(logits[t], window.targets[t])) < 2e-4);
                QVERIFY(std::abs(before[p].beginning[t].loss - study->cells[p].windows.front()->predictions[t].loss) <
                        2e-4);
            }
            QCOMPARE(lossByPlace(before[p], 6).front().last, std::int64_t(3));
        }
        QVERIFY(std::abs(before[0].beginning[3].loss - before[1].beginning[3].loss) > 1e-6);
    }

    /// By places: the ranges cover the window once, and their means weighted by their lengths are the mean of all.
    void placesCoverTheWindow()
    {
        StudyRequest request{.lengths = {32}, .policies = {Policy{}}, .starts = {0}};
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY(study);
        const StudyCell& cell = study->cells.front();
        std::int64_t next = 0;
        double sum = 0;
        for (const PlaceLoss& place : lossByPlace(cell, 6)) {
            QCOMPARE(place.first, next);
            next = place.last + 1;
            sum += place.loss.mean * double(place.last - place.first + 1);
        }
        QCOMPARE(next, std::int64_t(32));
        QVERIFY(std::abs(sum / 32 - cell.quality()->loss) < 1e-12);
    }

    /// Where one token in seven was hidden, a range has forty of them all the same, and the last one is no remainder.
    void aRangeHasPredictionsEnough()
    {
        constexpr std::int64_t n = 400, windows = 3;
        StudyCell cell{.n = n, .policy = 0, .windows = {}};
        for (std::int64_t w = 0; w < windows; ++w) {
            StudyWindow window;
            for (std::int64_t t = 0; t < n; ++t)
                window.predictions.push_back({.loss = double(t), .right = 0, .asked = t % 7 == 0});
            cell.windows.push_back(std::make_shared<StudyWindow>(window));
        }
        std::int64_t next = 0;
        for (const PlaceLoss& place : lossByPlace(cell, 18)) {
            QCOMPARE(place.first, next);
            next = place.last + 1;
            double sum = 0;
            std::int64_t hidden = 0;
            for (std::int64_t t = (place.first + 6) / 7 * 7; t <= place.last; t += 7, ++hidden)
                sum += double(t);
            QVERIFY2(windows * hidden >= 40, qPrintable(QStringLiteral("%1 to %2").arg(place.first).arg(place.last)));
            QVERIFY(std::abs(place.loss.mean - sum / double(hidden)) < 1e-9);
        }
        QCOMPARE(next, n);
    }

    /// The difference of two policies place by place is that of their losses, window by window: over the places,
    /// weighted by their lengths, it is the difference of the whole windows.
    void placesDifferWindowByWindow()
    {
        Policy sharper;
        sharper.method = {"custom", {}, "3"};
        const StudyRequest request{.lengths = {32}, .policies = {Policy{}, sharper}, .windows = 2};
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY(study);
        const StudyCell &own = study->cells[0], &other = study->cells[1];
        const auto difference = differenceByPlace(other, own, 6);
        const auto before = lossByPlace(own, 6), after = lossByPlace(other, 6);
        QCOMPARE(difference.size(), before.size());
        double sum = 0;
        for (size_t k = 0; k < difference.size(); ++k) {
            QCOMPARE(difference[k].first, before[k].first);
            QCOMPARE(difference[k].last, before[k].last);
            QVERIFY(std::abs(difference[k].loss.mean - (after[k].loss.mean - before[k].loss.mean)) < 1e-12);
            QCOMPARE(difference[k].loss.count, std::int64_t(2));
            sum += difference[k].loss.mean * double(difference[k].last - difference[k].first + 1);
        }
        QVERIFY(std::abs(sum / 32 - pairedDifference(other, own)->mean) < 1e-12);
        // two windows: half of how far their differences are apart, here of all places
        const auto whole = pairedDifference(other, own);
        const double apart = std::abs((other.windows[0]->loss() - own.windows[0]->loss()) -
                                      (other.windows[1]->loss() - own.windows[1]->loss()));
        QVERIFY(std::abs(*whole->standardError - apart / 2) < 1e-12);
        QVERIFY(differenceByPlace(StudyCell{.n = 32, .policy = 0, .windows = {}}, own, 6).empty());
    }

    /// Documents packed into one window are predicted as each alone: rotary positions know distances only. Float32
    /// against double precision.
    void packedDocumentsDoNotSeeEachOther()
    {
        const int begin = *m_model.architecture.beginToken;
        const std::vector<int> first{begin, 9, 4, 17, 4, 8, 30}, second{begin, 5, 44, 12, 9, 4, 17, 6, 2};
        Window packed{first, {}};
        packed.inputs.insert(packed.inputs.end(), second.begin(), second.end());
        packed.targets.assign(packed.inputs.begin() + 1, packed.inputs.end());
        packed.targets.push_back(3);
        Policy policy{.method = choiceOf("log_n", {{"row", 1}}),
                      .position = {},
                      .mask = Choice{"documents", {}, {}},
                      .layers = {}};
        const auto result = runWindow(
            m_model, packed,
            {.policy = policy, .pictures = {}, .everyPrediction = true, .observe = {}, .progress = {}, .stop = {}});
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        Window alone{second, {packed.targets.begin() + std::ssize(first), packed.targets.end()}};
        policy.mask = std::nullopt;
        const auto byItself = runWindow(
            m_model, alone,
            {.policy = policy, .pictures = {}, .everyPrediction = true, .observe = {}, .progress = {}, .stop = {}});
        QVERIFY(byItself);
        for (size_t t = 0; t < second.size(); ++t)
            QVERIFY(std::abs(result->predictions[first.size() + t].loss - byItself->predictions[t].loss) < 2e-4);
        policy.method = choiceOf("vanilla");  // which the plain forward pass knows
        policy.mask = Choice{"documents", {}, {}};
        const auto plain = runWindow(
            m_model, packed,
            {.policy = policy, .pictures = {}, .everyPrediction = true, .observe = {}, .progress = {}, .stop = {}});
        const auto logits = plainLogits(m_small, second);
        for (size_t t = 0; t < second.size(); ++t)
            QVERIFY(std::abs(plain->predictions[first.size() + t].loss - plainLoss(logits[t], alone.targets[t])) <
                    2e-4);
    }

    /// What follows a document does not depend on those before it.
    void aContinuationSeesItsDocument()
    {
        const int begin = *m_model.architecture.beginToken;
        const std::vector<int> before{begin, 9, 4, 17, 4, 8, 30}, last{begin, 5, 44, 12, 9, 4, 17, 6, 2};
        std::vector<int> packed = before;
        packed.insert(packed.end(), last.begin(), last.end());
        const Policy policy{.method = choiceOf("log_n", {{"row", 1}}),
                            .position = {},
                            .mask = Choice{"documents", {}, {}},
                            .layers = {}};
        const auto after = continueText(m_model, policy, packed, {.count = 4}, {}, {}),
                   alone = continueText(m_model, policy, last, {.count = 4}, {}, {});
        QVERIFY(after && alone);
        QCOMPARE(*after, *alone);
        QVERIFY(*continueText(m_model, {}, packed, {.count = 4}, {}, {}) != *alone);
    }

    /// Differences in pairs: here by hand.
    void differencesArePaired()
    {
        const auto window = [](double loss) {
            return std::make_shared<const StudyWindow>(StudyWindow{{{loss, false}}, 1, {{1.0}}});
        };
        const StudyCell a{8, 0, {window(1), window(2), window(4)}, {}}, b{8, 1, {window(1.5), window(2.25)}, {}};
        const auto difference = pairedDifference(b, a);
        QVERIFY(difference);
        QCOMPARE(difference->mean, 0.375);            // of 0.5 and 0.25
        QCOMPARE(*difference->standardError, 0.125);  // |0.5 - 0.25| / 2
        QVERIFY(!pairedDifference(b, StudyCell{}));
    }

    /// As captured one run serves all policies: the loss is the same in each, entropies are not.
    void asCapturedTheLossStays()
    {
        StudyRequest request{
            .lengths = {16},
            .policies = {Policy{},
                         Policy{.method = choiceOf("constant", {}), .position = {}, .mask = {}, .layers = {}}},
            .captured = true,
            .windows = 2};
        request.policies[1].method = {"log_n", {}, {}};
        request.policies[1].trainLength = 4;
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY2(study.has_value(), study ? "" : study.error().message.c_str());
        QCOMPARE(study->runs, 2);
        QCOMPARE(study->cells[0].quality()->loss, study->cells[1].quality()->loss);
        QVERIFY(study->cells[1].quality()->entropy <
                study->cells[0].quality()->entropy);  // m = ln 16 / ln 4 = 2 sharpens
    }

    void whatHasNoValueSaysWhy()
    {
        StudyRequest request{.lengths = {16, 4096}, .policies = {Policy{}}};
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY(study && study->complete());
        QVERIFY(study->cells[0].absent.empty() && study->cells[0].quality());
        QVERIFY2(study->cells[1].absent.find("4096") != std::string::npos, study->cells[1].absent.c_str());
        QVERIFY(!runStudy(m_model, m_ids, {}));
        request.strict = true;
        QVERIFY(!runStudy(m_model, m_ids, request));
        // a method without a value is no error, not even to a strict study: InfoScale with ε = 3 has none at n = 8 <
        // e^3
        request = {
            .lengths = {8},
            .policies = {Policy{.method = {"infoscale", {{"eps", 3}}, {}}, .position = {}, .mask = {}, .layers = {}}},
            .strict = true};
        const auto undefined = runStudy(m_model, m_ids, request);
        QVERIFY2(undefined && undefined->complete(), undefined ? "" : undefined.error().message.c_str());
        QVERIFY2(undefined->cells[0].absent.find("20.09") != std::string::npos,
                 undefined->cells[0].absent.c_str());  // e^3
        QVERIFY(!undefined->cells[0].quality());
    }

    /// entropy_measured, by its definition: the heads of a window of n tokens have, in force, the mean entropy that its
    /// first N tokens have without it; up to N nothing changes, and with row=1 no row that sees at most N keys changes.
    void measuredHeadsKeepTheirEntropy()
    {
        constexpr std::int64_t n = 16, N = 4;
        Policy policy{
            .method = {"entropy_measured", {}, {}}, .position = {}, .mask = {}, .trainLength = N, .layers = {}};
        Policy vanilla = policy;
        vanilla.method.id = "vanilla";
        const auto measured = withMeasuredHeads(m_model, policy, m_ids, n, {.windows = 1, .stop = {}});
        QVERIFY2(measured.has_value(), measured ? "" : measured.error().message.c_str());
        const auto entropies = [&](const Policy& p, std::int64_t length) {
            return runWindow(m_model, windowOf(m_model.architecture, m_ids, 0, length).value(),
                             {.policy = p, .pictures = {p}, .observe = {}, .progress = {}, .stop = {}})
                .value();
        };
        const auto wanted = entropies(vanilla, N), kept = entropies(*measured, n), grown = entropies(vanilla, n);
        double difference = 0;
        for (size_t layer = 0; layer < wanted.entropies[0].size(); ++layer)
            for (size_t head = 0; head < wanted.entropies[0][layer].size(); ++head) {
                const double target = wanted.entropies[0][layer][head];
                QVERIFY2(std::abs(kept.entropies[0][layer][head] - target) < 2e-3,
                         qPrintable(QString::number(kept.entropies[0][layer][head] - target)));
                difference += grown.entropies[0][layer][head] - target;
            }
        QVERIFY(difference > 0.1);
        QCOMPARE(withMeasuredHeads(m_model, policy, m_ids, N, {.stop = {}}).value().headMultipliers->at(0, 0, 1e6),
                 1.0);
        QCOMPARE(withMeasuredHeads(m_model, vanilla, m_ids, n, {.stop = {}}).value(), vanilla);

        policy.method.values["row"] = 1;
        const auto byRow = withMeasuredHeads(m_model, policy, m_ids, n, {.windows = 1, .stop = {}});
        QVERIFY(byRow);
        const auto resolved = resolve(*byRow, m_model.architecture, n);
        QVERIFY(resolved);
        const auto plain = resolve(vanilla, m_model.architecture, n);
        for (size_t row = 0; row < N; ++row)
            QCOMPARE(resolved->layers[0]->scale(0)[row], plain->layers[0]->scale(0)[row]);
        QVERIFY(resolved->layers[0]->scale(0)[n - 1] != plain->layers[0]->scale(0)[n - 1]);
        QVERIFY(resolved->layers[0]->scale(0)[n - 1] != resolved->layers[0]->scale(1)[n - 1]);
    }

    /// (m z)^2 over their sum does not depend on m: every head keeps m = 1, and the note says so.
    void headsWithoutAMultiplierAreCounted()
    {
        Policy policy{
            .method = {"entropy_measured", {}, {}}, .position = {}, .mask = {}, .trainLength = 4, .layers = {}};
        policy.normaliser = Choice{"relu2", {}, {}};
        const StudyRequest request{.lengths = {16}, .policies = {policy}, .windows = 1};
        const auto study = runStudy(m_model, m_ids, request);
        QVERIFY2(study.has_value(), study ? "" : study.error().message.c_str());
        const int heads = m_model.architecture.layers * m_model.architecture.heads;
        const QString note = QString::fromStdString(study->cells.front().partly);
        QVERIFY2(note.startsWith(QString("%1 of %1 heads have no multiplier").arg(heads)), qPrintable(note));
        QVERIFY2(note.contains("does not depend on it"), qPrintable(note));
        policy.normaliser = Choice{"softmax", {}, {}};
        const auto kept = runStudy(m_model, m_ids, {.lengths = {16}, .policies = {policy}, .windows = 1});
        QVERIFY(kept && kept->cells.front().partly.empty());
    }

    /// Between two measured counts linear in ln(keys): a quarter of the way from ln 4 to ln 64.
    void multipliersBetweenCounts()
    {
        const HeadMultipliers heads{4, {64, 256}, {{{3, 2}}}};
        QCOMPARE(heads.at(0, 0, 4), 1.0);
        QCOMPARE(heads.at(0, 0, 8), 1.5);
        QCOMPARE(heads.at(0, 0, 128), 2.5);
        QCOMPARE(heads.at(0, 0, 1000), 2.0);
    }

    void aStopEndsIt()
    {
        std::stop_source stop;
        StudyRequest request{.lengths = {16}, .policies = {Policy{}}, .windows = 4};
        const auto study = runStudy(m_model, m_ids, request,
                                    {.onResult =
                                         [&](const StudyResult& so) {
                                             if (so.done == 1)
                                                 stop.request_stop();
                                         },
                                     .stop = stop.get_token()});
        QVERIFY(!study);
        QVERIFY(study.error().kind == ErrorKind::Cancelled);
    }

    void rowsSeeTheirKeys()
    {
        const auto mean = meanLogKeys({}, m_model.architecture, 0, 4, 2);  // causal: rows 3 and 4 see 3 and 4 keys
        QVERIFY(mean && std::abs(*mean - (std::log(3.0) + std::log(4.0)) / 2) < 1e-12);
    }

    /// Where not all layers fit, the one that is wanted is kept, and nothing else.
    void onlyWhatFitsIsKept()
    {
        const auto heads = captureHeads(m_model, windowOf(m_model.architecture, m_ids, 0, 16).value(),
                                        {.policy = {}, .layer = 1, .mostBytes = 16, .stop = {}});
        QVERIFY(heads && heads->has(1) && !heads->has(0));
        QVERIFY(prepareCaptured(*heads, 0, 0).error().message.find("was not kept") != std::string::npos);
        QVERIFY(!captureHeads(m_model, windowOf(m_model.architecture, m_ids, 0, 16).value(),
                              {.policy = {}, .layer = 99, .stop = {}}));
    }

    void repeatedTokensRepeat()
    {
        const auto ids = repeatedTokens(m_model.architecture, 5, 13, 1);
        QCOMPARE(ids.size(), size_t(13));
        for (size_t i = 5; i < ids.size(); ++i)
            QCOMPARE(ids[i], ids[i - 5]);
        QVERIFY(ids != repeatedTokens(m_model.architecture, 5, 13, 2));
        for (const int id : ids)
            QVERIFY(id >= 0 && id < m_model.architecture.vocabulary && id != m_model.architecture.beginToken);
    }

    /// NumPy's numbers, in their protocol: within the 2e-3 nats that float32 through five layers leaves.
    void agreesWithNumPy()
    {
        const QString folder = shared + "/data/models/stories260K";
        if (!QFile::exists(folder + "/config.json") || !QFile::exists(shared + "/reference/expected_lm.json"))
            QSKIP("../shared is not here.");
        const Model model = openModel(folder.toStdString()).value();
        QString text = QString::fromStdString(
            readText((shared + "/data/text/tinystories_sample.txt").toStdString(), 1 << 26).value());
        const auto ids = model.tokenizer->encode(text.replace("\n\n", "\n").toStdString()).value();
        StudyRequest request{.lengths = {128, 512}, .policies = {Policy{}}, .starts = {0, 4096}, .last = 128};
        const auto study = runStudy(model, ids, request);
        QVERIFY(study);
        const auto expected =
            parseJson(readText((shared + "/reference/expected_lm.json").toStdString(), 1 << 26).value(), "expected")
                .value();
        for (const StudyCell& cell : study->cells)
            for (const auto& row : expected["rows"])
                if (row["n"] == cell.n && row["positions"] == "rope" && row["method"] == "vanilla")
                    for (size_t w = 0; w < 2; ++w)
                        QVERIFY(std::abs(row["nll_last"][w].get<double>() - cell.windows[w]->loss()) < 2e-3);
    }

private:
    QTemporaryDir m_folder;
    SmallModel m_small;
    Model m_model;
    std::vector<int> m_ids;
};

QTEST_GUILESS_MAIN(TestStudy)
#include "test_study.moc"
