// The labs in the window: a run can be started, watched, held, cancelled and resumed, ends with the rows of one that
// was left alone, and what it trained opens in the other views.

#include "core/analysis/analysis.h"
#include "core/attention/normaliser.h"
#include "core/document/session.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/lab_charts.h"
#include "ui/figure/labels.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/method_style.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/building.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/number_control.h"
#include "ui/widgets/ticked_list.h"
#include "ui/workbench/document.h"
#include "ui/labs/lab_canvas.h"
#include "ui/labs/lab_page.h"
#include "ui/labs/lab_pictures.h"
#include "ui/labs/lab_sections.h"
#include "ui/labs/sweep_page.h"
#include "ui/labs/lab_table.h"
#include "ui/labs/lab_text_fields.h"
#include "ui/labs/lab_packings.h"
#include "ui/labs/lab_tours.h"
#include "ui/workbench/workbench.h"
#include "ui/plot/legend.h"
#include "ui/views/chart_view.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/series_legend.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/value_table.h"
#include "tests/support/patience.h"

#include <QCheckBox>
#include <QComboBox>
#include <QElapsedTimer>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QSlider>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <QtTest>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace attnscope;

namespace {

const char* const quick = "eie:epochs=6,steps=2,batch=16,\"4:10:20\"";
const char* const longRun = "eie:epochs=100000,steps=2,batch=16,\"4:10:20\"";
const char* const head =
    "max-retrieval:steps=60,batch=8,width=16,seeds=2,sets=8,most_items=32,\"vanilla; vanilla|adaptive\"";

Choice choose(const char* text) { return *parseChoice(std::string_view(text), labs(), "lab"); }

/// Everything that a page needs.
struct Desk {
    QTemporaryDir folder;
    Workbench bench;
    Document& document = bench.document;
    MessageBar messages;
    LabPage page{bench, messages, folder.filePath(QStringLiteral("labs"))};

    Desk()
    {
        page.resize(1100, 720);
        page.show();
    }
    bool begin(const char* text)
    {
        page.setChoice(choose(text));
        page.start();
        return page.runner().isRunning();
    }
    bool waitForEnd()
    {
        return QTest::qWaitFor([this] { return !page.runner().isRunning(); }, patience);
    }
    std::vector<LabRow> table(const char* name) const
    {
        std::vector<LabRow> rows;
        std::ranges::copy_if(page.selected()->record.rows, std::back_inserter(rows),
                             [&](const LabRow& row) { return row.table == name; });
        return rows;
    }
};

/// Of the lab that is chosen; those of the one before are on their way out.
LabTextFields* textFields(LabPage& page)
{
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    return page.findChild<LabTextFields*>();
}

int visibleCharts(LabPage& page)
{
    const auto& charts = page.canvas().charts();
    return static_cast<int>(std::ranges::count_if(
        charts, [](const ChartView* chart) { return chart->isVisibleTo(chart->parentWidget()); }));
}

}  // namespace

class TestLabPage : public QObject {
    Q_OBJECT
private slots:
    void startStaysWhereItIs();
    void anotherLabHasItsOwnPresets();
    void ticksWriteTheText();
    void whatWasTypedIsTicked();
    void ticksOpenBelowTheirField();
    void opensOnTheRecordedRun();
    void oneLegendNamesTheLines();
    void linesAreNamedWhereTheyEnd();
    void manyLinesAreThinBehindAFew();
    void oneBarAtMostAndRowsInSight();
    void aTableFollowsItsLastRow();
    void theBarStandsBesideItsTable();
    void whatComesIsSaid();
    void rowsThatAreReadStay();
    void aStartBringsTheCharts();
    void theEndOfARunLeavesWhatIsLookedAt();
    void aRowChosenWhileItTrainsStaysChosen();
    void aRowChosenAsOthersComeStaysChosen();
    void aRowInAnotherOrderIsNotTheChosenOne();
    void sharesAreInPerCent();
    void percentsHaveOneFormat();
    void aTemperatureOfEveryRowIsNoMultiplier();
    void whatRowsHaveInCommonIsSaidOnce();
    void whereAllActIsSaidOnce();
    void aNumberThatIsCutIsNotShown();
    void aLongNameGivesRoom();
    void packingsChartsComeFirst();
    void columnsHaveOneSideAndOneFormat();
    void rowsKeepTheirNames();
    void rowsThatComeHaveTheirNamesBesideThem();
    void aSortChosenInPlaceStays();
    void smoothedCurvesLieOnTheirOwn();
    void resultsHaveOneLeftEdge();
    void baselinesAreNoShadesOfVanilla();
    void averagesAreThoseOfTheWeights();
    void onlyChartsThatNameTheSameShareALegend();
    void toursStandSideBySide();
    void packingsGrowBoxByBox();
    void finishes();
    void windowLivesWhileItTrains();
    void pauseHolds();
    void cancelledIsKeptAndResumed();
    void whatIsTrainedOpensWhereverItWasStopped_data();
    void whatIsTrainedOpensWhereverItWasStopped();
    void theFirstStepIsAPoint();
    void picturesHaveSquareCells();
    void closingLeavesACheckpoint();
    void resultsOpen_data();
    void resultsOpen();
    void whatARunFoundCanBeCopied();
    void picturesArePaintedInTheirPlace();
    void ticksCompare();
    void aNumberIsGivenOnce();
    void recordsAreReadAgainWhereTheyChanged();
    void oneRunAtATimeIsSaid();
    void removedIsGone();
    void removingARunLeavesTheOthersTicked();
    void figuresAndCopiesAreAllWritten();
    void wrongParametersAreSaid();
    void rowsAndRunsSayNames();
    void linesThatCoincideAreCounted();
    void manyLinesLeaveRoomToTheCharts();
    void aSessionBringsBackTheLab();
    void theShownRunIsOfTheChosenLab();
    void choosingALabShowsIt();
    void wordsStandBelowTheirHeading();  // under a style sheet, which the others do without
};

/// The largest instance is drawn, and of its edges those that differ in the colour for them.
void TestLabPage::toursStandSideBySide()
{
    const QColor differing = methodStyle(0, false).colour;
    const auto coloured = [differing](LabTourView& view) {
        view.resize(600, view.heightForWidth(600));
        const QImage image = view.grab().toImage();
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                pixels += image.pixelColor(x, y) == differing;
        return pixels;
    };
    LabTours tours{"n3",
                   "n = 3",
                   {{0, 0}, {1, 0.5f}, {0.5f, 1}},
                   true,
                   {{"vanilla", {{0, 1, false}, {1, 2, false}}}, {"infoscale", {{0, 1, false}, {0, 2, false}}}}};
    LabTourView view;
    view.show(std::vector{tours, LabTours{"n1", "n = 1", {{0, 0}}, false, {}}});
    QVERIFY(!view.isHidden() && view.heightForWidth(600) > 200);
    QCOMPARE(coloured(view), 0);
    tours.panels[1].edges[1].differs = true;
    view.show({tours});
    QVERIFY(coloured(view) > 50);
    // the number of the place under the pointer, in both panels
    view.resize(600, view.heightForWidth(600));
    const int across = view.heightForWidth(600) - 44;
    const QPointF second(across, 22 + across / 2.0);  // (1, 0.5)
    for (const QPointF& at : {second, second + QPointF(across + LabTourView::gap - 3, 2)}) {
        QMouseEvent move(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&view, &move);
        QCOMPARE(view.namedPlace(), 1);
    }
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&view, &leave);
    QCOMPARE(view.namedPlace(), -1);
    view.show({});
    QVERIFY(view.isHidden());
    QCOMPARE(view.heightForWidth(600), 0);
}

/// The slider says how many boxes are drawn, and stays at all of them while it is left there.
void TestLabPage::packingsGrowBoxByBox()
{
    const auto background = [](LabPackingView& view) {
        view.resize(400, view.heightForWidth(400));
        const QImage image = view.grab().toImage();
        int pixels = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                pixels += image.pixelColor(x, y) == image.pixelColor(image.width() - 1, 0);
        return pixels;
    };
    LabPackings packings{
        "n2", "n = 2", 60, 50, {{"vanilla", {{0, {0, 0, 0}, {30, 20, 10}}, {1, {30, 0, 0}, {20, 50, 40}}}}}};
    LabPackingView view;
    view.show({packings});
    QVERIFY(!view.isHidden() && view.heightForWidth(400) > 200);
    QCOMPARE(view.boxes().value(), 2);
    const int two = background(view);
    view.boxes().setValue(1);
    QVERIFY(background(view) > two + 1000);
    view.boxes().setValue(2);
    packings.panels[0].boxes.push_back({2, {0, 20, 0}, {30, 30, 20}});
    view.show({packings});
    QCOMPARE(view.boxes().value(), 3);
    view.show({});
    QVERIFY(view.isHidden());
    QCOMPARE(view.heightForWidth(400), 0);
}

/// What opens the parameters moves no button that starts or ends a run.
void TestLabPage::startStaysWhereItIs()
{
    Desk desk;
    desk.page.setChoice(choose("max-retrieval"));
    QTest::qWait(20);
    const auto placeOf = [&](const QString& name) {
        for (const QPushButton* button : desk.page.findChildren<QPushButton*>())
            if (button->text() == name && button->isVisible() && !desk.page.canvas().isAncestorOf(button))
                return button->mapTo(&desk.page, QPoint());
        return QPoint(-1, -1);
    };
    const QPoint start = placeOf(QStringLiteral("Start")), stop = placeOf(QStringLiteral("Stop"));
    QVERIFY(start.y() > 0 && stop.y() == start.y());
    int opened = 0;
    for (QToolButton* button : desk.page.findChildren<QToolButton*>())
        if (button->isCheckable() && button->isVisible() && button->accessibleName() == "Parameters: Lab") {
            button->click();
            ++opened;
        }
    QVERIFY(opened > 0);
    QTest::qWait(50);
    QCOMPARE(placeOf(QStringLiteral("Start")), start);
    QCOMPARE(placeOf(QStringLiteral("Stop")), stop);
}

void TestLabPage::anotherLabHasItsOwnPresets()
{
    Desk desk;
    desk.page.setChoice(choose("eie"));
    QComboBox *presets = &desk.page.presets(), *lab = nullptr;
    for (QComboBox* list : desk.page.findChildren<QComboBox*>())
        if (list->accessibleName() == QLatin1String("Lab"))
            lab = list;
    QVERIFY(lab);
    QCOMPARE(presets->currentText(), QStringLiteral("With the defaults"));
    desk.page.setChoice(choose("eie"));
    lab->setFocus();
    QTest::keyClick(lab, Qt::Key_Down);
    QCOMPARE(lab->currentText(), QStringLiteral("Finding the largest"));
    QVERIFY(presets->findText(QStringLiteral("Test the head that comes with the program")) >= 0);
    QVERIFY(
        desk.page.canvas().findChild<QLabel*>()->text().contains(QLatin1String("find the largest of up to 16 items")));
    desk.page.setChoice(choose("max-retrieval:steps=5000,most_items=4096,sets=128"));
    QCOMPARE(presets->currentText(), QStringLiteral("Train one quickly"));
    desk.page.setChoice(choose("max-retrieval:steps=5001"));
    QCOMPARE(presets->currentIndex(), -1);
    for (const NumberControl* parameter : desk.page.findChildren<NumberControl*>())  // which the preset fills in
        QVERIFY(!parameter->isVisible() ||
                parameter->mapTo(&desk.page, QPoint()).y() > presets->mapTo(&desk.page, QPoint()).y());
}

/// Before there is a run of one's own, what the run found that comes with the program; of eie none does.
/// Ticks are one way to write the text, and the text is what is kept.
void TestLabPage::ticksWriteTheText()
{
    Desk desk;
    desk.page.setChoice(choose("causal-lm"));
    LabTextFields* fields = textFields(desk.page);
    QVERIFY(fields);
    TickedList& methods = fields->ticks("methods")->list();
    QVERIFY(methods.tickOf("vanilla")->isChecked() && !methods.tickOf("log_n")->isChecked());
    QVERIFY(fields->ticks("positions")->list().tickOf("yarn_rope")->isChecked());
    QVERIFY(!fields->ticks("text"));  // a file

    methods.tickOf("log_n")->click();
    const char* const ticked = "vanilla; softmax_plus:row=1; infoscale:row=1; log_n | rope; ntk; yarn_rope; rerope |";
    QCOMPARE(desk.page.choice().text, std::string(ticked));
    QCOMPARE(desk.document.look().labs.lab, formatChoice(desk.page.choice()));
    QCOMPARE(fields->whole()->text(), QString::fromLatin1(ticked));
    fields->ticks("positions")->list().tickOf("ntk")->click();
    QVERIFY(desk.page.choice().text.ends_with("| rope; yarn_rope; rerope |"));

    fields->ticks("positions")->list().tickOf("ntk")->click();  // at the end now
    methods.tickOf("log_n")->click();
    QCOMPARE(desk.page.choice().text,
             std::string("vanilla; softmax_plus:row=1; infoscale:row=1 | rope; yarn_rope; rerope; ntk |"));

    for (const char* id : {"softmax_plus", "infoscale", "vanilla"})  // none is no experiment: one stays
        methods.tickOf(id)->click();
    QVERIFY(methods.tickOf("vanilla")->isChecked());
    QVERIFY(desk.page.choice().text.starts_with("vanilla |"));
}

