// Numbers on sliders and in fields; picks from registries.
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/scaling/scale_method.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/number_control.h"
#include "ui/widgets/theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QFileDialog>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolTip>

#include <cmath>
#include <tuple>

using namespace attnscope;

class ControlsTest : public QObject {
    Q_OBJECT
private slots:
    void aNameThatGainsItsEndingIsAskedAbout();
    void dialogsBeginWhereTheLastOfTheirKindEnded();
    void scaleGoesThereAndBack_data();
    void scaleGoesThereAndBack();
    void readsWhatPeopleType_data();
    void readsWhatPeopleType();
    void whatAxesWriteCanBeTyped();
    void stepsAlwaysMove();
    void aPixelMeansARoundNumber_data();
    void aPixelMeansARoundNumber();
    void sliderReportsEveryStep();
    void aTypedNumberIsTakenOnReturn();
    void aWrongNumberIsMarkedAndNotTaken();
    void factsThatDoNotFitAreInTheToolTip();
    void arrowKeysMoveTheNumber();
    void settingANumberReportsNothing();
    void listsAsWideAsTheyAskForShowTheirText();
    void exponentsAreRaised();
    void aFormulaKeepsItsHeight();
    void exponentsStayWithTheirBase();
    void formulasBreakBeforeSigns();
    void aListsPartsAreParted();
    void choiceOffersEveryRow();
    void aPickHasTheRowsDefaults();
    void parametersAreInPlace();
};

void ControlsTest::scaleGoesThereAndBack_data()
{
    QTest::addColumn<double>("minimum");
    QTest::addColumn<double>("maximum");
    QTest::addColumn<bool>("logarithmic");
    QTest::addColumn<double>("value");
    QTest::addColumn<double>("fraction");
    QTest::addRow("linear middle") << 0.0 << 10.0 << false << 5.0 << 0.5;
    QTest::addRow("linear end") << -2.0 << 2.0 << false << 2.0 << 1.0;
    QTest::addRow("log middle") << 1.0 << 10000.0 << true << 100.0 << 0.5;
    QTest::addRow("log start") << 2.0 << 1048576.0 << true << 2.0 << 0.0;
    QTest::addRow("log 2^10 of 2^20") << 1.0 << 1048576.0 << true << 1024.0 << 0.5;
}

void ControlsTest::scaleGoesThereAndBack()
{
    QFETCH(double, minimum);
    QFETCH(double, maximum);
    QFETCH(bool, logarithmic);
    QFETCH(double, value);
    QFETCH(double, fraction);
    const NumberScale scale{minimum, maximum, logarithmic};
    QVERIFY(qAbs(scale.toFraction(value) - fraction) < 1e-12);
    QVERIFY(qAbs(scale.fromFraction(fraction) - value) < 1e-9 * maximum);
}

void ControlsTest::readsWhatPeopleType_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");  // negative: not accepted
    QTest::addRow("plain") << "4096" << 4096.0;
    QTest::addRow("as it is shown") << QStringLiteral("4\u202F096") << 4096.0;
    QTest::addRow("spaces") << " 4 096 " << 4096.0;
    QTest::addRow("thousands") << "4k" << 4000.0;
    QTest::addRow("power") << "2^12" << 4096.0;
    QTest::addRow("power that is no whole number") << "2^6.5" << 91.0;  // 90.51
    QTest::addRow("exponent") << "1e5" << 100000.0;
    QTest::addRow("million") << "1M" << 1e6;
    QTest::addRow("whole in thousands") << "1.1k" << 1100.0;
    QTest::addRow("no whole number") << "7.6" << -1.0;
    QTest::addRow("a point between thousands") << "4.096" << -1.0;
    QTest::addRow("too small") << "1" << -1.0;
    QTest::addRow("too large") << "2^21" << -1.0;
    QTest::addRow("words") << "many" << -1.0;
    QTest::addRow("empty") << "" << -1.0;
    QTest::addRow("nan") << "nan" << -1.0;
    QTest::addRow("infinite") << "inf" << -1.0;
    QTest::addRow("overflow") << "9^999" << -1.0;
}

void ControlsTest::readsWhatPeopleType()
{
    QFETCH(QString, text);
    QFETCH(double, value);
    const NumberScale scale{2, 1 << 20, true, true};
    const auto read = scale.read(text);
    QCOMPARE(read.has_value(), value > 0);
    if (read)
        QCOMPARE(*read, value);
}

