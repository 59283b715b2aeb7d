// What is masked is absent, what is zero is zero.

#include "ui/figure/masked_map.h"

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

    void onlySomeNormalisersGiveZeros()
    {
        QVERIFY(givesZeros({"sparsemax", {}, {}}));
        QVERIFY(!givesZeros({"softmax", {}, {}}));
        QVERIFY(!givesZeros({"adaptive", {}, {}}));
    }
};

QTEST_APPLESS_MAIN(TestMaskedMap)
#include "test_masked_map.moc"
