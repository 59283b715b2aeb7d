// The command line as a process: every subcommand and its JSON.

#include "program.h"

#include "app/commands/command.h"
#include "core/tensor/tensor_file.h"

#include <QFile>
#include <QImage>
#include <QJsonDocument>
#include <QProcess>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace {

const QString storiesFile = SHARED "/data/stories260K_qk.safetensors";

QList<double> column(const QJsonArray& rows, const QString& name)
{
    QList<double> values;
    for (const QJsonValue& row : rows)
        values << row[name].toDouble(NAN);
    return values;
}

}  // namespace

class TestApp : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();

    void helpOfEveryCommandHasAnExample();
    void registryIsListed_data();
    void registryIsListed();
    void formatsAgree();

    void everyMethodHasAValueOrAReason();
    void multiplierMatchesItsClosedForm_data();
    void multiplierMatchesItsClosedForm();

    void entropyMatchesTheReference();
    void meanFieldIsItsClosedForm();
    void divergingApproximationSaysSo();
    void samplingAgreesWithTheExactExpectation();
    void solveGivesTheEntropyInvariantScale();
    void solveSaysWhereThereIsNone();

    void statsOfUniformRowsAreLogarithms();
    void statsMatchNumpy();
    void statsLeaveOutRowsWithoutAValue();
    void statsPerRowAverageToTheMean();
    void measuredScaleKeepsTheEntropy();
    void statsReadStandardInput();
    void inspectTellsWhatIsThere();

    void heatmapAsNumbers();
    void heatmapAsPictures_data();
    void heatmapAsPictures();
    void figuresAreListedAndRender();
    void figureIsMadeAgainFromItself();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

void TestApp::initTestCase()
{
    QVERIFY(writeTestTensors(m_folder.path()));
}

void TestApp::helpOfEveryCommandHasAnExample()
{
    const Outcome overview = runProgram({"--help"});
    QCOMPARE(overview.status, 0);
    for (const attnscope::Command& command : attnscope::commands()) {
        const QByteArray name = QByteArray::fromStdString(command.name);
        QVERIFY2(overview.output.contains("\n  " + name + " "), name);
        const Outcome help = runProgram({command.name.c_str(), "--help"});
        QCOMPARE(help.status, 0);
        QVERIFY2(help.output.contains("Example") && help.output.contains("attnscope " + name), name);
        QVERIFY2(help.errorLines.isEmpty(), name);
        for (const std::string& example : command.examples)
            QVERIFY2(example.starts_with(command.name), example.c_str());
    }
}

void TestApp::registryIsListed_data()
{
    QTest::addColumn<QStringList>("expected");
    QTest::addRow("methods") << QStringList{"vanilla", "log_n", "su_kappa", "softmax_plus", "row_log", "infoscale", "yarn", "longrope", "ssmax", "llama4",
                                            "log_power", "entropy_exact", "entropy_mean_field", "entropy_measured", "custom"};
    QTest::addRow("normalisers") << QStringList{"softmax", "adaptive", "softmax1", "sink", "sparsemax", "entmax15", "entmax", "sigmoid", "softpick", "relu2"};
    QTest::addRow("positions") << QStringList{"none", "rope", "pi", "ntk", "yarn_rope", "rerope", "alibi"};
    QTest::addRow("masks") << QStringList{"full", "causal", "window", "lambda", "padding"};
    QTest::addRow("kernels") << QStringList{"dot", "cosine"};
    QTest::addRow("measures") << QStringList{"shannon", "effective_tokens", "renyi", "collision", "max_weight", "top_mass"};
    QTest::addRow("sources") << QStringList{"gaussian", "needle", "sphere", "tensors"};
    QTest::addRow("engines") << QStringList{"reference"};
}