/// Parameters, several of one row, and what no row reads.
void TestLabPage::whatWasTypedIsTicked()
{
    Desk desk;
    desk.page.setChoice(choose("routing:\"ssmax:s=0.4; log_n; ssmax:s=0.5 | layer 1; both | |\""));
    LabTextFields* fields = textFields(desk.page);
    QVERIFY(fields);
    TickedField* methods = fields->ticks("methods");
    QVERIFY(methods->currentText().contains(QLatin1String("s = 0.4")) &&
            methods->currentText().contains(QLatin1String("s = 0.5")));
    const auto checked = [](TickedList& list) {
        QStringList names;
        for (const QCheckBox* tick : list.findChildren<QCheckBox*>())
            if (tick->isChecked() && qobject_cast<TickedList*>(tick->parentWidget()->parentWidget()))
                names << tick->accessibleName();
        return names;
    };
    QCOMPARE(checked(methods->list()).size(), 3);
    QVERIFY(checked(fields->ticks("where")->list()).contains(QStringLiteral("layer 1")));
    fields->ticks("where")->list().tickOf("layer 1")->click();
    QCOMPARE(desk.page.choice().text, std::string("ssmax:s=0.4; log_n; ssmax:s=0.5 | both | |"));

    methods->list().tickOf("log_n")->click();
    QCOMPARE(desk.page.choice().text, std::string("ssmax:s=0.4; ssmax:s=0.5 | both | |"));
    fields->whole()->setText(QStringLiteral("vanilla | decoder | |"));
    fields->whole()->setModified(true);
    emit fields->whole()->editingFinished();
    QCOMPARE(checked(methods->list()), QStringList{QStringLiteral("Vanilla")});
    QCOMPARE(checked(fields->ticks("where")->list()), QStringList{QStringLiteral("Decoder")});
}

/// What drops down moves nothing, stays while ticks change, and is of the keyboard too.
void TestLabPage::ticksOpenBelowTheirField()
{
    Desk desk;
    desk.page.setChoice(choose("masked-lm"));
    LabTextFields* fields = textFields(desk.page);
    QVERIFY(fields);
    for (QToolButton* button : desk.page.findChildren<QToolButton*>())
        if (button->accessibleName() == QLatin1String("Parameters: Lab"))
            button->setChecked(true);
    QCoreApplication::processEvents();
    TickedField* field = fields->ticks("positions");
    QVERIFY(field->isVisible());
    const QPoint before = field->mapToGlobal(QPoint());
    QTest::mouseClick(field, Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return field->popup()->isVisible(); }));
    QCOMPARE(field->popup()->geometry().left(), field->mapToGlobal(QPoint()).x());
    QTest::mouseClick(field->list().tickOf("alibi"), Qt::LeftButton, {},
                      QPoint(8, field->list().tickOf("alibi")->height() / 2));
    QVERIFY(field->popup()->isVisible());
    QVERIFY(desk.page.choice().text.find("alibi") != std::string::npos);
    QCOMPARE(field->mapToGlobal(QPoint()), before);
    QTest::keyClick(field->popup(), Qt::Key_Escape);
    QVERIFY(!field->popup()->isVisible());
    field->setFocus();
    QTest::keyClick(field, Qt::Key_Space);
    QVERIFY(field->popup()->isVisible());
    field->popup()->hide();
}

void TestLabPage::opensOnTheRecordedRun()
{
    Desk desk;
    QVERIFY(visibleCharts(desk.page) > 0);  // nobody chose: of a lab of which there is one
    desk.page.setChoice(choose("eie"));
    QCOMPARE(visibleCharts(desk.page), 0);
    desk.page.setChoice(choose("routing:vehicles=1"));
    QVERIFY(visibleCharts(desk.page) > 0);
    QVERIFY(desk.page.canvas().table().model().rowCount() > 0);
    QVERIFY(desk.page.canvas().findChild<QLabel*>()->text().contains(QLatin1String("comes with the program")));
    QVERIFY(
        !desk.page.canvas().findChild<QLabel*>()->text().contains(QLatin1String("methods:")));  // the legend has them
}

/// What both charts name is named once, above them; a name that is pointed at stands out in both.
void TestLabPage::oneLegendNamesTheLines()
{
    Desk desk;
    desk.page.setChoice(choose("max-retrieval"));
    QTest::qWait(20);  // until all are laid out
    SeriesLegend& legend = desk.page.canvas().legend();
    QVERIFY(legend.isVisible() && legend.series().size() > 10);
    std::vector<ChartView*> charts;
    for (ChartView* chart : desk.page.canvas().charts())
        if (chart->isVisible())
            charts.push_back(chart);
    QCOMPARE(charts.size(), std::size_t(2));
    for (const ChartView* chart : charts) {
        QCOMPARE(chart->spec().legend, Legend::None);
        for (const ChartSeries& series : chart->spec().series)
            QVERIFY(std::ranges::count(legend.series(), series.label, &ChartSeries::label) == 1);
        QVERIFY(chart->height() <= std::clamp(chart->width() * 2 / 3, 250, 420) + 8);
    }
    for (const QSize size : {QSize(1100, 720), QSize(1240, 590)}) {  // with its axes, above the table
        desk.page.resize(size);
        QTest::qWait(20);
        for (const ChartView* chart : charts) {
            const QWidget* seenIn = chart->parentWidget()->parentWidget();
            QVERIFY2(chart->mapTo(seenIn, QPoint(0, chart->height())).y() <= seenIn->height() && chart->height() >= 190,
                     qPrintable(QString::number(chart->height())));
        }
    }
    const QPoint first(8, 8);
    QTest::mouseMove(&legend, {legend.width() - 2, legend.height() - 2});
    QTest::mouseMove(&legend, first);
    for (const ChartView* chart : charts)
        QCOMPARE(chart->emphasis(),
                 std::ranges::find(chart->spec().series, legend.series().front().label, &ChartSeries::label)->style);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(&legend, &leave);
    for (const ChartView* chart : charts)
        QCOMPARE(chart->emphasis(), -1);
}

namespace {

/// Of a packing lab: as many kinds of network, each at two lengths.
LabRecord recordOf(const std::vector<std::string>& policies)
{
    LabRecord record;
    record.choice = choose("packing");
    for (std::size_t k = 0; k < policies.size(); ++k)
        for (const std::int64_t n : {20, 40})
            record.rows.push_back({"means",
                                   {{"policy", policies[k]},
                                    {"n", n},
                                    {"load_rate", 70.0 + static_cast<double>(k)},
                                    {"entropy_encoder", 1.0 + static_cast<double>(k)}}});
    return record;
}

const Lab& packing() { return **findRow(labs(), "packing", "lab"); }

const std::vector<std::string> manyPolicies{"vanilla", "log_n", "su_kappa",  "softmax_plus",  "infoscale", "yarn",
                                            "row_log", "ssmax", "log_power", "entropy_exact", "longrope",  "llama4"};

}  // namespace

/// A few lines where charts are wide enough, and then no legend says it again; where they are made narrow it is back.
void TestLabPage::linesAreNamedWhereTheyEnd()
{
    const LabRecord record = recordOf({manyPolicies.begin(), manyPolicies.begin() + 4});
    LabCanvas canvas;
    canvas.resize(2200, 1000);
    canvas.setVisible(true);
    canvas.show(packing(), std::vector<ShownRun>{{QStringLiteral("run"), &record}});
    QTest::qWait(20);
    QVERIFY(canvas.inFront().empty());
    int charts = 0;
    for (const ChartView* chart : canvas.charts())
        if (chart->isVisible()) {
            ++charts;
            QCOMPARE(chart->onScreen().legend, Legend::AtLineEnds);
        }
    QVERIFY(charts > 0);
    QVERIFY(!canvas.legend().isVisible());
    canvas.resize(420, 720);
    QTest::qWait(20);
    for (const ChartView* chart : canvas.charts())
        QVERIFY(!chart->isVisible() || chart->onScreen().legend != Legend::AtLineEnds);
}

/// Of twelve lines the first six of the legend stand out, the others are thin and drawn before them, in one grey; a
/// click on a name takes its line in, another one out, and what is pointed at stands out for as long.
void TestLabPage::manyLinesAreThinBehindAFew()
{
    const LabRecord record = recordOf(manyPolicies);
    LabCanvas canvas;
    canvas.resize(1200, 1000);
    canvas.setVisible(true);
    canvas.show(packing(), std::vector<ShownRun>{{QStringLiteral("run"), &record}});
    QTest::qWait(20);
    QCOMPARE(canvas.inFront().size(), std::size_t(6));
    SeriesLegend& legend = canvas.legend();
    QVERIFY(legend.isVisible());
    const auto behindIn = [&](const ChartView& chart) {
        QStringList behind;
        for (const ChartSeries& series : chart.spec().series)
            if (series.behind)
                behind << series.label;
        return behind;
    };
    const ChartView& chart = *canvas.charts().front();
    QCOMPARE(chart.onScreen().legend, Legend::None);
    QCOMPARE(behindIn(chart).size(), 6);
    std::vector<QString> policies;
    for (const std::string& policy : manyPolicies)
        policies.push_back(QString::fromStdString(policy));
    std::vector<int> own = variantStyles(policies), drawn;
    std::optional<QColor> behind;  // one for all of them, and a grey
    for (const ChartSeries& series : legend.series()) {
        const bool inFront = canvas.inFront().contains(series.style);
        QVERIFY2(inFront == !series.behind, qPrintable(series.label));
        const SeriesLook look = lookOf(series, windowStyle(false));
        if (!inFront && !behind)
            behind = look.colour;
        QVERIFY2(inFront ? look.colour.alpha() == 255 : look.colour == behind, qPrintable(series.label));
        drawn.push_back(series.style);
        for (const bool dark : {false, true})
            QVERIFY(contrast(methodStyle(series.style, dark).colour, windowStyle(dark).background) >= 3);
    }
    QVERIFY(behind && behind->saturationF() < 0.25F);
    std::ranges::sort(own);
    std::ranges::sort(drawn);
    QVERIFY(own == drawn);
    const QString first = legend.series().front().label;
    QVERIFY(!behindIn(chart).contains(first));
    const QString thin = behindIn(chart).front();
    emit legend.pointed(thin);
    QVERIFY(!behindIn(chart).contains(thin));
    emit legend.pointed({});
    QVERIFY(behindIn(chart).contains(thin));
    const auto click = [&](const QString& label) {
        emit legend.pointed(label);
        QTest::mousePress(&legend, Qt::LeftButton);
        emit legend.pointed({});
    };
    click(thin);
    QCOMPARE(canvas.inFront().size(), std::size_t(7));
    QVERIFY(!behindIn(chart).contains(thin));
    click(first);
    QCOMPARE(canvas.inFront().size(), std::size_t(6));
    QVERIFY(behindIn(chart).contains(first));
}

namespace {

/// How many of a table's rows are seen whole, in a canvas.
int rowsInSight(LabCanvas& canvas)
{
    const auto& view = *canvas.table().findChild<QTableView*>();
    int seen = 0;
    for (int row = 0; row < view.model()->rowCount(); ++row) {
        const int top = view.rowViewportPosition(row), bottom = top + view.rowHeight(row);
        const auto onCanvas = [&](int y) { return view.viewport()->mapTo(&canvas, QPoint(0, y)).y(); };
        seen += top >= 0 && bottom <= view.viewport()->height() && onCanvas(top) >= 0 &&
                onCanvas(bottom) <= canvas.height();
    }
    return seen;
}

QScrollBar& pageBar(LabCanvas& canvas) { return *canvas.findChild<QScrollArea*>()->verticalScrollBar(); }
QScrollBar& tableBar(LabCanvas& canvas) { return *canvas.table().findChild<QTableView*>()->verticalScrollBar(); }

/// One chart's lines, and so many rows of its table.
LabRecord recordOfRows(int rows)
{
    LabRecord record;
    record.choice = choose("packing");
    for (int n = 0; n < rows; ++n)
        record.rows.push_back({"quality", {{"n", std::int64_t{20 + n}}, {"load_rate", 70.0}}});
    for (const std::int64_t n : {20, 40})
        record.rows.push_back({"means", {{"policy", std::string("vanilla")}, {"n", n}, {"load_rate", 70.0}}});
    return record;
}

}  // namespace

