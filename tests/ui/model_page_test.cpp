// The Model workspace on a small model made on the spot, and, where ../shared is, on a published one: its charts show
// what a study finds, heads are chosen and read, what goes wrong is said in a sentence, and a head is looked at in
// Explore.
#include "tests/model/small_gguf.h"
#include "tests/ui/window_support.h"

#include "core/model/shipped_models.h"
#include "core/analysis/head_numbers.h"
#include "core/attention/engines.h"
#include "core/attention/row_detail.h"
#include "core/model/text_tokens.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/message_bar.h"
#include "ui/views/answer_line.h"
#include "ui/views/chart_view.h"
#include "ui/plot/qt_text.h"
#include "ui/views/head_overview.h"
#include "ui/views/heatmap_tile.h"
#include "ui/model/head_view.h"
#include "ui/model/model_controls.h"
#include "ui/model/heads_page.h"
#include "ui/model/model_page.h"
#include "ui/model/model_results.h"
#include "ui/widgets/value_table.h"
#include "ui/window/file_opener.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QHelpEvent>
#include <QLabel>
#include <QLayout>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QSplitter>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTextEdit>
#include <QToolTip>

#include <algorithm>
#include <cmath>

using namespace attnscope;
using namespace attnscope::testing;

namespace {

const QString sharedFolder = QStringLiteral(SHARED);

}  // namespace

class ModelPageTest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        prepareApplication();
        QVERIFY(m_folder.isValid());
        QCOMPARE(writeModel(smallModel("llama"), m_folder.path().toStdString()), std::string());
    }
    void init()
    {
        m_window = smallWindow();
        QVERIFY(m_window);
        m_window->document().editLook([](Look& look) {
            look.model.text = ModelText::Repeated;  // the small model has no tokeniser
            look.model.windows = 2;
            look.model.last = 4;
        });
    }
    void cleanup() { m_window.reset(); }

    void aFolderOpensTheWorkspace();
    void lengthsEndWhereLearnedPositionsDo();
    void aFileIsDropped_data();
    void aFileIsDropped();
    void buttonsKeepTheirWords();
    void itSaysWhatAModelIsWhileItOpens();
    void whatOtherProgramsKeepIsOffered();
    void whatComesAlongIsInTheMenus();
    void chartsShowWhatAStudyFinds();
    void headsAreChosenAndRead();
    void tipsCoverNoCells();
    void aHeadHasOneEntropy();
    void whatCanBeChosenIsShown();
    void signedNumbersAreColouredAroundZero();
    void twoCombinationsStandSideBySide();
    void whereTwoRunsOfAnEncoderDifferIsSeenWhole();
    void asCapturedAndInForce();
    void theMultiplierIsMeasured();
    void gradientsComeAfterTheRuns();
    void itsWeightsOpenTheModel_data();
    void itsWeightsOpenTheModel();
    void aHeadIsLookedAtInExplore();
    void whatIsWrongIsSaid_data();
    void whatIsWrongIsSaid();
    void whatCannotBeOpenedLeavesWhatIsOpen_data();
    void whatCannotBeOpenedLeavesWhatIsOpen();
    void weightsThatLackATensorLeadBack();
    void madeTextsAreAsLongAsTheLongest();
    void theTextPickedLastIsKept();
    void wrongNumbersAreNotTaken();
    void aModelOfItsOwnWordsBringsThem();
    void aTextThatIsTooLongIsSaid();
    void placesFollowTheirPositions();
    void stoppingKeepsWhatIsFound();
    void theSessionBringsItBack();
    void whatDoesNotCountIsNotAsked();
    void aPublishedModelReadsWords();
    void edgesOfACardAreOne();

private:
    ModelPage& page() { return m_window->model(); }
    ModelRunner& runner() { return m_window->model().runner(); }
    /// Until it is known whether there is a model, however long that takes.
    bool isKnown()
    {
        return QTest::qWaitFor([&] { return !m_window->opener().isLooking(); }, patience);
    }
    bool openSmall(std::vector<std::int64_t> lengths = {16, 32})
    {
        m_window->openFile(m_folder.path());
        if (!isKnown())
            return false;
        m_window->document().editLook([&](Look& look) { look.model.lengths = lengths; });
        return waitForAll();
    }
    QString writeGguf(const QString& name)
    {
        QFile file(m_folder.filePath(name));
        const std::string bytes = build::gguf(converted(smallModel("llama")).file);
        return file.open(QIODevice::WriteOnly) && file.write(bytes.data(), std::ssize(bytes)) == std::ssize(bytes)
                   ? file.fileName()
                   : QString();
    }
    bool waitForAll()
    {
        return QTest::qWaitFor(
            [&] {
                return runner().study() && !runner().isRunning() && runner().study()->complete() &&
                       runner().picture().analysis && runner().picture().a.of == runner().shown();
            },
            patience);
    }
    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
};

void ModelPageTest::aFolderOpensTheWorkspace()
{
    QVERIFY(openSmall());
    QCOMPARE(m_window->workspace(), QStringLiteral("model"));
    QVERIFY(page().isVisible());
    QVERIFY2(m_window->messages().message().isEmpty(), qPrintable(m_window->messages().message()));
    QVERIFY(page().controls()->stage().contains("all"));
    QCOMPARE(runner().lengths().size(), size_t(2));
    QCOMPARE(page().heads()->method()->count(), 3);
}

/// Unless other positions are asked for, which go on.
void ModelPageTest::lengthsEndWhereLearnedPositionsDo()
{
    QTemporaryDir folder;
    const SmallModel small = smallModel("gpt2");
    QCOMPARE(writeModel(small, folder.path().toStdString()), std::string());
    m_window->openModel(folder.path());
    QTRY_VERIFY(runner().model() && runner().model()->architecture.type == "gpt2");
    const std::int64_t learned = runner().model()->architecture.learnedPositions;
    QTRY_VERIFY(runner().tokens() > 4 * learned);
    QCOMPARE(std::ranges::max(runner().lengths()), learned);
    m_window->document().editLook([](Look& look) { look.model.positions = {"own", "alibi"}; });
    QCOMPARE(std::ranges::max(runner().lengths()), 4 * learned);
}

void ModelPageTest::aFileIsDropped_data()
{
    QTest::addColumn<QString>("name");
    QTest::addRow("by its ending") << QStringLiteral("small.gguf");
    QTest::addRow("by its first bytes") << QStringLiteral("sha256-0d0e647c7cc61c03");
}

void ModelPageTest::itsWeightsOpenTheModel_data()
{
    QTest::addColumn<bool>("dropped");
    QTest::addRow("Open") << false;
    QTest::addRow("dropped") << true;
}

