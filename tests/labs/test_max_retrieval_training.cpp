// Max-retrieval heads that learn with something: the way back through every normaliser that a head may learn with,
// against central differences; what training under a rule and a constraint does; and heads compared in pairs.

#include "run_lab.h"
#include "../learn/gradient_check.h"

#include "core/attention/normaliser.h"
#include "core/labs/lab_record.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/statistics/samples.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

using namespace attnscope;
using namespace attnscope::learn;

namespace {

constexpr Index sets = 3, items = 5, width = 4;

}  // namespace

class TestMaxRetrievalTraining : public QObject {
    Q_OBJECT
private slots:
    void gradients_data();
    void gradients();
    void whatCannotBeLearnedWithIsRefused();
    void plainSoftmaxIsTheSameEitherWay();
    void aConstraintHoldsTheEntropy();
    void headsAreComparedInPairs();
    void pairsAreSeenAsTheyCome();
    void kindsAreToldApart();
    void whatHasNoEffectIsRefused();
    void formerRunsAreRead();
};

void TestMaxRetrievalTraining::gradients_data()
{
    QTest::addColumn<Operation>("operation");
    const std::vector<Matrix> inputs{sines(sets, width, 0.3, 1.1), sines(sets * items, width, 1.1, 0.9)};
    const auto logits = [](Tape& tape, const std::vector<Var>& x) { return setLogits(tape, x[0], x[1]); };
    QTest::addRow("logits") << Operation{inputs, logits};
    QTest::addRow("sums") << Operation{{sines(sets, items, 0.2, 1), inputs[1]},
                                       [](Tape& tape, const std::vector<Var>& x) { return setSums(tape, x[0], x[1]); }};
    for (const Normaliser& row : normalisers())
        QTest::addRow("%s", row.id.c_str()) << Operation{
            inputs, [rows = *trainedRows({row.id, {}, {}}), logits](Tape& tape, const std::vector<Var>& x) {
                return setSums(tape, mapRows(tape, logits(tape, x), rows), x[1]);
            }};
    QTest::addRow("entropy") << Operation{
        inputs, [rows = *trainedRows({"softmax", {}, {}}), logits](Tape& tape, const std::vector<Var>& x) {
            return rowEntropies(tape, mapRows(tape, logits(tape, x), rows));
        }};
    // steep enough that beta moves with the entropy: without its slope the gradient would be off by a tenth
    QTest::addRow("temperature by entropy")
        << Operation{{2 * inputs[0], inputs[1]},
                     [rows = *trainedRows({"adaptive", {{"threshold", 0}}, {}}),
                      logits](Tape& tape, const std::vector<Var>& x) { return mapRows(tape, logits(tape, x), rows); }};
}

void TestMaxRetrievalTraining::gradients()
{
    QFETCH(Operation, operation);
    const QString wrong = disagreement(operation);
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
}

void TestMaxRetrievalTraining::whatCannotBeLearnedWithIsRefused()
{
    QVERIFY(!trainedRows({"softest", {}, {}}) && !trainedRows({"entmax", {{"alpha", 0.5}}, {}}));
    const auto refused = runLab({.choice = choose("max-retrieval:steps=5,\"vanilla @ vanilla|softest\"")});
    QVERIFY(!refused);
    QVERIFY2(refused.error().message.find("softest") != std::string::npos, refused.error().message.c_str());
    const auto shipped = runLab({.choice = choose("max-retrieval:\"vanilla @ log_n\"")});  // it has learned already
    QVERIFY(!shipped);
    QVERIFY2(shipped.error().message.find("set steps above 0 to train heads with log_n") != std::string::npos,
             shipped.error().message.c_str());
}

