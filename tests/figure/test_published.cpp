// Published tables against the papers' own text, where it lies beside the checkout.

#include "ui/figure/published.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

#include <cmath>

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
        // A row of a table in the text: its cells in order, with nothing between them but blanks, & and tabs. For
        // numbered tables only the text from its caption on counts, up to 6000 characters.
        const qsizetype caption = text.indexOf(QString::fromStdString(table->table) + ":");
        const bool scales = QString(table->id.c_str())
                                .contains(QRegularExpression(
                                    "^eie_table[1236]$"));  // whose captions may stand below them, whose rows begin
                                                            // with formulas, and of which the text has two rows in one
                                                            // line here and there, cell beside cell
        if (caption >= 0)
            text = text.mid(std::max<qsizetype>(0, caption - (scales ? 6000 : 0)), scales ? 12000 : 6000);
        if (!text.isEmpty() && text.back().isHighSurrogate())  // half a character, with which nothing matches
            text.chop(1);
        for (const PublishedRow& row : table->rows) {
            QStringList cells;
            for (const std::string& cell : row.cells)
                cells << QRegularExpression::escape(QString::fromStdString(cell)).replace("\\ ", "\\s*");
            const QString prefix = scales ? QStringLiteral("\\D(?:[}\\s&]+[0-9.]+\\s*\\([0-9.]+\\))?")
                                   : QString(table->id.c_str()).contains(QRegularExpression("^eie_table[57]$"))
                                       ? "λ"
                                       : QRegularExpression::escape(QString::fromStdString(row.name));
            const QRegularExpression pattern(
                prefix + "[}\\s&]+" + cells.join(scales ? "([\\s&]+[0-9.]+\\s*\\([0-9.]+\\))?[\\s&]+" : "[\\s&]+"));
            QVERIFY2(pattern.match(text).hasMatch(), qPrintable(pattern.pattern()));
        }
    }

    /// Where the papers' text does not lie beside the checkout, counts and sums of the tables as they were when the
    /// test above held notice a number that has changed since.
    void tablesAddUpAsWhenCompared_data()
    {
        QTest::addColumn<int>("numbers");
        QTest::addColumn<int>("bounds");
        QTest::addColumn<double>("sum");
        QTest::addRow("eie_table1") << 60 << 0 << 4097.9;
        QTest::addRow("eie_table2") << 15 << 0 << 722.2;
        QTest::addRow("eie_table3") << 45 << 0 << 3830.0;
        QTest::addRow("eie_table6") << 105 << 0 << 8478.2;
        QTest::addRow("eie_table5") << 5 << 0 << 2.456;
        QTest::addRow("eie_table7") << 5 << 0 << 1.636;
        QTest::addRow("infoscale_table1") << 369 << 63 << 11089.61;
        QTest::addRow("infoscale_table10") << 44 << 4 << 657.82;
        QTest::addRow("infoscale_table2") << 24 << 0 << 168.1;
        QTest::addRow("infoscale_table3") << 20 << 4 << 296.05;
        QTest::addRow("infoscale_table7") << 180 << 36 << 6423.64;
        QTest::addRow("infoscale_table8") << 182 << 34 << 5650.72;
        QTest::addRow("infoscale_table9") << 83 << 13 << 1942.55;
        QTest::addRow("eie_table4") << 4 << 0 << 11.07;
        QTest::addRow("infoscale_table4") << 12 << 0 << 504376.0;
        QTest::addRow("infoscale_table5") << 87 << 21 << 3275.18;
        QTest::addRow("su_table") << 10 << 0 << 281.53;
    }
    void tablesAddUpAsWhenCompared()
    {
        QFETCH(int, numbers);
        QFETCH(int, bounds);
        QFETCH(double, sum);
        const auto table = publishedTable(QTest::currentDataTag());
        QVERIFY(table.has_value());
        int countedNumbers = 0, countedBounds = 0;
        double total = 0;
        for (const PublishedRow& row : table->rows)
            for (size_t c = 0; c < row.cells.size(); ++c)
                if (const auto number = row.number(c)) {
                    ++countedNumbers;
                    total += *number;
                } else if (!row.cells[c].empty()) {
                    ++countedBounds;
                }
        QCOMPARE(countedNumbers, numbers);
        QCOMPARE(countedBounds, bounds);
        QVERIFY2(std::abs(total - sum) < 1e-6, qPrintable(QString::number(total, 'f', 6)));
        QVERIFY(publishedTables().size() == 17);
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
