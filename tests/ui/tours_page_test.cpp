// Tours of one instance under two scales: the tour at the right follows the slider while it is dragged, and ends as the
// one that the slider's place asks for; every control changes what it says.

#include "core/document/session.h"
#include "core/labs/policies/policy_networks.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/tensor_writer.h"
#include "ui/widgets/choice_control.h"
#include "ui/widgets/number_control.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/tour_paint.h"
#include "ui/plot/plot_style.h"
#include "ui/workbench/document.h"
#include "ui/labs/lab_tours.h"
#include "ui/labs/tour_steps.h"
#include "ui/labs/tours_page.h"
#include "tests/support/patience.h"
#include "tests/support/small_attention_model.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QScrollArea>
#include <QScrollBar>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <QtTest>

#include <cmath>
#include <random>
#include <set>

using namespace attnscope;

namespace {

/// The page and its controls, in a window.
struct Desk {
    QTemporaryDir folder;
    QWidget window;
    Document document;
    ToursPage* page = new ToursPage(document, RunStore(folder.path()));

    Desk()
    {
        auto* layout = new QVBoxLayout(&window);
        layout->addWidget(page->controls());
        layout->addWidget(page, 1);
        window.resize(900, 1000);
        window.show();
    }
    bool settle() const
    {
        return QTest::qWaitFor([this] { return page->isSettled() && page->shown(); }, patience);
    }
    QComboBox* list(const char* name) const
    {
        for (auto* each : window.findChildren<QComboBox*>())
            if (each->accessibleName() == QLatin1String(name))
                return each;
        return nullptr;
    }
};

QPoint handleOf(const QSlider& slider, int value)
{
    QStyleOptionSlider option;
    option.initFrom(&slider);
    option.orientation = slider.orientation();
    option.minimum = slider.minimum();
    option.maximum = slider.maximum();
    option.sliderPosition = option.sliderValue = value;
    return slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider).center();
}

}  // namespace

class TestToursPage : public QObject {
    Q_OBJECT
private slots:
    void theTourFollowsTheDrag();
    void everyControlIsNamed();
    void vehiclesAndPlaces();
    void choicesOneByOne();
    void nIsTheFilesOrTheUsers();
    void instancesOfAFile();
    void manyCitiesDoNotHoldUpFewer();
    void aSessionBringsItBack();
    void toursFillWhatTheWindowGives();
    void aSmallWindowHasAllOfIt();
    void whatCannotBeIsSaid();
    void numbersKeepOffEachOther();
    void roomForNumbersIsLookedForOnce();
};

void TestToursPage::theTourFollowsTheDrag()
{
    Desk desk;
    RedecodingRequest request{.size = 60, .method = {"vanilla", {}, {}}};
    desk.page->setRequest(request);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->shown()->differing, std::size_t{0});
    QSlider* slider = desk.page->factor().slider();
    const QPoint from = handleOf(*slider, slider->value()), to = handleOf(*slider, slider->maximum());
    QVERIFY(to.x() > from.x() + 40);
    std::set<double> seen;
    QTest::mousePress(slider, Qt::LeftButton, {}, from);
    for (int step = 1; step <= 12; ++step) {
        QTest::mouseMove(slider, from + (to - from) * step / 12);
        QVERIFY(QTest::qWaitFor([&] { return desk.page->isSettled(); }, patience));
        seen.insert(desk.page->shown()->multiplier);
    }
    QTest::mouseRelease(slider, Qt::LeftButton, {}, to);
    QVERIFY(seen.size() >= 10);  // it was made anew on the way
    QCOMPARE(desk.page->shown()->multiplier, 4.0);
    QVERIFY(desk.page->shown()->differing > 0);
    request.method.values["alpha"] = 4;
    QCOMPARE(desk.page->request(), request);
    Redecoder alone;
    const auto expected = alone(request, {});
    QVERIFY(expected);
    QCOMPARE(desk.page->shown()->scaled.length, expected->scaled.length);
    QVERIFY(desk.page->words().contains(QString::number(expected->scaled.length, 'f', 3)));

    QTest::mousePress(slider, Qt::LeftButton, {}, to);  // moves that follow each other at once: the last of them counts
    for (int step = 1; step <= 12; ++step)
        QTest::mouseMove(slider, to + (from - to) * step / 12);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from);
    QVERIFY(desk.settle());
    QVERIFY(std::abs(desk.page->shown()->multiplier - 1) < 0.1);
}