/// The weights in a model's folder hold no queries and keys of tokens: the folder opens, and that is said.
void ModelPageTest::itsWeightsOpenTheModel()
{
    QFETCH(bool, dropped);
    const QString path = m_folder.filePath("model.safetensors");
    QVERIFY(QFile::exists(path));
    const Scenario before = m_window->document().scenario();
    m_window->document().editLook([](Look& look) { look.model.lengths = {16, 32}; });
    if (dropped) {
        QVERIFY(drop(m_window.get(), {QUrl::fromLocalFile(path)}));
    } else {
        m_window->openFile(path);
    }
    QTRY_COMPARE(m_window->workspace(), QStringLiteral("model"));
    QCOMPARE(m_window->document().look().model.folder, m_folder.path().toStdString());
    const QString said = m_window->messages().message();
    QVERIFY2(said.startsWith("model.safetensors holds the weights of a model, not queries and keys"), qPrintable(said));
    QVERIFY(m_window->document().scenario() == before);
}

/// A model's file on the window: its workspace, and it is among the recent ones.
void ModelPageTest::aFileIsDropped()
{
    QFETCH(QString, name);
    const QString path = writeGguf(name);
    QVERIFY(!path.isEmpty());
    QSignalSpy told(m_window.get(), &MainWindow::fileOpened);
    QVERIFY(drop(m_window.get(), {QUrl::fromLocalFile(path)}));
    QVERIFY(isKnown());
    QCOMPARE(m_window->workspace(), QStringLiteral("model"));
    m_window->document().editLook([&](Look& look) { look.model.lengths = {16, 32}; });
    QVERIFY(waitForAll());
    QVERIFY2(m_window->messages().message().isEmpty(), qPrintable(m_window->messages().message()));
    QCOMPARE(m_window->document().look().model.folder, path.toStdString());
    QCOMPARE(runner().model()->architecture.headSize, 6);
    QCOMPARE(told.size(), 1);
    QCOMPARE(QSettings().value("recent").toStringList().front(), path);
}

/// What offers a model or a text keeps all of its words, however narrow the page.
void ModelPageTest::buttonsKeepTheirWords()
{
    const auto buttons = page().findChildren<QPushButton*>();
    const auto manual = std::ranges::find(buttons, QStringLiteral("Where to get one"), &QPushButton::text);
    QVERIFY(manual != buttons.end());
    QWidget& others = *(*manual)->parentWidget();
    others.resize(others.layout()->minimumSize());
    others.layout()->activate();
    const auto four = others.findChildren<QPushButton*>();
    QCOMPARE(four.size(), 4);
    for (const QPushButton* button : four)
        QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
}

/// Family, sizes, what its numbers are stored in, how long it was trained and its positions: before the model is there.
void ModelPageTest::itSaysWhatAModelIsWhileItOpens()
{
    const QString path = writeGguf("small.gguf");
    QString before;
    connect(&runner(), &ModelRunner::opened, this, [&] {
        if (!runner().model())
            before = runner().about();
    });
    m_window->openFile(path);
    QVERIFY(QTest::qWaitFor([&] { return runner().model() != nullptr; }, patience));
    for (const char* part : {"Llama: 3 layers", "trained at 32", "parameters in F32, ", " kB", "Positions: RoPE"}) {
        QVERIFY2(before.contains(part), qPrintable(before));
        QTRY_VERIFY(std::ranges::any_of(page().controls()->findChildren<QLabel*>(), [&](const QLabel* label) {
            return label->text().replace(QChar(0xA0), QLatin1Char(' ')).contains(part);
        }));
    }
    // no line ends before the number of its words
    QVERIFY(std::ranges::any_of(page().controls()->findChildren<QLabel*>(), [](const QLabel* label) {
        return label->text().contains(QStringLiteral("trained at\u00A032"));
    }));
}

/// In the menus of the page and of the window, by a home folder of the test's.
void ModelPageTest::whatOtherProgramsKeepIsOffered()
{
    const QTemporaryDir home;
    const QByteArray before = qgetenv("HOME");
    const auto atTheEnd = qScopeGuard([&] { qputenv("HOME", before); });
    qputenv("HOME", home.path().toUtf8());
    QMenu* menu = page().controls()->openButton()->menu();
    const auto open = [&] {
        emit menu->aboutToShow();
        return menu->actions();
    };
    QVERIFY(
        std::ranges::any_of(open(), [](const QAction* action) { return action->text().contains("No models found"); }));
    QVERIFY(QDir().mkpath(home.filePath(".cache/llama.cpp")));
    QVERIFY(QFile::rename(writeGguf("x"), home.filePath(".cache/llama.cpp/Small-Q8_0.gguf")));
    QAction* offered = nullptr;
    for (QAction* action : open())
        if (action->text().startsWith("Small-Q8_0, ") && action->text().endsWith(" kB, Q8_0"))
            offered = action;
    QVERIFY(offered);
    QVERIFY(std::ranges::any_of(menu->actions(), [](const QAction* action) { return action->text() == "llama.cpp"; }));
    offered->trigger();
    QVERIFY(isKnown());
    QCOMPARE(m_window->document().look().model.folder, home.filePath(".cache/llama.cpp/Small-Q8_0.gguf").toStdString());
    QVERIFY(QTest::qWaitFor([&] { return runner().model() && runner().model()->architecture.layers == 3; }, patience));
}

/// File, Open an example model, masked: the workspace and its encoder. Its heads: Explore, bidirectional, with
/// the text's tokens.
void ModelPageTest::whatComesAlongIsInTheMenus()
{
    QAction *model = nullptr, *heads = nullptr;
    for (QAction* action : m_window->menuBar()->actions().front()->menu()->actions())
        if (action->menu())
            for (QAction* inside : action->menu()->actions())
                if (inside->text().startsWith("masked:"))
                    (model ? heads : model) = inside;
    QVERIFY(model && heads);
    model->trigger();
    QVERIFY(isKnown());
    QCOMPARE(m_window->workspace(), QStringLiteral("model"));
    m_window->document().editLook([](Look& look) { look.model.lengths = {32, 64}; });
    QVERIFY(waitForAll());
    QVERIFY2(m_window->messages().message().isEmpty(), qPrintable(m_window->messages().message()));
    QVERIFY(!runner().model()->architecture.causal);
    QCOMPARE(m_window->document().look().model.folder, std::string("masked"));
    heads->trigger();
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
    QTRY_VERIFY(m_window->document().scenario().source.id == "tensors");
    const Scenario& scenario = m_window->document().scenario();
    QCOMPARE(scenario.tensors.path, std::string("masked"));
    QCOMPARE(scenario.attention.mask.id, std::string("full"));
    QCOMPARE(scenario.attention.position.id, std::string("rope"));
}

