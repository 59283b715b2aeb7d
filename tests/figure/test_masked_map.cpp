// What is masked is absent, what is zero is zero.

#include "core/tensor/tensor_writer.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/map_pictures.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnscope;

class TestMaskedMap : public QObject {
    Q_OBJECT
private slots:
    void aZeroIsNoMask_data()
    {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<int>("pixels");
        QTest::addRow("causal") << "causal" << 16;
        QTest::addRow("window") << "window" << 16;
        QTest::addRow("causal, four by four a cell") << "causal" << 4;
    }
    void aZeroIsNoMask()
    {
        QFETCH(QString, mask);
        QFETCH(int, pixels);
        constexpr int n = 16, window = 3;
        Scenario scenario;
        scenario.n = n;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.attention.normaliser = {"sparsemax", {}, {}};
        scenario.attention.mask =
            mask == QLatin1String("window") ? Choice{"window", {{"w", window}}, {}} : Choice{"causal", {}, {}};
        scenario.view.pixels = pixels;
        const auto analysis = analyse(scenario, {});
        QVERIFY(analysis);
        const auto map = maskedMap(*analysis, analysis->methods.front());
        const int step = n / pixels;
        int zeros = 0;
        for (int row = 0; row < pixels; ++row)
            for (int column = 0; column < pixels; ++column) {
                bool seen = false;
                for (int i = row * step; i < (row + 1) * step; ++i)
                    for (int j = column * step; j < (column + 1) * step; ++j)
                        seen = seen || (j <= i && (mask == QLatin1String("causal") || j > i - window));
                const float value = map->values[static_cast<size_t>(row * pixels + column)];
                QCOMPARE(!std::isnan(value), seen);
                zeros += value == 0;
            }
        QVERIFY2(zeros > 0 || pixels < n, "sparsemax leaves keys out");
    }

    /// Of queries that are the last of the tokens: each has its own token's text. Where it is not known whose they are,
    /// none.
    void tokensStandAtTheirCells_data()
    {
        QTest::addColumn<QString>("mask");
        QTest::addColumn<int>("pixels");
        QTest::addColumn<QStringList>("keys");
        QTest::addColumn<QStringList>("queries");
        const QStringList all{"a", "b", "\u00B7", "d"};
        QTest::addRow("generation") << "causal" << 16 << all << QStringList{"\u00B7", "d"};
        QTest::addRow("another sequence") << "full" << 16 << all << QStringList();
        QTest::addRow("several tokens a cell") << "causal" << 2 << QStringList() << QStringList{"\u00B7", "d"};
    }
    void tokensStandAtTheirCells()
    {
        QFETCH(QString, mask);
        QFETCH(int, pixels);
        QFETCH(QStringList, keys);
        QFETCH(QStringList, queries);
        QTemporaryDir folder;
        const std::string path = folder.filePath("two.safetensors").toStdString();
        const std::vector<float> q{1, 0, 0, 1}, k{1, 0, 0, 1, 1, 1, 0, 0};
        QVERIFY(writeSafetensors(path, std::array{tensorView("q", {2, 2}, q), tensorView("k", {4, 2}, k)},
                                 {{"tokens", R"(["a","b"," ","d"])"}}));
        Scenario scenario;
        scenario.source = {sourceOfFiles, {}, {}};
        scenario.tensors.path = path;
        scenario.tensors.query = "q";
        scenario.tensors.key = "k";
        scenario.n = 4;
        scenario.methods = {{"vanilla", {}, {}}};
        scenario.attention.mask = {mask.toStdString(), {}, {}};
        scenario.view.pixels = pixels;
        const auto analysis = analyse(scenario, {});
        QVERIFY2(analysis, analysis ? "" : analysis.error().message.c_str());
        Panel panel = mapPanel(maskedMap(*analysis, analysis->methods.front()), {}, {});
        nameTokens(panel, analysis->tokens, analysis->queryTokens);
        const auto textsOf = [](const ChartAxis& axis) {
            QStringList texts;
            for (const Tick& word : axis.words)
                texts << word.text;
            return texts;
        };
        QCOMPARE(textsOf(panel.chart.x), keys);
        QCOMPARE(textsOf(panel.chart.y), queries);
    }

    /// Softmax gives no visible key a weight of 0, however small: what no float holds has the lowest colour, and only
    /// what is masked has none; the weights themselves stay numbers.
    void weightsBelowEveryFloatHaveAColour()
    {
        Scenario scenario;
        scenario.n = 64;
        scenario.d = 256;
        scenario.temperature = 1.0 / 64;
        scenario.attention.mask = {"causal", {}, {}};
        scenario.view.pixels = 64;
        scenario.methods = {{"vanilla", {}, {}}};
        const auto analysis = analyse(scenario, {});
        QVERIFY2(analysis, analysis ? "" : analysis.error().message.c_str());
        const auto shared = std::make_shared<const Analysis>(*analysis);
        const auto pictures = mapPictures(shared, MapLook{}, false);
        const MapPicture& picture = pictures->methods.front();
        const QImage image = picture.image.convertToFormat(QImage::Format_ARGB32);
        QCOMPARE(image.width(), picture.map->columns);
        int vanishing = 0;
        for (int row = 0; row < picture.map->rows; ++row)
            for (int key = 0; key < picture.map->columns; ++key) {
                const bool masked = key > row;
                vanishing += !masked && picture.weights->at(row, key) == 0;
                QCOMPARE(qAlpha(image.pixel(key, row)) == 0, masked);
                QVERIFY(!std::isnan(picture.weights->at(row, key)));
            }
        QVERIFY(vanishing > 10);
        QVERIFY(pictures->beyond.low);
    }
};

QTEST_APPLESS_MAIN(TestMaskedMap)
#include "test_masked_map.moc"