/// The page scrolls, with all rows in it, or the table does; charts have the shape of charts, and stay where they are
/// as rows come.
void TestLabPage::oneBarAtMostAndRowsInSight()
{
    Desk desk;
    for (const char* lab : {"max-retrieval", "recall", "causal-lm", "packing", "routing", "masked-lm"})
        for (const QSize size : {QSize(1262, 640), QSize(1582, 920)}) {
            desk.page.resize(size);
            desk.page.setChoice(choose(lab));
            QTest::qWait(50);
            LabCanvas& canvas = desk.page.canvas();
            const QByteArray where = QByteArray(lab) + ' ' + QByteArray::number(size.height());
            QVERIFY2(pageBar(canvas).maximum() == 0 || !tableBar(canvas).isVisible(), where);
            for (const ChartView* chart : canvas.charts())
                if (chart->isVisible())
                    QVERIFY2(chart->height() >= 190 && chart->height() >= std::min(0.58 * chart->width(), 290.0) &&
                                 chart->height() <= chart->width(),
                             where + QByteArray(" %1 x %2")
                                         .replace("%1", QByteArray::number(chart->width()))
                                         .replace("%2", QByteArray::number(chart->height())));
            pageBar(canvas).setValue(pageBar(canvas).maximum());
            QTest::qWait(20);
            const int all = canvas.table().model().rowCount();
            QVERIFY2(rowsInSight(canvas) >= std::min(6, all), where + ' ' + QByteArray::number(rowsInSight(canvas)));
        }
    LabCanvas canvas;
    canvas.resize(900, 640);
    canvas.setVisible(true);
    std::vector<QRect> places;
    for (const int rows : {1, 3, 7, 60}) {
        const LabRecord record = recordOfRows(rows);
        canvas.show(packing(), std::vector<ShownRun>{{QStringLiteral("run"), &record}});
        QTest::qWait(20);
        places.push_back(canvas.charts().front()->geometry());
        QCOMPARE(places.back(), places.front());
        QCOMPARE(pageBar(canvas).maximum(), 0);
        QVERIFY(rowsInSight(canvas) >= std::min(rows, 6));
        QCOMPARE(tableBar(canvas).isVisible(), rows == 60);
    }
}

/// In a table that scrolls by itself, and in a page that does: from the end on, and not for a reader who went up.
void TestLabPage::aTableFollowsItsLastRow()
{
    for (const int height : {640, 330}) {
        LabCanvas canvas;
        canvas.resize(900, height);
        canvas.setVisible(true);
        const auto showRows = [&](int rows) {
            const LabRecord record = recordOfRows(rows);
            canvas.show(packing(), std::vector<ShownRun>{{QStringLiteral("run"), &record}});
            QTest::qWait(20);
        };
        showRows(60);
        const bool ofPage = pageBar(canvas).maximum() > 0;
        QCOMPARE(ofPage, height == 330);
        QScrollBar& bar = ofPage ? pageBar(canvas) : tableBar(canvas);
        QCOMPARE(bar.value(), 0);
        showRows(61);
        if (ofPage)  // the charts are looked at
            QCOMPARE(bar.value(), 0);
        bar.setValue(bar.maximum());
        showRows(70);
        QVERIFY(bar.value() == bar.maximum() && bar.maximum() > 0);
        const auto& view = *canvas.table().findChild<QTableView*>();
        QVERIFY(view.viewport()->rect().contains(view.visualRect(view.model()->index(69, 0)).center()));
        const int up = bar.maximum() - 60;
        bar.setValue(up);
        showRows(80);
        QCOMPARE(bar.value(), up);
        QVERIFY(bar.maximum() > up);
    }
}

/// Of few and narrow columns not at the other side of the page.
void TestLabPage::theBarStandsBesideItsTable()
{
    LabTable table;
    std::vector<LabRow> rows;
    for (std::int64_t n = 0; n < 60; ++n)
        rows.push_back({"quality", {{"n", n}, {"entropy", 0.5}}});
    table.show(packing(), rows, false);
    table.resize(1000, 300);
    table.setVisible(true);
    QTest::qWait(20);
    const auto* view = table.findChild<QTableView*>();
    const QScrollBar* bar = view->verticalScrollBar();
    QVERIFY(bar->isVisible());
    const int left = bar->mapTo(view, QPoint()).x();
    QVERIFY2(left >= view->horizontalHeader()->length() && left <= view->horizontalHeader()->length() + 4,
             qPrintable(QStringLiteral("%1, %2").arg(left).arg(view->horizontalHeader()->length())));
}

/// Where nothing has come yet, in the middle, as where nothing was started; and nothing to press.
void TestLabPage::whatComesIsSaid()
{
    LabCanvas canvas;
    canvas.resize(1000, 700);
    canvas.setVisible(true);
    const LabRecord nothing;
    canvas.show(packing(), {{QStringLiteral("a run"), &nothing}});
    QTest::qWait(20);
    QVERIFY(!canvas.startButton().isVisible());
    const auto isWanted = [](const QLabel* label) {
        return label->isVisible() && label->text() == QLatin1String("Packing");
    };
    const auto labels = canvas.findChildren<QLabel*>();
    const auto title = std::ranges::find_if(labels, isWanted);
    QVERIFY(title != labels.end());
    const QPoint at = (*title)->mapTo(&canvas, QPoint());
    QVERIFY2(at.x() > 150 && at.y() > 100, qPrintable(QStringLiteral("%1, %2").arg(at.x()).arg(at.y())));
    const LabRecord one = recordOf({"vanilla"});
    canvas.show(packing(), {{QStringLiteral("a run"), &one}});
    QVERIFY(!(*title)->isVisible());
    canvas.invite(packing(), nullptr);
    QVERIFY((*title)->isVisible() && canvas.startButton().isVisible());
}

/// The run ends: charts come above the rows that are read, and the table of its findings is there too. The row that is
/// chosen, or the first in sight, is where it was on the screen, of the same table; who reads none sees the findings.
void TestLabPage::rowsThatAreReadStay()
{
    LabRecord running, ended;
    running.choice = choose("packing");
    for (int step = 0; step < 60; ++step)
        running.rows.push_back({"training", {{"step", std::int64_t{step}}, {"load_rate", 20.0 + step}}});
    ended = running;
    for (const std::int64_t n : {20, 40})
        for (const char* table : {"quality", "means"})
            ended.rows.push_back({table,
                                  {{"policy", std::string("vanilla")},
                                   {"n", n},
                                   {"load_rate", 70.0},
                                   {"above_volume", -1.0},
                                   {"entropy_encoder", 1.0},
                                   {"entropy_decoder", 2.0}}});
    enum class Reads { Nothing, Chosen, Scrolled };
    for (const int height : {700, 400, 330})
        for (const Reads reads : {Reads::Nothing, Reads::Chosen, Reads::Scrolled}) {
            LabCanvas canvas;
            canvas.resize(900, height);
            canvas.setVisible(true);
            const auto show = [&](const LabRecord& record) {
                canvas.show(packing(), std::vector<ShownRun>{{QStringLiteral("run"), &record}});
                QTest::qWait(20);
            };
            show(running);
            auto& view = *canvas.table().findChild<QTableView*>();
            QCOMPARE(view.model()->rowCount(), 60);
            const bool ofPage = pageBar(canvas).maximum() > 0;
            QScrollBar& bar = ofPage ? pageBar(canvas) : tableBar(canvas);
            if (reads != Reads::Nothing)
                bar.setValue(bar.maximum() / 2);
            else if (!ofPage)
                bar.setValue(bar.maximum());  // it follows its last row
            QTest::qWait(20);
            const int row = view.rowAt(view.viewport()->height() - 60);
            if (reads == Reads::Chosen)
                view.selectRow(row);
            const auto place = [&] {
                return view.viewport()->mapTo(&canvas, QPoint(0, view.rowViewportPosition(row))).y();
            };
            const int before = place();
            const auto charts = [&] {
                return std::ranges::count_if(canvas.charts(), [](const ChartView* one) { return one->isVisible(); });
            };
            const auto chartsBefore = charts();
            show(ended);
            QVERIFY(charts() > chartsBefore);
            const QByteArray where = QByteArray::number(height) + ' ' + QByteArray::number(static_cast<int>(reads));
            QVERIFY2((view.model()->rowCount() == 2) == (reads == Reads::Nothing), where);
            if (reads != Reads::Nothing)
                QVERIFY2(place() == before, where + ' ' + QByteArray::number(place() - before));
            if (reads == Reads::Chosen)
                QCOMPARE(view.selectionModel()->selectedRows().front().row(), row);
        }
}

/// A page that was scrolled to its end shows its first chart, at once or when there is one; one that is seen whole
/// stays where it is.
void TestLabPage::aStartBringsTheCharts()
{
    const LabRecord before = recordOfRows(60);
    LabRecord begun, trains;
    begun.choice = choose("packing");
    for (int step = 0; step < 60; ++step)
        trains.rows.push_back({"training", {{"step", std::int64_t{step}}, {"load_rate", 20.0 + step}}});
    trains.choice = begun.choice;
    trains.rows.insert(trains.rows.end(), before.rows.begin(), before.rows.end());  // of its tests
    LabCanvas canvas;
    canvas.resize(900, 330);
    canvas.setVisible(true);
    const auto show = [&](const LabRecord& record, const char* name) {
        canvas.show(packing(), std::vector<ShownRun>{{QString::fromLatin1(name), &record}});
    };
    const auto top = [&] { return canvas.charts().front()->mapTo(&canvas, QPoint()).y(); };
    const auto isSeen = [&] { return top() >= 0 && top() + canvas.charts().front()->height() <= canvas.height(); };
    show(before, "before");
    QTest::qWait(20);
    pageBar(canvas).setValue(pageBar(canvas).maximum());
    QVERIFY(!isSeen());
    show(before, "before");
    canvas.bringCharts();
    QVERIFY(isSeen());
    pageBar(canvas).setValue(pageBar(canvas).value() + 4 <= top() ? pageBar(canvas).value() + 4 : 0);
    const int seen = pageBar(canvas).value();
    QVERIFY(isSeen());
    canvas.bringCharts();
    QCOMPARE(pageBar(canvas).value(), seen);
    pageBar(canvas).setValue(pageBar(canvas).maximum());
    show(begun, "begun");  // it has nothing yet
    canvas.bringCharts();
    show(trains, "begun");
    QVERIFY(isSeen());
    QTest::qWait(20);
    QVERIFY(isSeen());
    QVERIFY(pageBar(canvas).maximum() > 0);
    pageBar(canvas).setValue(pageBar(canvas).maximum());  // where a reader goes then stays
    show(trains, "begun");
    QTest::qWait(20);
    QVERIFY(!isSeen());
}

/// Another run was ticked meanwhile: it is still the one that is shown.
void TestLabPage::theEndOfARunLeavesWhatIsLookedAt()
{
    Desk desk;
    QVERIFY(desk.begin(quick) && desk.waitForEnd());
    QVERIFY(desk.begin(head));
    QTreeWidget& list = desk.page.list();
    QCOMPARE(list.topLevelItem(0)->checkState(0), Qt::Checked);  // the one that runs
    list.topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    list.topLevelItem(1)->setCheckState(0, Qt::Checked);
    list.setCurrentItem(list.topLevelItem(1));
    QVERIFY(desk.waitForEnd());
    QCOMPARE(list.topLevelItem(0)->checkState(0), Qt::Unchecked);
    QCOMPARE(list.topLevelItem(1)->checkState(0), Qt::Checked);
    QCOMPARE(desk.page.selected()->record.choice.id, std::string("eie"));
}

/// From its first rows to its end, of the table that was looked at.
void TestLabPage::aRowChosenWhileItTrainsStaysChosen()
{
    Desk desk;
    QVERIFY(desk.begin(longRun));
    LabCanvas& canvas = desk.page.canvas();
    auto& view = *canvas.table().findChild<QTableView*>();
    QVERIFY(QTest::qWaitFor([&] { return view.model()->rowCount() > 12; }, patience));
    desk.page.runner().setPaused(true);
    QTest::qWait(50);
    pageBar(canvas).setValue(pageBar(canvas).maximum());
    QTest::qWait(50);
    const int row = view.rowAt(view.viewport()->height() / 2);
    view.selectRow(row);
    QVERIFY(canvas.table().rowRead() == row);
    const LabCells before = canvas.table().model().rows()[static_cast<std::size_t>(row)].cells;
    const auto place = [&] { return view.viewport()->mapTo(&canvas, QPoint(0, view.rowViewportPosition(row))).y(); };
    const int y = place();
    desk.page.runner().setPaused(false);
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
    QTest::qWait(50);
    QVERIFY(view.model()->rowCount() > row);
    QVERIFY(canvas.table().model().rows()[static_cast<std::size_t>(row)].cells == before);
    QVERIFY(view.selectionModel()->isRowSelected(row));
    QCOMPARE(place(), y);
}

/// Rows have come at the end, where the page follows them, and a row is chosen before the page has grown: it stays.
void TestLabPage::aRowChosenAsOthersComeStaysChosen()
{
    LabRecord record{.choice = choose("eie")};
    const auto learn = [&](std::int64_t epochs) {
        for (std::int64_t i = 0; i < epochs; ++i)
            record.rows.push_back(
                {"training", {{"d", std::int64_t{4}}, {"epoch", std::ssize(record.rows) + 1}, {"loss", 0.5}}});
    };
    LabCanvas canvas;
    const auto show = [&] { canvas.show(**findRow(labs(), "eie", "lab"), {{QStringLiteral("run"), &record}}); };
    canvas.resize(700, 400);
    canvas.setVisible(true);
    learn(60);
    show();
    QTRY_VERIFY(pageBar(canvas).maximum() > 0);
    pageBar(canvas).setValue(pageBar(canvas).maximum());
    auto& view = *canvas.table().findChild<QTableView*>();
    const int row = view.rowAt(view.viewport()->height() / 2);
    const auto place = [&] { return view.viewport()->mapTo(&canvas, QPoint(0, view.rowViewportPosition(row))).y(); };
    const int before = pageBar(canvas).maximum();
    learn(5);
    show();
    QCOMPARE(pageBar(canvas).maximum(), before);  // not yet
    view.selectRow(row);
    const int y = place();
    QTRY_VERIFY(pageBar(canvas).maximum() > before);
    QCOMPARE(place(), y);
}