void ModelPageTest::chartsShowWhatAStudyFinds()
{
    QVERIFY(openSmall());
    const StudyResult& study = *runner().study();
    QCOMPARE(study.cells.size(), size_t(6));  // two lengths, three methods
    const ChartSpec& chart = page().heads()->results()->quality()->spec();
    QCOMPARE(chart.series.size(), size_t(3));
    for (size_t method = 0; method < 3; ++method) {
        QCOMPARE(chart.series[method].style, int(method));
        for (size_t l = 0; l < 2; ++l) {
            const auto quality = study.cells[l * 3 + method].quality();
            QCOMPARE(chart.series[method].points[l].y, std::exp(quality->loss));
            QCOMPARE(chart.series[method].points[l].high, std::exp(quality->loss + *quality->standardError));
        }
    }
    QStringList said;  // of which windows: a search's are others
    for (const ElidedLabel* label : page().heads()->results()->findChildren<ElidedLabel*>())
        said << label->text();
    QVERIFY2(said.contains("last 4 tokens of 2 windows"), qPrintable(said.join('\n')));
    // the same numbers as without a window
    const auto again =
        runStudy(*runner().model(), repeatedTokens(runner().model()->architecture, 256, 33 * 2, 1), runner().request());
    QVERIFY(again);
    for (size_t c = 0; c < 6; ++c)
        QVERIFY(std::abs(again->cells[c].quality()->loss - study.cells[c].quality()->loss) <
                1e-6);                                      // float32, whose sums depend on how many threads share them
    page().heads()->results()->tabs()->setCurrentIndex(1);  // a tab that nobody sees is asleep
    QCOMPARE(page().heads()->results()->table()->rowCount(), 6);
    QVERIFY(page().heads()->results()->table()->asText().contains("Vanilla"));
    QVERIFY(!page().heads()->results()->places()->spec().series.empty());

    m_window->document().editLook([](Look& look) { look.model.perplexity = false; });
    QCOMPARE(page().heads()->results()->quality()->spec().series[0].points[0].y, study.cells[0].quality()->loss);
    // another position scheme: the chosen one has names, the others are faint, and the legend says so once
    m_window->document().editLook([](Look& look) {
        look.model.positions = {"own", "pi"};
        look.model.position = 1;
    });
    QVERIFY(waitForAll());
    int named = 0;
    for (const ChartSeries& series : page().heads()->results()->quality()->spec().series)
        named += !series.label.isEmpty();
    QCOMPARE(page().heads()->results()->quality()->spec().series.size(), size_t(7));
    QCOMPARE(named, 4);
    // and of the others the one beside it, which is told from its method's own line
    m_window->document().editLook([](Look& look) { look.model.beside = Combination{0, 1}; });
    QVERIFY(waitForAll());
    std::vector<const ChartSeries*> dashed;
    for (const ChartSeries& series : page().heads()->results()->quality()->spec().series)
        if (series.dashes == 1 && series.open && !series.label.isEmpty())
            dashed.push_back(&series);
    QCOMPARE(dashed.size(), size_t(1));
    QVERIFY(dashed.front()->label.contains(QStringLiteral("Its own")) && dashed.front()->style == 1);
}

/// Of one scheme of positions there is nothing to choose; a click on the chart chooses a length, and it says so.
void ModelPageTest::whatCanBeChosenIsShown()
{
    QVERIFY(openSmall());
    QVERIFY(!page().heads()->position()->isVisible());
    m_window->document().editLook([](Look& look) { look.model.positions.emplace_back("pi:s=2"); });
    QTRY_VERIFY(page().heads()->position()->isVisible());
    QCOMPARE(page().heads()->position()->count(), 2);
    ChartView& chart = *page().heads()->results()->quality();
    QVERIFY(chart.accessibleDescription().contains("nearest length"));
    QVERIFY2(chart.toolTip().isEmpty(), "it would lie over what is read at the pointer");
    QTest::mouseMove(&chart, chart.chartLayout().frame.center().toPoint());
    QTRY_COMPARE(chart.cursor().shape(), Qt::PointingHandCursor);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.chartLayout().frame.topLeft().toPoint() + QPoint(4, 40));
    QCOMPARE(m_window->document().look().model.n, std::int64_t(16));
}

/// And of one layer too the bar of colours has its title above it: the ramp, which alone is colourful, lies lower.
void ModelPageTest::signedNumbersAreColouredAroundZero()
{
    HeadOverview view;
    view.resize(360, view.sizeHint().height());
    view.setValues({{-0.1, 0.4}}, nullptr, headMeasure("slope"));
    view.resize(360, view.sizeHint().height());
    QCOMPARE(view.scale().low, -0.4);
    QCOMPARE(view.scale().high, 0.4);
    QCOMPARE(view.scale().map->id, std::string("diverging"));
    const QImage picture = view.grab().toImage();
    const double ratio = picture.devicePixelRatio(), below = view.cell(0, 0).bottom() + 8 + 4;
    const auto isColourful = [&](double y) {
        return picture.pixelColor(int(62 * ratio), int(y * ratio)).hsvSaturation() > 90;
    };
    QVERIFY(!isColourful(below) && isColourful(below + 16));
    for (const double last : {1.0, 1.0 + 1e-9}) {  // one value, but for its last digits
        view.setValues({{1, last}}, nullptr, headMeasures().front());
        QCOMPARE(view.scale().low, 0.5);
        QCOMPARE(view.scale().high, 1.5);
    }
    view.setValues({{1.5, 2.5}}, nullptr, headMeasures().front());
    QCOMPARE(view.scale().low, 1.5);
}

void ModelPageTest::headsAreChosenAndRead()
{
    QVERIFY(openSmall());
    const Architecture& a = runner().model()->architecture;
    HeadOverview* overview = page().heads()->overview();
    QCOMPARE(overview->values().size(), size_t(a.layers));
    const auto cell = runner().shownCell();
    QCOMPARE(overview->values()[1][1], meanEntropies(*cell)[1][1]);
    QTRY_VERIFY(overview->isVisible());
    QTest::mouseClick(overview, Qt::LeftButton, {}, overview->cell(1, 1).center().toPoint());
    QCOMPARE(m_window->document().look().model.layer, 1);
    QCOMPARE(m_window->document().look().model.head, 1);
    QVERIFY(waitForAll());
    QVERIFY(overview->accessibleDescription().startsWith("Layer 1, head 1: "));
    QTest::keyClick(overview, Qt::Key_Left);
    QCOMPARE(m_window->document().look().model.head, 0);
    QVERIFY(waitForAll());

    // the map is the head's, and its row reads in words: the weights of the largest keys
    const auto& picture = runner().picture();
    QCOMPARE(picture.analysis->keyCount, std::int64_t(32));
    HeatmapPlot* plot = page().heads()->head()->plot();
    QTRY_VERIFY(plot->isVisible() && plot->map().rows > 0);
    QTest::mouseClick(plot, Qt::LeftButton, {}, plot->frame().center());
    const std::int64_t row = m_window->document().look().model.row;
    QVERIFY(row > 8 && row < 24);
    const RowDetail detail = rowDetail(picture.a.prepared->head, picture.a.prepared->normaliser, row, 32,
                                       double(picture.a.prepared->scale[size_t(row)]))
                                 .value();
    const double most = *std::max_element(detail.weights.begin(), detail.weights.end());
    QVERIFY2(page().heads()->head()->reading().contains(QString::number(most, 'f', 2)),
             qPrintable(page().heads()->head()->reading()));
    QVERIFY(rowInWords(*picture.analysis, *picture.a.prepared, 3, 9).contains("does not see"));

    // other measures
    m_window->document().editLook([](Look& look) { look.model.measure = "share"; });
    for (const auto& layer : overview->values())
        for (const double share : layer)
            QVERIFY(share > 0 && share <= 1 + 1e-6);
    m_window->document().editLook([](Look& look) { look.model.measure = "slope"; });
    const auto at16 = meanEntropies(runner().study()->cells[0]), at32 = meanEntropies(runner().study()->cells[3]);
    QVERIFY(std::abs(overview->values()[0][1] - (at32[0][1] - at16[0][1]) / std::log(2.0)) < 1e-9);
}

