// Contrast of every text on every surface that it stands on, by the formula of WCAG 2.1.
#include "ui/plot/method_style.h"
#include "ui/widgets/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QIcon>
#include <QImageReader>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTest>
#include <QToolButton>

#include <memory>

using namespace attnscope;

class ThemeTest : public QObject {
    Q_OBJECT
private slots:
    void contrastOfKnownPairs();
    void textIsReadable_data();
    void textIsReadable();
    void whatIsDisabledIsTold_data();
    void whatIsDisabledIsTold();
    void methodColoursStandOut_data();
    void methodColoursStandOut();
    void styleSheetNamesOnlyKnownColours_data();
    void styleSheetNamesOnlyKnownColours();
    void picturesOfTheStyleSheetAreDrawn_data();
    void picturesOfTheStyleSheetAreDrawn();
    void aWidgetIsDressedOnceHoweverDeepItStands();
    void whatAnEmptyFieldSaysIsReadable();
    void aSpinBoxIsAFieldLikeOthers();
};

/// With two arrows in the theme's colours, and no paler than a list while it is disabled.
void ThemeTest::aSpinBoxIsAFieldLikeOthers()
{
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        applyTheme(*qApp, choice);
        QSpinBox box;
        box.setPrefix(QStringLiteral("batch "));
        box.show();
        box.resize(120, 30);
        for (const bool enabled : {true, false}) {
            box.setEnabled(enabled);
            const QImage image = box.grab().toImage();
            const QColor ground = enabled ? currentTheme().field : currentTheme().window;
            QCOMPARE(image.pixelColor(85, 15), ground);
            int inked[2] = {};
            for (int y = 3; y < 27; ++y)
                for (int x = 100; x < 117; ++x) {
                    const double stands = contrast(image.pixelColor(x, y), ground);
                    inked[y / 15] += stands > 1.5;
                    QVERIFY2(stands < 9, "a black piece of a frame");
                }
            QVERIFY2(inked[0] >= 6 && inked[1] >= 6, qPrintable(QStringLiteral("%1, %2").arg(inked[0]).arg(inked[1])));
        }
    }
}

/// Also under the style sheet, which makes it as pale as half of the text where a rule colours the field.
void ThemeTest::whatAnEmptyFieldSaysIsReadable()
{
    for (const ThemeChoice choice : {ThemeChoice::Light, ThemeChoice::Dark}) {
        applyTheme(*qApp, choice);
        QLineEdit field;
        field.setPlaceholderText("25,50,100");
        field.show();
        const QColor said = field.palette().color(QPalette::PlaceholderText), ground = currentTheme().field;
        QCOMPARE(said.alpha(), 255);
        QVERIFY2(contrast(said, ground) >= 4.5, qPrintable(said.name()));
    }
}

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

void ThemeTest::whatIsDisabledIsTold_data()
{
    QTest::addColumn<bool>("dark");
    QTest::addRow("light") << false;
    QTest::addRow("dark") << true;
}

/// From what is secondary and live: 2 to 3 on every ground of a button, where the other has 4.5; every control that the
/// style sheet paints takes it, and so does the palette.
void ThemeTest::whatIsDisabledIsTold()
{
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    for (const QColor& ground : {theme.window, theme.surface, theme.field}) {
        QVERIFY2(contrast(theme.control, ground) >= 3, qPrintable(QString::number(contrast(theme.control, ground))));
        const double off = contrast(theme.disabled, ground);
        QVERIFY2(off >= 2 && off <= 3, qPrintable(QString::number(off)));
        QVERIFY(contrast(theme.muted, ground) >= 4.5);
    }
    applyTheme(*qApp, dark ? ThemeChoice::Dark : ThemeChoice::Light);
    QCOMPARE(qApp->palette().color(QPalette::Disabled, QPalette::ButtonText), theme.disabled);
    for (QWidget* control : {static_cast<QWidget*>(new QPushButton("Pause")), static_cast<QWidget*>(new QToolButton),
                             static_cast<QWidget*>(new QLineEdit), static_cast<QWidget*>(new QComboBox)}) {
        const std::unique_ptr<QWidget> owned(control);
        control->setEnabled(false);
        control->ensurePolished();
        QCOMPARE(control->palette().color(QPalette::Disabled, QPalette::ButtonText), theme.disabled);
    }
    QCheckBox tick(QStringLiteral("Row log"));
    const QImage ticked = tick.grab().toImage();
    int outlined = 0;
    for (int y = 0; y < ticked.height(); ++y)
        for (int x = 0; x < ticked.width(); ++x)
            outlined += ticked.pixelColor(x, y) == theme.control;
    QVERIFY2(outlined > 20, qPrintable(QString::number(outlined)));
    QPushButton off(QStringLiteral("\u2588\u2588\u2588\u2588")), on(off.text());  // blocks: all ink
    off.setEnabled(false);
    const auto hasInk = [](QPushButton& button, QColor ink) {
        const QImage picture = button.grab().toImage();
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, y) == ink)
                    return true;
        return false;
    };
    QVERIFY(hasInk(off, theme.disabled) && !hasInk(off, theme.text));
    QVERIFY(hasInk(on, theme.text) && !hasInk(on, theme.disabled));
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

/// Text that grows and colours that change give every widget its style anew, some 2 000 of them in a window.
void ThemeTest::aWidgetIsDressedOnceHoweverDeepItStands()
{
    struct Counter : QObject {
        int changes = 0;
        bool eventFilter(QObject*, QEvent* event) override
        {
            changes += event->type() == QEvent::StyleChange;
            return false;
        }
    } counter;
    applyTheme(*qApp, ThemeChoice::Light);
    QWidget window;
    QWidget* deep = &window;
    for (int depth = 0; depth < 12; ++depth)
        deep = new QWidget(deep);
    auto* label = new QLabel(QStringLiteral("x"), deep);
    label->setProperty("role", "title");  // 17 pixels in the style sheet
    window.show();
    const auto size = [&] { return label->fontInfo().pixelSize(); };
    QCOMPARE(size(), 17);
    label->installEventFilter(&counter);
    setTextScale(*qApp, 2);
    QCOMPARE(size(), 34);
    QVERIFY2(counter.changes <= 3, qPrintable(QString::number(counter.changes)));
    counter.changes = 0;
    applyTheme(*qApp, ThemeChoice::Dark);
    QCOMPARE(label->palette().color(QPalette::WindowText), darkTheme().text);
    QVERIFY2(counter.changes <= 3, qPrintable(QString::number(counter.changes)));
    setTextScale(*qApp, 1);
    applyTheme(*qApp, ThemeChoice::Light);
    QCOMPARE(size(), 17);
    QCOMPARE(label->palette().color(QPalette::WindowText), lightTheme().text);
}

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