/// Numbers that change leave what is chosen; rows that other words or lengths name are other rows.
void TestLabPage::aRowInAnotherOrderIsNotTheChosenOne()
{
    const auto row = [](const char* method, std::int64_t n, LabValue measured) {
        return LabRow{"means", {{"method", std::string(method)}, {"n", n}, {"load_rate", std::move(measured)}}};
    };
    const auto chosenAfter = [&](const std::vector<LabRow>& rows) {
        LabTable table;
        table.resize(600, 300);
        table.setVisible(true);
        table.show(packing(), {row("vanilla", 20, 70.0), row("infoscale", 20, LabValue{})}, true);
        auto& view = *table.findChild<QTableView*>();
        view.selectRow(1);
        table.show(packing(), rows, true);
        const QModelIndexList chosen = view.selectionModel()->selectedRows();
        return chosen.isEmpty() ? -1 : chosen.front().row();
    };
    QCOMPARE(chosenAfter({row("vanilla", 20, 71.5), row("infoscale", 20, 72.5)}), 1);
    QCOMPARE(chosenAfter({row("vanilla", 20, 71.5), row("infoscale", 20, 72.5), row("infoscale", 40, 7.5)}), 1);
    QCOMPARE(chosenAfter({row("infoscale", 20, 72.5), row("vanilla", 20, 71.5)}), -1);
    QCOMPARE(chosenAfter({row("vanilla", 10, 60.0), row("infoscale", 10, 61.0), row("infoscale", 20, 72.5)}), -1);
}

/// 0.5 of a file is 50 per cent, in the table as in the chart; other labs have per cent in their files.
void TestLabPage::sharesAreInPerCent()
{
    const LabCells cells{{"n", std::int64_t{100}},
                         {"nll", 1.25},
                         {"accuracy", 0.5},
                         {"accuracy_stderr", 0.0123},
                         {"stderr", 0.1},
                         {"accuracy_change", -0.125},
                         {"policy", std::string("rope, vanilla")},
                         {"asked", std::int64_t{17}}};
    LabRowModel model;
    model.setRows({{"quality", cells}}, "masked-lm");
    const auto cell = [&](int column) { return model.data(model.index(0, column), Qt::DisplayRole).toString(); };
    const auto heading = [&](int column, int role = Qt::DisplayRole) {
        return model.headerData(column, Qt::Horizontal, role).toString().replace(u'\n', u' ').replace(u'\u00A0', u' ');
    };
    QCOMPARE(heading(1), QStringLiteral("Loss (nats)"));
    QCOMPARE(cell(1), QStringLiteral("1.25"));
    QCOMPARE(heading(2), QStringLiteral("Found (%)"));
    QCOMPARE(cell(2), QStringLiteral("50.0"));
    QCOMPARE(cell(3), QStringLiteral("1.2"));
    QCOMPARE(heading(5), QStringLiteral("\u0394 found (points)"));
    QVERIFY2(cell(5).startsWith(QStringLiteral("\u221212.5")), qPrintable(cell(5)));
    for (int column = 0; column < model.columnCount(); ++column) {
        const QString name = QString::fromStdString(cells[static_cast<std::size_t>(column)].first);
        QVERIFY2(heading(column, Qt::ToolTipRole).contains(name), qPrintable(name));
    }
    QVERIFY(heading(2, Qt::ToolTipRole).contains(QStringLiteral("a share of 1")));
    QVERIFY(heading(4, Qt::ToolTipRole).contains(QStringLiteral("Standard error of: Loss (nats)")));
    model.setRows({{"table1", {{"items", std::int64_t{16}}, {"accuracy", 98.5}}}}, "max-retrieval");
    QCOMPARE(cell(1).left(4), QStringLiteral("98.5"));

    LabRecord record;
    record.choice = choose("masked-lm");
    record.rows = {{"quality", cells}};
    bool found = false;
    const std::vector<ShownRun> runs{{QStringLiteral("run"), &record}};
    for (const ChartSpec& chart : labCharts(**findRow(labs(), "masked-lm", "lab"), runs))
        if (chart.y.title == QLatin1String("Found (%)")) {
            found = true;
            QCOMPARE(chart.series.front().points.front().y, 50.0);
        }
    QVERIFY(found);
}

/// 99.99 and 99.9 with errors of 0.012 and 0.31, beside shares without one: two decimals in all.
void TestLabPage::percentsHaveOneFormat()
{
    LabRowModel model;
    const auto row = [](double accuracy, double error, double recall) {
        return LabRow{
            "quality",
            {{"accuracy", accuracy}, {"accuracy_stderr", error}, {"recall", recall}, {"token_accuracy", 1.0}}};
    };
    model.setRows({row(0.9999, 0.00012, 1.0), row(0.999, 0.0031, 0.5)}, "algorithms");
    const auto cell = [&](int at, int column) {
        return model.data(model.index(at, column), Qt::DisplayRole).toString();
    };
    QCOMPARE(cell(0, 0), QStringLiteral("99.99"));
    QCOMPARE(cell(1, 0), QStringLiteral("99.90"));
    QCOMPARE(cell(1, 1), QStringLiteral("0.31"));
    QCOMPARE(cell(0, 2), QStringLiteral("100.00"));
    QCOMPARE(cell(1, 2), QStringLiteral("50.00"));
    QCOMPARE(cell(1, 3), QStringLiteral("100.00"));
}

/// Of records that were written when the column held a 1 for it, too.
void TestLabPage::aTemperatureOfEveryRowIsNoMultiplier()
{
    LabRowModel model;
    const auto row = [](const char* method, LabValue multiplier) {
        return LabRow{"table1", {{"method", std::string(method)}, {"multiplier", std::move(multiplier)}}};
    };
    model.setRows({row("vanilla|adaptive", 1.0), row("vanilla|refit", LabValue{}), row("vanilla", 1.0),
                   row("vanilla|sparsemax", 1.0), row("log_n", 2.7726), row("log_n|adaptive:c4=0.1", 2.7726)},
                  "max-retrieval");
    const QStringList shown{"by row", "by row", "1.000", "1.000", "2.773", "by row"};
    for (int at = 0; at < model.rowCount(); ++at)
        QCOMPARE(model.data(model.index(at, 1), Qt::DisplayRole).toString(), shown[at]);
}

/// What all rows have in common is said once, and is no column until a row has another value; which policy it is, other
/// columns say.
void TestLabPage::whatRowsHaveInCommonIsSaidOnce()
{
    LabTable table;
    table.resize(800, 300);
    table.setVisible(true);
    const auto row = [](std::int64_t seed, std::int64_t n) {
        return LabRow{"quality",
                      {{"seed", seed},
                       {"n", n},
                       {"method", std::string("log_n")},
                       {"policy", std::string("rope, log_n")},
                       {"nll", 1.25}}};
    };
    const QTableView& view = *table.findChild<QTableView*>();
    const auto hidden = [&] {
        QList<int> columns;
        for (int column = 0; column < view.model()->columnCount(); ++column)
            if (view.isColumnHidden(column))
                columns << column;
        return columns;
    };
    table.show(**findRow(labs(), "masked-lm", "lab"), {row(7, 100), row(7, 200)});
    QCOMPARE(hidden(), QList<int>({0, 3}));
    QCOMPARE(table.inCommon(), QStringLiteral("All rows: seed 7"));
    table.show(**findRow(labs(), "masked-lm", "lab"), {row(7, 100), row(7, 200), row(8, 100)});
    QCOMPARE(hidden(), QList<int>({3}));
    QCOMPARE(table.inCommon(), QString());
}

/// Of Vanilla nothing acts anywhere: the others have one place in common all the same.
void TestLabPage::whereAllActIsSaidOnce()
{
    LabTable table;
    table.resize(800, 300);
    const auto row = [](const char* method, LabValue where) {
        return LabRow{"quality",
                      {{"n", std::int64_t(50)}, {"method", std::string(method)}, {"where", std::move(where)}}};
    };
    const Lab& lab = **findRow(labs(), "packing", "lab");
    table.show(lab, {row("vanilla", {}), row("log_n", std::string("both")), row("yarn", std::string("both"))});
    QVERIFY(table.findChild<QTableView*>()->isColumnHidden(2));
    QCOMPARE(table.inCommon(), QStringLiteral("All rows: acts in encoder and decoder"));
    table.show(lab, {row("vanilla", {}), row("log_n", std::string("both")), row("yarn", std::string("encoder"))});
    QVERIFY(!table.findChild<QTableView*>()->isColumnHidden(2));
}

/// Where the right edge cuts a number, there is none: its first digits alone are another one.
void TestLabPage::aNumberThatIsCutIsNotShown()
{
    LabTable table;
    table.resize(420, 200);
    table.setVisible(true);
    const auto pictureOf = [&](std::int64_t last) {
        LabCells cells{{"method", std::string("log_n")}};
        for (int column = 0; column < 8; ++column)
            cells.emplace_back(fmt::format("number_{}", column), last);
        table.show(**findRow(labs(), "masked-lm", "lab"), {LabRow{"quality", cells}});
        return table.findChild<QTableView*>()->viewport()->grab().toImage();
    };
    const QImage one = pictureOf(1111), other = pictureOf(5807);
    const QTableView& view = *table.findChild<QTableView*>();
    int whole = 0, cut = 0;
    for (int column = 1; column < view.model()->columnCount(); ++column) {
        const int left = view.columnViewportPosition(column), right = left + view.columnWidth(column),
                  end = view.viewport()->width();
        if (left >= end)
            continue;
        const QRect cell = QRect(left, 0, std::min(right, end) - left, 24);
        QCOMPARE(one.copy(cell) == other.copy(cell), right > end);
        (right > end ? cut : whole) += 1;
    }
    QVERIFY(whole > 0 && cut == 1);
}

/// Where the columns have no room, a long name gives of its own before a number leaves; its tip has all of it.
void TestLabPage::aLongNameGivesRoom()
{
    LabTable table;
    table.setVisible(true);
    const QTableView& view = *table.findChild<QTableView*>();
    std::vector<LabRow> rows;
    for (int i = 0; i < 11; ++i)
        rows.push_back({"quality",
                        {{"method", std::string(i < 10 ? "yarn" : "a method that has a very long name, as few have")},
                         {"nll", 1.25},
                         {"p", 0.5}}});
    table.resize(900, 300);
    table.show(**findRow(labs(), "masked-lm", "lab"), rows);
    const int wide = view.columnWidth(0), all = view.horizontalHeader()->length();
    table.resize(all - 40, 300);
    QVERIFY2(view.columnWidth(0) <= wide - 40 + 12, qPrintable(QString::number(view.columnWidth(0))));
    QVERIFY(view.horizontalHeader()->length() <= view.viewport()->width());
    QVERIFY(view.model()->index(10, 0).data(Qt::ToolTipRole).toString().contains(QStringLiteral("as few have")));
}

/// The run that comes with the program has charts too: of the means over its bins.
void TestLabPage::packingsChartsComeFirst()
{
    Desk desk;
    desk.page.setChoice(choose("packing"));
    const auto charts = desk.page.canvas().charts();
    const auto load = std::ranges::find(charts, QStringLiteral("How full the bin is"), &QWidget::accessibleName);
    QVERIFY(load != charts.end() && !(*load)->isHidden());
    double sum = 0, n = 0;
    int bins = 0;
    const std::vector<BoardRun> shipped = shippedRuns().value_or(std::vector<BoardRun>());
    for (const BoardRun& run : shipped)
        if (run.record.choice.id == "packing" && bins == 0)
            for (const LabRow& row : run.record.rows)
                if (row.word("method") == "vanilla" && (n == 0 || row.number("n") == n)) {
                    n = row.number("n");
                    sum += row.number("load_rate");
                    ++bins;
                }
    QCOMPARE(bins, 3);
    bool found = false;
    for (const ChartSeries& series : (*load)->spec().series)
        for (const ChartPoint& point : series.points)
            found = found || (point.x == n && std::abs(point.y - sum / 3) < 1e-9);
    QVERIFY(found);
}