/// A head's tip lies below all heads; maps have none, since what is pointed at is read below them.
void ModelPageTest::tipsCoverNoCells()
{
    QVERIFY(openSmall());
    HeadOverview* overview = page().heads()->overview();
    QTRY_VERIFY(overview->isVisible());
    const QPoint at = overview->cell(0, 1).center().toPoint();
    QHelpEvent help(QEvent::ToolTip, at, overview->mapToGlobal(at));
    QApplication::sendEvent(overview, &help);
    const QWidget* tip = nullptr;
    for (const QWidget* window : QApplication::topLevelWidgets())
        if (window->inherits("QTipLabel") && window->isVisible())
            tip = window;
    QVERIFY(tip);
    const int last = runner().model()->architecture.layers - 1;
    QVERIFY(tip->geometry().top() >= overview->mapToGlobal(overview->cell(last, 0).bottomLeft().toPoint()).y());
    QToolTip::hideText();
    for (const std::size_t map : {0, 1, 2})
        QVERIFY(page().heads()->head()->plot(map)->toolTip().isEmpty());
}

/// The number beside a head's map is the one that the overview has of it, and both say of which rows it is.
void ModelPageTest::aHeadHasOneEntropy()
{
    QVERIFY(openSmall());
    const Architecture& a = runner().model()->architecture;
    for (const std::int64_t n : {16, 32})
        for (int layer = 0; layer < a.layers; ++layer)
            for (int head = 0; head < a.heads; ++head) {
                m_window->document().editLook([&](Look& look) {
                    look.model.n = n;
                    look.model.layer = layer;
                    look.model.head = head;
                });
                QVERIFY(waitForAll());
                const double entropy = page().heads()->overview()->values()[size_t(layer)][size_t(head)];
                const auto* tile = page().heads()->head()->findChild<HeatmapTile*>();
                QTRY_VERIFY2(tile->caption().contains(QStringLiteral("%1 nats").arg(entropy, 0, 'f', 2)),
                             qPrintable(tile->caption()));
                QVERIFY(std::ranges::any_of(tile->findChildren<QWidget*>(), [](const QWidget* part) {
                    return part->toolTip().contains(u"over last 4 rows of 2 windows"_s);
                }));
                QCOMPARE(runner().howMeasured(), u"last 4 rows of 2 windows"_s);
            }
}

/// Its tokens see those behind them: the difference has every cell that both maps have.
void ModelPageTest::whereTwoRunsOfAnEncoderDifferIsSeenWhole()
{
    m_window->document().edit("Methods", [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}}, {"custom", {}, "3"}};
    });
    m_window->openModel(QStringLiteral("masked"));
    m_window->document().editLook([](Look& look) { look.model.beside = Combination{0, 1}; });
    QTRY_VERIFY_WITH_TIMEOUT(runner().picture().b && runner().picture().pictures, 60000);
    const MapPictures& pictures = *runner().picture().pictures;
    QVERIFY(pictures.difference && !pictures.difference->map->values.empty());
    const auto &a = pictures.methods[0].map->values, &b = pictures.methods[1].map->values,
               &difference = pictures.difference->map->values;
    QCOMPARE(difference.size(), a.size());
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > 1e-6F && b[i] > 1e-6F)
            QVERIFY2(std::abs(difference[i] - std::clamp(std::log10(b[i] / a[i]), -3.0F, 3.0F)) < 1e-3,
                     qPrintable(QStringLiteral("cell %1: %2").arg(i).arg(difference[i])));
}