/// The steps that one may come between give what attention in one piece gives; in float32, whose rounding differs by
/// the order of sums.
void TestMaxRetrievalTraining::plainSoftmaxIsTheSameEitherWay()
{
    MaxRetrievalModel model(16, 3, Products::Float32);
    const MaxRetrievalBatch batch = maxRetrievalBatch(5, 0, 7, 9);
    Tape tape;
    const Matrix whole = tape.value(model(tape, batch));
    const auto [classes, weights] = model.weighed(tape, batch, *trainedRows({"softmax", {}, {}}), 1);
    QVERIFY((tape.value(classes) - whole).cwiseAbs().maxCoeff() < 1e-5f);
    QVERIFY((tape.value(weights).rowwise().sum().array() - 1).abs().maxCoeff() < 1e-5f);
}

/// A strong pull to 1.5 nats, which sets of 5 to 16 items can have: small ones then lie below it and large ones above.
void TestMaxRetrievalTraining::aConstraintHoldsTheEntropy()
{
    const auto entropyAfter = [](double constraint) {
        MaxRetrievalSettings settings{.width = 16, .batch = 32, .seed = 2};
        settings.learning.constraint = constraint;
        settings.learning.target = 1.5;
        MaxRetrievalTrainer trainer(settings, *headRule(settings));
        for (int step = 0; step < 400; ++step)
            trainer.step();
        auto evaluation = HeadEvaluation::make(trainer.model(), *parseVariants("vanilla", publishedTemperature), 16);
        return evaluation->score(99, 100, 10, {})->front().entropy;
    };
    const double held = entropyAfter(10), free = entropyAfter(0);
    QVERIFY2(std::abs(held - 1.5) < std::abs(free - 1.5) / 2,
             qPrintable(QString("%1 held, %2 free").arg(held).arg(free)));
}

/// Three test seeds, two heads: the first head has the mean of seeds 0 and 2, and both of a pair see the same sets.
void TestMaxRetrievalTraining::headsAreComparedInPairs()
{
    const LabResult result =
        runOrFail({.choice = choose("max-retrieval:steps=900,heads=2,batch=8,width=16,seeds=3,sets=64,most_items=64,"
                                    "\"vanilla @ vanilla|adaptive; log_n\"")});
    const std::vector<LabRow> rows = tableOf(result, "learned");
    QCOMPARE(rows.size(), std::size_t{9});  // softmax comes with them; 16, 32 and 64 items
    for (const LabRow& row : rows) {
        const bool reference = row.word("trained") == "vanilla";
        QCOMPARE(row.number("heads"), 2.0);
        QVERIFY(std::abs(row.number("gain") - (row.number("accuracy") - row.number("afterwards"))) < 1e-9);
        if (reference) {  // its own rule, put in afterwards, is its own rule
            QCOMPARE(row.number("gain"), 0.0);
            QVERIFY(std::isnan(row.number("p_value")));
        }
    }
    std::array<double, 2> own{}, afterwards{};
    const auto variants = *parseVariants("log_n", publishedTemperature);
    for (const std::uint64_t head : {0u, 1u}) {
        const MaxRetrievalSettings plain{.width = 16, .batch = 8, .seed = 1 + head};
        MaxRetrievalSettings scaled = plain;
        scaled.learning.method = variants.front().method;
        MaxRetrievalTrainer without(plain), with(scaled, *headRule(scaled));
        for (int step = 0; step < 900; ++step) {
            without.step();
            with.step();
        }
        const std::vector<std::uint64_t> seeds =
            head == 0 ? std::vector<std::uint64_t>{0, 2} : std::vector<std::uint64_t>{1};
        for (const std::uint64_t seed : seeds) {
            const auto accuracy = [&](MaxRetrievalTrainer& trainer) {
                return HeadEvaluation::make(trainer.model(), variants, 16)
                    ->score(1'000'000'000'000 + seed, 64, 64, {})
                    ->front()
                    .accuracy;
            };
            own[head] += 100 * accuracy(with) / static_cast<double>(seeds.size());
            afterwards[head] += 100 * accuracy(without) / static_cast<double>(seeds.size());
        }
    }
    const LabRow& row = rows[8];
    QVERIFY(row.word("trained") == "log_n" && row.number("items") == 64);
    QVERIFY(std::abs(row.number("accuracy") - (own[0] + own[1]) / 2) < 1e-9);
    QVERIFY(std::abs(row.number("afterwards") - (afterwards[0] + afterwards[1]) / 2) < 1e-9);
    const auto p = pairedTTest(std::vector<double>(own.begin(), own.end()),
                               std::vector<double>(afterwards.begin(), afterwards.end()));
    QVERIFY(row.number("gain") != 0 && p && std::abs(row.number("p_value") - *p) < 1e-9);
}