/// A dash of a column of words stands at the left with them, and so does the heading.
void TestLabPage::columnsHaveOneSideAndOneFormat()
{
    LabRowModel model;
    model.setRows({{"t", {{"where", LabValue{}}, {"p", 2e-17}, {"stderr", 0.2}, {"gain", -1.5}}},
                   {"t", {{"where", std::string("both")}, {"p", 0.65}, {"stderr", 0.19}, {"gain", 2.25}}}});
    const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
        return model.data(model.index(row, column), role);
    };
    const auto sideOf = [](const QVariant& alignment) { return alignment.toInt() & int(Qt::AlignHorizontal_Mask); };
    for (int column = 0; column < 4; ++column) {
        const int side = column == 0 ? Qt::AlignLeft : Qt::AlignRight;
        QCOMPARE(sideOf(model.headerData(column, Qt::Horizontal, Qt::TextAlignmentRole)), side);
        for (int row = 0; row < 2; ++row)
            QCOMPARE(sideOf(cell(row, column, Qt::TextAlignmentRole)), side);
    }
    QCOMPARE(cell(0, 1).toString(), QStringLiteral("<0.001"));
    QCOMPARE(cell(0, 2).toString(), QStringLiteral("0.20"));
    QCOMPARE(cell(1, 2).toString(), QStringLiteral("0.19"));
    QCOMPARE(cell(0, 3).toString(), QStringLiteral("\u22121.50"));
    QCOMPARE(cell(1, 3).toString(), QStringLiteral("+2.25"));  // a difference
    model.setRows({{"w", {{"gain", std::int64_t{1200}}, {"n", std::int64_t{3}}}},
                   {"w", {{"gain", std::int64_t{-4}}, {"n", std::int64_t{3}}}},
                   {"w", {{"gain", std::int64_t{0}}, {"n", std::int64_t{3}}}}});
    QCOMPARE(cell(0, 0).toString(), QStringLiteral("+1\u202F200"));  // of whole numbers too
    QCOMPARE(cell(1, 0).toString(), QStringLiteral("\u22124"));
    QCOMPARE(cell(2, 0).toString(), QStringLiteral("0"));
    QCOMPARE(cell(0, 1).toString(), QStringLiteral("3"));
    model.setRows({{"u", {{"share", 0.06307}, {"nll", 3.41}, {"stderr", 0.0412}, {"whole", std::int64_t{7}}}},
                   {"u", {{"share", std::int64_t{1}}, {"nll", 2.0}, {"stderr", 0.3}, {"whole", std::int64_t{1000}}}}});
    const QStringList expected[] = {{"0.0631", "3.410", "0.041", "7"}, {"1.0000", "2.000", "0.300", "1\u202F000"}};
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 4; ++column)
            QCOMPARE(cell(row, column).toString(), expected[row][column]);
}

namespace {

/// Of a table that is scrolled sideways: the columns that stay; null: it has none yet.
QTableView* stayingIn(const QTableView& table)
{
    for (auto* view : table.findChildren<QTableView*>())
        if (view->isVisible())
            return view;
    return nullptr;
}

/// Where the first ink from the left is in a part of the picture.
int firstInk(const QImage& picture, const QRect& part)
{
    const QRect within = part.intersected(picture.rect());
    for (int x = within.left(); x <= within.right(); ++x)
        for (int y = within.top() + 2; y < within.bottom() - 1; ++y)
            if (qGray(picture.pixel(x, y)) < 160)
                return x - within.left();
    return -1;
}

/// Of a heading, and of the cell below it.
std::pair<int, int> inkOfColumn(QTableView& table, int column)
{
    const QHeaderView& header = *table.horizontalHeader();
    const QRect heading(header.sectionViewportPosition(column), 0, header.sectionSize(column), header.height() - 2);
    return {firstInk(header.viewport()->grab().toImage(), heading),
            firstInk(table.viewport()->grab().toImage(), table.visualRect(table.model()->index(0, column)))};
}

}  // namespace

