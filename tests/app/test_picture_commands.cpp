// heatmap, figures and figure: what the command line draws, and the numbers of it.

#include "program.h"

#include "core/tensor/tensor_writer.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace {

constexpr int tokens = 12, headSize = 3, queryHeads = 4, keyHeads = 2;

/// Some number, another one for each place.
float element(int head, int token, int component)
{
    return static_cast<float>(std::sin(5.0 * head + 1.7 * token + 2.9 * component) * 2);
}

/// Causal attention by the definition; key head 0 serves the query heads 0 and 1, key head 1 the others.
std::vector<double> weightsOf(int head, const std::vector<float>& queries, const std::vector<float>& keys)
{
    const auto at = [](const std::vector<float>& all, int h, int token, int component) {
        return static_cast<double>(all[static_cast<size_t>((h * tokens + token) * headSize + component)]);
    };
    std::vector<double> weights(tokens * tokens, 0.0);
    for (int i = 0; i < tokens; ++i) {
        double sum = 0;
        for (int j = 0; j <= i; ++j) {
            double dot = 0;
            for (int c = 0; c < headSize; ++c)
                dot += at(queries, head, i, c) * at(keys, head / 2, j, c);
            sum += weights[static_cast<size_t>(i * tokens + j)] = std::exp(dot / std::sqrt(double(headSize)));
        }
        for (int j = 0; j <= i; ++j)
            weights[static_cast<size_t>(i * tokens + j)] /= sum;
    }
    return weights;
}

}  // namespace

class TestPictureCommands : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(writeTestTensors(m_folder.path())); }
    void heatmapAsNumbers();
    void heatmapOfSeveralHeadsIsTheirMean_data();
    void heatmapOfSeveralHeadsIsTheirMean();
    void heatmapAsPictures_data();
    void heatmapAsPictures();
    void figuresAreListedAndRender();
    void figureIsMadeAgainFromItself();

private:
    QString file(const QString& name) const { return m_folder.filePath(name); }
    QTemporaryDir m_folder;
};

/// Uniform rows under a causal mask: row i has 1 / (i + 1) in its first i + 1 keys.
void TestPictureCommands::heatmapAsNumbers()
{
    const QString path = file("map.npy");
    QCOMPARE(runProgram({"heatmap", file("uniform.safetensors"), "--size", "6", "-o", path}).status, 0);
    const auto map = attnscope::TensorFile::open(path.toStdString());
    QVERIFY(map);
    const auto values = map->read<double>(map->tensors()[0]);
    QVERIFY(values && values->size() == 36);
    for (int row = 0; row < 6; ++row)
        for (int key = 0; key < 6; ++key)
            QVERIFY(std::abs((*values)[static_cast<size_t>(6 * row + key)] - (key <= row ? 1.0 / (row + 1) : 0)) <
                    1e-6);

    // the first 4 tokens without a mask: every weight is 1/4, and so is every mean of four
    QCOMPARE(
        runProgram({"heatmap", file("uniform.safetensors"), "--n", "4", "--size", "2", "--mask", "full", "-o", path})
            .status,
        0);
    const auto pooled = attnscope::TensorFile::open(path.toStdString());
    QVERIFY(pooled);
    const auto means = pooled->read<double>(pooled->tensors()[0]);
    QVERIFY(means && means->size() == 4);
    for (const double mean : *means)
        QVERIFY(std::abs(mean - 0.25) < 1e-6);
}

void TestPictureCommands::heatmapOfSeveralHeadsIsTheirMean_data()
{
    QTest::addColumn<QString>("said");
    QTest::addColumn<QList<int>>("heads");
    QTest::addColumn<QString>("pool");
    QTest::addColumn<QString>("note");
    QTest::addRow("one") << "2" << QList{2} << "mean"
                         << "";
    QTest::addRow("several") << "0,3" << QList{0, 3} << "mean"
                             << "mean of heads 0, 3";
    QTest::addRow("in any order, once each") << "3,0,3,1" << QList{0, 1, 3} << "mean"
                                             << "mean of heads 0, 1, 3";
    QTest::addRow("all") << "all" << QList{0, 1, 2, 3} << "mean"
                         << "mean of heads 0-3";
    QTest::addRow("the largest weights of cells") << "1,2" << QList{1, 2} << "max"
                                                  << "mean of heads 1, 2";
}