/// Everything of two combinations: their maps on one scale and how they differ, heads by the difference, the loss place
/// by place, the sentence.
void ModelPageTest::twoCombinationsStandSideBySide()
{
    m_window->document().edit("Methods", [](Scenario& scenario) {
        scenario.methods = {{"vanilla", {}, {}}, {"log_n", {}, {}}, {"custom", {}, "3"}};
    });
    QVERIFY(openSmall());
    QComboBox* list = page().heads()->beside();
    QCOMPARE(list->count(), 3);  // nothing, and the two methods that are not A
    QVERIFY(!page().heads()->head()->plot(1)->isVisible());
    list->setCurrentIndex(2);
    emit list->activated(2);
    QCOMPARE(m_window->document().look().model.beside, std::optional(Combination{0, 2}));
    QTRY_VERIFY(runner().picture().b && runner().picture().b->of == runner().beside());
    const Picture& picture = runner().picture();
    QCOMPARE(picture.analysis->methods.size(), size_t(2));

    // maps: a cell a weight at this length, the third their ratio
    for (const size_t map : {0, 1, 2})
        QVERIFY(page().heads()->head()->plot(map)->isVisible());
    // the bar of their ratio stands beside what is read of A
    const auto parts = page().heads()->head()->findChildren<QWidget*>();
    const auto bar = std::ranges::find(parts, u"Colours of the difference"_s, &QWidget::accessibleName),
               said = std::ranges::find(parts, u"Which tokens the row looks at"_s, &QWidget::accessibleDescription);
    QVERIFY(bar != parts.end() && said != parts.end());
    QVERIFY(std::abs((*bar)->geometry().center().y() - (*said)->geometry().center().y()) <= 1);
    constexpr std::int64_t row = 20;
    const auto weightsOf = [](const PicturedHead& side) {
        const PreparedHead& head = *side.prepared;
        return rowDetail(head.head, head.normaliser, row, 32, double(head.scale[size_t(row)])).value().weights;
    };
    const auto ofA = weightsOf(picture.a), ofB = weightsOf(*picture.b);
    const auto key = static_cast<size_t>(std::ranges::max_element(ofA) - ofA.begin());
    const auto cell = [&](size_t map) {
        return page().heads()->head()->plot(map)->map().values[size_t(row * 32) + key];
    };
    QVERIFY(std::abs(cell(0) - ofA[key]) < 1e-5 && std::abs(cell(1) - ofB[key]) < 1e-5);
    QVERIFY(std::abs(ofA[key] - ofB[key]) > 1e-3);
    QVERIFY(std::abs(cell(2) - std::log10(ofB[key] / ofA[key])) < 1e-3);
    for (const MapPicture& map : picture.pictures->methods)
        QVERIFY(map.scale.low == picture.pictures->scale.low && map.scale.high == picture.pictures->scale.high);
    double most = 0;  // the range is the matrices', however few cells they are pooled into; to a power of ten
    for (std::int64_t at = 0; at < 32; ++at)
        for (const PicturedHead* side : {&picture.a, &*picture.b}) {
            const PreparedHead& head = *side->prepared;
            const auto detail = rowDetail(head.head, head.normaliser, at, 32, double(head.scale[size_t(at)])).value();
            for (const double weight : detail.weights)
                most = std::max(most, weight);
        }
    most = std::pow(10, std::ceil(std::log10(most) - 1e-6));
    QCOMPARE(picture.pictures->scale.high, most);
    const double low = picture.pictures->scale.low;
    PictureKey fewer = picture.key;
    fewer.pixels = 8;
    const auto pooled = pictureOf(fewer, nullptr, {});
    QVERIFY(pooled && pooled->analysis->methods.front().map.rows == 8);
    QCOMPARE(pooled->pictures->scale.high, most);
    QCOMPARE(pooled->pictures->scale.low, low);

    // all three follow one row and one part
    QTest::mouseClick(page().heads()->head()->plot(1), Qt::LeftButton, {},
                      page().heads()->head()->plot(1)->frame().center());
    QVERIFY(m_window->document().look().model.row > 8);
    QVERIFY(page().heads()->head()->reading(Side::A).startsWith("A: ") &&
            page().heads()->head()->reading(Side::B).startsWith("B: "));
    emit page().heads()->head()->plot(2)->zoomed(2, {16, 16});
    QTRY_VERIFY(runner().picture().region.rowEnd - runner().picture().region.rowBegin < 32);
    emit page().heads()->head()->plot(0)->fitted();

    // heads by what B has more than A, of the study's own numbers
    const auto a = meanEntropies(runner().study()->cells[3]), b = meanEntropies(runner().study()->cells[5]);
    for (size_t layer = 0; layer < a.size(); ++layer)
        for (size_t head = 0; head < a[layer].size(); ++head)
            QVERIFY(std::abs(page().heads()->overview()->values()[layer][head] - (b[layer][head] - a[layer][head])) <
                    1e-9);
    QCOMPARE(page().heads()->overview()->scale().low, -page().heads()->overview()->scale().high);
    QVERIFY(page().heads()->overview()->tip(0, 1).contains("A ") &&
            page().heads()->overview()->tip(0, 1).contains(", B "));

    // the loss place by place, paired; its mean over the places is the table's difference
    const ChartSpec& places = page().heads()->results()->places()->spec();
    QCOMPARE(places.series.size(), size_t(1));
    const auto expected = differenceByPlace(runner().study()->cells[5], runner().study()->cells[3], 18);
    QCOMPARE(places.series.front().points.size(), expected.size());
    for (size_t k = 0; k < expected.size(); ++k)
        QCOMPARE(places.series.front().points[k].y, expected[k].loss.mean);
    QVERIFY(page().heads()->stage()->text().contains("B, "));

    // A becomes what B is: there is nothing beside it; as captured there is one text and no difference of losses
    m_window->document().editLook([](Look& look) { look.model.method = 2; });
    QVERIFY(!runner().beside());
    QCOMPARE(list->currentIndex(), 0);
    QTRY_VERIFY(!page().heads()->head()->plot(1)->isVisible());
    QVERIFY(page().heads()->overview()->scale().low >= 0);
    m_window->document().editLook([](Look& look) {
        look.model.method = 0;
        look.model.captured = true;
    });
    QVERIFY(waitForAll());
    QTRY_VERIFY(page().heads()->head()->plot(1)->isVisible());
    QTRY_VERIFY(page().heads()->stage()->text().contains("put on the same run"));
    emit list->activated(0);
    QVERIFY(!m_window->document().look().model.beside);
}

void ModelPageTest::asCapturedAndInForce()
{
    QVERIFY(openSmall({32, 64}));  // the model's N, where the methods change nothing, and twice that
    const double inForce = runner().study()->cells[4].quality()->loss;
    m_window->document().editLook([](Look& look) { look.model.captured = true; });
    QVERIFY(waitForAll());
    const StudyResult& study = *runner().study();
    QCOMPARE(study.cells[4].quality()->loss, study.cells[3].quality()->loss);
    QVERIFY(study.cells[3].quality()->loss != inForce);
    QCOMPARE(page().controls()->policy()->currentText(), QStringLiteral("Entropies and maps"));
}

/// Where the multiplier is put in, the entropy is that of N: what the measure says of a head, checked on its rows.
void ModelPageTest::theMultiplierIsMeasured()
{
    m_window->openFile(m_folder.path());
    QVERIFY(isKnown());
    QVERIFY(QTest::qWaitFor([&] { return runner().model() != nullptr; }, patience));
    const std::int64_t trained = runner().model()->architecture.trainLength;
    m_window->document().edit("One", [](Scenario& scenario) { scenario.methods = {{"vanilla", {}, {}}}; });
    m_window->document().editLook([&](Look& look) {
        look.model.lengths = {2 * trained};
        look.model.windows = 1;
        look.model.measure = "keeps";
    });
    QVERIFY(waitForAll());
    QVERIFY(QTest::qWaitFor(
        [&] {
            return std::isfinite(page().heads()->overview()->values().back().back()) ||
                   !std::isnan(page().heads()->overview()->values().front().front());
        },
        patience));
    const double m = page().heads()->overview()->values()[0][0];
    QVERIFY(m > 0.2 && m < 5);
    auto head = prepareCaptured(*runner().picture().a.heads, 0, 0).value();
    const auto meanOf = [&](std::int64_t n, double multiplier) {
        const auto rows = (*chooseEngine("reference"))
                              ->summarise(head.head,
                                          {.normaliser = head.normaliser,
                                           .passes = {{.prefix = n,
                                                       .firstRow = 0,
                                                       .lastRow = n,
                                                       .scale = std::vector<double>(size_t(n), multiplier)}}},
                                          {})
                              .value();
        double sum = 0;
        for (const RowSummary& row : rows.front())
            sum += row.entropy / double(n);
        return sum;
    };
    if (2 * trained <= 256)  // from all rows, not from a sample
        QVERIFY(std::abs(meanOf(2 * trained, m) - meanOf(trained, 1)) < 1e-3);
    m_window->document().editLook([&](Look& look) { look.model.lengths = {trained}; });
    QVERIFY(runner().nothingMeasured().contains("longer n"));
}