/// A table that is wider than its room keeps the columns at the left that say what a row is of, with its rows beside
/// theirs; a click there chooses the row, and nothing scrolls back. In tables of labs and of statistics.
void TestLabPage::rowsKeepTheirNames()
{
    LabTable lab;
    lab.resize(400, 300);
    lab.setVisible(true);
    std::vector<LabRow> rows;
    for (std::int64_t n = 20; n < 60; ++n) {
        rows.push_back({"means", {{"n", n}, {"method", std::string("vanilla")}}});
        for (const char* column : {"load_rate", "volume_order", "random_order", "above_volume", "above_random",
                                   "change", "entropy_encoder", "entropy_decoder"})
            rows.back().cells.emplace_back(column, 70.0 + static_cast<double>(n) / 7);
    }
    lab.show(packing(), rows);
    ValueTable values(QStringLiteral("Values"),
                      std::vector<ValueTable::Column>(12, {QStringLiteral("A long heading"), {}}));
    values.resize(600, 300);
    values.setRowCount(40);
    for (int row = 0; row < 40; ++row) {
        values.setWords(row, 0, QStringLiteral("Row %1").arg(row));
        for (int column = 1; column < 12; ++column)
            values.setNumber(row, column, row + column);
    }
    values.setVisible(true);
    values.fitColumns();
    for (QTableView* table : {lab.findChild<QTableView*>(), static_cast<QTableView*>(&values)}) {
        const int names = table == &values ? 1 : 2;
        QTest::qWait(20);
        QVERIFY(!stayingIn(*table));
        QScrollBar& across = *table->horizontalScrollBar();
        QVERIFY(across.maximum() > 100);
        across.setValue(across.maximum());
        QTableView* staying = stayingIn(*table);
        QVERIFY(staying);
        for (int column = 0; column < table->model()->columnCount(); ++column)
            QCOMPARE(staying->isColumnHidden(column), column >= names);
        table->verticalScrollBar()->setValue(table == &values ? 8 : 100);  // rows, or pixels
        QTest::qWait(20);
        for (const int row : {10, 11}) {
            const auto place = [&](const QTableView& view) {
                return view.viewport()->mapTo(table, QPoint(0, view.rowViewportPosition(row))).y();
            };
            QCOMPARE(place(*staying), place(*table));
            QCOMPARE(staying->rowHeight(row), table->rowHeight(row));
        }
        QVERIFY(staying->width() <= 0.6 * table->viewport()->width());
        const QPoint at = staying->visualRect(table->model()->index(10, 0)).center();
        QTest::mouseClick(staying->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(table->selectionModel()->isRowSelected(10));
        QTest::keyClick(table, Qt::Key_Down);
        QCOMPARE(table->currentIndex().row(), 11);
        QCOMPARE(across.value(), across.maximum());
        across.setValue(0);
        QVERIFY(!stayingIn(*table));
    }
}

/// A run adds rows to a table that is scrolled sideways and follows its last one; and what scrolls where names are
/// chosen scrolls all of the table.
void TestLabPage::rowsThatComeHaveTheirNamesBesideThem()
{
    LabTable lab;
    lab.resize(400, 300);
    lab.setVisible(true);
    std::vector<LabRow> rows;
    const auto showRows = [&](std::int64_t last) {
        for (auto n = static_cast<std::int64_t>(rows.size()); n < last; ++n) {
            rows.push_back({"means", {{"n", n}, {"method", std::string("vanilla")}}});
            for (const char* column : {"load_rate", "volume_order", "random_order", "above_volume", "above_random"})
                rows.back().cells.emplace_back(column, 70.0 + static_cast<double>(n) / 7);
        }
        lab.show(packing(), rows, true);
    };
    showRows(40);
    auto& table = *lab.findChild<QTableView*>();
    QTest::qWait(20);
    table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
    QScrollBar& down = *table.verticalScrollBar();
    down.setValue(down.maximum());
    QTest::qWait(20);
    QTableView* staying = stayingIn(table);
    QVERIFY(staying);
    const auto placeOf = [&](const QTableView& view, int row) {
        return view.viewport()->mapTo(&table, QPoint(0, view.rowViewportPosition(row))).y();
    };
    for (const int count : {47, 60, 61}) {
        showRows(count);
        QTest::qWait(20);
        QVERIFY(stayingIn(table) == staying);
        QVERIFY(down.value() == down.maximum() && down.maximum() > 0);
        QCOMPARE(placeOf(*staying, count - 1), placeOf(table, count - 1));
        QVERIFY(table.viewport()->rect().contains(table.visualRect(table.model()->index(count - 1, 6)).center()));
    }
    QScrollBar& beside = *staying->verticalScrollBar();
    QVERIFY(beside.value() > 200);
    beside.setValue(beside.value() - 130);
    QCOMPARE(down.value(), beside.value());
    QCOMPARE(placeOf(*staying, 50), placeOf(table, 50));

    ValueTable values(QStringLiteral("Values"),
                      std::vector<ValueTable::Column>(12, {QStringLiteral("A long heading"), {}}));
    values.resize(600, 300);
    values.setRowCount(40);
    values.setVisible(true);
    values.fitColumns();
    QTest::qWait(20);
    values.horizontalScrollBar()->setValue(values.horizontalScrollBar()->maximum());
    values.scrollToBottom();
    QTest::qWait(20);
    staying = stayingIn(values);
    QVERIFY(staying);
    for (const int count : {47, 60, 61}) {
        values.setRowCount(count);
        values.scrollToBottom();
        QTest::qWait(20);
        QVERIFY(values.verticalScrollBar()->maximum() > 0);
        QCOMPARE(values.verticalScrollBar()->value(), values.verticalScrollBar()->maximum());
        QCOMPARE(staying->rowViewportPosition(count - 1), values.rowViewportPosition(count - 1));
    }
}

/// As one that is chosen in the others does: a table that is filled again is sorted by it.
void TestLabPage::aSortChosenInPlaceStays()
{
    ValueTable table(QStringLiteral("Values"),
                     std::vector<ValueTable::Column>(12, {QStringLiteral("A long heading"), {}}));
    table.resize(600, 300);
    const auto fill = [&] {
        table.setSortingEnabled(false);
        table.setRowCount(3);
        for (int row = 0; row < 3; ++row) {
            table.setWords(row, 0, QStringLiteral("%1").arg(QLatin1Char("bca"[row])));
            for (int column = 1; column < 12; ++column)
                table.setNumber(row, column, row);
        }
        table.sortAgain(1, Qt::DescendingOrder);
    };
    const auto names = [&] { return table.item(0, 0)->text() + table.item(1, 0)->text() + table.item(2, 0)->text(); };
    fill();
    QCOMPARE(names(), QStringLiteral("acb"));
    table.setVisible(true);
    table.fitColumns();
    QTest::qWait(20);
    table.horizontalScrollBar()->setValue(table.horizontalScrollBar()->maximum());
    QTableView* staying = stayingIn(table);
    QVERIFY(staying);
    const auto click = [&] {
        QHeaderView& header = *staying->horizontalHeader();
        QTest::mouseClick(header.viewport(), Qt::LeftButton, {},
                          QPoint(header.sectionSize(0) / 2, header.height() / 2));
    };
    click();
    QCOMPARE(names(), QStringLiteral("abc"));
    fill();
    QCOMPARE(names(), QStringLiteral("abc"));
    click();
    QCOMPARE(names(), QStringLiteral("cba"));
    fill();
    QCOMPARE(names(), QStringLiteral("cba"));
}

/// Words stand below their heading, in tables with a model and in tables of items.
void TestLabPage::wordsStandBelowTheirHeading()
{
    applyTheme(*qApp, ThemeChoice::Light);
    LabTable lab;
    lab.resize(600, 200);
    lab.setVisible(true);
    lab.show(packing(), {{"t", {{"Hhh", std::string("Hhh")}, {"n", 1.0}}}});
    ValueTable values(QStringLiteral("Values"), {{QStringLiteral("Hhh"), {}}, {QStringLiteral("n"), {}}});
    values.resize(400, 200);
    values.setRowCount(1);
    values.setWords(0, 0, QStringLiteral("Hhh"));
    values.setNumber(0, 1, 1);
    values.setVisible(true);
    for (QTableView* table : {lab.findChild<QTableView*>(), static_cast<QTableView*>(&values)}) {
        const auto [heading, cell] = inkOfColumn(*table, 0);
        QVERIFY2(heading >= 6 && std::abs(heading - cell) <= 1,
                 qPrintable(QStringLiteral("%1 above %2").arg(heading).arg(cell)));
    }
}

/// What a run shows begins where its controls do.
void TestLabPage::resultsHaveOneLeftEdge()
{
    LabPictures pictures;
    pictures.show({{"vanilla/16", "vanilla, 16 items", "set", "item", Eigen::MatrixXf::Ones(16, 16)}});
    LabTourView tours;
    tours.show({{"n3",
                 "n = 3",
                 {{0, 0}, {1, 0.5f}, {0.5f, 1}},
                 true,
                 {{"vanilla", {{0, 1, false}, {1, 2, false}}}, {"infoscale", {{0, 1, false}, {0, 2, false}}}}}});
    for (QWidget* view : {static_cast<QWidget*>(&pictures), static_cast<QWidget*>(&tours)}) {
        view->resize(600, view->heightForWidth(600));
        const int ink = firstInk(view->grab().toImage(), view->rect());
        QVERIFY2(ink >= 0 && ink <= 2, qPrintable(QString::number(ink)));
    }
}

/// A window in place of a scale is no scale method, and known from each of them.
void TestLabPage::baselinesAreNoShadesOfVanilla()
{
    const std::vector<QString> variants{QStringLiteral("vanilla"), QStringLiteral("yarn"),
                                        QStringLiteral("vanilla|adaptive"), QStringLiteral("rope, vanilla|window:w=64"),
                                        QStringLiteral("log_n|adaptive")};
    const std::vector<int> styles = variantStyles(variants);
    QVERIFY(styles[3] == baselineStyle(0));
    QVERIFY(styles[0] == 0 && styles[1] < firstBaseline && styles[4] < firstBaseline);
    // a normaliser without a scale has a style that no method here has, and is called what it is
    QVERIFY(styles[2] < firstBaseline && std::ranges::count(styles, styles[2]) == 1);
    QCOMPARE(variantLabel(QStringLiteral("vanilla|entmax15")),
             QString::fromStdString(describeChoice(normalisers(), {"entmax15", {}, {}})));
    QCOMPARE(policyLabel(QStringLiteral("constraint, seed 2")), QStringLiteral("Constrained entropy, seed 2"));
}

/// Weights of 1/2: 0, 1, 1 average to 0, (1 + 0/2) / (3/2), (1 + 1/2 + 0/4) / (7/4); a gap counts nothing.
void TestLabPage::averagesAreThoseOfTheWeights()
{
    const std::vector<ChartPoint> averages = movingAverage({{1, 0}, {2, 1}, {3, std::nan("")}, {4, 1}}, 0.5);
    QCOMPARE(averages.size(), std::size_t(4));
    QCOMPARE(averages[0].y, 0.0);
    QCOMPARE(averages[1].y, 2.0 / 3);
    QVERIFY(std::isnan(averages[2].y));
    QCOMPARE(averages[3].y, 6.0 / 7);
    for (const ChartPoint& same : movingAverage({{1, 5}, {2, 5}, {3, 5}}, 0.97))
        QVERIFY(std::abs(same.y - 5) < 1e-12);
}

/// Training curves alone; the weight is there at the next start.
void TestLabPage::smoothedCurvesLieOnTheirOwn()
{
    QCoreApplication::setOrganizationName(QStringLiteral("attnscope-test"));
    QSettings().remove(QStringLiteral("smoothing"));
    Desk desk;
    QVERIFY(desk.begin(quick) && desk.waitForEnd());
    LabCanvas& canvas = desk.page.canvas();
    QVERIFY(canvas.smoothing().isVisible());
    const auto curve = [&] {
        for (const ChartView* chart : canvas.charts())
            if (chart->spec().title == QLatin1String("Loss"))
                return chart->spec();
        return ChartSpec();
    };
    const ChartSpec raw = curve();
    QVERIFY(!raw.series.empty());
    canvas.smoothing().enter(0.8);
    const ChartSpec smooth = curve();
    QCOMPARE(smooth.series.size(), 2 * raw.series.size());
    QVERIFY(smooth.series.front().ghost && smooth.series.front().opacity < 0.5);
    QVERIFY(smooth.series.front().points == raw.series.front().points);
    const ChartSeries& line = smooth.series[raw.series.size()];
    const QString plain = raw.series.front().known();
    QCOMPARE(smooth.series.front().known(), plain);
    QCOMPARE(line.known(), plain + QStringLiteral(", smoothed 0.8"));
    QVERIFY(!line.ghost && line.opacity == 1 && line.points != raw.series.front().points);
    QCOMPARE(line.points.front().y, raw.series.front().points.front().y);
    for (const ChartView* chart : canvas.charts())
        if (chart->isVisible() && chart->spec().x.title != smooth.x.title)
            for (const ChartSeries& series : chart->spec().series)
                QVERIFY2(!series.ghost, "what was tested is not smoothed");
    LabCanvas next;
    QCOMPARE(next.smoothing().value(), 0.8);
    QSettings().remove(QStringLiteral("smoothing"));
    QCoreApplication::setOrganizationName({});
}

void TestLabPage::onlyChartsThatNameTheSameShareALegend()
{
    const auto chart = [](const QStringList& names, int firstStyle = 0) {
        ChartSpec spec;
        spec.legend = Legend::Below;
        for (const QString& name : names) {
            ChartSeries series;
            series.label = name;
            series.style = firstStyle++;
            spec.series.push_back(series);
        }
        return spec;
    };
    std::vector<ChartSpec> charts{chart({"a", "b", "c"}), chart({"a", "b"}), chart({"x", "y"})};
    QStringList names;
    for (const ChartSeries& series : takeCommonLegend(charts))
        names << series.label;
    QCOMPARE(names, QStringList({"a", "b", "c"}));
    QCOMPARE(charts[0].legend, Legend::None);
    QCOMPARE(charts[1].legend, Legend::None);
    QCOMPARE(charts[2].legend, Legend::Below);
    charts = {chart({"a", "b"}), chart({"a", "b"}, 3)};  // of other colours
    QVERIFY(takeCommonLegend(charts).empty());
    QCOMPARE(charts[0].legend, Legend::Below);
    charts = {chart({"a", "b"})};
    QVERIFY(takeCommonLegend(charts).empty());
}

void TestLabPage::finishes()
{
    Desk desk;
    QVERIFY(desk.begin(quick));
    QVERIFY(desk.waitForEnd());
    QVERIFY(desk.page.selected() && desk.page.selected()->record.finished);
    QCOMPARE(desk.page.list().topLevelItemCount(), 1);
    QCOMPARE(visibleCharts(desk.page), 4);
    QVERIFY(desk.page.canvas().table().model().rowCount() > 0);
    const std::vector<LabRow> rows = desk.table("lambda");
    const Result<LabResult> alone = runLab({.choice = choose(quick)});
    QVERIFY(alone && !rows.empty());
    QCOMPARE(rows.back().number("learned"), alone->rows.back().number("learned"));
}

void TestLabPage::windowLivesWhileItTrains()
{
    Desk desk;
    QVERIFY(desk.begin(longRun));
    int updates = 0;
    connect(&desk.page.runner(), &LabRunner::changed, &desk.page, [&] { ++updates; });
    QVERIFY(QTest::qWaitFor([&] { return updates > 5 && visibleCharts(desk.page) > 1; }, patience));
    const double before = desk.page.runner().record().fraction;
    QVERIFY(QTest::qWaitFor([&] { return desk.page.runner().record().fraction > before; }, patience));
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
}

void TestLabPage::pauseHolds()
{
    Desk desk;
    QVERIFY(desk.begin(longRun));
    LabRunner& runner = desk.page.runner();
    QVERIFY(QTest::qWaitFor([&] { return runner.record().fraction > 0; }, patience));
    runner.setPaused(true);
    QSignalSpy updates(&runner, &LabRunner::changed);
    QTest::qWait(1000);
    QVERIFY(updates.count() <= 1);  // one may have been on its way, however long it took
    const double held = runner.record().fraction;
    QVERIFY(runner.isRunning() && runner.isPaused());
    const QTreeWidget& list = desk.page.list();
    const auto state = [&] { return list.topLevelItem(0)->text(list.columnCount() - 1); };
    QCOMPARE(state(), QStringLiteral("paused"));
    runner.setPaused(false);
    QVERIFY2(state().endsWith(u'%'), qPrintable(state()));
    QVERIFY(QTest::qWaitFor([&] { return runner.record().fraction > held; }, patience));
    runner.setPaused(true);
    desk.page.cancel();  // also while it is held
    QVERIFY(desk.waitForEnd());
}

void TestLabPage::cancelledIsKeptAndResumed()
{
    const char* const text = "eie:epochs=400,steps=2,batch=16,\"4:10:20\"";
    Desk desk;
    QVERIFY(desk.begin(text));
    QVERIFY(QTest::qWaitFor([&] { return desk.page.runner().record().fraction > 0; }, patience));
    const auto* list = desk.page.findChild<QTreeWidget*>();
    QTest::qWait(20);
    const int place = list->mapTo(&desk.page, QPoint()).y();
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
    QTest::qWait(20);
    QCOMPARE(list->mapTo(&desk.page, QPoint()).y(), place);  // though there is no progress to be shown
    QVERIFY(desk.page.selected() && !desk.page.selected()->record.finished);
    const double left = desk.page.selected()->record.fraction;
    QVERIFY(left > 0 && left < 1);
    QVERIFY(!desk.table("training").empty());  // what was seen is kept
    double first = -1;
    connect(&desk.page.runner(), &LabRunner::changed, &desk.page, [&] {
        if (first < 0 && desk.page.runner().record().fraction > 0)
            first = desk.page.runner().record().fraction;
    });
    desk.page.resumeSelected();
    QVERIFY(desk.waitForEnd());
    QVERIFY(first >= left);
    QVERIFY(desk.page.selected()->record.finished);
    const Result<LabResult> alone = runLab({.choice = choose(text)});
    QVERIFY(alone);
    QCOMPARE(desk.table("lambda").back().number("learned"), alone->rows.back().number("learned"));
}

void TestLabPage::whatIsTrainedOpensWhereverItWasStopped_data()
{
    QTest::addColumn<QString>("stage");
    QTest::addColumn<bool>("opens");
    QTest::addRow("in training") << "^training" << false;
    QTest::addRow("while the temperature is refitted") << "^refitting" << true;
    QTest::addRow("in the first tests") << "^testing" << true;
    QTest::addRow("in later tests") << "^testing \\d{3}" << true;
}

/// Held there, so that it is: the network can be opened once it is trained, before and after Stop, and the run has one
/// name. While it trains the time left is that of the training, and the tests are named.
void TestLabPage::whatIsTrainedOpensWhereverItWasStopped()
{
    QFETCH(QString, stage);
    QFETCH(bool, opens);
    Desk desk;
    QToolButton* open = nullptr;
    for (QToolButton* button : desk.page.findChildren<QToolButton*>())
        if (button->text() == QLatin1String("Open"))
            open = button;
    QVERIFY(open);
    LabRunner& runner = desk.page.runner();
    QString left;
    connect(&runner, &LabRunner::changed, &desk.page, [&] {
        const LabRecord& now = runner.record();
        if (now.stage == "training" && !runner.timeLeft().isEmpty())
            left = runner.timeLeft();
        if (QString::fromStdString(now.stage).contains(QRegularExpression(stage)) && now.fraction > 0)
            runner.setPaused(true);
    });
    const int steps = opens ? 400 : 100000;  // a run that is to be held in training is not over before it is
    QVERIFY(desk.begin(
        fmt::format("max-retrieval:steps={},batch=8,width=16,seeds=4,sets=256,most_items=1024,\"vanilla; log_n\"",
                    steps)
            .c_str()));
    QVERIFY(QTest::qWaitFor([&] { return runner.isPaused() || !runner.isRunning(); }, patience));
    QVERIFY2(runner.isPaused(), runner.record().stage.c_str());
    QVERIFY2(left.endsWith(QLatin1String(", then tests")) || left.isEmpty(), qPrintable(left));
    const QString name = desk.page.selected()->name;
    QCOMPARE(name, QStringLiteral("Finding the largest 1"));
    QCOMPARE(open->isEnabled(), opens);
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
    QVERIFY(!desk.page.selected()->record.finished);
    QCOMPARE(desk.page.selected()->name, name);
    QCOMPARE(open->isEnabled(), opens);
    const StoredRun run = *desk.page.selected();
    const auto file =
        std::ranges::find_if(run.record.files, [](const LabFile& each) { return each.scenario.has_value(); });
    QCOMPARE(file != run.record.files.end(), opens);
    if (!opens)
        return;
    desk.document.edit(QStringLiteral("Methods"), [](Scenario& scenario) { scenario.methods = {{"row_log", {}, {}}}; });
    QVERIFY(desk.page.open(run, static_cast<std::size_t>(file - run.record.files.begin())));
    QCOMPARE(desk.document.scenario().source.id, std::string("tensors"));
    QVERIFY2(desk.messages.message().contains(QLatin1String("in place of your methods; Undo brings them back")),
             qPrintable(desk.messages.message()));
    Scenario asked = desk.document.scenario();
    asked.view.curvePoints = 3;
    QVERIFY(analyse(asked, {}));
}

/// One step makes no line yet, and steps are whole.
void TestLabPage::theFirstStepIsAPoint()
{
    LabRecord record;
    record.choice = choose("max-retrieval");
    record.rows = {
        {"training", {{"seed", std::int64_t{1}}, {"step", std::int64_t{3}}, {"loss", 2.0}, {"accuracy", 25.0}}}};
    const ShownRun shown[] = {{QStringLiteral("run"), &record}};
    const auto charts = labCharts(**findRow(labs(), "max-retrieval", "lab"), shown);
    QCOMPARE(charts.size(), std::size_t(2));
    for (const ChartSpec& chart : charts) {
        QVERIFY(chart.series.front().shape == ChartSeries::Shape::LinePoints);
        QCOMPARE(chart.x.range->first, 0.0);
        QStringList ticks;
        for (const Tick& tick : chart.x.ticks)
            ticks << tick.text;
        QCOMPARE(ticks, QStringList({"0", "1", "2", "3"}));
    }
}

/// 4 rows of 16 columns are a quarter as high as wide; as high as 7/4 of the widest picture at most. Pictures fill the
/// row's width, those with many rows too.
void TestLabPage::picturesHaveSquareCells()
{
    const auto heightOf = [](Eigen::Index rows, Eigen::Index columns) {
        LabPictures pictures;
        pictures.show({{"vanilla/16", "vanilla, 16 items", "set", "item", Eigen::MatrixXf::Zero(rows, columns)}});
        return pictures.heightForWidth(600);
    };
    QCOMPARE(heightOf(8, 16) - heightOf(4, 16), 120);  // cells of 30: 480 across
    QCOMPARE(heightOf(32, 16), heightOf(64, 16));      // rows of many are lower
    QCOMPARE(heightOf(32, 16) - heightOf(4, 16), 260 - 120);
    // nine in a row are as high as their width says, with nothing blank above them
    QWidget column;
    auto* pictures = new LabPictures;
    std::vector<LabPicture> nine;
    for (int items = 16; items <= 4096; items *= 2)
        nine.push_back({fmt::format("vanilla/{}", items), fmt::format("vanilla, {} items", items), "set", "item",
                        Eigen::MatrixXf::Zero(32, 16)});
    pictures->show(nine);
    auto* below = new QLabel(QStringLiteral("below"));
    inColumn(&column, {pictures, below, stretch()}, 0, {0, 0, 0, 0});
    column.resize(1020, 800);
    column.show();
    QVERIFY(QTest::qWaitForWindowExposed(&column));
    QCOMPARE(pictures->y(), 0);
    QVERIFY2(below->y() - 26 - 20 - 18 - 12 == 204, qPrintable(QString::number(below->y())));  // 2 of 102 across
}

/// A window that goes while a lab runs leaves a run that the next window can resume.
void TestLabPage::closingLeavesACheckpoint()
{
    QTemporaryDir folder;
    MessageBar messages;
    {
        Workbench bench;
        LabPage page(bench, messages, folder.path());
        page.setChoice(choose(longRun));
        page.start();
        QVERIFY(QTest::qWaitFor([&] { return page.runner().record().fraction > 0; }, patience));
    }
    const std::vector<StoredRun> runs = RunStore(folder.path()).runs();
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(!runs[0].record.finished && runs[0].record.fraction > 0);
    QVERIFY(QFile::exists(runs[0].folder + QStringLiteral("/eie_d4_checkpoint.safetensors")));
}

void TestLabPage::resultsOpen_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<QString>("source");
    QTest::addRow("a learned scale is a method") << quick << "gaussian";
    QTest::addRow("a trained head is tensors") << head << "tensors";
}