void TestApp::registryIsListed()
{
    QFETCH(QStringList, expected);
    const QJsonArray rows = jsonRows({QTest::currentDataTag()});
    QSet<QString> ids;
    for (const QJsonValue& row : rows) {
        for (const char* field : {"id", "label", "formula"})
            QVERIFY2(!row[field].toString().isEmpty(), qPrintable(row["id"].toString() + " has no " + field));
        QVERIFY2(!ids.contains(row["id"].toString()), qPrintable("twice: " + row["id"].toString()));
        ids << row["id"].toString();
    }
    for (const QString& id : expected)
        QVERIFY2(ids.contains(id), qPrintable(id));
}

/// In a pipe the default is CSV; it has the columns and, digit for digit, the numbers of the JSON. The table is for people.
void TestApp::formatsAgree()
{
    const QStringList call{"scale", "--method", "infoscale", "custom:1e-300*n", "--n", "7,1e6"};
    const QJsonArray rows = jsonRows(call);
    const QList<QByteArray> csv = runProgram(call).output.trimmed().split('\n');
    QCOMPARE(csv.size(), rows.size() + 1);
    const QList<QByteArray> header = csv[0].split(',');
    const qsizetype multiplier = header.indexOf("multiplier");
    QVERIFY(multiplier >= 0);
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QCOMPARE(csv[i + 1].split(',')[multiplier].toDouble(), rows[i]["multiplier"].toDouble());
        QCOMPARE(rows[i].toObject().size(), header.size());
    }
    const QByteArray table = runProgram(call + QStringList{"--format", "table"}).output;
    QCOMPARE(table.trimmed().split('\n').size(), rows.size() + 1);
    QVERIFY(table.startsWith("method"));
}

void TestApp::everyMethodHasAValueOrAReason()
{
    const QJsonArray rows = jsonRows({"scale", "--method", "all", "--n", "1,2,64,511,512,513,4096,1048576"});
    QCOMPARE(rows.size(), 8 * jsonRows({"methods"}).size());
    for (const QJsonValue& row : rows) {
        const QByteArray who = QJsonDocument(row.toObject()).toJson(QJsonDocument::Compact);
        QVERIFY2(row["multiplier"].isDouble() != row["note"].isString(), who);
        QVERIFY2(row["multiplier"].isDouble() == row["lambda"].isDouble(), who);
    }
}

void TestApp::multiplierMatchesItsClosedForm_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<double>("n");
    QTest::addColumn<double>("expected");
    QTest::addRow("softmax_plus") << "softmax_plus" << 1024.0 << 10.0 / 9;
    QTest::addRow("softmax_plus B=64") << "softmax_plus:B=64" << 4096.0 << 2.0;
    QTest::addRow("infoscale at N") << "infoscale" << 512.0 << 1.0;
    QTest::addRow("infoscale of one token") << "infoscale" << 1.0 << 0.0;
    QTest::addRow("log_n of one token") << "log_n" << 1.0 << 0.0;
    QTest::addRow("mean field below N") << "entropy_mean_field" << 2.0 << 0.0;
    QTest::addRow("mean field at 4 N") << "entropy_mean_field" << 2048.0 << std::sqrt(1 + 2 * std::log(4.0));
    QTest::addRow("custom") << "custom:log(n)/log(N)" << 1024.0 << 10.0 / 9;
}

void TestApp::multiplierMatchesItsClosedForm()
{
    QFETCH(QString, method);
    QFETCH(double, n);
    QFETCH(double, expected);
    const QJsonArray rows = jsonRows({"scale", "--method", method, "--n", QString::number(n), "--d", "16"});
    QCOMPARE(rows.size(), 1);
    QVERIFY(std::abs(rows[0]["multiplier"].toDouble(NAN) - expected) < 1e-12);
    QVERIFY(std::abs(rows[0]["lambda"].toDouble(NAN) - expected / 4) < 1e-12);
}

