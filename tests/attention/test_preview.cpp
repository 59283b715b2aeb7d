// What the reference page says of previews is so: how many pixels are near the mean that they stand for, and how near
// the rows' entropy is. tests/benchmarks/preview_error.cpp prints more of the same.

#include "tests/support/preview_distance.h"

#include <QtTest>

using namespace attnscope;

class TestPreview : public QObject {
    Q_OBJECT
private slots:
    void isAsFarAsItIsSaidToBe_data();
    void isAsFarAsItIsSaidToBe();
};

void TestPreview::isAsFarAsItIsSaidToBe_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<double>("least");
    QTest::addColumn<double>("most");
    for (const char* mask : {"causal", "full"}) {
        QTest::addRow("gaussian, %s: about half", mask) << "gaussian" << 0.4 << 0.6;
        QTest::addRow("needle, %s: about half", mask) << "needle" << 0.4 << 0.6;
        QTest::addRow("vocabulary, %s: about half", mask) << "vocabulary" << 0.4 << 0.6;
        QTest::addRow("local, %s: a fifth to a third", mask) << "local" << 0.2 << 0.35;
        QTest::addRow("clustered, %s: fewer", mask) << "clustered" << 0.0 << 0.2;
    }
}

void TestPreview::isAsFarAsItIsSaidToBe()
{
    QFETCH(QString, source);
    QFETCH(double, least);
    QFETCH(double, most);
    const char* mask = QString(QTest::currentDataTag()).contains("causal") ? "causal" : "full";
    double before = 1;
    for (const double m : {1.0, std::log(2048) / std::log(128), std::log(2048)}) {
        const auto far = previewDistance(source.toUtf8().constData(), mask, m, 2048, 512);
        QVERIFY2(far, far ? "" : far.error().message.c_str());
        if (m == 1)
            QVERIFY2(far->withinTwo >= least && far->withinTwo <= most, qPrintable(QString::number(far->withinTwo)));
        QVERIFY2(far->withinTwo < before, "ever fewer the sharper the rows");
        QVERIFY2(std::abs(far->entropy) < 0.05, qPrintable(QString::number(far->entropy)));
        before = far->withinTwo;
    }
}

QTEST_APPLESS_MAIN(TestPreview)
#include "test_preview.moc"