void TestLabPage::resultsOpen()
{
    QFETCH(QString, lab);
    QFETCH(QString, source);
    Desk desk;
    QVERIFY(desk.begin(lab.toUtf8().constData()));
    QVERIFY(desk.waitForEnd());
    const StoredRun run = *desk.page.selected();
    const auto file =
        std::ranges::find_if(run.record.files, [](const LabFile& each) { return each.scenario.has_value(); });
    QVERIFY(file != run.record.files.end());
    QVERIFY(desk.page.open(run, static_cast<std::size_t>(file - run.record.files.begin())));
    const Scenario& now = desk.document.scenario();
    QCOMPARE(QString::fromStdString(now.source.id), source);
    Scenario asked = now;
    asked.view.curvePoints = 3;
    const auto analysis = analyse(asked, {});
    QVERIFY2(analysis, analysis ? "" : analysis.error().message.c_str());
    for (const MethodAnalysis& method : analysis->methods)
        QVERIFY2(method.absent.empty(), method.absent.c_str());
    desk.document.undo();
    QVERIFY(desk.document.scenario() != now);
    if (source == QLatin1String("tensors"))
        QVERIFY(desk.page.canvas().pictures().heightForWidth(600) > 200);
}

void TestLabPage::whatARunFoundCanBeCopied()
{
    const std::vector<LabRow> rows{
        {"t", {{"n", std::int64_t{7}}, {"p", 0.1}, {"who", std::string("a\tb")}, {"none", LabValue{}}}},
        {"t", {{"n", std::int64_t{8}}, {"p", 1e-9}, {"who", std::string("c")}, {"none", true}}}};
    QCOMPARE(labData(rows), QString("n\tp\twho\tnone\n7\t0.1\ta b\t\n8\t1e-09\tc\tyes\n"));
    const std::vector<LabPicture> pictures{
        {"vanilla/16", "", "set", "item", Eigen::MatrixXf{{0.5F, 0.25F}, {0.0F, 1.0F}}}};
    QCOMPARE(labData(pictures), QString("vanilla/16\nset \\ item\t0\t1\n0\t0.5\t0.25\n1\t0\t1\n"));

    Desk desk;
    QVERIFY(desk.begin(head));
    QVERIFY(desk.waitForEnd());
    auto* table = desk.page.findChild<LabTable*>();
    QVERIFY(table && !table->model().rows().empty());
    QCOMPARE(labData(table->model().rows()).count('\n'), std::ssize(table->model().rows()) + 1);
    for (QWidget* view :
         {static_cast<QWidget*>(table->findChild<QTableView*>()), static_cast<QWidget*>(&desk.page.canvas().pictures()),
          static_cast<QWidget*>(desk.page.canvas().charts().front())})
        QCOMPARE(view->contextMenuPolicy(), Qt::CustomContextMenu);
}

/// Below the charts and far from the window's corner: four cells, of which the last is the largest weight there is.
void TestLabPage::picturesArePaintedInTheirPlace()
{
    QWidget window;
    window.resize(700, 500);
    auto* pictures = new LabPictures(&window);
    pictures->setGeometry(300, 250, 380, 230);
    pictures->show({{"vanilla/16", "", "set", "item", Eigen::MatrixXf{{0.5F, 0.25F}, {0.0F, 1.0F}}}});
    const QImage seen = window.grab().toImage();
    const auto count = [&](QColor colour, const QRect& part) {
        const QRect area = QTransform::fromScale(seen.devicePixelRatio(), seen.devicePixelRatio()).mapRect(part);
        int found = 0;
        for (int y = area.top(); y <= area.bottom(); ++y)
            for (int x = area.left(); x <= area.right(); ++x)
                found += seen.pixelColor(x, y) == colour;
        return found;
    };
    const std::vector<QRgb> colours(colourMaps().front().colours.begin(), colourMaps().front().colours.end());
    for (const QRgb colour : {colours.front(), colours.back()})
        QVERIFY(count(QColor(colour), pictures->geometry()) > 1000);
    QCOMPARE(count(QColor(colours.back()), QRect(0, 0, 700, 250)), 0);
}

void TestLabPage::ticksCompare()
{
    Desk desk;
    for (const char* text : {quick, "eie:epochs=6,steps=2,batch=16,rate=0.001,\"4:10:20\"", head}) {
        QVERIFY(desk.begin(text));
        QVERIFY(desk.waitForEnd());
    }
    QTreeWidget& list = desk.page.list();
    QCOMPARE(list.topLevelItemCount(), 3);
    std::vector<QTreeWidgetItem*> eie;
    for (int row = 0; row < 3; ++row) {
        const bool wanted = list.topLevelItem(row)->text(1).startsWith(QLatin1String("Entropy-invariant scale"));
        list.topLevelItem(row)->setCheckState(0, wanted ? Qt::Checked : Qt::Unchecked);
    }
    const ChartSpec& loss = desk.page.canvas().charts()[2]->spec();
    QCOMPARE(loss.series.size(), std::size_t{2});
    QVERIFY(loss.series[0].label != loss.series[1].label && loss.series[0].style != loss.series[1].style);
    const ChartSpec& scale = desk.page.canvas().charts()[0]->spec();
    QCOMPARE(
        std::ranges::count_if(scale.series, [](const ChartSeries& s) { return s.label == QLatin1String("exact"); }),
        1);  // once, not once a run
}

/// Whoever remembers a run by its folder means no other: the number of one that is gone is not given again, by another
/// start of the program neither.
void TestLabPage::aNumberIsGivenOnce()
{
    QTemporaryDir folder;
    const QString root = folder.filePath(QStringLiteral("labs"));
    const Choice eie = choose(quick);
    const auto next = [&] { return QFileInfo(RunStore(root).newFolder(eie)).fileName(); };
    QCOMPARE(next(), QStringLiteral("eie 1"));
    QCOMPARE(next(), QStringLiteral("eie 2"));
    QCOMPARE(QFileInfo(RunStore(root).newFolder(choose(head))).fileName().section(QLatin1Char(' '), -1),
             QStringLiteral("1"));
    LabRecord record;
    record.choice = eie;
    QVERIFY(saveRecord((root + QStringLiteral("/eie 7")).toStdString(), record));
    const RunStore store(root);
    QCOMPARE(store.runs().size(), std::size_t{1});
    const auto inTrash = store.remove(store.runs().front());
    QVERIFY2(inTrash, inTrash ? "" : inTrash.error().message.c_str());
    QCOMPARE(next(), QStringLiteral("eie 8"));
    QVERIFY(store.putBack({{}, root + QStringLiteral("/eie 7"), record}, *inTrash));
}

void TestLabPage::recordsAreReadAgainWhereTheyChanged()
{
    QTemporaryDir folder;
    const RunStore store(folder.path());
    QVERIFY(store.isEmpty() && store.runs().empty());
    LabRecord record;
    record.choice = choose(quick);
    for (const double fraction : {0.25, 0.5}) {
        record.fraction = fraction;
        QVERIFY(saveRecord(folder.filePath(QStringLiteral("eie 1")).toStdString(), record));
        for (int times = 0; times < 2; ++times) {
            QCOMPARE(store.runs().size(), std::size_t{1});
            QCOMPARE(store.runs().front().record.fraction, fraction);
        }
    }
    QVERIFY(!store.isEmpty());
    QFile file(folder.filePath(QStringLiteral("eie 1/run.json")));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    file.close();
    QVERIFY(store.runs().empty());
    QVERIFY(QDir(folder.filePath(QStringLiteral("eie 1"))).removeRecursively());
    QVERIFY(store.runs().empty() && store.isEmpty());
}

void TestLabPage::oneRunAtATimeIsSaid()
{
    Desk desk;
    QVERIFY(desk.begin(longRun));
    desk.page.resumeSelected();
    QVERIFY2(desk.messages.message().contains(desk.page.selected()->name + QStringLiteral(" is running")),
             qPrintable(desk.messages.message()));
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
}

void TestLabPage::removedIsGone()
{
    Desk desk;
    QVERIFY(desk.begin(quick));
    QVERIFY(desk.waitForEnd());
    const QString folder = desk.page.selected()->folder;
    QVERIFY(QFile::exists(folder));
    const QString usual = QDir::currentPath();
    const QTemporaryDir here;
    QVERIFY(QDir::setCurrent(here.path()));
    desk.page.removeSelected();
    QCOMPARE(desk.page.list().topLevelItemCount(), 0);  // at once; its files go on another thread
    QCOMPARE(visibleCharts(desk.page), 0);
    QTRY_VERIFY(!desk.bench.saves.isBusy());
    QVERIFY(!QFile::exists(folder));
    QCOMPARE(desk.page.list().topLevelItemCount(), 0);
    QVERIFY2(QDir(here.path()).isEmpty(), "the working directory is no trash");
    QVERIFY(QDir::setCurrent(usual));
    QCOMPARE(desk.messages.buttons().size(), std::size_t{1});  // it is in the trash, not lost
    desk.messages.buttons().front()->click();
    QTRY_VERIFY(!desk.bench.saves.isBusy());
    const auto back = readRecord(folder.toStdString());
    QVERIFY2(back && back->finished, qPrintable(desk.messages.message()));
    QCOMPARE(desk.page.list().topLevelItemCount(), 1);
    QVERIFY(QDir(folder).removeRecursively());
}

/// Ticks belong to runs, not to lines of the list.
void TestLabPage::removingARunLeavesTheOthersTicked()
{
    Desk desk;
    for (int run = 0; run < 3; ++run) {
        QVERIFY(desk.begin(quick));
        QVERIFY(desk.waitForEnd());
    }
    QTreeWidget& list = desk.page.list();
    QCOMPARE(list.topLevelItemCount(), 3);
    for (int row = 0; row < 3; ++row)
        list.topLevelItem(row)->setCheckState(0, row == 2 ? Qt::Checked : Qt::Unchecked);
    const QString kept = list.topLevelItem(2)->text(1);
    list.setCurrentItem(list.topLevelItem(0));
    desk.page.removeSelected();
    QTRY_VERIFY(!desk.bench.saves.isBusy());
    QCOMPARE(list.topLevelItemCount(), 2);
    for (int row = 0; row < 2; ++row)
        QCOMPARE(list.topLevelItem(row)->checkState(0) == Qt::Checked, list.topLevelItem(row)->text(1) == kept);
}

/// Everything that was asked for is there, in whatever haste.
void TestLabPage::figuresAndCopiesAreAllWritten()
{
    QTemporaryDir folder;
    const QStringList wanted{folder.filePath("a.pdf"), folder.filePath("b.svg"), folder.filePath("c.png")};
    QString name;
    {
        Desk desk;
        QVERIFY(desk.begin(quick));
        QVERIFY(desk.waitForEnd());
        name = QFileInfo(desk.page.selected()->folder).fileName();
        for (const QString& path : wanted)
            desk.page.saveFigureAs(path);
        desk.page.copySelectedTo(folder.path());
        QVERIFY(desk.bench.saves.isBusy());
    }
    for (const QString& path : wanted)
        QVERIFY2(QFile::exists(path), qPrintable(path));
    QVERIFY(QFile::exists(folder.filePath(name + "/run.json")));
}