/// The slider goes back to before a choice: edges, attention and words are those of it, also under another scale, and
/// the figure has it.
void TestToursPage::choicesOneByOne()
{
    Desk desk;
    desk.page->setRequest({.size = 30, .method = {"vanilla", {{"alpha", 2}}, {}}});
    QVERIFY(desk.settle());
    TourSteps& steps = desk.page->steps();
    QVERIFY(steps.isMade());
    QCOMPARE(steps.choice(), Index{30});
    QVERIFY(!desk.page->figure().parameters.contains("steps"));
    const QImage made = desk.page->tours().grab().toImage();

    QSlider* slider = steps.number().slider();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(steps.choice(), Index{0});
    QVERIFY(steps.words().contains("nowhere yet"));
    for (int key = 0; key < 11; ++key)
        QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(steps.choice(), Index{11});
    for (const TourStep& step : stepsOf(*desk.page->shown(), 11)) {
        QCOMPARE(step.made, std::size_t{10});
        QVERIFY(steps.words().contains(
            QStringLiteral("from %1 it looks at %2").arg(*step.at).arg(mostLookedAt(step, 1).front())));
        QVERIFY(steps.words().contains(QStringLiteral("goes to %1.").arg(*step.next)));
    }
    QVERIFY(desk.page->tours().grab().toImage() != made);

    const QString before = steps.words();
    desk.page->setRequest({.size = 30, .method = {"vanilla", {{"alpha", 3}}, {}}});
    QVERIFY(desk.settle());
    QCOMPARE(steps.choice(), Index{11});
    QVERIFY(steps.words() != before);
    const auto printed = buildFigure(desk.page->figure(), {});
    QVERIFY2(printed, printed ? "" : printed.error().message.c_str());
    QCOMPARE(printed->panels.size(), std::size_t{2});
    QCOMPARE(printed->panels[1].tour->step->weights, stepsOf(*desk.page->shown(), 11)[1].weights);

    steps.number().enter(28);
    QTest::mouseClick(&steps.playButton(), Qt::LeftButton);
    QVERIFY(steps.isPlaying());
    QVERIFY(QTest::qWaitFor([&] { return !steps.isPlaying(); }, patience));
    QVERIFY(steps.isMade());
}

void TestToursPage::everyControlIsNamed()
{
    Desk desk;
    int controls = 0;
    for (const QWidget* control : desk.page->controls()->findChildren<QWidget*>())
        if (qobject_cast<const QComboBox*>(control) || qobject_cast<const QSlider*>(control)) {
            ++controls;
            QVERIFY2(!control->accessibleName().isEmpty(), control->metaObject()->className());
            QVERIFY2(!control->toolTip().isEmpty(), qPrintable(control->accessibleName()));
        }
    QVERIFY(controls >= 6);
    QVERIFY(desk.settle());
    QVERIFY(!desk.page->tours().accessibleDescription().isEmpty());
}

void TestToursPage::vehiclesAndPlaces()
{
    Desk desk;
    RedecodingRequest request{
        .size = 40, .method = *parseChoice(std::string_view("vanilla:alpha=2"), scaleMethods(), "scale method")};
    desk.page->setRequest(request);
    QVERIFY(desk.settle());
    QComboBox *network = desk.list("Network"), *where = desk.list("Acts in");
    QVERIFY(network && where);
    network->setFocus();
    QTest::keyClick(network, Qt::Key_Down);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->shown()->trainLength, std::int64_t(50));
    QTest::keyClick(network, Qt::Key_Down);
    QVERIFY(desk.settle());
    QVERIFY(desk.page->request().vehicles && desk.page->shown()->tours.depot);
    const double both = desk.page->shown()->scaled.decoderEntropy;
    where->setFocus();
    QTest::keyClick(where, Qt::Key_Down);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->request().where, std::string("encoder"));
    QVERIFY(desk.page->shown()->scaled.decoderEntropy > both);
}