/// What stands at an axis is that length where it is typed: no letter means one number here and another there.
void ControlsTest::whatAxesWriteCanBeTyped()
{
    const NumberScale scale{1, 1e10, true, true};
    int ticks = 0;
    for (const double longest : {500.0, 3000.0, 70000.0, 2e6, 4e8, 2e9})
        for (const Tick& tick : chooseTicks(2, longest, true, TickText::Lengths, 12).major) {
            const auto read = scale.read(tick.text);
            QVERIFY2(read, qPrintable(tick.text));
            QCOMPARE(*read, tick.at);
            ++ticks;
        }
    QVERIFY(ticks > 40);
    for (const double n : {4000.0, 4096.0, 1000.0, 1024.0, 1e5, 131072.0, 196608.0, 1e6, 1048576.0, 123456789.0})
        QCOMPARE(scale.read(lengthText(n)), std::optional(n));
}

void ControlsTest::stepsAlwaysMove()
{
    const NumberScale scale{2, 1 << 20, true, true};
    for (double n = 2; n < scale.maximum; n = scale.stepped(n, 1))
        QVERIFY(scale.stepped(n, 1) > n);
    QCOMPARE(scale.stepped(scale.maximum, 1), scale.maximum);
    QCOMPARE(scale.stepped(1024, 12), 2048.0);
}

void ControlsTest::aPixelMeansARoundNumber_data()
{
    QTest::addColumn<NumberScale>("scale");
    QTest::addColumn<int>("pixels");
    QTest::addColumn<QList<double>>("exactly");  // numbers that a drag stops at, whatever it comes from
    QTest::addRow("temperature") << NumberScale{0.01, 100, true} << 120 << QList<double>{0.01, 0.1, 0.5, 1, 2, 10, 100};
    QTest::addRow("short") << NumberScale{0.01, 100, true} << 24 << QList<double>{0.1, 1, 10};
    QTest::addRow("about 0") << NumberScale{-100, 100} << 150 << QList<double>{-100, -50, -10, 0, 10, 50, 100};
    QTest::addRow("a share") << NumberScale{0, 1} << 90 << QList<double>{0, 0.1, 0.5, 0.9, 1};
    QTest::addRow("lengths") << NumberScale{2, 1 << 20, true, true} << 200
                             << QList<double>{2, 64, 512, 1024, 4096, 131072, 1 << 20};
    QTest::addRow("a few") << NumberScale{1, 16, false, true} << 200 << QList<double>{1, 2, 3, 8, 15, 16};
}
void ControlsTest::aPixelMeansARoundNumber()
{
    QFETCH(NumberScale, scale);
    QFETCH(int, pixels);
    QFETCH(QList<double>, exactly);
    QList<double> met;
    for (int pixel = 0; pixel <= pixels; ++pixel) {
        const double place = pixel / double(pixels), value = scale.fromPixel(place, pixels);
        const double width = scale.whole ? 0.5 : 0;  // whole numbers are where they are
        const double low = scale.fromFraction(place - 0.5 / pixels), high = scale.fromFraction(place + 0.5 / pixels);
        const double slack = 1e-12 * (1 + std::abs(value)) + width;
        QVERIFY2(value >= low - slack && value <= high + slack, qPrintable(QString::number(value)));
        QVERIFY(met.isEmpty() || value >= met.back());
        met << value;
    }
    for (const double value : exactly)
        QVERIFY2(met.contains(value), qPrintable(QString::number(value)));
}

void ControlsTest::sliderReportsEveryStep()
{
    NumberControl control("Length", {2, 1 << 20, true, true}, "help");
    QSignalSpy edited(&control, &NumberControl::edited);
    control.slider()->setValue(control.slider()->maximum() / 2);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(edited.front().front().toDouble(), control.value());
    QVERIFY(qAbs(control.value() - 1448) <= 1);  // sqrt(2 * 2^20)
    QCOMPARE(control.field()->text().remove(u'\u202F'), QString::number(control.value()));
    control.slider()->setSliderDown(true);  // the pointer has it, so that a pixel counts
    control.slider()->setValue(control.slider()->maximum() / 2 + 1);
    QCOMPARE(control.value(), control.scale().fromPixel(601 / 1200.0, control.slider()->width()));
}