/// The gradients of all heads are core's, of the shown combination, and of B beside it.
void ModelPageTest::gradientsComeAfterTheRuns()
{
    QVERIFY(openSmall({16}));
    m_window->document().editLook([](Look& look) {
        look.model.measure = "gradient";
        look.model.last = 0;
        look.model.beside = Combination{0, 1};
    });
    const auto allKnown = [&] {
        const HeadValues values = page().heads()->overview()->values();
        return !values.empty() && std::ranges::all_of(values, [](const auto& layer) {
            return std::ranges::all_of(layer, [](double value) { return std::isfinite(value); });
        });
    };
    QTRY_VERIFY(allKnown() && !runner().isRunning());
    const Model& model = *runner().model();
    const auto ids = *runner().opens().ids;
    HeadGradients sides[2];
    for (const std::size_t policy : {0, 1})
        sides[policy] = headGradients(model, ids, {.policy = runner().request().policies[policy], .n = 16}, {}).value();
    double largest = 0;
    for (std::size_t layer = 0; layer < sides[0].of.size(); ++layer)
        for (std::size_t head = 0; head < sides[0].of[layer].size(); ++head) {
            const double expected = sides[1].of[layer][head]->mean - sides[0].of[layer][head]->mean;
            largest = std::max(largest, std::abs(sides[0].of[layer][head]->mean));
            QVERIFY(std::abs(page().heads()->overview()->values()[layer][head] - expected) < 1e-4);
        }
    QVERIFY(largest > 1e-4);
    QVERIFY(page().heads()->overview()->tip(0, 0).contains("RoPE, base 10000; sees all keys before it"));
    QVERIFY(page().heads()->overview()->tip(0, 0).contains("nats"));
    QCOMPARE(runner().howMeasured(), "by " + QString::fromStdString(sides[0].by));
}

void ModelPageTest::aHeadIsLookedAtInExplore()
{
    QVERIFY(openSmall());
    m_window->document().editLook([](Look& look) {
        look.model.layer = 1;
        look.model.head = 1;
    });
    QVERIFY(waitForAll());
    const auto heads = runner().picture().a.heads;
    QTest::mouseClick(page().heads()->head()->explore(), Qt::LeftButton);
    QVERIFY(QTest::qWaitFor([&] { return m_window->document().scenario().source.id == "tensors"; }, patience));
    QCOMPARE(m_window->workspace(), QStringLiteral("explore"));
    QCOMPARE(m_window->document().scenario().tensors.head, 1);
    QVERIFY(QString::fromStdString(m_window->document().scenario().tensors.query).contains("layer1"));
    QVERIFY(settle(*m_window));
    QCOMPARE(m_window->analyser().current()->keyCount, std::int64_t(32));
}

void ModelPageTest::whatIsWrongIsSaid_data()
{
    QTest::addColumn<QByteArray>("config");
    QTest::addColumn<QString>("says");
    QTest::addRow("an empty folder") << QByteArray() << QStringLiteral("config.json");
    QTest::addRow("no JSON") << QByteArray("hello") << QStringLiteral("config.json");
    QTest::addRow("a kind that is not run") << QByteArray(R"({"model_type": "mamba"})") << QStringLiteral("mamba");
    QTest::addRow("absurd sizes") << QByteArray(
                                         R"({"model_type": "llama", "num_hidden_layers": 1e300, "hidden_size": -3})")
                                  << QStringLiteral("config.json");
}

void ModelPageTest::whatIsWrongIsSaid()
{
    QFETCH(QByteArray, config);
    QFETCH(QString, says);
    QTemporaryDir folder;
    if (!config.isEmpty()) {
        QFile file(folder.filePath("config.json"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(config) == config.size());
    }
    const auto isSaidOnce = [this](const QString& words) {  // in one place, once
        const auto labels = m_window->findChildren<QLabel*>();
        return std::ranges::count_if(labels, [&](const QLabel* label) {
                   return label->isVisible() && label->text().contains(words);
               }) == 1;
    };
    m_window->openFile(folder.path());
    const auto offersOthersUnlessItOpens = [this] {
        const auto all = page().findChildren<QPushButton*>();
        const auto opener = std::ranges::find(all, u"Open a GGUF file\u2026"_s, &QPushButton::text);
        const auto labels = page().findChildren<QLabel*>();
        const bool opens = std::ranges::find(labels, u"Opening\u2026"_s, &QLabel::text) != labels.end();
        return opener != all.end() && (*opener)->parentWidget()->isHidden() == opens;
    };
    QVERIFY(offersOthersUnlessItOpens());
    QVERIFY(QTest::qWaitFor([&] { return isSaidOnce(says); }, patience));
    QVERIFY(offersOthersUnlessItOpens());
    QVERIFY(openSmall());  // and the next one opens
    QVERIFY(!isSaidOnce(says));

    m_window->document().editLook(
        [](Look& look) { look.model.text = ModelText::Manual; });  // there is no tokeniser for it
    QVERIFY(QTest::qWaitFor([&] { return isSaidOnce("random tokens need none"); }, patience));
    const auto buttons = page().findChildren<QPushButton*>();  // and a button takes those
    const auto random = std::ranges::find(buttons, QStringLiteral("Random tokens"), &QPushButton::text);
    QVERIFY(random != buttons.end() && (*random)->isVisible());
    QTest::mouseClick(*random, Qt::LeftButton);
    QVERIFY(waitForAll());
    m_window->document().editLook([](Look& look) {
        look.model.text = ModelText::File;
        look.model.file = "/no/such/file.txt";
    });
    QVERIFY(QTest::qWaitFor([&] { return isSaidOnce("/no/such/file.txt"); }, patience));
    const auto* panes = m_window->model().findChild<QSplitter*>(QStringLiteral("model panes"));
    QTRY_COMPARE(panes->mapTo(&m_window->model(), QPoint()), QPoint());  // no room for tabs that are not there
}

void ModelPageTest::whatCannotBeOpenedLeavesWhatIsOpen_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("says");
    QTest::addRow("a folder without a model") << "nothing" << QByteArray() << "a .gguf file";
    QTest::addRow("a folder that lacks its weights") << "nothing/config.json" << QByteArray() << "model.safetensors";
    QTest::addRow("no GGUF file") << "garbage.gguf" << QByteArray("garbage, garbage") << "garbage.gguf";
    QTest::addRow("a broken GGUF file") << "broken.gguf" << QByteArray("GGUF\x03\0\0\0\xff\xff\xff\xff\xff", 13)
                                        << "broken.gguf";
    QTest::addRow("no tensors") << "garbage.safetensors" << QByteArray("garbage, garbage") << "garbage.safetensors";
}

/// The model, what was found of it, and the workspace; why, and what to do, stands in the message bar.
void ModelPageTest::whatCannotBeOpenedLeavesWhatIsOpen()
{
    QFETCH(QString, name);
    QFETCH(QByteArray, bytes);
    QFETCH(QString, says);
    QTemporaryDir folder;
    QString path = folder.filePath(name);
    if (name.startsWith(QLatin1String("nothing"))) {
        path = folder.filePath(QStringLiteral("nothing"));
        QVERIFY(QDir().mkpath(path));
        if (name.endsWith(QLatin1String("config.json")))
            QVERIFY(QFile::copy(m_folder.filePath(QStringLiteral("config.json")), folder.filePath(name)));
    } else {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size());
    }
    QVERIFY(openSmall());
    const auto model = runner().model();
    const auto study = runner().study();
    const Look look = m_window->document().look();
    const Scenario scenario = m_window->document().scenario();
    QSignalSpy told(m_window.get(), &MainWindow::fileOpened);
    m_window->openFile(path);
    QTRY_VERIFY(m_window->messages().showsError());
    QVERIFY2(m_window->messages().message().contains(says), qPrintable(m_window->messages().message()));
    QTest::qWait(50);
    QVERIFY(runner().model() == model && runner().study() == study);
    QVERIFY(m_window->document().look() == look && m_window->document().scenario() == scenario);
    QVERIFY(told.isEmpty());
    m_window->setWorkspace(exploreWorkspace);
    m_window->openFile(path);
    QTRY_VERIFY(m_window->messages().showsError());
    QCOMPARE(m_window->workspace(), exploreWorkspace);
    QVERIFY(m_window->document().scenario() == scenario);
}