/// The field has the file's N, ln n / ln N is made of it, and of what is typed in its place; another network has its
/// own again.
void TestToursPage::nIsTheFilesOrTheUsers()
{
    Desk desk;
    const Metadata metadata{{"model", "Attention Model trained at n=10 (2 heads)"}};
    const auto path =
        writeTensors(desk.folder.filePath("model.safetensors").toStdString(), smallModel(false, false, 3), metadata);
    const auto silent =
        writeTensors(desk.folder.filePath("silent.safetensors").toStdString(), smallModel(false, false, 3));
    QVERIFY(path && silent);
    desk.page->setRequest({.model = *path, .size = 200});
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->trainLength().value(), 10.0);
    QVERIFY(std::abs(desk.page->shown()->multiplier - std::log(200) / std::log(10)) < 1e-12);
    QVERIFY(desk.page->words().contains("trained at N = 10, as its file says"));
    QVERIFY(!desk.page->figure().parameters.contains("n_train"));

    desk.page->trainLength().enter(25);
    QVERIFY(desk.settle());
    QVERIFY(std::abs(desk.page->shown()->multiplier - std::log(200) / std::log(25)) < 1e-12);
    QVERIFY(desk.page->words().contains("N = 25 as you set it"));
    QCOMPARE(desk.page->figure().parameters["n_train"], 25);
    QVERIFY(buildFigure(desk.page->figure(), {})->footnote.contains("taken to be 25"));

    QComboBox* network = desk.list("Network");
    network->setFocus();
    QTest::keyClick(network, Qt::Key_Home);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->trainLength().value(), 20.0);
    QCOMPARE(desk.page->request().trainLength, std::int64_t(0));

    desk.page->setRequest({.model = *silent, .size = 200});
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->trainLength().value(), 100.0);
    QVERIFY(desk.page->words().contains("does not say"));
    QCOMPARE(desk.page->figure().parameters["n_train"], 100);
}

/// Its sizes are a list, its instances are counted, and what it has not is the nearest that it has.
void TestToursPage::instancesOfAFile()
{
    Desk desk;
    std::vector<float> places;
    for (int i = 0; i < 2 * 12 * 2; ++i)
        places.push_back(static_cast<float>(i * 37 % 48) / 48);
    const auto path = writeTensors(desk.folder.filePath("instances.safetensors").toStdString(),
                                   {{"tsp.6.cities", {{4, 6, 2}, places}}, {"tsp.12.cities", {{2, 12, 2}, places}}});
    QVERIFY(path);
    QVERIFY(desk.settle());
    RedecodingRequest request = desk.page->request();
    request.instances = *path;
    request.number = 9;
    desk.page->setRequest(request);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->request().size, std::int64_t(12));
    QCOMPARE(desk.page->request().number, std::int64_t(1));
    QCOMPARE(desk.page->shown()->n, std::int64_t(12));
    desk.document.undo();  // the nearest is of the step that asked
    QVERIFY(desk.settle());
    QVERIFY(desk.page->request().instances.empty() && desk.document.canRedo());
    desk.document.redo();
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->request().size, std::int64_t(12));
    QComboBox *sizes = desk.list("Cities"), *instances = desk.list("Instances");
    QVERIFY(sizes && sizes->isVisible());
    QCOMPARE(sizes->count(), 2);
    QCOMPARE(sizes->currentText(), QStringLiteral("12"));
    sizes->setFocus();
    QTest::keyClick(sizes, Qt::Key_Up);
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->shown()->n, std::int64_t(6));
    QCOMPARE(instances->currentText(), QStringLiteral("instances.safetensors"));
    instances->setFocus();
    QTest::keyClick(instances, Qt::Key_Up);
    QVERIFY(desk.settle());
    QVERIFY(desk.page->request().instances.empty() && !sizes->isVisible());
}

/// While 1 600 are routed the window lives, and who asks for 20 then does not wait for them.
void TestToursPage::manyCitiesDoNotHoldUpFewer()
{
    Desk desk;
    QVERIFY(desk.settle());
    const auto at = [](std::int64_t size) {
        return RedecodingRequest{.size = size, .method = {"entropy_measured", {}, {}}};
    };
    desk.page->setRequest(at(RedecodingRequest::mostCities));
    QTest::qWait(5);
    for (std::int64_t size : {1500, 1400, 20}) {
        QElapsedTimer clock;
        clock.start();
        desk.page->setRequest(at(size));
        QVERIFY(clock.elapsed() < 500);
    }
    QVERIFY(desk.settle());
    QCOMPARE(desk.page->shown()->n, std::int64_t(20));
    desk.page->setRequest(at(1000));  // the page may go at any time
    QTest::qWait(5);
}

