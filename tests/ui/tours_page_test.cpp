// Tours of one instance under two scales: the tour at the right follows the slider while it is dragged, and ends as the one that the slider's
// place asks for; every control changes what it says.

#include "core/labs/policy_networks.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/tensor_writer.h"
#include "ui/window/controls/choice_control.h"
#include "ui/window/controls/number_control.h"
#include "ui/figure/figure_kind.h"
#include "ui/window/labs/lab_tours.h"
#include "ui/window/labs/tour_steps.h"
#include "ui/window/labs/tours_page.h"
#include "tests/support/patience.h"

#include <QComboBox>
#include <QSlider>
#include <QStyle>
#include <QStyleOptionSlider>
#include <QToolButton>
#include <QTemporaryDir>
#include <QVBoxLayout>
#include <QtTest>

#include <cmath>
#include <set>

using namespace attnscope;

namespace {

/// The page and its controls, in a window.
struct Desk {
    QTemporaryDir folder;
    QWidget window;
    ToursPage* page = new ToursPage(LabShelf(folder.path()));

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
    void whatCannotBeIsSaid();
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
    QVERIFY(seen.size() >= 10);   // it was made anew on the way
    QCOMPARE(desk.page->shown()->multiplier, 4.0);
    QVERIFY(desk.page->shown()->differing > 0);
    request.method.values["alpha"] = 4;
    QCOMPARE(desk.page->request(), request);
    Redecoder alone;
    const auto expected = alone(request, {});
    QVERIFY(expected);
    QCOMPARE(desk.page->shown()->scaled.length, expected->scaled.length);
    QVERIFY(desk.page->words().contains(QString::number(expected->scaled.length, 'f', 3)));

    QTest::mousePress(slider, Qt::LeftButton, {}, to);   // moves that follow each other at once: the last of them counts
    for (int step = 1; step <= 12; ++step)
        QTest::mouseMove(slider, to + (from - to) * step / 12);
    QTest::mouseRelease(slider, Qt::LeftButton, {}, from);
    QVERIFY(desk.settle());
    QVERIFY(std::abs(desk.page->shown()->multiplier - 1) < 0.1);
}

/// The slider goes back to before a choice: edges, attention and words are those of it, also under another scale, and the figure has it.
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
        QVERIFY(steps.words().contains(QStringLiteral("from %1 it looks at %2").arg(*step.at).arg(mostLookedAt(step, 1).front())));
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
    RedecodingRequest request{.size = 40, .method = *parseChoice(std::string_view("vanilla:alpha=2"), scaleMethods(), "scale method")};
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

QTEST_MAIN(TestToursPage)
#include "tours_page_test.moc"