void TestPictureCommands::heatmapOfSeveralHeadsIsTheirMean()
{
    QFETCH(QString, said);
    QFETCH(QList<int>, heads);
    QFETCH(QString, pool);
    QFETCH(QString, note);
    std::vector<float> queries, keys;
    for (auto& [all, count, salt] : {std::tuple{&queries, queryHeads, 0}, std::tuple{&keys, keyHeads, 9}})
        for (int i = 0; i < count * tokens * headSize; ++i)
            all->push_back(element(salt + i / (tokens * headSize), i / headSize % tokens, i % headSize));
    const std::string tensors = file("grouped.safetensors").toStdString();
    QVERIFY(attnscope::writeSafetensors(tensors,
                                        std::vector{attnscope::tensorView("q", {queryHeads, tokens, headSize}, queries),
                                                    attnscope::tensorView("k", {keyHeads, tokens, headSize}, keys)}));
    const QString path = file("mean.npy");
    const Outcome outcome =
        runProgram({"heatmap", tensors.c_str(), "--head", said, "--size", "6", "--pool", pool, "-o", path});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errorLines.join(" / ")));
    QCOMPARE(outcome.errorLines.join(' ').contains("mean of heads"), !note.isEmpty());
    QVERIFY2(outcome.errorLines.join(' ').contains(note), qPrintable(outcome.errorLines.join(" / ")));
    const auto map = attnscope::TensorFile::open(path.toStdString());
    QVERIFY(map);
    const auto values = map->read<double>(map->tensors()[0]);
    QVERIFY(values && values->size() == 36);
    std::vector<double> weights, wanted;  // of the mean, then pooled
    for (const int head : heads) {
        const std::vector<double> own = weightsOf(head, queries, keys);
        weights.resize(own.size());
        for (size_t k = 0; k < own.size(); ++k)
            weights[k] += own[k] / static_cast<double>(heads.size());
    }
    for (size_t cell = 0; cell < 36; ++cell) {
        const size_t corner = cell / 6 * 2 * tokens + cell % 6 * 2;
        const std::array block{weights[corner], weights[corner + 1], weights[corner + tokens],
                               weights[corner + tokens + 1]};
        wanted.push_back(pool == "max" ? *std::max_element(block.begin(), block.end())
                                       : (block[0] + block[1] + block[2] + block[3]) / 4);
    }
    for (size_t cell = 0; cell < 36; ++cell)
        QVERIFY2(std::abs((*values)[cell] - wanted[cell]) < 1e-6,
                 qPrintable(QString("cell %1: %2 and not %3").arg(cell).arg((*values)[cell]).arg(wanted[cell])));
}

void TestPictureCommands::heatmapAsPictures_data()
{
    QTest::addColumn<QByteArray>("begins");
    QTest::addRow("png") << QByteArray("\x89PNG");
    QTest::addRow("pdf") << QByteArray("%PDF");
    QTest::addRow("svg") << QByteArray("<?xml");
}

void TestPictureCommands::heatmapAsPictures()
{
    QFETCH(QByteArray, begins);
    const QString path = file(QString("needle.") + QTest::currentDataTag());
    const Outcome outcome =
        runProgram({"heatmap", "--source", "needle", "--n", "200", "--size", "50", "--pool", "max", "-o", path});
    QVERIFY2(outcome.status == 0, qPrintable(outcome.errorLines.join(" / ")));
    QFile written(path);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QVERIFY(written.readAll().startsWith(begins));
    if (path.endsWith(".png"))
        QCOMPARE(QImage(path).size(), QSize(50, 50));
}

void TestPictureCommands::figuresAreListedAndRender()
{
    const QJsonArray figures = jsonRows({"figures"});
    QStringList names;
    for (const QJsonValue& figure : figures)
        names << figure["name"].toString();
    for (const char* expected : {"method_grid", "all_multipliers", "dispersion_theorem"})
        QVERIFY2(names.contains(expected), expected);

    const QString path = file("multipliers.svg"), data = file("multipliers.csv");
    const Outcome outcome = runProgram({"figure", "all_multipliers", "-o", path, "--width", "89mm", "--data", data});
    QVERIFY2(outcome.status == 0 && outcome.errorLines.isEmpty() && outcome.output.isEmpty(),
             qPrintable(outcome.errorLines.join(" / ")));
    QFile svg(path), csv(data);
    QVERIFY(svg.open(QIODevice::ReadOnly) && csv.open(QIODevice::ReadOnly));
    QVERIFY(svg.readAll().contains("width=\"89.0"));
    QVERIFY(csv.readAll().count('\n') > 100);
}

void TestPictureCommands::figureIsMadeAgainFromItself()
{
    const QString first = file("grid.pdf"), again = file("again.pdf");
    QCOMPARE(runProgram({"figure", "method_grid", "-o", first, "--set", "scenario.n=32"}).status, 0);
    QCOMPARE(runProgram({"figure", first, "-o", again}).status, 0);
    QFile one(first), two(again);
    QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
    QVERIFY(one.readAll() == two.readAll());
}

QTEST_GUILESS_MAIN(TestPictureCommands)
#include "test_picture_commands.moc"