void TestApp::entropyMatchesTheReference()
{
    QFile reference(SHARED "/reference/expected_entropy.json");
    if (!reference.open(QIODevice::ReadOnly))
        QSKIP("the reference numbers are not beside this checkout");
    const QJsonArray expected = QJsonDocument::fromJson(reference.readAll())["expected"].toArray();
    QVERIFY(expected.size() >= 10);
    for (qsizetype i = 0; i < expected.size(); i += expected.size() / 10) {
        const QJsonValue row = expected[i];
        const QStringList call{"entropy", "--source", row["source"].toString(), "--n", QString::number(row["n"].toDouble(), 'g', 15), "--d",
                               QString::number(row["d"].toInt()), "--lambda", QString::number(row["lam"].toDouble(), 'g', 17)};
        for (const auto& [measure, field] : {std::pair{"shannon", "entropy"}, std::pair{"collision", "sum_p2"}}) {
            const double value = column(jsonRows(call + QStringList{"--measure", measure}), "value").value(0, NAN);
            const double wanted = row[field].toDouble();
            QVERIFY2(std::abs(value - wanted) < 1e-6 * std::max(1.0, wanted), qPrintable(call.join(' ') + ' ' + measure));
        }
    }
}

void TestApp::meanFieldIsItsClosedForm()  // ln n - lambda^2 d / 2
{
    const QJsonArray rows = jsonRows({"entropy", "--estimator", "mean-field", "--n", "1024,1e9", "--d", "64", "--lambda", "0.125"});
    QVERIFY(std::abs(rows[0]["value"].toDouble() - (std::log(1024.0) - 0.5)) < 1e-12);
    QVERIFY(std::abs(rows[1]["value"].toDouble() - (std::log(1e9) - 0.5)) < 1e-12);
    QVERIFY(rows[0]["stderr"].isNull());
}

void TestApp::divergingApproximationSaysSo()  // Taylor's form is -infinity where lambda^2 d >= 1 and beyond
{
    const QJsonArray rows = jsonRows({"entropy", "--estimator", "taylor", "--n", "1024", "--d", "16", "--lambda", "5"});
    QVERIFY(rows[0]["value"].isNull());
    QVERIFY(!rows[0]["note"].toString().isEmpty());
}

void TestApp::samplingAgreesWithTheExactExpectation()
{
    const QStringList call{"entropy", "--method", "vanilla", "ssmax", "--n", "8,300", "--d", "16"};
    const QJsonArray exact = jsonRows(call);
    const QJsonArray sampled = jsonRows(call + QStringList{"--estimator", "monte-carlo", "--rows", "2000", "--seed", "7"});
    QCOMPARE(sampled.size(), exact.size());
    for (qsizetype i = 0; i < exact.size(); ++i) {
        const double error = sampled[i]["stderr"].toDouble(NAN);
        QVERIFY(error > 0 && error < 0.1);
        QVERIFY(std::abs(sampled[i]["value"].toDouble() - exact[i]["value"].toDouble()) < 4.5 * error);
    }
    const QJsonArray sparse = jsonRows(call + QStringList{"--estimator", "monte-carlo", "--rows", "200", "--normaliser", "sparsemax"});
    QVERIFY(sparse[1]["value"].toDouble() < exact[1]["value"].toDouble());
}

void TestApp::solveGivesTheEntropyInvariantScale()
{
    const QList<double> expected{0.400022, 0.516129, 0.616835, 0.707903};
    const QJsonArray rows = jsonRows({"solve", "--n", "200,400,800,1600", "--d", "16", "--n-train", "100"});
    QCOMPARE(rows.size(), expected.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        QVERIFY(std::abs(rows[i]["lambda"].toDouble() - expected[i]) < 1e-6);
        QVERIFY(std::abs(rows[i]["multiplier"].toDouble() - 4 * expected[i]) < 4e-6);
        QVERIFY(std::abs(rows[i]["entropy"].toDouble() - rows[i]["target"].toDouble()) < 1e-8);
    }
}

void TestApp::solveSaysWhereThereIsNone()
{
    const QJsonArray rows = jsonRows({"solve", "--n", "64,1024", "--d", "64", "--n-train", "512"});
    QVERIFY(rows[0]["lambda"].isNull() && rows[0]["multiplier"].isNull());
    QVERIFY2(rows[0]["note"].toString().contains("no scale reaches"), qPrintable(rows[0]["note"].toString()));
    QVERIFY(rows[1]["lambda"].isDouble() && rows[1]["note"].isNull());
}