/// What its config and headers do not tell, its weights do: the model before is opened again.
void ModelPageTest::weightsThatLackATensorLeadBack()
{
    QTemporaryDir folder;
    SmallModel lacking = smallModel("llama");
    QCOMPARE(lacking.tensors.erase("model.norm.weight"), std::size_t(1));
    QCOMPARE(writeModel(lacking, folder.path().toStdString()), std::string());
    QVERIFY(openSmall());
    m_window->openFile(folder.path());
    QTRY_VERIFY(m_window->messages().showsError());
    QVERIFY2(m_window->messages().message().contains("model.norm.weight"), qPrintable(m_window->messages().message()));
    QCOMPARE(m_window->document().look().model.folder, m_folder.path().toStdString());
    QCOMPARE(runner().lengths(), (std::vector<std::int64_t>{16, 32}));
    QVERIFY(waitForAll());
    QVERIFY(runner().model()->folder == m_folder.path().toStdString());
}

/// And so are their windows others, of every n; that is said beside the numbers, and of no other text.
void ModelPageTest::madeTextsAreAsLongAsTheLongest()
{
    const auto said = [this] {
        const auto labels = page().heads()->results()->findChildren<ElidedLabel*>();
        return std::ranges::any_of(labels, [](const QWidget* label) { return label->toolTip().contains("longest n"); });
    };
    QVERIFY(openSmall({16, 32}));
    QCOMPARE(runner().tokens(), std::int64_t(2 * 33));  // of two windows
    QVERIFY(said());
    QVERIFY(openSmall({16, 64}));
    QCOMPARE(runner().tokens(), std::int64_t(2 * 65));
    QTemporaryDir folder;
    QFile text(folder.filePath("text.txt"));
    QVERIFY(text.open(QIODevice::WriteOnly) && text.write(QByteArray("Once upon a time. ").repeated(60)) > 0);
    text.close();
    m_window->openModel(QStringLiteral("stories"));
    QVERIFY(isKnown());
    page().controls()->takeTextFile(text.fileName());
    m_window->document().editLook([](Look& look) { look.model.lengths = {16, 32}; });
    QVERIFY(waitForAll());
    const std::int64_t tokens = runner().tokens();
    QVERIFY(!said());
    m_window->document().editLook([](Look& look) { look.model.lengths = {16, 64}; });
    QVERIFY(waitForAll());
    QCOMPARE(runner().tokens(), tokens);
}

/// Of every kind: another model is asked for the same text, and a session brings it back; the file that was picked
/// stands there again once files are chosen again, without a dialog.
void ModelPageTest::theTextPickedLastIsKept()
{
    QTemporaryDir others;
    const std::string path = others.filePath("words.txt").toStdString();
    QFile words(QString::fromStdString(path));
    QVERIFY(words.open(QIODevice::WriteOnly) && words.write("one two") == 7);
    words.close();
    QVERIFY(openSmall());
    int kinds = 0;
    for (const ModelText kind : {ModelText::Manual, ModelText::File, ModelText::Typed, ModelText::Repeated,
                                 ModelText::Generated, ModelText::File}) {
        m_window->document().editLook([&](Look& look) {
            look.model.text = kind;
            look.model.file = path;
            look.model.typed = "three";
        });
        const QString other = others.filePath(QString::number(++kinds));
        QVERIFY(QDir().mkpath(other));
        QCOMPARE(writeModel(smallModel(kinds % 2 ? "qwen2" : "llama"), other.toStdString()), std::string());
        m_window->openFile(other);
        QVERIFY(QTest::qWaitFor(
            [&] { return runner().model() && runner().folder() == other.toStdString() && !runner().isOpening(); },
            patience));
        const auto kept = readSession(writeSession(m_window->session().current()));
        QVERIFY2(kept.has_value(), kept ? "" : kept.error().message.c_str());
        for (const ModelLook& look : {m_window->document().look().model, kept->look.model}) {
            QVERIFY(look.text == kind);
            QCOMPARE(look.file, path);
            QCOMPARE(look.typed, std::string("three"));
        }
    }
}

void ModelPageTest::wrongNumbersAreNotTaken()
{
    QVERIFY(openSmall());
    QLineEdit* lengths = page().controls()->lengths();
    lengths->setText("16:x");
    emit lengths->editingFinished();
    QVERIFY(lengths->property("wrong").toBool() && m_window->messages().showsError());
    QVERIFY2(lengths->toolTip().contains("Lengths n: "), "the field says why, for as long as it is red");
    QCOMPARE(m_window->document().look().model.lengths, (std::vector<std::int64_t>{16, 32}));
    lengths->setText("8:32:x2");
    emit lengths->editingFinished();
    QVERIFY(!lengths->property("wrong").toBool() && !lengths->toolTip().contains("Lengths n: "));
    QCOMPARE(m_window->document().look().model.lengths, (std::vector<std::int64_t>{8, 16, 32}));
    for (const char* typed : {"1024,4k", "1\u202F024, 4000", "1024,4\u00A0000"}) {
        lengths->setText(QString::fromUtf8(typed));
        emit lengths->editingFinished();
        QVERIFY2(!lengths->property("wrong").toBool(), typed);
        QCOMPARE(m_window->document().look().model.lengths, (std::vector<std::int64_t>{1024, 4000}));
        m_window->document().editLook([](Look& look) { look.model.lengths = {8, 16, 32}; });
    }
    QLineEdit* last = page().controls()->last();
    last->setText("1.024");  // thousands to some, one and a bit to others
    emit last->editingFinished();
    QVERIFY(last->property("wrong").toBool() && last->toolTip().contains("is a whole number from 0 to"));
    QCOMPARE(m_window->document().look().model.last, std::int64_t(4));
    page().controls()->windows()->setText("0");
    emit page().controls()->windows()->editingFinished();
    QCOMPARE(m_window->document().look().model.windows, 2);
    QCheckBox* own = page().controls()->positions().front();
    own->click();  // the last one stays
    QVERIFY(own->isChecked());
}

/// One that knows its own words alone brings them, whatever another was asked to predict, and comes back with them.
void ModelPageTest::aModelOfItsOwnWordsBringsThem()
{
    QVERIFY(openSmall());
    for (const ShippedModel& shipped : shippedModels())
        if (shipped.asked) {
            for (const QString& other : {QStringLiteral("stories"), QStringLiteral("masked")}) {
                page().open(other);
                m_window->document().editLook([](Look& look) {
                    look.model.text = ModelText::Typed;
                    look.model.typed = "One day a girl went to the park.";
                });
                page().open(QString::fromLatin1(shipped.id));
                QVERIFY2(m_window->document().look().model.text == ModelText::Generated, shipped.id);
            }
            QTRY_VERIFY2_WITH_TIMEOUT(runner().opens().ids && runner().error().isEmpty(), shipped.id, patience);
        }
}

