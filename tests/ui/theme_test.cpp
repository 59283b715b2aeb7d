// Contrast of every text on every surface that it stands on, by the formula of WCAG 2.1.
#include "ui/plot/method_style.h"
#include "ui/window/theme.h"

#include <QApplication>
#include <QIcon>
#include <QImageReader>
#include <QRegularExpression>
#include <QTest>

using namespace attnscope;

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void contrastOfKnownPairs();
    void textIsReadable_data();
    void textIsReadable();
    void methodColoursStandOut_data();
    void methodColoursStandOut();
    void styleSheetNamesOnlyKnownColours_data();
    void styleSheetNamesOnlyKnownColours();
    void picturesOfTheStyleSheetAreDrawn_data();
    void picturesOfTheStyleSheetAreDrawn();
};

void ThemeTest::contrastOfKnownPairs()
{
    QCOMPARE(contrast(Qt::black, Qt::white), 21.0);
    QCOMPARE(contrast(Qt::white, Qt::white), 1.0);
    QVERIFY(qAbs(contrast(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.01);  // the well-known grey just below 4.5
}

void ThemeTest::textIsReadable_data()
{
    QTest::addColumn<QColor>("text");
    QTest::addColumn<QColor>("surface");
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        const auto row = [&](const char* name, QColor text, QColor surface) {
            QTest::addRow("%s: %s", qPrintable(theme->id), name) << text << surface;
        };
        row("text on window", theme->text, theme->window);
        row("text on surface", theme->text, theme->surface);
        row("text in fields", theme->text, theme->field);
        row("text under the pointer", theme->text, theme->hover);
        row("text selected", theme->text, theme->selection);
        row("muted on window", theme->muted, theme->window);
        row("muted on surface", theme->muted, theme->surface);
        row("muted in fields", theme->muted, theme->field);
        row("accent on surface", theme->accent, theme->surface);
        row("text on accent", theme->onAccent, theme->accent);
        row("error", theme->error, theme->errorSurface);
        row("note", theme->note, theme->noteSurface);
        row("done", theme->done, theme->doneSurface);
    }
}

void ThemeTest::textIsReadable()
{
    QFETCH(QColor, text);
    QFETCH(QColor, surface);
    QVERIFY2(contrast(text, surface) >= 4.5, qPrintable(QString::number(contrast(text, surface))));
}

void ThemeTest::methodColoursStandOut_data()
{
    QTest::addColumn<int>("position");
    QTest::addColumn<bool>("dark");
    for (int position = 0; position < 9; ++position)
        for (const bool dark : {false, true})
            QTest::addRow("%d %s", position, dark ? "dark" : "light") << position << dark;
}

void ThemeTest::methodColoursStandOut()
{
    QFETCH(int, position);
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    QVERIFY(contrast(methodStyle(position, dark).colour, theme.surface) >= 3);  // graphics: WCAG 1.4.11
}

void ThemeTest::styleSheetNamesOnlyKnownColours_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addRow("light") << false;
    QTest::addRow("dark") << true;
}

void ThemeTest::styleSheetNamesOnlyKnownColours()
{
    QFETCH(bool, dark);
    const QString sheet = styleSheetOf(dark ? darkTheme() : lightTheme());
    QVERIFY(sheet.size() > 1000);
    QVERIFY2(!sheet.contains(QLatin1Char('@')), qPrintable(sheet.mid(sheet.indexOf(QLatin1Char('@')), 40)));
}

/// Qt draws nothing, and says nothing, where the plugin that reads SVG is not installed.
void ThemeTest::picturesOfTheStyleSheetAreDrawn_data()
{
    QTest::addColumn<QString>("path");
    QTest::newRow("the window's icon") << QStringLiteral(":/icons/logo.svg");
    const QRegularExpression url(QStringLiteral("url\\(([^)]*)\\)"));
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        int found = 0;
        for (const QRegularExpressionMatch& match : url.globalMatch(styleSheetOf(*theme)))
            QTest::addRow("%s %d: %s", qPrintable(theme->id), ++found, qPrintable(match.captured(1)))
                << match.captured(1);
        QVERIFY(found > 0);
    }
}

void ThemeTest::picturesOfTheStyleSheetAreDrawn()
{
    QFETCH(QString, path);
    const QImage picture = QIcon(path).pixmap(32).toImage().convertToFormat(QImage::Format_ARGB32);
    QVERIFY2(QImageReader(path).canRead(), "no plugin of Qt reads it: is qt6-svg-plugins (or libqt6svg6) installed?");
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y)
        for (int x = 0; x < picture.width(); ++x)
            drawn += qAlpha(picture.pixel(x, y)) > 128;
    QVERIFY2(drawn > 16, qPrintable(QString::number(drawn)));
}

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
