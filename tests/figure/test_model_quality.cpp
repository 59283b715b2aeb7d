// The figure of a model's quality: its points are the study's, each panel a position scheme on one ordinate.

#include "core/model/study.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/model_charts.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace attnscope;

class TestModelQuality : public QObject {
    Q_OBJECT
private slots:
    /// By hand: two windows of losses 1 and 2 have the mean 1.5 and the standard error 0.5.
    void pointsHaveTheirStandardErrors()
    {
        const auto window = [](double loss) {
            return std::make_shared<const StudyWindow>(
                StudyWindow{std::vector<Prediction>(20, {loss, false}), 10, {{1.0}}});
        };
        const std::vector<StudyCell> cells{{20, 0, {window(1), window(2)}, {}}, {20, 1, {window(3)}, {}}};
        const std::vector<StudyLine> lines{{"Vanilla", 0, false}, {"Log", 1, true}};
        const ChartSpec loss = qualityChart(cells, lines, false, 16);
        QCOMPARE(loss.series.size(), size_t(3));
        QVERIFY(loss.series[2].points.empty() && loss.series[2].opacity == loss.series[0].opacity);  // names the kind
        QCOMPARE(loss.series[2].label, QString("faint: other positions"));
        QCOMPARE(qualityChart(cells, {{"Vanilla", 0, false}, {"Log", 1, false}}, false, 16).series.size(), size_t(2));
        QVERIFY(loss.series[0].label.isEmpty() && loss.series[0].opacity < 1);  // the ghost lies below
        QCOMPARE(loss.series[1].points, (std::vector<ChartPoint>{{20, 1.5, 1, 2}}));
        QCOMPARE(loss.lines.front().at, 16.0);
        const ChartSpec perplexity = qualityChart(cells, lines, true, 0);
        QVERIFY(perplexity.lines.empty() && perplexity.y.log);
        QCOMPARE(perplexity.series[1].points[0].high, std::exp(2.0));
        const ChartSpec entropies = qualityChart({{20, 0, {window(NAN)}, {}}}, lines, true, 0);  // it says no tokens
        QCOMPARE(entropies.y.title, QString("Mean entropy (nats)"));
        QVERIFY(!entropies.y.log && entropies.series.size() == 1 && entropies.series[0].points[0].y == 1);
        const ChartSpec places = placeChart(cells, lines, 20, false, 16);
        QCOMPARE(places.series.size(), size_t(1));
        for (const ChartPoint& point : places.series[0].points)
            QCOMPARE(point, (ChartPoint{point.x, 1.5, 1, 2}));
        QCOMPARE(places.series[0].points.size(), size_t(1));  // of forty predictions: a line of one point is not seen
        QVERIFY(places.series[0].shape == ChartSeries::Shape::Points && !places.series[0].band);
        QVERIFY(placeChart(cells, lines, 21, false, 0).series.empty());
    }

    /// Lengths that were measured are the axis' numbers, where they are few and no powers of two.
    void measuredLengthsAreNumbers()
    {
        const auto numbersOf = [](std::vector<std::int64_t> lengths) {
            const auto window = std::make_shared<const StudyWindow>(
                StudyWindow{std::vector<Prediction>(20, {1.0, false}), 10, {{1.0}}});
            std::vector<StudyCell> cells;
            for (const std::int64_t n : lengths)
                cells.push_back({n, 0, {window}, {}});
            QStringList numbers;
            for (const Tick& tick : qualityChart(cells, {{"Vanilla", 0, false}}, true, 0).x.ticks)
                numbers << tick.text;
            return numbers.join(' ');
        };
        QCOMPARE(numbersOf({25, 50, 100, 200, 400}), QString("25 50 100 200 400"));
        QCOMPARE(numbersOf({128, 256, 512}), QString());
        QCOMPARE(numbersOf({100, 110, 120}), QString());  // they would touch
    }

    void itSaysWhatItNeeds_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("said");
        QTest::addRow("no model") << "parameters.model="
                                  << "give a model's folder";
        QTest::addRow("no text") << "parameters.text="
                                 << "give a file for the model to predict";
        QTest::addRow("a model that is not there") << "parameters.model=/no/such/model"
                                                   << "/no/such/model";
        QTest::addRow("a text that is not there") << "parameters.text=/no/such/text"
                                                  << "/no/such/text";
    }
    void itSaysWhatItNeeds()
    {
        QFETCH(QString, setting);
        QFETCH(QString, said);
        const auto recipe = loadRecipe("model_quality");
        QVERIFY2(recipe, recipe ? "" : recipe.error().message.c_str());
        const auto other =
            withOptions(*recipe, {.settings = {setting.toStdString()}, .widthMm = {}, .style = {}, .dataPath = {}});
        QVERIFY2(other, other ? "" : other.error().message.c_str());
        const auto content = buildFigure(*other, {});
        QVERIFY(!content);
        QVERIFY2(QString::fromStdString(content.error().message).contains(said), content.error().message.c_str());
    }

    /// The program's own model on its own stories: at the length trained at it predicts far better than by chance among
    /// its 843 pieces.
    void theOwnModelNeedsNothing()
    {
        Recipe recipe = loadRecipe("model_quality").value();
        recipe.parameters.merge_patch({{"lengths", "256"}, {"positions", {"own"}}, {"windows", 2}});
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        for (const ChartSeries& series : content->panels.at(0).chart.series)
            QVERIFY(series.points.at(0).y > 1 && series.points.at(0).y < 20);
    }

    /// Its numbers are a study's (tests/model has them against NumPy); here what is drawn of them.
    void aPublishedModelHasAPanelAScheme()
    {
        const QString folder = QStringLiteral(SHARED "/data/models/stories260K"),
                      sample = QStringLiteral(SHARED "/data/text/tinystories_sample.txt");
        if (!QFile::exists(folder + "/config.json"))
            QSKIP("../shared is not here.");
        Recipe recipe = loadRecipe("model_quality").value();
        recipe.parameters.merge_patch({{"model", folder.toStdString()},
                                       {"text", sample.toStdString()},
                                       {"lengths", "64,128"},
                                       {"positions", {"own", "pi:s=2"}},
                                       {"windows", 2},
                                       {"last", 32}});
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QCOMPARE(content->panels.size(), size_t(2));
        QCOMPARE(content->legend.size(), size_t(3));
        QVERIFY(content->panels[0].chart.y.range == content->panels[1].chart.y.range);
        for (const Panel& panel : content->panels)
            for (const ChartSeries& series : panel.chart.series) {
                QCOMPARE(series.points.size(), size_t(2));
                for (const ChartPoint& point : series.points)
                    QVERIFY(point.y > 1 && point.low < point.y && point.y < point.high);
            }
        QTemporaryDir out;
        const auto done =
            renderFigure(recipe, out.filePath("a.pdf").toStdString(), out.filePath("a.csv").toStdString(), {});
        QVERIFY2(done, done ? "" : done.error().message.c_str());
        QVERIFY(QFile(out.filePath("a.csv")).size() > 500);
    }
};

QTEST_MAIN(TestModelQuality)
#include "test_model_quality.moc"