void ControlsTest::aTypedNumberIsTakenOnReturn()
{
    NumberControl control("Length", {2, 1 << 20, true, true}, "help");
    QSignalSpy edited(&control, &NumberControl::edited);
    control.field()->selectAll();
    QTest::keyClicks(control.field(), "2^10");
    QCOMPARE(edited.count(), 0);
    QTest::keyClick(control.field(), Qt::Key_Return);
    QCOMPARE(control.value(), 1024.0);
    QCOMPARE(control.field()->text(), QStringLiteral("1\u202F024"));
}

void ControlsTest::aWrongNumberIsMarkedAndNotTaken()
{
    QWidget window;
    NumberControl control("Length", {2, 1 << 20, true, true}, "help");
    QLineEdit elsewhere;
    inColumn(&window, {&control, &elsewhere});
    window.show();
    window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    control.setValue(64);
    QSignalSpy edited(&control, &NumberControl::edited);
    const auto type = [&](const char* typed) {
        control.field()->setFocus();
        control.field()->selectAll();
        QTest::keyClicks(control.field(), typed);
        QVERIFY(control.field()->property("wrong").toBool());
        QTest::keyClick(control.field(), Qt::Key_Return);
    };
    const auto says = [&](const char* text, bool wrong) {
        return control.field()->text() == QLatin1String(text) && control.field()->property("wrong").toBool() == wrong;
    };
    type("-5");
    QVERIFY(control.field()->toolTip().contains("whole number from 2"));
    QTRY_VERIFY2(QToolTip::text().contains("-5 cannot be used") &&
                     QToolTip::text().contains(QStringLiteral("from 2 to 1\u202F048\u202F576")),
                 qPrintable(QToolTip::text()));
    control.setValue(64);  // as whenever anything changes
    QVERIFY(says("-5", true));
    QTest::keyClick(control.field(), Qt::Key_Escape);
    QVERIFY(says("64", false));
    type("-5");
    control.setValue(128);
    QVERIFY(says("128", false));
    type("-5");
    elsewhere.setFocus();
    QVERIFY(says("128", false));
    QCOMPARE(edited.count(), 0);
    type("1e99");
    control.field()->selectAll();
    QTest::keyClicks(control.field(), "256\r");
    QVERIFY(says("256", false));
    QCOMPARE(edited.count(), 1);
}

void ControlsTest::factsThatDoNotFitAreInTheToolTip()
{
    FactLine line;
    const QStringList facts{QStringLiteral("<i>i</i> <b>12</b>"), QStringLiteral("<i>H</i> <b>2.5</b> nats"),
                            QStringLiteral("<i>e<sup>H</sup></i> <b>12.18</b> of 512")};
    line.setFacts(facts);
    line.resize(600, 24);
    QCOMPARE(line.shown(), 3);
    const int two = line.fontMetrics().horizontalAdvance(QStringLiteral("i 12     H 2.5 nats   \u2026 e"));
    line.resize(two, 16);
    QCOMPARE(line.shown(), 2);
    line.resize(two, 25);  // as the foot of the maps: two lines of smaller type
    QCOMPARE(line.shown(), 3);
    line.resize(10, 16);
    QCOMPARE(line.shown(), 1);
    const QStringList named = QStringList(QStringLiteral("Vanilla")) + facts;
    line.setFacts(named, 1);  // a name that stands elsewhere goes before a value does
    line.resize(600, 25);
    QCOMPARE(line.shown(), 4);
    for (int width = 600; width > 0 && line.shown() == 4; --width)
        line.resize(width, 16);
    QCOMPARE(line.shown(), 3);
    QVERIFY2(line.accessibleName().contains(QStringLiteral("12.18")), qPrintable(line.accessibleName()));
    QHelpEvent asks(QEvent::ToolTip, {1, 1}, {1, 1});
    QApplication::sendEvent(&line, &asks);
    QTRY_VERIFY(QToolTip::text().contains(QStringLiteral("12.18")));
}

void ControlsTest::arrowKeysMoveTheNumber()
{
    NumberControl control("Length", {2, 1 << 20, true, true}, "help");
    control.setValue(1024);
    QTest::keyClick(control.slider(), Qt::Key_Right, Qt::ShiftModifier);
    QCOMPARE(control.value(), 2048.0);
    QTest::keyClick(control.field(), Qt::Key_Down, Qt::ShiftModifier);
    QCOMPARE(control.value(), 1024.0);
}

