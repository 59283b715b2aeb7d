// Published tables against the papers' own text, where it lies beside the checkout.

#include "ui/figure/published.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace attnscope;

class TestPublished : public QObject {
    Q_OBJECT

private slots:
    void everyTableReads_data() { tables(); }
    void everyTableReads()
    {
        QFETCH(QString, id);
        const auto table = publishedTable(id.toStdString());
        QVERIFY2(table.has_value(), table ? "" : table.error().message.c_str());
        QVERIFY(!table->paper.empty() && !table->table.empty() && !table->file.empty() && !table->rows.empty());
        QVERIFY(table->columnValues.empty() || table->columnValues.size() == table->columns.size());
        QVERIFY(citation({*table}).contains(QString::fromStdString(table->table)));
    }

    void everyCellStandsInThePaper_data() { tables(); }
    void everyCellStandsInThePaper()
    {
        QFETCH(QString, id);
        const auto table = publishedTable(id.toStdString());
        QVERIFY(table.has_value());
        QFile file(QStringLiteral(SHARED "/papers/") + QString::fromStdString(table->file));
        if (!file.open(QIODevice::ReadOnly))
            QSKIP("The papers' texts are not beside this checkout.");
        QString text = QString::fromUtf8(file.readAll());
        // A row of a table in the text: its cells in order, with nothing between them but blanks, & and tabs. For numbered tables
        // only the text from its caption on counts, up to 6000 characters.
        const qsizetype caption = text.indexOf(QString::fromStdString(table->table) + ":");
        if (caption >= 0)
            text = text.mid(std::max<qsizetype>(0, caption), 6000);
        for (const PublishedRow& row : table->rows) {
            QStringList cells;
            for (const std::string& cell : row.cells)
                cells << QRegularExpression::escape(QString::fromStdString(cell));
            const QString prefix = table->file == "entropy_invariant_extrapolation.txt" ? "λ" : QRegularExpression::escape(QString::fromStdString(row.name));
            const QRegularExpression pattern(prefix + "[}\\s&]+" + cells.join("[\\s&]+"));
            QVERIFY2(pattern.match(text).hasMatch(), qPrintable(pattern.pattern()));
        }
    }

    void cellsGiveTheirLeadingNumber()
    {
        const PublishedRow row{"x", {"0.374", "27.9 (0.3)", ">500", "<0.1", "", "98.9%"}, false};
        QCOMPARE(row.number(0), std::optional(0.374));
        QCOMPARE(row.number(1), std::optional(27.9));
        QVERIFY(!row.number(2) && !row.number(3) && !row.number(4) && !row.number(99));
        QCOMPARE(row.number(5), std::optional(98.9));
    }

    void unknownTablesAreErrors()
    {
        QVERIFY(!publishedTable("nosuch"));
        QVERIFY(!publishedTable("../figures/method_grid"));
    }

private:
    static void tables()
    {
        QTest::addColumn<QString>("id");
        for (const std::string& id : publishedTables())
            QTest::addRow("%s", id.c_str()) << QString::fromStdString(id);
    }
};

QTEST_APPLESS_MAIN(TestPublished)
#include "test_published.moc"