/// What is typed has an end, which is said, and what may be longer.
void ModelPageTest::aTextThatIsTooLongIsSaid()
{
    QVERIFY(openSmall());
    m_window->document().editLook([](Look& look) { look.model.text = ModelText::Typed; });
    page().controls()->typed()->setPlainText(QString(ModelLook::mostTyped + 1, QLatin1Char('a')));
    page().controls()->finishTyping();
    QCOMPARE(m_window->document().look().model.typed.size(), std::size_t(ModelLook::mostTyped));
    QVERIFY2(m_window->messages().message().contains(QStringLiteral("200\u202F001")) &&
                 m_window->messages().message().contains("256 MB"),
             qPrintable(m_window->messages().message()));
}

/// What is looked at under a scheme is so still when an earlier one goes.
void ModelPageTest::placesFollowTheirPositions()
{
    QVERIFY(openSmall());
    m_window->document().editLook([](Look& look) {
        look.model.positions = {"own", "none", "rope"};
        look.model.position = 2;
        look.model.beside = Combination{1, 0};
    });
    const auto& look = m_window->document().look().model;
    page().controls()->positions().front()->click();
    QCOMPARE(look.positions, (std::vector<std::string>{"none", "rope"}));
    QCOMPARE(look.position, 1);
    QVERIFY(look.beside && look.beside->position == 0);
    m_window->document().undo();
    QCOMPARE(look.position, 2);
    QVERIFY(look.beside && look.beside->position == 1);
    for (QCheckBox* box : page().controls()->positions())
        if (box->text().startsWith("None") || box->text().startsWith("No "))
            box->click();
    QCOMPARE(look.positions, (std::vector<std::string>{"own", "rope"}));
    QVERIFY(!look.beside);
}

void ModelPageTest::stoppingKeepsWhatIsFound()
{
    QVERIFY(openSmall());
    m_window->document().editLook([](Look& look) {
        look.model.windows = 400;
        look.model.lengths = {8};
    });
    QVERIFY(QTest::qWaitFor([&] { return runner().study() && runner().study()->done >= 2; }, patience));
    QTest::mouseClick(page().controls()->stopButton(), Qt::LeftButton);
    QVERIFY(!runner().isRunning());
    const int done = runner().study()->done;
    QTest::qWait(100);
    QCOMPARE(runner().study()->done, done);
    QVERIFY(!page().heads()->results()->quality()->spec().series.empty());
}

void ModelPageTest::theSessionBringsItBack()
{
    QVERIFY(openSmall());
    m_window->document().editLook([](Look& look) {
        look.model.layer = 1;
        look.model.measure = "share";
        look.model.positions = {"own", "ntk"};
        look.model.typed = "a \u2203 text";
        look.model.row = 5;
    });
    const auto kept = readSession(writeSession(m_window->session().current()));
    QVERIFY2(kept.has_value(), kept ? "" : kept.error().message.c_str());
    QVERIFY(kept->look == m_window->document().look());
    const auto other = smallWindow();
    other->session().restore(*kept);
    QVERIFY(QTest::qWaitFor([&] { return other->model().runner().study() && !other->model().runner().isRunning(); },
                            patience));
    QCOMPARE(other->model().runner().study()->cells.size(), size_t(12));
    QVERIFY(!readSession(R"({"schema": "attnscope_session/4", "look": {"model": {"lengths": [0]}}})"));
    QVERIFY(!readSession(R"({"schema": "attnscope_session/4", "look": {"model": {"measure": "beauty"}}})"));
}

/// A search and a probe run windows of their own.
void ModelPageTest::whatDoesNotCountIsNotAsked()
{
    page().open(QStringLiteral("recall1"));
    m_window->setWorkspace(QStringLiteral("model"));
    QTRY_VERIFY(runner().tokens() > 0);
    ModelControls& controls = *page().controls();
    for (const auto& [finding, probing] : {std::pair(false, false), {true, false}, {false, true}, {false, false}}) {
        m_window->document().editLook([&, f = finding, p = probing](Look& look) {
            look.model.finding = f;
            look.model.probing = p;
        });
        QTRY_COMPARE(controls.lengths()->isVisible(), !finding);
        for (const QWidget* ofStudies :
             {static_cast<QWidget*>(controls.windows()), static_cast<QWidget*>(controls.last()),
              static_cast<QWidget*>(controls.policy())})
            QCOMPARE(ofStudies->isVisible() && ofStudies->isEnabled(), !finding && !probing);
    }
}

void ModelPageTest::aPublishedModelReadsWords()
{
    const QString folder = sharedFolder + "/data/models/stories260K";
    if (!QFile::exists(folder + "/config.json"))
        QSKIP("../shared is not here.");
    m_window->document().editLook([&](Look& look) {
        look.model.text = ModelText::File;
        look.model.file = (sharedFolder + "/data/text/tinystories_sample.txt").toStdString();
        look.model.last = 128;
    });
    m_window->openFile(folder);
    m_window->document().editLook([](Look& look) { look.model.lengths = {128, 256}; });
    QVERIFY(waitForAll());
    const auto& tokens = runner().picture().analysis->tokens;
    QCOMPARE(tokens.size(), size_t(256));
    QVERIFY(QString::fromStdString(tokens[0]).contains("begin"));
    QVERIFY(rowInWords(*runner().picture().analysis, *runner().picture().a.prepared, 20, -1).contains("looks at"));
    QVERIFY(QTest::qWaitFor([&] { return runner().written().tokens > 0; }, patience));
    page().heads()->results()->tabs()->setCurrentIndex(2);
    QVERIFY(page().heads()->results()->written()->toPlainText().contains(runner().written().text.simplified().left(8)));
    // zoomed in until cells can hold words, the axes have them
    HeatmapPlot* plot = page().heads()->head()->plot();
    for (int i = 0; i < 12; ++i)
        emit plot->zoomed(2, {100, 100});
    QTRY_VERIFY(runner().picture().region.rowEnd - runner().picture().region.rowBegin <= 16);
}

/// Charts and numbers of the results have one inset.
void ModelPageTest::edgesOfACardAreOne()
{
    QVERIFY(openSmall());
    const auto beginOf = [this](const QWidget* one) { return one->mapTo(m_window.get(), QPoint()).x(); };
    const ModelResults* results = page().heads()->results();
    results->tabs()->setCurrentIndex(0);
    const auto charts = results->findChildren<ChartView*>();
    QCOMPARE(charts.size(), 2);
    QTRY_COMPARE(beginOf(charts[0]), beginOf(charts[1]));
    results->tabs()->setCurrentIndex(1);
    QTRY_COMPARE(beginOf(results->findChild<ValueTable*>()), beginOf(charts[0]));
}

QTEST_MAIN(ModelPageTest)
#include "model_page_test.moc"