void ControlsTest::settingANumberReportsNothing()
{
    NumberControl control("Length", {2, 1 << 20, true, true}, "help");
    QSignalSpy edited(&control, &NumberControl::edited);
    control.setValue(777);
    QCOMPARE(edited.count(), 0);
    QCOMPARE(control.field()->text(), "777");
}

/// Whatever the text, its size and the style of the list: a fraction of a pixel elides none.
void ControlsTest::listsAsWideAsTheyAskForShowTheirText()
{
    for (const double scale : {1.0, 1.1, 1.23, 1.5}) {
        setTextScale(*qApp, scale);
        for (const bool compact : {false, true})
            for (const ScaleMethod& method : scaleMethods()) {
                ElidedList list;
                list.setProperty("compact", compact);
                list.addItem(QString::fromStdString(method.label));
                list.resize(list.sizeHint());
                QVERIFY2(!list.isElided(), qPrintable(list.currentText() + QString::number(scale)));
                list.resize(list.width() - 4, list.height());
                QVERIFY2(list.isElided(), "no wider than it need be");
            }
    }
    setTextScale(*qApp, 1);
}

/// What a formula's exponent is stands higher than its base, whatever it is written in; what is read out has the ^.
void ControlsTest::exponentsAreRaised()
{
    const auto lowestInk = [](const QString& formula, bool ofTheEnd) {
        WrappedLabel label;
        label.setFormula(formula);
        label.setStyleSheet(QStringLiteral("background: white; color: black"));
        label.resize(300, 40);
        const QImage image = label.grab().toImage();
        int left = image.width(), right = 0, lowest = 0;
        const auto inked = [&](int x, int y) { return image.pixelColor(x, y).lightness() < 128; };
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                if (inked(x, y))
                    left = std::min(left, x), right = std::max(right, x);
        for (int y = 0; y < image.height(); ++y)
            for (int x = ofTheEnd ? right - 1 : left; x <= (ofTheEnd ? right : left + 1); ++x)
                if (inked(x, y))
                    lowest = y;
        return lowest;
    };
    for (const char* formula : {"E^E", "E^(2·0/E)", "E^2 + E^(-2/E)"})
        QVERIFY2(lowestInk(QString::fromUtf8(formula), true) < lowestInk(QString::fromUtf8(formula), false), formula);
    for (const char* formula : {"E + E", "E^2-E", "E^(-2)-E", "E^-0.5-E", "E^x/E"})  // what comes behind is not
        QCOMPARE(lowestInk(QString::fromUtf8(formula), true), lowestInk(QString::fromUtf8(formula), false));
    WrappedLabel label;
    label.setFormula(QStringLiteral("(ln 512)^0.5"));
    QCOMPARE(label.accessibleName(), QStringLiteral("(ln 512)^0.5"));
}

/// Lines end before a sign outside of all brackets, then within as few of them as there must be.
void ControlsTest::formulasBreakBeforeSigns()
{
    const QFontMetrics letters{QFont()};
    const auto linesOf = [&](const char* formula, const char* widest) {
        const QString text = QString::fromUtf8(formula);
        return wrappableFormula(text, letters.horizontalAdvance(QString::fromUtf8(widest)) + 1, letters)
            .replace(QLatin1Char(' '), QLatin1Char('|'))
            .replace(QChar(QChar::Nbsp), QLatin1Char(' '));
    };
    QCOMPARE(linesOf("m = f((1 - 4096) / (1 - 64)) = 1.37", "m = f((1 - 4096) / (1 - 64)) ="),
             QStringLiteral("m = f((1 - 4096) / (1 - 64))|= 1.37"));
    QCOMPARE(linesOf("m = f((1 - 4096) / (1 - 64)) = 1.37", "m = f((1 - 4096) /"),
             QStringLiteral("m = f((1 - 4096)|/ (1 - 64))|= 1.37"));
    QCOMPARE(linesOf("root of E H(n, m) \u2212 E H(N, 1)", "root of E H(n, m) \u2212 E"),
             QStringLiteral("root|of|E H(n, m)|\u2212 E H(N, 1)"));
    QCOMPARE(linesOf("m = ln 4096 / ln 64", "m = ln 4096"), QStringLiteral("m = ln 4096|/ ln 64"));
}