/// Whatever is asked for is in the document, sessions keep it, and a page that is made anew shows it.
void TestToursPage::aSessionBringsItBack()
{
    Desk desk;
    const RedecodingRequest request{.vehicles = true,
                                    .learned = 50,
                                    .trainLength = 40,
                                    .size = 30,
                                    .number = 7,
                                    .method = {"vanilla", {{"alpha", 2}}, {}},
                                    .where = "encoder"};
    desk.page->setRequest(request);
    QVERIFY(desk.settle());
    Session session;
    session.look = desk.document.look();
    const auto read = readSession(writeSession(session));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    Desk next;
    next.document.setLook(read->look);
    QVERIFY(next.settle());
    QCOMPARE(next.page->request(), request);
    QCOMPARE(next.page->shown()->scaled.length, desk.page->shown()->scaled.length);
    QCOMPARE(next.page->trainLength().value(), 40.0);
    QCOMPARE(next.list("Network")->currentIndex(), desk.list("Network")->currentIndex());
    QCOMPARE(next.list("Acts in")->currentText(), QStringLiteral("Encoder"));
    const auto wrong = readSession(R"({"schema": "attnscope_session/7", "look": {"labs": {"tours": {"size": 1}}}})");
    QVERIFY(!wrong && wrong.error().message.find("look.labs.tours.size") != std::string::npos);
}

/// Whether they were seen while it grew or not.
void TestToursPage::toursFillWhatTheWindowGives()
{
    for (const bool seen : {true, false}) {
        Desk desk;
        desk.window.resize(960, 900);
        QVERIFY(desk.settle());
        QTest::qWait(20);
        const int before = desk.page->tours().height();
        desk.window.setVisible(seen);
        desk.window.resize(1500, 1300);
        desk.window.show();
        QTRY_VERIFY2(desk.page->tours().height() > before + 150,
                     qPrintable(QStringLiteral("%1 before, %2").arg(before).arg(desk.page->tours().height())));
    }
}

/// As wide and high as beside its controls in a window of 1280 x 720: nothing is to be scrolled, whatever choice is
/// looked at.
void TestToursPage::aSmallWindowHasAllOfIt()
{
    QTemporaryDir folder;
    Document document;
    ToursPage page(document, RunStore(folder.path()));
    page.resize(888, 606);
    page.show();
    QVERIFY(QTest::qWaitFor([&] { return page.isSettled() && page.shown(); }, patience));
    const QScrollBar& bar = *page.findChild<QScrollArea*>()->verticalScrollBar();
    const auto fits = [&] {
        QTest::qWait(20);
        return bar.maximum() == 0;
    };
    QVERIFY2(fits(), qPrintable(QString::number(bar.maximum())));
    QVERIFY(page.tours().height() > 400);
    const int height = page.tours().height();
    page.steps().number().enter(5);
    QVERIFY2(fits(), qPrintable(QString::number(bar.maximum())));
    QCOMPARE(page.tours().height(), height);
}

void TestToursPage::whatCannotBeIsSaid()
{
    Desk desk;
    QVERIFY(desk.settle());
    RedecodingRequest request;
    request.model = desk.folder.filePath(QStringLiteral("nothing.safetensors")).toStdString();
    desk.page->setRequest(request);
    QVERIFY(QTest::qWaitFor([&] { return desk.page->isSettled(); }, patience));
    QVERIFY(!desk.page->shown() && desk.page->words().contains(QLatin1String("nothing.safetensors")));
    request.model.clear();
    desk.page->setRequest(request);
    QVERIFY(desk.settle());
}

namespace {

/// Places on a lattice, or anywhere; the tour begins at place 7.
LabTours toursOf(int count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    LabTours tours;
    const int side = static_cast<int>(std::lround(std::sqrt(count)));
    for (int place = 0; place < count; ++place) {
        const auto coordinate = [&](int onLattice) {
            return seed ? static_cast<float>(random() % 10007) / 10007.0F
                        : (static_cast<float>(onLattice) + 0.5F) / static_cast<float>(side);
        };
        const float x = coordinate(place % side);
        tours.places.push_back({x, coordinate(place / side)});
    }
    tours.panels.resize(1);
    for (int place = 0; place < count; ++place)
        tours.panels[0].edges.push_back({(place + 7) % count, (place + 8) % count, false});
    return tours;
}

/// Of a square that has so many heights of a digit a place.
double widthFor(const PlotStyle& style, double heights, int count)
{
    return heights * QFontMetricsF(style.font(style.small)).ascent() * std::sqrt(count);
}

}  // namespace