void TestApp::statsOfUniformRowsAreLogarithms()
{
    const QJsonArray rows = jsonRows({"stats", file("uniform.safetensors"), "--n", "1,2,6", "--method", "vanilla", "ssmax"});
    QCOMPARE(rows.size(), 2 * 2 * 3);
    for (const QJsonValue& row : rows) {
        const int n = row["n"].toInt();
        double entropy = 0, weight = 0;
        for (int visible = 1; visible <= n; ++visible) {
            entropy += std::log(visible) / n;
            weight += 1.0 / visible / n;
        }
        QVERIFY(std::abs(row["entropy_mean"].toDouble(NAN) - entropy) < 1e-6);
        QVERIFY(std::abs(row["max_weight"].toDouble(NAN) - weight) < 1e-6);
        QVERIFY(std::abs(row["collision"].toDouble(NAN) - weight) < 1e-6);
        QVERIFY(std::abs(row["effective_tokens"].toDouble(NAN) - (n + 1) / 2.0) < 1e-5);
        QCOMPARE(row["tensor"].toString(), "layer7.q");
        QCOMPARE(row["layer"].toInt(), 7);
        QCOMPARE(row["entropy_stderr"].isNull(), n == 1);
    }
}

void TestApp::statsMatchNumpy()
{
    if (!QFile::exists(storiesFile))
        QSKIP("the trained model's tensors are not beside this checkout");
    const QString python = pythonWithNumpy();
    if (python.isEmpty())
        QSKIP("python3-numpy is not installed, so nothing independent computes the entropies");
    const QString lengths = "64,128,256,512";
    QProcess direct;
    direct.start(python, {TEST_DATA "/direct_entropy.py", storiesFile, "layer2.q", "layer2.k", lengths, "512"});
    QVERIFY(direct.waitForFinished(120'000));
    QCOMPARE(direct.exitCode(), 0);
    const QJsonArray expected = QJsonDocument::fromJson(direct.readAllStandardOutput()).array();

    const QJsonArray rows = jsonRows({"stats", storiesFile, "--q", "layer2.q", "--k", "layer2.k", "--mask", "causal", "--method", "vanilla", "infoscale",
                                      "softmax_plus", "--n", lengths, "--compare", "--matrix"});
    QCOMPARE(rows.size(), 8 * 3 * 4);
    QCOMPARE(rows.size(), expected.size());
    for (qsizetype i = 0; i < rows.size(); ++i) {
        const QJsonArray wanted = expected[i].toArray();
        QCOMPARE(rows[i]["head"], wanted[0]);
        QCOMPARE(rows[i]["method"], wanted[1]);
        QCOMPARE(rows[i]["n"], wanted[2]);
        int column = 3;
        for (const char* name : {"entropy_mean", "kl", "total_variation", "mean_row_entropy", "mutual_information"})
            QVERIFY2(std::abs(rows[i][name].toDouble(NAN) - wanted[column++].toDouble()) < 1e-4, QJsonDocument(rows[i].toObject()).toJson());
    }
}

/// All logits are equal; with a pole at ln 1 the first row has no value.
void TestApp::statsLeaveOutRowsWithoutAValue()
{
    const QStringList call{"stats", file("uniform.safetensors"), "--head", "1", "--mask", "causal", "--method", "vanilla", "log_power:gamma=-1", "--compare"};
    const QJsonArray means = jsonRows(call);
    QCOMPARE(means[0]["rows"].toInt(), 6);
    QCOMPARE(means[1]["rows"].toInt(), 5);
    QCOMPARE(means[1]["queries"].toInt(), 6);
    QVERIFY(means[0]["note"].isNull() && means[1]["note"].toString().startsWith("1 of 6 rows has no value: log_power: infinite at n = 1"));
    QVERIFY(std::abs(means[1]["entropy_mean"].toDouble(NAN) - std::lgamma(7.0) / 5) < 1e-6);  // ln 2 + ... + ln 6
    QCOMPARE(means[1]["kl"].toDouble(NAN), 0.0);
    const QJsonArray each = jsonRows(call + QStringList{"--per-row"});
    QVERIFY(each[6]["entropy"].isNull() && each[6]["multiplier"].isNull() && each[6]["kl"].isNull() && !each[6]["note"].isNull());
    QVERIFY(each[7]["note"].isNull() && std::abs(each[7]["multiplier"].toDouble(NAN) - (1 + 0.5 / std::log(2.0))) < 1e-6);

    // of whole matrices, not of a row
    QVERIFY(runProgram({"stats", file("uniform.safetensors"), "--matrix", "--per-row"}).status == 2);
}

void TestApp::statsPerRowAverageToTheMean()
{
    const QStringList call{"stats", file("uniform.safetensors"), "--head", "1", "--mask", "window:w=3"};
    const QJsonArray each = jsonRows(call + QStringList{"--per-row"});
    QCOMPARE(each.size(), 6);
    double sum = 0;
    for (int i = 0; i < 6; ++i) {
        const int visible = std::min(i + 1, 3);
        QCOMPARE(each[i]["query"].toInt(), i);
        QCOMPARE(each[i]["keys"].toInt(), visible);
        QVERIFY(std::abs(each[i]["entropy"].toDouble(NAN) - std::log(visible)) < 1e-6);
        sum += each[i]["entropy"].toDouble();
    }
    QVERIFY(std::abs(column(jsonRows(call), "entropy_mean").value(0, NAN) - sum / 6) < 1e-12);
}

void TestApp::measuredScaleKeepsTheEntropy()
{
    if (!QFile::exists(storiesFile))
        QSKIP("the trained model's tensors are not beside this checkout");
    const QStringList call{"stats", storiesFile, "--q", "layer4.q", "--k", "layer4.k", "--n", "64,200,512", "--n-train", "64"};
    const QJsonArray rows = jsonRows(call + QStringList{"--method", "vanilla", "entropy_measured"});
    for (int head = 0; head < 8; ++head) {
        const double target = rows[head * 6]["entropy_mean"].toDouble();
        for (int length = 0; length < 3; ++length)
            QVERIFY(std::abs(rows[head * 6 + 3 + length]["entropy_mean"].toDouble(NAN) - target) < 1e-5);
    }
    const QJsonArray tooLong = jsonRows({"stats", storiesFile, "--head", "0", "--n", "512", "--n-train", "4096", "--method", "entropy_measured"});
    QVERIFY(tooLong[0]["entropy_mean"].isNull() && tooLong[0]["note"].toString().contains("4096 tokens"));
}

void TestApp::statsReadStandardInput()
{
    QFile tensors(file("uniform.safetensors"));
    QVERIFY(tensors.open(QIODevice::ReadOnly));
    const Outcome piped = runProgram({"stats", "-"}, tensors.readAll());
    QCOMPARE(piped.status, 0);
    QCOMPARE(piped.output, runProgram({"stats", file("uniform.safetensors")}).output);
}

void TestApp::inspectTellsWhatIsThere()
{
    const QJsonArray rows = jsonRows({"inspect", file("uniform.safetensors")});
    QCOMPARE(rows.size(), 2);
    const QJsonValue keys = rows[rows[0]["name"] == "layer7.k" ? 0 : 1];
    QCOMPARE(keys["dtype"].toString(), "F32");
    QCOMPARE(keys["shape"].toString(), "[2, 6, 4]");
    QCOMPARE(keys["layout"].toString(), "heads_tokens_dim");
    QVERIFY(keys["role"].toString().contains("layer7"));
    QCOMPARE(keys["min"].toDouble(), -10.0);
    QCOMPARE(keys["max"].toDouble(), 37.0);
    QCOMPARE(keys["finite"].toBool(), true);
    QCOMPARE(jsonRows({"inspect", file("nan.safetensors")}).at(0)["finite"].toBool(true), false);
    QVERIFY(jsonRows({"inspect", file("uniform.safetensors"), "--values", "none"}).at(0)["min"].isNull());
}

/// Uniform rows under a causal mask: row i has 1 / (i + 1) in its first i + 1 keys.
void TestApp::heatmapAsNumbers()
{
    const QString path = file("map.npy");
    QCOMPARE(runProgram({"heatmap", file("uniform.safetensors"), "--size", "6", "-o", path}).status, 0);
    const auto map = attnscope::TensorFile::open(path.toStdString());
    QVERIFY(map);
    const auto values = map->read<double>(map->tensors()[0]);
    QVERIFY(values && values->size() == 36);
    for (int row = 0; row < 6; ++row)
        for (int key = 0; key < 6; ++key)
            QVERIFY(std::abs((*values)[static_cast<size_t>(6 * row + key)] - (key <= row ? 1.0 / (row + 1) : 0)) < 1e-6);

    // the first 4 tokens without a mask: every weight is 1/4, and so is every mean of four
    QCOMPARE(runProgram({"heatmap", file("uniform.safetensors"), "--n", "4", "--size", "2", "--mask", "full", "-o", path}).status, 0);
    const auto pooled = attnscope::TensorFile::open(path.toStdString());
    QVERIFY(pooled);
    const auto means = pooled->read<double>(pooled->tensors()[0]);
    QVERIFY(means && means->size() == 4);
    for (const double mean : *means)
        QVERIFY(std::abs(mean - 0.25) < 1e-6);
}

void TestApp::heatmapAsPictures_data()
{
    QTest::addColumn<QByteArray>("begins");
    QTest::addRow("png") << QByteArray("\x89PNG");
    QTest::addRow("pdf") << QByteArray("%PDF");
    QTest::addRow("svg") << QByteArray("<?xml");
}

void TestApp::heatmapAsPictures()
{
    QFETCH(QByteArray, begins);
    const QString path = file(QString("needle.") + QTest::currentDataTag());
    const Outcome outcome = runProgram({"heatmap", "--source", "needle", "--n", "200", "--size", "50", "--pool", "max", "-o", path});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errorLines.join(" / ")));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().startsWith(begins));
    if (path.endsWith(".png"))
        QCOMPARE(QImage(path).size(), QSize(50, 50));
}

