// A file's heads on the command line and in the window: the same mask, positions and N, as the file says, and so the
// same numbers.

#include "program.h"

#include "core/analysis/analysis.h"
#include "core/attention/masks.h"
#include "core/model/model.h"
#include "core/tensor/tensor_file.h"
#include "ui/workbench/open_tensors.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnscope;

Q_DECLARE_METATYPE(attnscope::RowSet::Kind)

class TestSameInWindow : public QObject {
    Q_OBJECT

private slots:
    void shippedHeads_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("asked");
        for (const ShippedModel& model : shippedModels()) {
            QTest::addRow("%s, as the file says", model.id) << QString::fromLatin1(model.id) << false;
            QTest::addRow("%s, as asked for", model.id) << QString::fromLatin1(model.id) << true;
        }
    }

    /// The multiplier, the entropy and the map of a head of the first pair.
    void shippedHeads()
    {
        QFETCH(QString, model);
        QFETCH(bool, asked);
        const auto file = offersOf(model.toStdString());
        QVERIFY(file && !file->offers.empty());
        Scenario scenario = scenarioFor(Scenario{}, *file);
        const int head = std::min(1, openShipped(*findShippedModel(model.toStdString()))->architecture.heads - 1);
        QStringList options{"--head",       QString::number(head), "--method", "vanilla",
                            "softmax_plus", "infoscale",           "--n",      "64"};
        if (asked) {
            scenario.nTrain = 40;
            scenario.attention.mask = {"window", {{"w", 20}}, {}};
            scenario.attention.position = {"none", {}, {}};
            options << "--n-train"
                    << "40"
                    << "--mask"
                    << "window:w=20"
                    << "--positions"
                    << "none";
        }
        scenario.n = 64;
        scenario.tensors.head = head;
        scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
        scenario.view.curvePoints = 0;
        scenario.view.measure = {"effective_tokens", {}, {}};
        const auto analysis = analyse(scenario, {});
        QVERIFY2(analysis.has_value(), analysis ? "" : analysis.error().message.c_str());
        const QJsonArray rows = jsonRows(QStringList{"stats", model} + options);
        QCOMPARE(rows.size(), 3);
        for (size_t m = 0; m < 3; ++m) {
            const QJsonValue row = rows[static_cast<qsizetype>(m)];
            const MethodAnalysis& method = analysis->methods[m];
            QCOMPARE(row["rows"].toInteger(), std::int64_t(method.entropy.count));
            QVERIFY(std::abs(row["entropy_mean"].toDouble(NAN) - method.entropy.mean) < 1e-9);
            QVERIFY(std::abs(row["entropy_sd"].toDouble(NAN) - *method.entropy.deviation) < 1e-9);
            const double keys = row["effective_tokens"].toDouble(NAN);  // e to the mean entropy, as all headings say
            QVERIFY(std::abs(keys / method.measure.mean - 1) < 1e-9);
            QVERIFY(std::abs(keys / std::exp(method.entropy.mean) - 1) < 1e-6);  // a row has no more than it sees
            if (!row["multiplier"].isNull())                                     // where it is the same for all rows
                QVERIFY(std::abs(row["multiplier"].toDouble(NAN) - static_cast<double>(method.scale.back())) < 1e-9);
        }
        QVERIFY(!rows[1]["multiplier"].isNull());
        QVERIFY(std::abs(rows[1]["multiplier"].toDouble(NAN) - std::log(64.0) / std::log(scenario.nTrain)) < 1e-6);

        QTemporaryDir folder;
        const QString path = folder.filePath("map.npy");
        options.replace(options.indexOf("vanilla"), "infoscale");
        options.remove(options.indexOf("infoscale") + 1, 2);
        QCOMPARE(runProgram(QStringList{"heatmap", model, "--size", "512", "-o", path} + options).status, 0);
        const auto map = TensorFile::open(path.toStdString());
        QVERIFY(map);
        const auto values = map->read<float>(map->tensors()[0]);
        QVERIFY(values);
        QCOMPARE(*values, analysis->methods[2].map.values);
    }

    void numbersOfHeads_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<RowSet::Kind>("counted");
        QTest::addColumn<QString>("rows");
        for (const ShippedModel& model : shippedModels()) {
            QTest::addRow("%s, all rows", model.id) << QString::fromLatin1(model.id) << RowSet::Kind::All << "all";
            QTest::addRow("%s, about n", model.id)
                << QString::fromLatin1(model.id) << RowSet::Kind::SeeingAboutN << "about-n";
        }
    }

    /// The numbers of `heads` are those of the window's table of heads, of each set of rows.
    void numbersOfHeads()
    {
        QFETCH(QString, model);
        QFETCH(RowSet::Kind, counted);
        QFETCH(QString, rows);
        const auto file = offersOf(model.toStdString());
        QVERIFY(file && !file->offers.empty());
        Scenario scenario = scenarioFor(Scenario{}, *file);
        scenario.n = 200;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.view.rows = counted;
        const auto analysis = analyse(scenario, {});
        QVERIFY(analysis && !analysis->heads.empty());
        const QJsonArray printed =
            jsonRows({"heads", model, "--q", QString::fromStdString(scenario.tensors.query), "--k",
                      QString::fromStdString(scenario.tensors.key), "--n", "200", "--rows", rows});
        QCOMPARE(printed.size(), std::ssize(analysis->heads));
        for (const QJsonValue& row : printed) {
            const HeadNumbers& numbers = analysis->heads[static_cast<size_t>(row["head"].toInt(-1))].numbers;
            QCOMPARE(row["rows"].toString(), counted == RowSet::Kind::All || !looksAtPositions(scenario.attention.mask)
                                                 ? "all rows"
                                                 : "rows that see about n keys");
            QVERIFY(std::abs(row["entropy"].toDouble(NAN) - numbers.entropy) < 1e-9);
            QVERIFY(std::abs(row["slope"].toDouble(NAN) - numbers.slope.value_or(NAN)) < 1e-9);
            const double keysSeen = std::exp(numbers.entropy / numbers.share);  // e to the mean of their logarithms
            QVERIFY(std::abs(row["spread"].toDouble(NAN) * keysSeen / std::exp(numbers.entropy) - 1) < 1e-6);
            QCOMPARE(row["keeps_entropy"].isDouble(), numbers.keepsEntropy.has_value());
            if (numbers.keepsEntropy)
                QVERIFY(std::abs(row["keeps_entropy"].toDouble(NAN) - *numbers.keepsEntropy) < 1e-6);
        }
    }
};

QTEST_GUILESS_MAIN(TestSameInWindow)
#include "test_same_in_window.moc"
