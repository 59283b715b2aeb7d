// Masks by the sets of keys that they show, against their definitions key by key.

#include "core/attention/masks.h"

#include <QtTest>

using namespace attnscope;

namespace {

using Definition = bool (*)(std::int64_t i, std::int64_t j);

Choice choose(const QString& text)
{
    const Result<Choice> choice = parseChoice(std::string_view(text.toStdString()), masks(), "mask");
    if (!choice)
        qFatal("%s", choice.error().message.c_str());
    return *choice;
}

VisibleKeys visible(const Choice& mask, std::int64_t position, std::int64_t prefix)
{
    const Mask& row = **findRow(masks(), mask.id, "mask");
    return row.visible(position, prefix, Parameters(row, mask));
}

}  // namespace

Q_DECLARE_METATYPE(Definition)

class TestMasks : public QObject {
    Q_OBJECT
private slots:
    void definition_data();
    void definition();
    void sequenceCount_data();
    void sequenceCount();
    void aheadOrNot_data();
    void aheadOrNot();
    void lambdaHoldsDistances();
    void rowsExplainThemselves();
    void placesOfDocumentsAreRisingNumbers();
};

void TestMasks::definition_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<Definition>("sees");
    const auto add = [](const char* mask, Definition sees) { QTest::addRow("%s", mask) << QString(mask) << sees; };
    add("full", [](std::int64_t, std::int64_t) { return true; });
    add("causal", [](std::int64_t i, std::int64_t j) { return j <= i; });
    add("window:1", [](std::int64_t i, std::int64_t j) { return j == i; });
    add("window:5", [](std::int64_t i, std::int64_t j) { return j <= i && i - j < 5; });
    add("window:w=3,causal=0", [](std::int64_t i, std::int64_t j) { return std::abs(i - j) < 3; });
    add("window:1000", [](std::int64_t i, std::int64_t j) { return j <= i; });
    add("sink_window:w=4,sink=2", [](std::int64_t i, std::int64_t j) { return j <= i && (j < 2 || i - j < 4); });
    add("sink_window:w=4,sink=0", [](std::int64_t i, std::int64_t j) { return j <= i && i - j < 4; });
    add("sink_window:w=1,sink=30", [](std::int64_t i, std::int64_t j) { return j <= i && (j < 30 || i == j); });
    add("lambda:w=6", [](std::int64_t i, std::int64_t j) { return j <= i && (j < 5 || i - j < 6); });
    add("padding:7", [](std::int64_t, std::int64_t j) { return j < 7; });
    add("padding:length=7,causal=1", [](std::int64_t i, std::int64_t j) { return j < 7 && j <= i; });
    add("documents:length=8", [](std::int64_t i, std::int64_t j) { return j <= i && i >= 0 && i / 8 == j / 8; });
    add("documents:\"0,5,6,30\"", [](std::int64_t i, std::int64_t j) {
        const auto document = [](std::int64_t t) { return (t >= 5) + (t >= 6) + (t >= 30); };
        return j <= i && document(i) == document(j);
    });
    add("padding:0", [](std::int64_t, std::int64_t) { return false; });
}

/// Queries from before the first key (more queries than keys) to beyond the last (a truncated prefix).
void TestMasks::definition()
{
    QFETCH(QString, mask);
    QFETCH(Definition, sees);
    const Choice choice = choose(mask);
    for (const std::int64_t prefix : {0, 1, 2, 5, 20, 40})
        for (std::int64_t i = -3; i < 50; ++i) {
            const VisibleKeys keys = visible(choice, i, prefix);
            QVERIFY(0 <= keys.sinkEnd && keys.sinkEnd <= keys.begin && keys.begin <= keys.end && keys.end <= prefix);
            std::int64_t count = 0;
            for (std::int64_t j = 0; j < prefix; ++j) {
                QVERIFY2(keys.sees(j) == sees(i, j),
                         qPrintable(QString("prefix %1, query %2, key %3").arg(prefix).arg(i).arg(j)));
                count += sees(i, j) ? 1 : 0;
            }
            QCOMPARE(keys.count(), count);
        }
}