void TestApp::figuresAreListedAndRender()
{
    const QJsonArray figures = jsonRows({"figures"});
    QStringList names;
    for (const QJsonValue& figure : figures)
        names << figure["name"].toString();
    for (const char* expected : {"method_grid", "all_multipliers", "dispersion_theorem"})
        QVERIFY2(names.contains(expected), expected);

    const QString path = file("multipliers.svg"), data = file("multipliers.csv");
    const Outcome outcome = runProgram({"figure", "all_multipliers", "-o", path, "--width", "89mm", "--data", data});
    QVERIFY2(outcome.status == 0 && outcome.errorLines.isEmpty() && outcome.output.isEmpty(), qPrintable(outcome.errorLines.join(" / ")));
    QFile svg(path), csv(data);
    QVERIFY(svg.open(QIODevice::ReadOnly) && csv.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("width=\"89.0"));
    QVERIFY(csv.readAll().count('\n') > 100);
}

void TestApp::figureIsMadeAgainFromItself()
{
    const QString first = file("grid.pdf"), again = file("again.pdf");
    QCOMPARE(runProgram({"figure", "method_grid", "-o", first, "--set", "scenario.n=32"}).status, 0);
    QCOMPARE(runProgram({"figure", first, "-o", again}).status, 0);
    QFile one(first), two(again);
    QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
    QVERIFY(one.readAll() == two.readAll());
}

QTEST_GUILESS_MAIN(TestApp)
#include "test_app.moc"