/// All places have their numbers or none but the start: never some of them, and none over another, over a place, or
/// nearer to another place. The start's is put first, so that it keeps near its own. Sizes are those of the letters:
/// whatever font there is, a lattice far apart has all of its numbers, and places close together have none.
void TestToursPage::numbersKeepOffEachOther()
{
    const PlotStyle style = windowStyle(false);
    for (const int count : {25, 49, 100, 196})
        for (const double heights : {3.0, 5.0, 8.0, 20.0})
            for (const std::uint32_t seed : {0U, 1U, 2U, 3U}) {
                const LabTours tours = toursOf(count, seed);
                const double width = widthFor(style, heights, count);
                const QRectF square(13, 17, width, width);
                const std::vector<TourNumber> numbers = TourNumbers().of(style, tours, 0, nullptr, square);
                const bool all = std::ssize(numbers) == count;
                QVERIFY(all || numbers.size() == 1);
                if (heights < 3.5)
                    QVERIFY(!all);
                if (heights > 10 && seed == 0)
                    QVERIFY(all);
                QCOMPARE(numbers.front().place, 7);  // where the tour begins
                const double reach = 3.5 * style.marker;
                QVERIFY(
                    numbers.front().box.adjusted(-reach, -reach, reach, reach).contains(placeInTour(tours, 7, square)));
                const auto away = [&](const QRectF& box, int place) {
                    return QLineF(box.center(), placeInTour(tours, place, square)).length();
                };
                for (const TourNumber& one : numbers) {
                    if (!all)
                        break;  // in a crowd the start's has what is free
                    QVERIFY(square.contains(one.box));
                    for (const TourNumber& other : numbers)
                        QVERIFY(one.place == other.place || !one.box.intersects(other.box));
                    for (int place = 0; place < count; ++place)
                        QVERIFY(!one.box.contains(placeInTour(tours, place, square)) &&
                                away(one.box, one.place) <= away(one.box, place) + 1e-6);
                }
            }
}

/// Not with every step, panel or place that is pointed at.
void TestToursPage::roomForNumbersIsLookedForOnce()
{
    const PlotStyle style = windowStyle(false);
    LabTours tours = toursOf(25, 0);
    tours.panels.push_back(tours.panels.front());
    const double width = widthFor(style, 20, 25);
    TourNumbers numbers;
    const TourStep step{.made = 3};
    std::vector<TourNumber> first;
    for (const std::size_t panel : {0U, 1U})
        for (const TourStep* at : {static_cast<const TourStep*>(nullptr), &step})
            for (const int named : {-1, 3}) {
                const double left = panel == 0 ? 0 : width + 10;
                std::vector<TourNumber> shown =
                    numbers.of(style, tours, panel, at, QRectF(left, 22, width, width), named);
                QCOMPARE(std::ssize(shown), 25);
                if (first.empty())
                    first = shown;
                QCOMPARE(shown[5].box.topLeft(), first[5].box.topLeft() + QPointF(left, 0));
            }
    QCOMPARE(numbers.timesLookedFor(), 1);
    const auto timesWith = [&](const PlotStyle& with, double across) {
        numbers.of(with, tours, 0, nullptr, QRectF(0, 22, across, across));
        return numbers.timesLookedFor();
    };
    QCOMPARE(timesWith(style, width + 40), 2);
    QCOMPARE(timesWith(windowStyle(true), width + 40), 3);
    tours.places[3][0] += 0.01F;
    QCOMPARE(timesWith(windowStyle(true), width + 40), 4);
    std::swap(tours.panels[1].edges[2].to, tours.panels[1].edges[9].to);
    QCOMPARE(timesWith(windowStyle(true), width + 40), 5);
    QCOMPARE(timesWith(windowStyle(true), width + 40), 5);
}

QTEST_MAIN(TestToursPage)
#include "tours_page_test.moc"