/// Every head is tested, however few test seeds are asked for; what was found of the first heads is there while the
/// others learn, and the progress never goes back.
void TestMaxRetrievalTraining::pairsAreSeenAsTheyCome()
{
    double before = 0;
    bool forwards = true;
    std::vector<double> live;
    const LabResult result = runOrFail(
        {.choice = choose("max-retrieval:steps=300,heads=3,batch=8,width=8,seeds=2,sets=64,most_items=32,\"vanilla @ "
                          "log_n\"")},
        [&](const LabUpdate& update) {
            forwards = forwards && update.fraction >= before;
            before = update.fraction;
            if (!update.live.empty())
                live.push_back(update.live.front().number("heads"));
        });
    QVERIFY(forwards);
    QCOMPARE(tableOf(result, "learned").front().number("heads"), 3.0);
    QVERIFY(std::ranges::find(live, 1.0) != live.end() && std::ranges::find(live, 2.0) != live.end());
    QCOMPARE(tableOf(result, "quality").size(), std::size_t(3 * 2));
}

/// Kinds that are one by what they do are trained once; names that files cannot tell apart are told apart.
void TestMaxRetrievalTraining::kindsAreToldApart()
{
    QTemporaryDir folder;
    Choice choice = choose("max-retrieval:steps=2,batch=4,width=4,seeds=2,sets=4,most_items=16");
    choice.text = "vanilla @ vanilla|softmax; vanilla|adaptive; vanilla | adaptive; custom:\"log(n)*2\"; "
                  "custom:\"log(n)+2\"";
    const LabResult result = runOrFail({.choice = choice, .folder = folder.path().toStdString()});
    std::set<std::string> paths;
    for (const LabFile& file : result.files)
        paths.insert(file.path);
    QCOMPARE(paths.size(), result.files.size());
    QCOMPARE(tableOf(result, "learned").size(), std::size_t(4));
}

void TestMaxRetrievalTraining::whatHasNoEffectIsRefused()
{
    for (const auto& [text, said] : {std::pair("steps=2,\"vanilla @ vanilla|refit\"", "no head to refit to"),
                                     std::pair("steps=2,\"vanilla @ log_n @ nonsense\"", "more than 2 parts"),
                                     std::pair("steps=2,constraint=3,\"vanilla @ log_n\"", "add constraint to train"),
                                     std::pair("steps=2,target=3,\"vanilla\"", "add constraint to train")}) {
        const auto refused = runLab({.choice = choose("max-retrieval:" + std::string(text))});
        QVERIFY2(!refused && refused.error().message.find(said) != std::string::npos,
                 refused ? text : refused.error().message.c_str());
    }
}

/// A folder of the lab that this one took in is read as a run of this one.
void TestMaxRetrievalTraining::formerRunsAreRead()
{
    const auto record = parseRecord(R"({"schema": "attnscope_lab/1", "finished": true, "fraction": 1.0, "stage": "",
        "lab": "max-retrieval-training:heads=5,\"vanilla|adaptive; log_n\"",
        "tables": {"heads": {"columns": ["trained", "items", "gain"], "rows": [["log_n", 64, 1.5]]}},
        "pictures": [], "tours": [], "packings": [], "files": []})",
                                    "run.json", ".");
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QCOMPARE(record->choice, choose("max-retrieval:steps=3000,sets=256,most_items=1024,heads=5,\"vanilla @ "
                                    "vanilla|adaptive; log_n\""));
    QVERIFY(record->rows.size() == 1 && record->rows.front().table == "learned");
}

QTEST_GUILESS_MAIN(TestMaxRetrievalTraining)
#include "test_max_retrieval_training.moc"