void TestLabPage::wrongParametersAreSaid()
{
    Desk desk;
    QVERIFY(desk.begin("eie:\"nonsense\""));
    QVERIFY(desk.waitForEnd());
    QVERIFY2(desk.messages.message().contains(QLatin1String("nonsense")), qPrintable(desk.messages.message()));
}

/// The lab with its parameters, and the page, by way of a session's text.
void TestLabPage::aSessionBringsBackTheLab()
{
    const Choice chosen = choose("routing:steps=0,vehicles=1");
    Session session;
    {
        Desk desk;
        QVERIFY(desk.document.look().labs.lab.empty() && desk.document.look().labs.page.empty());
        desk.page.setChoice(chosen);
        desk.page.showTours();
        session.look = desk.document.look();
    }
    const auto read = readSession(writeSession(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    Desk next;
    next.document.setLook(read->look);
    QCOMPARE(next.page.choice(), chosen);
    QCOMPARE(next.page.sections().shown(), QStringLiteral("tours"));
    QCOMPARE(next.page.presets().currentText(), QStringLiteral("The shipped network for vehicles"));
    next.page.openSweep(
        next.folder.path());  // a sweep is no page of a session, and no other change of the look leaves it
    next.document.editLook([](Look& look) { look.approximations = true; });
    QVERIFY(next.page.sections().shown().startsWith(QLatin1String("sweep:")));
    QCOMPARE(next.document.look().labs.page, std::string("tours"));
    next.document.editLook([](Look& look) { look.labs.lab = "alchemy:gold=1"; });
    QCOMPARE(next.page.choice(), chosen);
}

/// Of the runs that were kept the newest of the lab that is chosen; where none was chosen the newest of all, whose lab
/// is then.
void TestLabPage::theShownRunIsOfTheChosenLab()
{
    Desk desk;
    for (const char* text : {quick, head}) {
        QVERIFY(desk.begin(text));
        QVERIFY(desk.waitForEnd());
    }
    const QString root = desk.folder.filePath(QStringLiteral("labs"));
    const auto shownIn = [&](const char* lab) {
        Workbench bench;
        MessageBar messages;
        LabPage page(bench, messages, root);
        if (*lab)
            bench.document.editLook([&](Look& look) { look.labs.lab = lab; });
        page.show();
        (void)QTest::qWaitFor([&] { return page.list().topLevelItemCount() == 2; }, patience);
        const StoredRun* run = page.selected();
        return QStringList{QString::fromStdString(run ? run->record.choice.id : std::string()),
                           QString::fromStdString(page.choice().id)};
    };
    QCOMPARE(shownIn("eie:steps=3"), QStringList({"eie", "eie"}));
    QCOMPARE(shownIn("routing"), QStringList({"", "routing"}));
    QCOMPARE(shownIn(""), QStringList({"max-retrieval", "max-retrieval"}));
}

/// Whatever run was ticked: the newest of the lab, or where there is none what awaits, with no run ticked. Other
/// parameters of the same lab leave what is ticked.
void TestLabPage::choosingALabShowsIt()
{
    Desk desk;
    for (const char* text : {quick, head, quick}) {
        QVERIFY(desk.begin(text));
        QVERIFY(desk.waitForEnd());
    }
    const auto tickedRows = [&] {
        QList<int> rows;
        for (int row = 0; row < desk.page.list().topLevelItemCount(); ++row)
            if (desk.page.list().topLevelItem(row)->checkState(0) == Qt::Checked)
                rows << row;
        return rows;
    };
    const auto title = [&] { return desk.page.canvas().charts().front()->spec().title; };
    QCOMPARE(tickedRows(), QList<int>{0});
    desk.page.setChoice(choose("max-retrieval"));
    QCOMPARE(tickedRows(), QList<int>{1});
    QCOMPARE(desk.page.selected()->record.choice.id, std::string("max-retrieval"));
    QCOMPARE(title(), QStringLiteral("Loss"));
    desk.page.setChoice(choose("routing"));
    QVERIFY(tickedRows().isEmpty());
    QVERIFY(!desk.page.selected());
    desk.page.setChoice(choose("eie"));
    QCOMPARE(tickedRows(), QList<int>{0});
    desk.page.list().topLevelItem(0)->setCheckState(0, Qt::Unchecked);
    desk.page.list().topLevelItem(2)->setCheckState(0, Qt::Checked);
    desk.page.setChoice(choose("eie:steps=3"));
    QCOMPARE(tickedRows(), QList<int>{2});
    // and of one that runs, it goes on
    QVERIFY(desk.begin(longRun));
    desk.page.setChoice(choose("max-retrieval"));
    QCOMPARE(tickedRows(), QList<int>{2});
    QVERIFY(desk.page.runner().isRunning());
    desk.page.cancel();
    QVERIFY(desk.waitForEnd());
    QCOMPARE(tickedRows(), QList<int>{2});
}

/// Ids are the command line's; what is read has the names of the methods, of positions and of places.
void TestLabPage::rowsAndRunsSayNames()
{
    LabRowModel model;
    model.setRows({{"quality",
                    {{"method", std::string("softmax_plus:B=64")},
                     {"where", std::string("both")},
                     {"policy", std::string("rerope, log_n")},
                     {"task", std::string("tsp")},
                     {"n_over_train", 2.0},
                     {"network", std::string("vanilla|adaptive, seed 1")}}}});
    const auto cell = [&](int column) { return model.data(model.index(0, column), Qt::DisplayRole).toString(); };
    QCOMPARE(cell(0), QStringLiteral("Softmax Plus (B = 64)"));
    QCOMPARE(cell(5), QStringLiteral("Adaptive \u03B8, seed 1"));
    LabRecord sizes{.choice = choose("eie")};
    for (const std::int64_t d : {16, 32})
        sizes.rows.push_back({"training", {{"d", d}, {"epoch", std::int64_t{1}}, {"loss", 0.5}}});
    const auto charts = labCharts(**findRow(labs(), "eie", "lab"), std::vector<ShownRun>{{QString(), &sizes}});
    QCOMPARE(charts.front().series[1].label, QStringLiteral("$d = 32$"));
    QCOMPARE(cell(1), QStringLiteral("encoder and decoder"));
    QCOMPARE(cell(2), QStringLiteral("ReRoPE, Log n"));
    QCOMPARE(cell(3), QStringLiteral("tsp"));
    QCOMPARE(model.headerData(4, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("n / N"));
    QCOMPARE(parametersOf(choose("packing:steps=0,\"vanilla; log_n | encoder; both |\"")),
             QStringLiteral("training steps = 0, methods: Vanilla; Log n, where: encoder; encoder and decoder"));
    QCOMPARE(parametersOf(choose("max-retrieval:\"vanilla; vanilla|adaptive\"")),
             QStringLiteral("methods: Vanilla; Adaptive \u03b8"));
    const QString usual =
        QStringLiteral("methods: Vanilla; Softmax Plus; InfoScale, positions: RoPE; NTK-aware RoPE; ReRoPE (w = 64)");
    // of several runs what tells them apart, with what is a lab's default too; of one alone what is not
    QCOMPARE(whatDiffers({choose("packing:steps=0"), choose("recall:networks=5,seed=2"),
                          choose("recall:networks=5,seed=1"), choose("recall:networks=5,seed=2,\"vanilla\"")}),
             QStringList({QStringLiteral("training steps = 0"), QStringLiteral("seed = 2, ") + usual,
                          QStringLiteral("seed = 1, ") + usual, QStringLiteral("methods: Vanilla, seed = 2")}));
    QCOMPARE(whatDiffers({choose("recall:networks=5"), choose("recall:networks=5")}).join(u'|'),
             QStringLiteral("same settings|same settings"));
    QCOMPARE(whatDiffers({choose("recall:networks=5")}).join(u'|'), QStringLiteral("networks = 5"));
    // first what it takes to tell it from the others: the end of a line may have no room
    QCOMPARE(
        whatDiffers({choose("routing:seed=1,sets=512,steps=9"), choose("routing:seed=2,sets=512,steps=9"),
                     choose("routing:seed=2,sets=256,length=50,steps=8")}),
        QStringList({QStringLiteral("seed = 1, instances tested = 512, training steps = 9"),
                     QStringLiteral("seed = 2, instances tested = 512, training steps = 9"),
                     QStringLiteral("training length = 50, instances tested = 256, seed = 2, training steps = 8")}));
    QCOMPARE(whatDiffers({choose("recall:networks=5,seed=1"), choose("recall:networks=5,seed=2"),
                          choose("recall:networks=4,seed=3")}),
             QStringList({QStringLiteral("seed = 1, networks = 5"), QStringLiteral("seed = 2, networks = 5"),
                          QStringLiteral("seed = 3, networks = 4")}));
    // of long lists what is not in all of them, or how many there are
    const std::string many = "vanilla; log_n; softmax_plus; infoscale";
    const auto recall = [&](const std::string& text, int seed) {
        Choice run = choose("recall:networks=5");
        run.values["seed"] = seed;
        run.text = text;
        return run;
    };
    QCOMPARE(whatDiffers({recall(many + " | rope |", 1), recall(many + "; su_kappa | rope |", 1)}),
             QStringList({QStringLiteral("methods: 4"), QString::fromUtf8("methods with Su κ")}));
    QCOMPARE(whatDiffers({recall(many + " | rope |", 1)}).front().count(QLatin1Char(';')), 0);
    // a chart of one method beside references: the method's line is named too
    LabRecord record;
    record.choice = choose("packing");
    record.rows = {{"means",
                    {{"policy", std::string("log_n")},
                     {"n", std::int64_t{20}},
                     {"load_rate", 70.0},
                     {"volume_order", 71.0},
                     {"random_order", 60.0}}}};
    const ShownRun shown[] = {{QStringLiteral("run"), &record}};
    QStringList labels;
    for (const ChartSpec& chart : labCharts(**findRow(labs(), "packing", "lab"), shown))
        for (const ChartSeries& series : chart.series)
            labels << plainText(series.label);
    QVERIFY2(labels.contains("Log n"), qPrintable(labels.join('|')));
}

/// Lines within a fiftieth of what is spanned, at every abscissa of both; neither references nor single points are any.
void TestLabPage::linesThatCoincideAreCounted()
{
    ChartSpec chart;
    const auto add = [&](double first, double last, int style = 0) {
        ChartSeries& line = chart.series.emplace_back();
        line.style = style;
        line.points = {{1, first}, {2, last}};
    };
    QCOMPARE(coincidingLines(chart), 0);
    add(0, 100);
    QCOMPARE(coincidingLines(chart), 1);
    add(1, 99);
    add(1.9, 98.1);
    QCOMPARE(coincidingLines(chart), 3);
    add(0, 90);                           // leaves them at its end
    add(0, 100, ChartSeries::reference);  // no method
    QCOMPARE(coincidingLines(chart), 3);
    add(1, 98.5);
    QCOMPARE(coincidingLines(chart), 4);
    chart.series.back().points = {{1, 1}};
    QCOMPARE(coincidingLines(chart), 3);
}

void TestLabPage::manyLinesLeaveRoomToTheCharts()
{
    std::vector<ChartSeries> lines(70);
    for (std::size_t line = 0; line < lines.size(); ++line)
        lines[line].label = QStringLiteral("Position interpolation, method %1").arg(line);
    SeriesLegend legend;
    legend.resize(700, 10);
    legend.show({lines.begin(), lines.begin() + 9});
    QVERIFY(legend.named() == 9 && legend.more().isHidden());
    legend.show(lines);
    const int inShort = legend.height();
    QVERIFY2(inShort < 80 && legend.named() >= 6 && legend.named() < 70, qPrintable(QString::number(inShort)));
    QVERIFY(!legend.more().isHidden());
    QCOMPARE(legend.more().text(), QStringLiteral("%1 more lines").arg(70 - legend.named()));
    legend.more().click();
    QVERIFY(legend.named() == 70 && legend.height() > 2 * inShort);
    legend.more().click();
    QCOMPARE(legend.height(), inShort);
    for (ChartSeries& line : lines)
        line.behind = &line - lines.data() >= 4;
    legend.show(lines);
    QCOMPARE(legend.named(), std::size_t(4));  // one entry for all that are thin, whose tip names them
    QCOMPARE(legend.more().text(), QStringLiteral("66 more lines, drawn thin"));
    QVERIFY(legend.more().toolTip().contains(QLatin1String("method 4, ")));
    QVERIFY(!legend.more().toolTip().contains(QLatin1String("method 3, ")));
    QVERIFY(legend.height() <= inShort);
    lines[60].behind = false;  // a click took it in
    legend.show(lines);
    QCOMPARE(legend.named(), std::size_t(5));
    QCOMPARE(legend.more().text(), QStringLiteral("65 more lines, drawn thin"));
    legend.more().click();
    QVERIFY(legend.named() == 70 && !legend.more().isHidden());
}

QTEST_MAIN(TestLabPage)
#include "labs_test.moc"