void TestMasks::sequenceCount_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<qlonglong>("prefix");
    QTest::addColumn<qlonglong>("keys");
    QTest::addRow("full") << "full" << 100LL << 100LL;
    QTest::addRow("causal") << "causal" << 100LL << 100LL;
    QTest::addRow("a window hides keys from rows, not from the sequence") << "window:5" << 100LL << 100LL;
    QTest::addRow("padding") << "padding:64" << 100LL << 64LL;
    QTest::addRow("shorter than the padding") << "padding:64" << 30LL << 30LL;
}

void TestMasks::sequenceCount()
{
    QFETCH(QString, mask);
    QFETCH(qlonglong, prefix);
    QFETCH(qlonglong, keys);
    QCOMPARE(static_cast<qlonglong>(unmaskedKeys(choose(mask), prefix)), keys);
}

void TestMasks::aheadOrNot_data()
{
    QTest::addColumn<QString>("mask");
    QTest::addColumn<bool>("ahead");
    QTest::addRow("full") << "full" << true;
    QTest::addRow("causal") << "causal" << false;
    QTest::addRow("window") << "window" << false;
    QTest::addRow("window both ways") << "window:causal=0" << true;
    QTest::addRow("sinks") << "sink_window" << false;
    QTest::addRow("lambda") << "lambda" << false;
    QTest::addRow("padding") << "padding" << true;
    QTest::addRow("documents") << "documents" << false;
    QTest::addRow("causal padding") << "padding:causal=1" << false;
}

void TestMasks::aheadOrNot()
{
    QFETCH(QString, mask);
    QFETCH(bool, ahead);
    QCOMPARE(looksAhead(choose(mask)), ahead);
}

void TestMasks::lambdaHoldsDistances()
{
    for (const Mask& row : masks())
        QCOMPARE(row.distanceCap != nullptr, row.id == "lambda");
    const Choice choice = choose("lambda:w=33");
    const Mask& row = **findRow(masks(), "lambda", "mask");
    QCOMPARE(static_cast<int>(row.distanceCap(Parameters(row, choice))), 33);
}

void TestMasks::rowsExplainThemselves()
{
    for (const Mask& row : masks()) {
        QVERIFY2(!row.label.empty() && !row.formula.empty() && !row.source.empty() && row.about.size() > 25,
                 row.id.c_str());
        QVERIFY2(symbolicFormula(row).find('{') == std::string::npos, row.id.c_str());
    }
}

void TestMasks::placesOfDocumentsAreRisingNumbers()
{
    for (const char* wrong : {"5,3", "0,0", "0,", ",3", "0;3", "-1", "a", "99999999999999999999"})
        QVERIFY2(!checkedMask({"documents", {}, wrong}), wrong);
    QVERIFY(checkedMask({"documents", {}, {}}));
    QVERIFY(checkedMask({"documents", {}, "0,7,100"}));
    // a model's begin tokens fill in what the choice leaves open
    const Mask& row = **findRow(masks(), "documents", "mask");
    const std::vector<std::int64_t> starts{0, 4, 9};
    QCOMPARE(row.withDocuments({"documents", {}, {}}, starts).text, std::string("0,4,9"));
    QCOMPARE(row.withDocuments({"documents", {}, "0,2"}, starts).text, std::string("0,2"));
    QCOMPARE(row.withDocuments({"documents", {{"length", 8}}, {}}, starts).text, std::string());
    const Choice given = *parseChoice(std::string_view("documents:length=256"), masks(),
                                      "mask");  // what a sequence without begin tokens has anyway
    QCOMPARE(row.withDocuments(given, starts).text, std::string());
}

QTEST_GUILESS_MAIN(TestMasks)
#include "test_masks.moc"