/// A line ends before the base, not within the exponent.
/// A formula with its numbers is as high as it is without; of more lines the last side is seen.
void ControlsTest::aFormulaKeepsItsHeight()
{
    WrappedLabel label;
    label.setRoomOf(QStringLiteral("m = ln n / ln N"));
    label.setFormula(QStringLiteral("m = ln n / ln N"));
    label.resize(label.fontMetrics().horizontalAdvance(QStringLiteral("m = ln 1024 / ln 5")), 30);
    const int high = label.heightForWidth(label.width());
    label.setFormula(QStringLiteral("m = ln 1024 / ln 512 = 1.11"));
    QCOMPARE(label.heightForWidth(label.width()), high);
    QCOMPARE(label.shown(), QStringLiteral("m = 1.11"));
    QCOMPARE(label.text(), QStringLiteral("m = ln 1024 / ln 512 = 1.11"));
    label.setFormula(QStringLiteral("there is no value of it at these lengths"));
    QCOMPARE(label.heightForWidth(label.width()), high);
    QVERIFY(label.shown().startsWith(QStringLiteral("there ")) && label.shown().endsWith(QChar(0x2026)));
    label.resize(900, 30);
    QCOMPARE(label.shown(), label.text());
}

void ControlsTest::exponentsStayWithTheirBase()
{
    WrappedLabel label;
    label.setStyleSheet(QStringLiteral("background: white; color: black"));
    label.setFormula(QStringLiteral("mmmm nnnn^(\u22122/64)"));
    const QFontMetrics letters(label.font());
    label.resize(letters.horizontalAdvance(QStringLiteral("mmmm nnnn\u2212")), 4 * letters.height());
    QVERIFY(label.heightForWidth(label.width()) > letters.height());
    const QImage image = label.grab().toImage();
    for (int y = 0; y < letters.height() - letters.descent(); ++y)
        for (int x = letters.horizontalAdvance(QStringLiteral("mmmm ")); x < image.width(); ++x)
            QVERIFY2(image.pixelColor(x, y).lightness() > 128, qPrintable(QStringLiteral("%1, %2").arg(x).arg(y)));
}

/// By a thin line, which is no blank row and cannot be chosen.
void ControlsTest::aListsPartsAreParted()
{
    ElidedList list;
    list.addItem(QStringLiteral("above"));
    list.insertSeparator(1);
    list.addItem(QStringLiteral("below"));
    list.show();
    list.showPopup();
    QAbstractItemView* view = list.view();
    const auto rect = [&](int row) { return view->visualRect(list.model()->index(row, 0)); };
    QVERIFY(rect(1).height() > 2 && rect(1).height() < rect(0).height() / 2);
    const QImage line = view->viewport()->grab(rect(1)).toImage();
    QCOMPARE(line.pixelColor(line.width() / 2, (line.height() - 1) / 2), currentTheme().border);
    QVERIFY(line.pixelColor(line.width() / 2, 0) != currentTheme().border);
    view->setCurrentIndex(list.model()->index(0, 0));
    QTest::keyClick(view, Qt::Key_Down);
    QCOMPARE(view->currentIndex().row(), 2);
    list.hidePopup();
}

void ControlsTest::choiceOffersEveryRow()
{
    const ChoiceControl control("Normaliser", entriesOf(normalisers()), "help");
    QCOMPARE(control.list()->count(), static_cast<int>(normalisers().size()));
    for (int i = 0; i < control.list()->count(); ++i)
        QCOMPARE(control.list()->itemData(i).toString().toStdString(), normalisers()[static_cast<size_t>(i)].id);
}

void ControlsTest::aPickHasTheRowsDefaults()
{
    ChoiceControl control("Mask", entriesOf(masks()), "help");
    control.setChoice({"window", {{"w", 7}}, {}});
    QSignalSpy edited(&control, &ChoiceControl::edited);
    const int full = control.list()->findData("full");
    control.list()->setCurrentIndex(full);
    emit control.list()->activated(full);
    QCOMPARE(edited.count(), 1);
    QVERIFY(control.choice() == (Choice{"full", {}, {}}));
}

