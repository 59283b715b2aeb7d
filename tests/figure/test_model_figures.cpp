// Figures of what the Model workspace shows: their numbers are those of the runs, by core's own functions.

#include "core/analysis/model_heads.h"
#include "core/model/text_tokens.h"
#include "core/tuning/tune_model.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/model_recipes.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <fstream>

using namespace attnscope;

class TestModelFigures : public QObject {
    Q_OBJECT

    static ShownOfModel shown()
    {
        ShownOfModel of;
        of.scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
        of.folder = "masked";
        of.lengths = {64, 128};
        of.n = 128;
        of.look.model.windows = 2;
        of.look.model.last = 0;
        of.layer = 1;
        of.head = 2;
        return of;
    }

private slots:
    /// A cell is the mean over the windows of the mean entropy of the head's rows; with two policies the difference,
    /// and the map beside it is that head's.
    void headsAreThoseOfTheRuns()
    {
        ShownOfModel of = shown();
        of.b = Combination{0, 1};
        const auto content = buildFigure(headsRecipe(of), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QCOMPARE(content->panels.size(), std::size_t(4));  // heads, A, B, B / A

        const Model model = *openModel("masked");
        const auto ids = *generatedTokens(model, 2 * 129);
        const auto starts = *spreadWindows(model.architecture, ids, 128, 2);
        QCOMPARE(starts.size(), std::size_t(2));
        HeadValues expected(2, std::vector<double>(4, 0.0));
        for (const std::int64_t start : starts)
            for (const auto& [method, sign] : {std::pair("vanilla", -0.5), std::pair("softmax_plus", 0.5)}) {
                WindowRequest request;
                request.policy.method = {method, {}, {}};
                request.pictures = {request.policy};
                const auto run = runWindow(model, *windowOf(model.architecture, ids, start, 128), request);
                QVERIFY(run);
                for (std::size_t layer = 0; layer < 2; ++layer)
                    for (std::size_t head = 0; head < 4; ++head)
                        expected[layer][head] += sign * run->entropies.front()[layer][head];
            }
        const PooledMap& heads = *content->panels[0].map;
        QCOMPARE(heads.rows, 2);
        QCOMPARE(heads.columns, 4);
        for (int layer = 0; layer < 2; ++layer)
            for (int head = 0; head < 4; ++head)
                QVERIFY(std::abs(heads.at(layer, head) -
                                 expected[static_cast<std::size_t>(layer)][static_cast<std::size_t>(head)]) < 1e-4);
        for (std::size_t map : {1, 2}) {  // rows of weights
            const PooledMap& of128 = *content->panels[map].map;
            QCOMPARE(of128.rows, 128);
            for (int row = 0; row < 128; row += 31) {
                double sum = 0;
                for (int key = 0; key < 128; ++key)
                    sum += of128.at(row, key);
                QVERIFY(std::abs(sum - 1) < 1e-3);
            }
        }
        QCOMPARE(content->panels[3].chart.title, QString("Softmax Plus over Vanilla"));
    }

    /// Every measure that the window offers is drawn, or it is said why there is nothing.
    void everyMeasureOfHeadsIsDrawn_data()
    {
        QTest::addColumn<QString>("measure");
        for (const HeadMeasure& one : modelHeadMeasures())
            QTest::addRow("%s", one.id) << one.id;
    }
    void everyMeasureOfHeadsIsDrawn()
    {
        QFETCH(QString, measure);
        ShownOfModel of = shown();
        of.look.model.measure = measure.toStdString();
        const auto content = buildFigure(headsRecipe(of), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        int finite = 0;
        for (const float value : content->panels[0].map->values)
            finite += std::isfinite(value);
        QVERIFY2(finite > 0, "no head has a value");
    }

    /// The search of the figure is that of core, and its footnote the verdict.
    void theScaleIsTheOneThatIsSearched()
    {
        ShownOfModel of = shown();
        const auto content = buildFigure(scaleRecipe(of), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const Model model = *openModel("masked");
        const TuneRequest request{.n = 128};
        const auto ids = *generatedTokens(model, 24 * 129);
        const auto problem = problemOf(model, ids, request, {}, {});
        QVERIFY(problem);
        const auto report = tune(*problem, request);
        QVERIFY(report);
        QCOMPARE(content->panels.size(), std::size_t(2));
        const auto& points = content->panels[1].chart.series.front().points;
        QCOMPARE(points.size(), report->places.size());
        for (std::size_t i = 0; i < points.size(); ++i)
            QCOMPARE(points[i].y, report->places[i].difference.mean);
        QVERIFY2(content->footnote.startsWith("masked, on text made for it. "), qPrintable(content->footnote));
    }

    /// Probes too: of what is shown beside another nobody has to remember which it was.
    void probesNameTheirModels_data()
    {
        QTest::addColumn<ProbeTask>("task");
        QTest::addColumn<QString>("said");
        QTest::newRow("needle") << ProbeTask::Needle << "recall1, on text made for it. Per cent of 2 needles";
        QTest::newRow("repeat") << ProbeTask::Repeat << "recall1. Per cent of the second copy";
    }
    void probesNameTheirModels()
    {
        QFETCH(ProbeTask, task);
        QFETCH(QString, said);
        ShownOfModel of = shown();
        of.folder = "recall1";
        of.lengths = {64};
        of.look.model.probe.task = task;
        of.look.model.probe.samples = 2;
        Recipe recipe = probeRecipe(of);
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QVERIFY2(content->footnote.startsWith(said), qPrintable(content->footnote));
        recipe.parameters["models"] = {"recall1", "recall2"};
        const auto ofTwo = buildFigure(recipe, {});
        QVERIFY2(ofTwo, ofTwo ? "" : ofTwo.error().message.c_str());
        QVERIFY2(ofTwo->footnote.startsWith("recall1, recall2"), qPrintable(ofTwo->footnote));
    }

    /// One length may be written as what it is.
    void aLengthIsANumberOrAList()
    {
        Recipe recipe = headsRecipe(shown());
        recipe.parameters.erase("n");
        for (const nlohmann::json& lengths : {nlohmann::json("64,128"), nlohmann::json("128"), nlohmann::json(128)}) {
            recipe.parameters["lengths"] = lengths;
            const auto content = buildFigure(recipe, {});
            QVERIFY2(content, content ? "" : content.error().message.c_str());
            QCOMPARE(content->panels[1].map->rows, 128);
        }
        recipe.parameters["lengths"] = {64, 128};
        const auto refused = buildFigure(recipe, {});
        QVERIFY(!refused && refused.error().message.find("parameters.lengths must be a LIST") == 0);
    }

    /// Of every text that the window takes the recipe names it, survives its own file, and runs.
    void everyTextIsInTheRecipe_data()
    {
        QTest::addColumn<int>("text");
        for (const ModelText text : {ModelText::Generated, ModelText::File, ModelText::Typed, ModelText::Repeated})
            QTest::addRow("text %d", static_cast<int>(text)) << static_cast<int>(text);
    }
    void everyTextIsInTheRecipe()
    {
        QFETCH(int, text);
        QTemporaryDir folder;
        ShownOfModel of = shown();
        of.lengths = {32};
        of.n = 32;
        of.look.model.text = static_cast<ModelText>(text);
        std::string words;
        for (int i = 0; i < 40; ++i)
            words += "Mia lived near the mill. ";
        of.look.model.typed = words;
        of.look.model.file = folder.filePath("a $ text.txt").toStdString();
        std::ofstream(of.look.model.file) << words;
        for (const Recipe& recipe : {qualityRecipe(of), headsRecipe(of)}) {
            const auto read = recipeFromText(writeRecipe(recipe), "recipe");
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QCOMPARE(*read, recipe);
            const auto content = buildFigure(*read, {});
            QVERIFY2(content, content ? "" : content.error().message.c_str());
        }
        if (of.look.model.text == ModelText::File)
            QVERIFY(buildFigure(qualityRecipe(of), {})->footnote.startsWith("masked, on a \\$ text.txt."));
    }
};

QTEST_MAIN(TestModelFigures)
#include "test_model_figures.moc"
