// Formulae of the registries as markup, and that every one of them can be drawn.

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "ui/plot/formula.h"
#include "ui/plot/typeset.h"

#include <QtTest>

using namespace attnscope;

class TestFormula : public QObject {
    Q_OBJECT
private slots:
    void markup_data();
    void markup();
    void everyFormulaIsDrawn_data();
    void everyFormulaIsDrawn();
};

void TestFormula::markup_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("expected");
    QTest::addRow("fraction") << "ln n / ln B"
                              << "$\\frac{\\ln n}{\\ln B}$";
    QTest::addRow("numbers") << "m = ln 1024 / ln 512 = 1.111"
                             << "$m=\\frac{\\ln 1024}{\\ln 512}=1.111$";
    QTest::addRow("brackets of a fraction") << "(1 − a) / (1 + b)"
                                            << "$\\frac{1−a}{1+b}$";
    QTest::addRow("brackets that stay") << "(1 − a)² / b"
                                        << "$\\frac{(1−a)^{2}}{b}$";
    QTest::addRow("two groups keep theirs") << "(a)(b) / c"
                                            << "$\\frac{(a)(b)}{c}$";
    QTest::addRow("sum before a fraction") << "1 + ln n / ln N"
                                           << "$1+\\frac{\\ln n}{\\ln N}$";
    QTest::addRow("tight slash") << "ln max(n/N, 1)"
                                 << "$\\ln \\max (n/N,1)$";
    QTest::addRow("root") << "√d"
                          << "$\\sqrt{d}$";
    QTest::addRow("root of a group") << "√(1 − x)"
                                     << "$\\sqrt{1−x}$";
    QTest::addRow("root of a function") << "√max(0, x)"
                                        << "$\\sqrt{\\max (0,x)}$";
    QTest::addRow("power") << "n^(−2/d)"
                           << "$n^{−2/d}$";
    QTest::addRow("negative power") << "e^−δ / n"
                                    << "$\\frac{e^{−δ}}{n}$";
    QTest::addRow("raised group with a sign") << "e^−(z + b)"
                                              << "$e^{−(z+b)}$";
    QTest::addRow("small digits") << "H₀ + H⁴"
                                  << "$H_{0}+H^{4}$";
    QTest::addRow("positive part") << "[z − τ]₊²"
                                   << "$[z−τ]_{+}^{2}$";
    QTest::addRow("index") << "w_j = c4"
                           << "$w_{j}=c_{4}$";
    QTest::addRow("words") << "number of p > 0"
                           << "$\\text{number}\\ \\text{of}\\ p>0$";
    QTest::addRow("expectation") << "E H"
                                 << "$\\E H$";
    QTest::addRow("stray bracket") << "a) + b"
                                   << "$a)+b$";
    QTest::addRow("nothing of TeX gets in") << "\\frac{$x$}"
                                            << "$/\\text{fracx}$";
}

void TestFormula::markup()
{
    QFETCH(QString, formula);
    QFETCH(QString, expected);
    QCOMPARE(formulaMarkup(formula), expected);
}

void TestFormula::everyFormulaIsDrawn_data()
{
    QTest::addColumn<QString>("formula");
    const auto add = [](const auto& rows) {
        for (const Entry& row : rows)
            QTest::addRow("%s", row.id.c_str()) << QString::fromStdString(symbolicFormula(row));
    };
    add(scaleMethods());
    add(kernels());
    add(positions());
    add(masks());
    add(normalisers());
    add(measures());
}

/// Brackets pair up, no command stays as it is typed, and letters and digits are all still there.
void TestFormula::everyFormulaIsDrawn()
{
    QFETCH(QString, formula);
    const QString markup = formulaMarkup(formula);
    QCOMPARE(markup.count('{'), markup.count('}'));
    QFont font;
    font.setPixelSize(16);
    const Typeset drawn(markup, font);
    QVERIFY(drawn.width() > 4 && drawn.height() > 8);
    const QString shown = plainText(markup);
    QVERIFY2(!shown.contains('\\') && !shown.contains('$'), qPrintable(shown));
    const auto letters = [](const QString& text) {
        QString kept;
        for (const QChar c : text)
            if (c.isLetter())
                kept += c;
        std::sort(kept.begin(), kept.end());
        return kept;
    };
    QCOMPARE(letters(shown), letters(formula));
}

QTEST_MAIN(TestFormula)
#include "test_formula.moc"