void ControlsTest::parametersAreInPlace()
{
    ChoiceControl control("Mask", entriesOf(masks()), "help");
    control.setChoice({"window", {}, {}});
    const auto mask = findRow(masks(), "window", "mask");
    QVERIFY(mask);
    const QList<NumberControl*> fields = control.findChildren<NumberControl*>();
    QVERIFY(!fields.isEmpty());
    QCOMPARE(fields.front()->value(), (*mask)->parameters.front().byDefault);
    QSignalSpy edited(&control, &ChoiceControl::edited);
    fields.front()->field()->selectAll();
    QTest::keyClicks(fields.front()->field(), "17");
    QTest::keyClick(fields.front()->field(), Qt::Key_Return);
    QCOMPARE(edited.count(), 1);
    QCOMPARE(control.choice().values.at((*mask)->parameters.front().id), 17.0);
}

/// "a.b" becomes "a.b.csv", which is there: it is replaced where one says so, and else asked for again.
void ControlsTest::aNameThatGainsItsEndingIsAskedAbout()
{
    QTemporaryDir folder;
    QFile old(folder.filePath("a.b.csv"));
    QVERIFY(old.open(QIODevice::WriteOnly));
    old.close();
    QWidget window;
    for (const auto& [name, replaces, wanted] :
         {std::tuple("a.b", true, "a.b.csv"), std::tuple("a.b", false, ""), std::tuple("c.d", false, "c.d.csv"),
          std::tuple("e", false, "e.csv"), std::tuple("f.svg", false, "f.svg")}) {
        int questions = 0, dialogs = 0;
        QTimer answers;
        connect(&answers, &QTimer::timeout, this, [&, name = name, replaces = replaces] {
            QWidget* modal = QApplication::activeModalWidget();
            if (auto* question = qobject_cast<QMessageBox*>(modal)) {
                ++questions;
                question->button(replaces ? QMessageBox::Save : QMessageBox::Cancel)->click();
            } else if (auto* files = qobject_cast<QFileDialog*>(modal)) {
                files->selectFile(folder.filePath(QString::fromLatin1(name)));
                static_cast<QDialog*>(files)->done(++dialogs == 1 ? QDialog::Accepted : QDialog::Rejected);
            }
        });
        answers.start(1);
        const QString path = fileToSave(window, "Save", "x.csv", "Numbers (*.csv);;SVG (*.svg)");
        QCOMPARE(path, *wanted ? folder.filePath(QString::fromLatin1(wanted)) : QString());
        QCOMPARE(questions, QString::fromLatin1(name) == "a.b" ? 1 : 0);
    }
}

/// Each kind where it was last, over windows and runs; a name that has a folder keeps it, and a folder that is gone is
/// none.
void ControlsTest::dialogsBeginWhereTheLastOfTheirKindEnded()
{
    QTemporaryDir one, other;
    QWidget window;
    const auto ask = [&](const QString& answer, const std::function<QString()>& dialog) {
        QString began;
        QTimer answers;
        connect(&answers, &QTimer::timeout, this, [&] {
            if (auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                began = files->directory().canonicalPath();
                if (!answer.isEmpty())
                    files->selectFile(answer);
                static_cast<QDialog*>(files)->done(answer.isEmpty() ? QDialog::Rejected : QDialog::Accepted);
            }
        });
        answers.start(1);
        dialog();
        return began;
    };
    const auto save = [&](const QString& proposed, const QString& filters) {
        return [&window, proposed, filters] { return fileToSave(window, "Save", proposed, filters); };
    };
    const auto open = [&](const QString& near) {
        return [&window, near] { return fileToOpen(window, "Open", near, "Tensors (*.npy *.npz)"); };
    };
    const QString first = QFileInfo(one.path()).canonicalFilePath(),
                  second = QFileInfo(other.path()).canonicalFilePath();
    QFile there(other.filePath("t.npy"));
    QVERIFY(there.open(QIODevice::WriteOnly));
    ask(one.filePath("a.pdf"), save("x.pdf", "PDF (*.pdf);;SVG (*.svg)"));
    ask(other.filePath("t.npy"), open({}));
    QCOMPARE(ask({}, save("y.pdf", "PDF (*.pdf);;SVG (*.svg)")), first);
    QCOMPARE(ask({}, open({})), second);
    QCOMPARE(ask({}, open(one.path())), first);
    QCOMPARE(ask({}, open({})), second);  // what was not chosen is not remembered
    QVERIFY(ask({}, save("y.gif", "Animated pictures (*.gif)")) != first);
    QVERIFY(one.remove());
    QVERIFY(!ask({}, save("y.pdf", "PDF (*.pdf);;SVG (*.svg)")).isEmpty());
}

QTEST_MAIN(ControlsTest)
#include "controls_test.moc"
