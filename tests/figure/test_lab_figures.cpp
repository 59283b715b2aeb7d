// Figures of what labs found: runs from their folders, and the max-retrieval head beside the paper.

#include "core/labs/lab.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/lab_charts.h"
#include "ui/figure/sweep_charts.h"
#include "ui/plot/legend.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <fstream>

using namespace attnscope;

namespace {

Recipe recipeOf(const char* kind, const nlohmann::json& parameters)
{
    Recipe recipe;
    recipe.name = recipe.kind = kind;
    recipe.parameters = parameters;
    return recipe;
}

void runInto(const QString& folder, const char* lab)
{
    const auto result =
        runLab({.choice = *parseChoice(std::string_view(lab), labs(), "lab"), .folder = folder.toStdString()});
    if (!result)
        qFatal("%s", result.error().message.c_str());
}

/// Cells of `quality` in a line of a file of recorded runs, of the rows with these texts and this n.
std::vector<double> recorded(const char* file, int line, const QString& column,
                             const std::vector<std::pair<QString, QString>>& texts, double n)
{
    QFile runs(QStringLiteral(TEST_DATA "/../../resources/labs/") + QLatin1String(file));
    if (!runs.open(QIODevice::ReadOnly))
        qFatal("%s is missing", file);
    const QJsonObject table =
        QJsonDocument::fromJson(runs.readAll().split('\n').at(line))["tables"]["quality"].toObject();
    const QJsonArray columns = table["columns"].toArray();
    const auto place = [&](const QString& name) {
        return static_cast<int>(std::find(columns.begin(), columns.end(), QJsonValue(name)) - columns.begin());
    };
    std::vector<double> values;
    for (const QJsonValue& row : table["rows"].toArray())
        if (row[place("n")].toDouble() == n && std::ranges::all_of(texts, [&](const auto& wanted) {
                return row[place(wanted.first)].toString() == wanted.second;
            }))
            values.push_back(row[place(column)].toDouble());
    return values;
}

const ChartSeries* seriesOf(const ChartSpec& chart, const QString& label)
{
    for (const ChartSeries& series : chart.series)
        if (series.label == label)
            return &series;
    return nullptr;
}

}  // namespace

class TestLabFigures : public QObject {
    Q_OBJECT
private slots:
    void runsSideBySide();
    void aCrowdStepsBehind();
    void linesAreToldApartWithoutColour();
    void foldersThatDoNotFit();
    void packingsArePrinted();
    void toursArePrinted();
    void stepsOfToursArePrinted();
    void tablesOfBoxesAndToursStandBesideOurs();
    void shippedRunsAreCountedOnce();
    void severalNetworksHaveTheErrorOverThem();
    void runsThatHaveNoMeanAreNotAveraged();
    void languageModelsStandBesidePrintedOnes();
    void schemesStandBesidePrintedOnes();
    void capacitiesStandBesidePrintedOnes();
    void tableIsThePapersAndOurs();
    void algorithmsARowATask();
    void trainedHeadsStandBesideTheory();
    void whatAnEncodersAttentionSees();
    void headsDisperse();
    void refitIsFittedToItsPoints();
};

void TestLabFigures::runsSideBySide()
{
    QTemporaryDir folder;
    const QString one = folder.filePath("one"), two = folder.filePath("two");
    runInto(one, "eie:epochs=3,steps=2,batch=16,\"4:10:20\"");
    runInto(two, "eie:epochs=3,steps=2,batch=16,seed=2,\"4:10:20\"");
    const auto content = buildFigure(recipeOf("lab_run", {{"folders", {one.toStdString(), two.toStdString()}}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels.size(), std::size_t{4});
    const ChartSpec& loss = content->panels[2].chart;
    QVERIFY(seriesOf(loss, "one") && seriesOf(loss, "two"));
    QCOMPARE(seriesOf(loss, "one")->points.size(), std::size_t{3});
    QVERIFY(!(seriesOf(loss, "one")->points == seriesOf(loss, "two")->points));
}

/// Of ten methods the first six stand out, as in the window; of two all do.
void TestLabFigures::aCrowdStepsBehind()
{
    QTemporaryDir folder;
    for (const auto& [name, methods, behind] :
         {std::tuple("many",
                     "vanilla; log_n; su_kappa; softmax_plus; infoscale; yarn; row_log; ssmax; llama4; "
                     "log_power",
                     4),
          std::tuple("few", "vanilla; log_n", 0)}) {
        const QString run = folder.filePath(QLatin1String(name));
        runInto(run,
                ("max-retrieval:steps=3,batch=4,width=8,seeds=2,sets=4,most_items=32,\"" + std::string(methods) + '"')
                    .c_str());
        const auto content = buildFigure(recipeOf("lab_run", {{"folders", {run.toStdString()}}}), {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const auto entropy = std::ranges::find_if(content->panels, [](const Panel& panel) {
            return panel.chart.title.startsWith(QLatin1String("Entropy of the head"));
        });
        QVERIFY(entropy != content->panels.end());
        QCOMPARE(std::ranges::count_if(entropy->chart.series, &ChartSeries::behind), std::ptrdiff_t(behind));
        QCOMPARE(entropy->chart.x.tickText, TickText::Lengths);  // 16 and 32 items, no 20 and 30
    }
}

/// In every chart of every run that comes with the program, and of a sweep: no two lines that stand out have one dash
/// and one marker.
void TestLabFigures::linesAreToldApartWithoutColour()
{
    const PlotStyle style = windowStyle(false);
    int lines = 0;
    const auto look = [&](const ChartSeries& series) {
        const SeriesLook drawn = lookOf(series, style);
        return std::tuple(drawn.pen.style(), drawn.pen.dashPattern(), drawn.marker, series.open);
    };
    const auto areToldApart = [&](const ChartSpec& chart) {
        for (std::size_t b = 0; b < chart.series.size(); ++b)
            for (std::size_t a = 0; a < b; ++a, ++lines)
                QVERIFY2(look(chart.series[a]) != look(chart.series[b]),
                         qPrintable(
                             QStringList({chart.title, chart.series[a].known(), chart.series[b].known()}).join(u' ')));
    };
    const auto runs = shippedRuns();
    QVERIFY(runs);
    for (const BoardRun& run : *runs) {
        const ShownRun shown{QStringLiteral("recorded"), &run.record};
        const auto charts = labCharts(**findRow(labs(), run.record.choice.id, "lab"), {&shown, 1});
        for (ChartSpec chart : charts) {
            putBehind(chart.series, firstInFront(charts));
            std::erase_if(chart.series,
                          [](const ChartSeries& each) { return each.behind; });  // of which none is told from another
            areToldApart(chart);
        }
    }
    QVERIFY(lines > 500);
    SweepView view;
    view.colours = {"vanilla", "log_n", "entropy:as=measured"};
    for (SweepView::Facet& facet = view.facets.emplace_back(); const std::string& method : view.colours)
        facet.lines.push_back({method, {{16, 2, {}, 1}, {32, 3, {}, 1}}});
    SweepChoice choice;
    choice.colour = "method";
    lines = 0;
    areToldApart(sweepCharts(view, choice, true, false).at(0));
    QCOMPARE(lines, 3);
}

void TestLabFigures::foldersThatDoNotFit()
{
    QTemporaryDir folder;
    const QString one = folder.filePath("one"), two = folder.filePath("two");
    runInto(one, "eie:epochs=1,steps=1,batch=8,\"4:10:20\"");
    runInto(two, "max-retrieval:steps=3,batch=4,width=8,seeds=2,sets=4,most_items=16,vanilla");
    for (const nlohmann::json& parameters :
         {nlohmann::json::object(), nlohmann::json{{"folders", {folder.path().toStdString()}}},
          nlohmann::json{{"folders", {one.toStdString(), two.toStdString()}}}}) {
        const auto content = buildFigure(recipeOf("lab_run", parameters), {});
        QVERIFY(!content && !content.error().message.empty());
    }
}

/// Behind the charts of a run a panel for each packing that the window shows; the numbers of its boxes are among the
/// figure's.
void TestLabFigures::packingsArePrinted()
{
    QTemporaryDir folder;
    const QString run = folder.filePath("run");
    runInto(run, "packing:bin=1,steps=2,warmup=1,length=5,batch=2,packings=2,width=8,inner=8,heads=2,layers=1,sets=2,"
                 "most=2,vanilla");
    const auto content = buildFigure(recipeOf("lab_run", {{"folders", {run.toStdString()}}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    std::vector<const Panel*> packings;
    for (const Panel& panel : content->panels)
        if (panel.packings)
            packings.push_back(&panel);
    QCOMPARE(packings.size(), std::size_t{2});
    QCOMPARE(packings[1]->packings->panels[packings[1]->packing].boxes.size(), std::size_t{10});
    QVERIFY(packings[1]->chart.title.startsWith("vanilla"));
    QCOMPARE(QString::fromStdString(dataTable(*content)).count(",box "), 20);
}

/// Likewise those of the most places, with their edges.
void TestLabFigures::toursArePrinted()
{
    QTemporaryDir folder;
    const QString run = folder.filePath("run");
    runInto(run, "routing:steps=2,warmup=1,length=5,batch=2,tours=2,width=8,inner=8,heads=2,layers=1,sets=2,most=2,"
                 "\"vanilla; softmax_plus\"");
    const auto content = buildFigure(recipeOf("lab_run", {{"folders", {run.toStdString()}}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    std::vector<const Panel*> tours;
    for (const Panel& panel : content->panels)
        if (panel.tour)
            tours.push_back(&panel);
    QVERIFY(tours.size() >= 2);
    QCOMPARE(tours[0]->tour->tours.places.size(), std::size_t{10});
    QVERIFY(tours[0]->chart.title.startsWith("vanilla"));
    QCOMPARE(QString::fromStdString(dataTable(*content)).count(",edge from "), 10 * tours.size());
}

/// Two rows, a column for each choice; what is written as numbers are the weights, 1 together.
void TestLabFigures::stepsOfToursArePrinted()
{
    const nlohmann::json asked{{"size", 12}, {"method", "vanilla:alpha=2"}, {"steps", {3, 7, 12}}};
    const auto content = buildFigure(recipeOf("tours", asked), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels.size(), std::size_t{6});
    QCOMPARE(content->panels[4].row, 1);
    QCOMPARE(content->panels[4].column, 1);
    QCOMPARE(content->panels[4].tour->step->made, std::size_t{6});
    QVERIFY(!content->panels[5].tour->step->next);
    double sum = 0;
    FigureContent one;
    one.panels = {content->panels[1]};
    for (const QString& row : QString::fromStdString(dataTable(one)).split('\n'))
        if (row.contains(",attention to "))
            sum += row.section(',', -1).toDouble();
    QVERIFY(std::abs(sum - 1) < 1e-5);
    for (const nlohmann::json& alone :
         {nlohmann::json{{"size", 12}},
          nlohmann::json{{"size", 12}, {"steps", {3}}}}) {  // whole, or at one step: side by side
        const auto two = buildFigure(recipeOf("tours", alone), {});
        QCOMPARE(two->panels.size(), std::size_t{2});
        QCOMPARE(two->panels[1].row, 0);
        QCOMPARE(two->panels[1].column, 1);
        QVERIFY(two->columnTitles[0].startsWith("Vanilla") && two->rowTitles.empty());
        QCOMPARE(two->footnote.contains("Choice 4"), alone.contains("steps"));
    }
    for (const nlohmann::json& wrong : {nlohmann::json{{"size", 1}}, nlohmann::json{{"method", "none"}},
                                        nlohmann::json{{"where", "layer 9"}}, nlohmann::json{{"learned", 33}}})
        QVERIFY(!buildFigure(recipeOf("tours", wrong), {}));
}

/// Cells as printed, and beside them those of a run: mean and standard error.
void TestLabFigures::tablesOfBoxesAndToursStandBesideOurs()
{
    QTemporaryDir folder;
    const QString run = folder.filePath("run");
    runInto(run, "packing:bin=2,steps=2,warmup=1,length=5,batch=2,packings=2,width=8,inner=8,heads=2,layers=1,sets=2,"
                 "most=2,\"vanilla; su_kappa | both |\"");
    const auto content = buildFigure(
        recipeOf("eie_tables",
                 {{"shipped", false}, {"runs", {run.toStdString()}}, {"tables", {"eie_table1", "eie_table2"}}}),
        {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels.size(), std::size_t{2});
    const TableContent& boxes = *content->panels[0].table;
    QCOMPARE(boxes.rows.size(), std::size_t{12});
    QCOMPARE(boxes.rows[0].size(), qsizetype{11});
    QCOMPARE(boxes.columns[6], QStringLiteral("5"));
    QCOMPARE(boxes.columns[7], QStringLiteral("10"));
    QCOMPARE(boxes.rows[5][1], QStringLiteral("52.3 (1.5)"));
    QVERIFY(boxes.rows[0][6].isEmpty() && boxes.rows[5][6].isEmpty() &&
            boxes.rows[4][8].isEmpty());  // another bin, a scale that was not tested, a length
    QVERIFY(boxes.rows[4][6].contains(QStringLiteral(" ± ")) && boxes.rows[6][7].contains(QStringLiteral(" ± ")));
    QCOMPARE(content->panels[1].table->rows[2].back(), QStringLiteral("91.2 (4.8)"));  // nothing of ours beside it
    QVERIFY(!buildFigure(recipeOf("eie_tables", {{"tables", {"eie_table5"}}}), {}));
}

/// A mean and its standard error are of the five recorded networks, each once: seed 1 in a file of its own, four more
/// at the end of the other.
void TestLabFigures::shippedRunsAreCountedOnce()
{
    const auto content = buildFigure(recipeOf("eie_tables", {{"tables", {"eie_table1"}}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    const std::vector<std::pair<QString, QString>> row{{"bin", "120 x 100"}, {"method", "vanilla"}};
    std::vector<double> rates = recorded("packing_run.json", 0, "load_rate", row, 20);
    for (const int line : {23, 24, 25, 26})
        rates.push_back(recorded("recorded_runs.jsonl", line, "load_rate", row, 20).at(0));
    QCOMPARE(rates.size(), std::size_t{5});
    const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / 5;
    double squares = 0;
    for (const double rate : rates)
        squares += (rate - mean) * (rate - mean);
    QCOMPARE(content->panels[0].table->rows[0][6],
             QStringLiteral("%1 ± %2").arg(mean, 0, 'f', 1).arg(std::sqrt(squares / 4 / 5), 0, 'f', 1));
}

/// Load rates of 60 and 64: 62, with a standard error of 2, whatever those within a network are.
void TestLabFigures::severalNetworksHaveTheErrorOverThem()
{
    QTemporaryDir folder;
    QFile runs(QStringLiteral(TEST_DATA "/../../resources/labs/packing_run.json"));
    QVERIFY(runs.open(QIODevice::ReadOnly));
    nlohmann::json run = nlohmann::json::parse(runs.readAll().split('\n').at(0).toStdString());
    nlohmann::json& table = run["tables"]["quality"];
    const auto place = [&](const char* name) {
        return static_cast<std::size_t>(std::ranges::find(table["columns"], name) - table["columns"].begin());
    };
    nlohmann::json several = nlohmann::json::array();
    for (nlohmann::json row : table["rows"])
        if (row[place("bin")] == "120 x 100" && row[place("method")] == "vanilla" && row[place("n")] == 20)
            for (const double rate : {60.0, 64.0}) {
                row[place("load_rate")] = rate;
                several.push_back(row);
            }
    QCOMPARE(several.size(), std::size_t{2});
    table["rows"] = several;
    std::ofstream(folder.filePath("run.json").toStdString()) << run;
    const auto content =
        buildFigure(recipeOf("eie_tables",
                             {{"shipped", false}, {"runs", {folder.path().toStdString()}}, {"tables", {"eie_table1"}}}),
                    {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels[0].table->rows[0][6], QStringLiteral("62.0 ± 2.0"));
}

/// A run made again with the same parameters is no second network, and networks trained at different lengths have no
/// mean.
void TestLabFigures::runsThatHaveNoMeanAreNotAveraged()
{
    QTemporaryDir folder;
    QFile runs(QStringLiteral(TEST_DATA "/../../resources/labs/recorded_runs.jsonl"));
    QVERIFY(runs.open(QIODevice::ReadOnly));
    nlohmann::json run = nlohmann::json::parse(runs.readAll().split('\n').at(1).toStdString());
    const auto keep = [&](const char* name) {
        QVERIFY(QDir(folder.path()).mkdir(name));
        std::ofstream(folder.filePath(QLatin1String(name) + "/run.json").toStdString()) << run;
    };
    const auto figure = [&](bool here) {
        return buildFigure(recipeOf("language_here", {{"tables", {"su_table"}},
                                                      {"runs", here ? nlohmann::json{folder.path().toStdString()}
                                                                    : nlohmann::json::array()}}),
                           {});
    };
    keep("again");
    const auto once = figure(false), twice = figure(true);
    QVERIFY(once && twice);
    QCOMPARE(twice->panels[1].chart.series[0].points.back().high, once->panels[1].chart.series[0].points.back().high);

    run["lab"] = QString::fromStdString(run["lab"]).replace("length=100", "length=50").toStdString();
    for (nlohmann::json& row : run["tables"]["quality"]["rows"])
        row[2] = row[2].get<double>() / 2;
    keep("shorter");
    const auto mixed = figure(true);
    QVERIFY(!mixed && mixed.error().message.find("from 50 to 100") != std::string::npos);
}

/// Printed numbers to the left; to the right means of five recorded networks with their standard errors, worked out by
/// hand.
void TestLabFigures::languageModelsStandBesidePrintedOnes()
{
    const auto su = buildFigure(recipeOf("language_here", {{"tables", {"su_table"}}}), {});
    QVERIFY2(su, su ? "" : su.error().message.c_str());
    QCOMPARE(su->panels.size(), std::size_t{2});
    const ChartSeries& printed = su->panels[0].chart.series[1];
    QVERIFY(printed.points.size() == 5 && printed.points.back().x == 1024 && printed.points.back().y == 13.58);
    const std::vector<double> networks =
        recorded("recorded_runs.jsonl", 1, "accuracy", {{"method", "softmax_plus"}}, 1600);
    QCOMPARE(networks.size(), std::size_t{5});
    double mean = 0, squares = 0;
    for (const double accuracy : networks)
        mean += 100 * accuracy / 5;
    for (const double accuracy : networks)
        squares += std::pow(100 * accuracy - mean, 2);
    const ChartPoint last = su->panels[1].chart.series[1].points.back();
    QVERIFY(last.x == 1600 && std::abs(last.y - mean) < 1e-9 &&
            std::abs(last.high - last.y - std::sqrt(squares / 4 / 5)) < 1e-9);

    const auto cosine = buildFigure(recipeOf("language_here", {{"tables", {"infoscale_table10"}}}), {});
    QVERIFY2(cosine, cosine ? "" : cosine.error().message.c_str());
    QCOMPARE(cosine->panels.size(), std::size_t{4});  // perplexity and accuracy
    QCOMPARE(cosine->panels[0].chart.series[3].points.back().y, 44.07);
    const std::vector<double> ofCosine = recorded("recorded_runs.jsonl", 2, "nll", {{"method", "infoscale"}}, 1600);
    const double meanLoss = std::accumulate(ofCosine.begin(), ofCosine.end(), 0.0) / 5;
    QCOMPARE(ofCosine.size(), std::size_t{5});
    QVERIFY(std::abs(cosine->panels[1].chart.series[3].points.back().y - std::exp(meanLoss)) < 1e-9);
    QVERIFY(std::abs(cosine->panels[1].chart.series[3].points.back().y - 25.60) < 0.01);
    QVERIFY(cosine->footnote.contains(QStringLiteral(">500 (2 cells)")));

    const auto positions = buildFigure(recipeOf("language_here", {{"tables", {"infoscale_table1"}}}), {});
    QVERIFY2(positions, positions ? "" : positions.error().message.c_str());
    const ChartPoint rerope = positions->panels[1].chart.series[2].points.back();
    double product = 1;  // seeds 1, 2 and 3
    for (const int run : {3, 6, 7})
        product *=
            recorded("recorded_runs.jsonl", run, "perplexity", {{"method", "vanilla"}, {"positions", "rerope"}}, 4096)
                .at(0);
    QVERIFY(std::abs(rerope.y - std::cbrt(product)) < 1e-6);
    QVERIFY(rerope.high > rerope.y);

    QVERIFY(!buildFigure(recipeOf("language_here", {{"tables", {"eie_table1"}}}), {}));
    const auto nothing = buildFigure(recipeOf("language_here", {{"tables", {"su_table"}}, {"shipped", false}}), {});
    QVERIFY(!nothing && nothing.error().message.find("masked-lm") != std::string::npos);
}

/// Table 1 as printed: first and last published numbers of both rows; and the aims: the baseline within 5 points of the
/// printed one at every size, adaptive temperature better with p < 0.05 where dispersion shows, for 512 to 8192 items.
void TestLabFigures::tableIsThePapersAndOurs()
{
    const auto content = buildFigure(recipeOf("max_retrieval_table", nlohmann::json::object()), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    const ChartSpec& chart = content->panels[0].chart;
    const ChartSeries *baseline = seriesOf(chart, "Vanilla"), *adaptive = seriesOf(chart, "Adaptive $\\theta$"),
                      *printed = seriesOf(chart, "Vanilla, as published"),
                      *printedAdaptive = seriesOf(chart, "Adaptive $\\theta$, as published");
    QVERIFY(baseline && adaptive && printed && printedAdaptive);
    QCOMPARE(printed->points.size(), std::size_t{11});
    QVERIFY(printed->points.front().y == 98.6 && printed->points.back().y == 12.4);
    QVERIFY(printedAdaptive->points.front().y == 98.6 && printedAdaptive->points.back().y == 14.0);
    const std::size_t disperses = 5;  // 16, 32, 64, 128, 256, 512
    for (std::size_t i = 0; i < baseline->points.size(); ++i)
        QVERIFY(std::abs(baseline->points[i].y - printed->points[i].y) < 5 &&
                std::abs(adaptive->points[i].y - printedAdaptive->points[i].y) < 5);
    for (std::size_t i = disperses; i + 1 < baseline->points.size(); ++i)
        QVERIFY(adaptive->points[i].y > baseline->points[i].y);
    const TableContent& table = *content->panels[1].table;
    const auto p = std::ranges::find_if(table.rows, [](const auto& row) { return row[0].startsWith("p of"); });
    QVERIFY(p != table.rows.end());
    for (std::size_t column = 1 + disperses; column + 1 < p->size(); ++column)
        QVERIFY2((*p)[column].toDouble() < 0.05, qPrintable(table.columns[column]));
}

/// Two seeds of one method trained with, two tested: means and their standard errors over the seeds, by hand, and
/// quotes around commas.
void TestLabFigures::algorithmsARowATask()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("quality.csv").toStdString();
    std::ofstream file(path);
    file << "seed,trained,task,n,n_over_train,method,positions,accuracy,accuracy_stderr\n"
            "1,vanilla,minimum,16,1,vanilla,\"rope, randomised\",0.9,0.1\n1,vanilla,minimum,32,2,vanilla,\"rope, "
            "randomised\",0.5,0.1\n"
            "2,vanilla,minimum,32,2,vanilla,\"rope, randomised\",0.7,0.1\n1,vanilla,minimum,32,2,adaptive,\"rope, "
            "randomised\",0.8,0.05\n"
            "1,vanilla,binary_search,32,2,vanilla,\"rope, randomised\",,\n";
    file.close();
    const auto content = buildFigure(recipeOf("figure7_here", {{"results", path}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->rowTitles, (std::vector<QString>{"Minimum", "Binary search"}));
    QCOMPARE(content->panels.size(), std::size_t{2});
    const ChartSpec& chart = content->panels[0].chart;
    QCOMPARE(chart.series.size(), std::size_t{2});
    QCOMPARE(chart.series[0].points.size(), std::size_t{2});
    QVERIFY(std::abs(chart.series[0].points[1].y - 60) < 1e-9 &&
            std::abs(chart.series[0].points[1].low - 50) < 1e-9);  // 50 and 70: 60 +- 10
    QVERIFY(std::abs(chart.series[1].points[0].y - 80) < 1e-9 && std::abs(chart.series[1].points[0].high - 85) < 1e-9);
    QCOMPARE(chart.series[1].label, QString("Adaptive temperature"));
    QCOMPARE(chart.shaded.front().to, 16.0);
    QVERIFY(content->panels[1].chart.series.empty());
    QCOMPARE(content->footnote, QString("Means of 2 networks each; bars are standard errors over them."));

    const auto shipped = buildFigure(recipeOf("figure7_here", nlohmann::json::object()), {});
    QVERIFY2(shipped, shipped ? "" : shipped.error().message.c_str());
    QCOMPARE(shipped->panels.size(), std::size_t{10});
    QCOMPARE(shipped->legend.size(), std::size_t{3});
    std::ofstream(path) << "seed,trained,task,n\n1,vanilla,nothing,16\n";
    const auto refused = buildFigure(recipeOf("figure7_here", {{"results", path}}), {});
    QVERIFY(!refused && refused.error().message.find("quality.csv") != std::string::npos);
    std::ofstream(path) << "seed,trained,task,n\n";
    const auto empty = buildFigure(recipeOf("figure7_here", {{"results", path}}), {});
    QVERIFY(!empty && empty.error().message.starts_with(path + " has no rows; give"));
}

/// The shipped head's mean weight on the largest item falls as sets grow, and adaptive temperature holds it higher.
void TestLabFigures::headsDisperse()
{
    const auto content = buildFigure(recipeOf("max_retrieval_heads", {{"sizes", "16,256,2048"}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels.size(), std::size_t{6});
    std::vector<double> largest;
    for (const Panel& panel : content->panels) {
        double sum = 0;
        for (int set = 0; set < panel.map->rows; ++set)
            sum += static_cast<double>(panel.map->at(set, panel.map->columns - 1)) / panel.map->rows;
        largest.push_back(sum);
    }
    QVERIFY(largest[0] > 0.8 && largest[0] > largest[1] && largest[1] > largest[2] && largest[2] < 0.2);
    QVERIFY(largest[4] > largest[1] && largest[5] > largest[2]);
}

void TestLabFigures::refitIsFittedToItsPoints()
{
    const auto content =
        buildFigure(recipeOf("adaptive_fit", {{"head", "shipped"}, {"sets", 48}, {"largest_entropy", 6}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    const ChartSpec& chart = content->panels[0].chart;
    const ChartSeries *points = seriesOf(chart, "Best $\\beta$ of a misranked set"),
                      *curve = seriesOf(chart, "Refit to these"), *used = seriesOf(chart, "$\\beta$ as used");
    QVERIFY(points && curve && used && points->points.size() > 20);
    // least squares of beta: nearer to the points than the published polynomial is
    const auto misfit = [&](const ChartSeries& series) {
        double sum = 0;
        for (const ChartPoint& point : points->points) {
            const auto at = std::ranges::min_element(series.points, {},
                                                     [&](const ChartPoint& p) { return std::abs(p.x - point.x); });
            sum += std::pow(at->y - point.y, 2);
        }
        return sum;
    };
    QVERIFY(misfit(*curve) < misfit(*used));
}

/// Four heads a layer and network; the line is eq. 18's, which at alpha = 16 and d = 16 is (-13 + sqrt(13^2 + 32^2))
/// / 32.
void TestLabFigures::trainedHeadsStandBesideTheory()
{
    Recipe recipe = recipeOf("cosine_peak",
                             {{"alphas", {8, 16}}, {"lengths", "100"}, {"rows", 8}, {"bins", 40}, {"trained", true}});
    recipe.scenario.d = 16;
    recipe.scenario.source = {"sphere", {}, {}};
    const auto content = buildFigure(recipe, {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    const std::vector<ChartSeries>& series = content->panels.front().chart.series;
    QCOMPARE(series.size(), std::size_t(4));  // theory, two layers, random directions
    QCOMPARE(series[0].points[255].x, 16.0);  // 264 points to 16.5
    QVERIFY(std::abs(series[0].points[255].y - (-13 + std::sqrt(13.0 * 13 + 32 * 32)) / 32) < 1e-12);
    for (const std::size_t layer : {1, 2}) {
        QCOMPARE(series[layer].points.size(), std::size_t(8));
        for (const ChartPoint& point : series[layer].points)
            QVERIFY(point.y > 0 && point.y < 1);
    }
    QCOMPARE(series[3].points.size(), std::size_t(2));
    recipe.parameters["alphas"] = {100};
    const auto refused = buildFigure(recipe, {});
    recipe.parameters["alphas"] = nlohmann::json::array();
    QVERIFY(!buildFigure(recipe, {}));
    recipe.parameters["alphas"] = {8};
    recipe.parameters["lengths"] = "4096";
    QVERIFY(!buildFigure(recipe, {}));
    QVERIFY(!refused && refused.error().message.find("no network with alpha = 100") != std::string::npos);
}

/// Divergences of 128 coordinates a layer, which for 200 normal numbers would be near 0.02 and never exceed ln 2; and
/// 24 entropies up to ln 20. Standardised, the first layer's inputs, far from normal as they are, come near.
void TestLabFigures::whatAnEncodersAttentionSees()
{
    const auto content = buildFigure(recipeOf("encoder_inputs", {{"learned", 20}, {"sets", 10}, {"bins", 32}}), {});
    QVERIFY2(content, content ? "" : content.error().message.c_str());
    QCOMPARE(content->panels.size(), std::size_t(3));
    const auto meanOf = [&](std::size_t panel, std::size_t layer) {
        double sum = 0;
        for (const ChartPoint& point : content->panels[panel].chart.series[layer].points)
            sum += point.y / static_cast<double>(content->panels[panel].chart.series[layer].points.size());
        return sum;
    };
    for (const std::size_t panel : {0, 1})
        for (const ChartSeries& layer : content->panels[panel].chart.series) {
            QCOMPARE(layer.points.size(), std::size_t(128));
            for (const ChartPoint& point : layer.points)
                QVERIFY(point.y > 0 && point.y <= std::log(2.0));
        }
    QVERIFY(meanOf(1, 0) < 0.5 * meanOf(0, 0));
    for (const ChartSeries& layer : content->panels[2].chart.series)
        for (const ChartPoint& point : layer.points)
            QVERIFY(point.y > 0 && point.y <= std::log(20.0) + 1e-6);
    QVERIFY(!buildFigure(recipeOf("encoder_inputs", {{"learned", 21}}), {}));
}

/// Changes of table 3's lengths, 215.0 against 231.7 and 162.7 against 169.3, and beside them means of recorded
/// networks.
void TestLabFigures::capacitiesStandBesidePrintedOnes()
{
    const auto figure = buildFigure(recipeOf("capacities_here", {{"tables", {"eie_table3"}}}), {});
    QVERIFY2(figure, figure ? "" : figure.error().message.c_str());
    const auto& rows = figure->panels.front().table->rows;
    QCOMPARE(rows.size(), std::size_t{12});  // four scales a capacity
    QCOMPARE(rows[1].front(), QStringLiteral("10: EIE"));
    QCOMPARE(rows[1][4], QStringLiteral("\u22127.2"));
    QCOMPARE(rows[8][4], QStringLiteral("\u22123.9"));
    QVERIFY(rows[2][4].isEmpty());  // ln n / ln N is not the paper's
    const char* methods[] = {"su_kappa", "eie", "softmax_plus", "infoscale"};
    for (int capacity = 0; capacity < 3; ++capacity)
        for (int scale = 0; scale < 4; ++scale) {
            const auto changes = recorded("capacity_runs.jsonl", capacity, "change", {{"method", methods[scale]}}, 320);
            QCOMPARE(changes.size(), std::size_t{3});
            const double mean = (changes[0] + changes[1] + changes[2]) / 3;
            const QString& cell = rows[static_cast<std::size_t>(4 * capacity + scale)][8];
            const QString number =
                QString(cell).replace(QChar(0x2212), QLatin1Char('-')).section(QLatin1Char(' '), 0, 0);
            QVERIFY2(std::abs(number.toDouble() - mean) < 0.051, qPrintable(cell));
        }
    QVERIFY(!buildFigure(recipeOf("capacities_here", {{"tables", {"eie_table2"}}}), {}));
    const auto nothing = buildFigure(recipeOf("capacities_here", {{"tables", {"eie_table3"}}, {"shipped", false}}), {});
    QVERIFY(!nothing && nothing.error().message.find("run the lab routing") != std::string::npos);
}

/// Cells of table 1 as they were printed, and beside them means of recorded networks, worked out by hand.
void TestLabFigures::schemesStandBesidePrintedOnes()
{
    const auto figure = buildFigure(recipeOf("schemes_here", {{"tables", {"infoscale_table1"}}}), {});
    QVERIFY2(figure, figure ? "" : figure.error().message.c_str());
    QCOMPARE(figure->panels.size(), std::size_t{2});
    const auto rowOf = [&](std::size_t panel, const QString& scheme) {
        for (const std::vector<QString>& row : figure->panels[panel].table->rows)
            if (row.front() == scheme)
                return row;
        return std::vector<QString>(9);
    };
    const auto cell = [](const char* file, int line, const QString& positions, const QString& method, double n) {
        const auto all = recorded(file, line, "percent", {{"positions", positions}, {"method", method}}, n);
        double mean = 0, squares = 0;
        const auto count = static_cast<double>(all.size());
        for (const double one : all)
            mean += one / count;
        for (const double one : all)
            squares += (one - mean) * (one - mean);
        const double error = std::sqrt(squares / (count - 1) / count);
        return QStringLiteral("%1 ± %2").arg(mean, 0, 'f', 0).arg(error, 0, 'f', error < 1 ? 1 : 0);
    };
    const QString rerope = QStringLiteral("rerope:w=64"), window = QStringLiteral("window");
    const auto far = rowOf(1, QStringLiteral("ReRoPE, $w$ = $N$")), near = rowOf(0, QStringLiteral("Window of $N$")),
               jumps = rowOf(1, QStringLiteral("PoSE: jumps in training"));
    QCOMPARE(std::vector(far.begin() + 1, far.begin() + 5), (std::vector<QString>{"0.12", "0.67", "0.23", "0.69"}));
    QCOMPARE(far[5], cell("recorded_runs.jsonl", 11, rerope, "vanilla", 1024));
    QCOMPARE(far[6], cell("scheme_runs.jsonl", 1, rerope, "vanilla", 1024));
    QCOMPARE(far[7], cell("recorded_runs.jsonl", 11, rerope, "infoscale", 1024));
    QCOMPARE(far[8], cell("scheme_runs.jsonl", 1, rerope, "infoscale", 1024));
    QCOMPARE(std::vector(near.begin() + 1, near.begin() + 5), (std::vector<QString>{"0.80", "0.79", "0.80", "0.81"}));
    QCOMPARE(near[5], cell("scheme_runs.jsonl", 0, window, "vanilla", 256));
    QCOMPARE(near[8], cell("scheme_runs.jsonl", 1, window, "infoscale", 256));
    QCOMPARE(jumps[5], cell("recorded_runs.jsonl", 14, "rope", "vanilla", 1024));
    QCOMPARE(jumps[6], QStringLiteral("88"));  // of the one network of five that is tested: no error
    const auto sharper = buildFigure(recipeOf("schemes_here", {{"tables", {"infoscale_table1"}}, {"alpha", 128}}), {});
    QVERIFY(sharper);
    QCOMPARE(sharper->panels[1].table->rows[5][5], far[5]);
    QCOMPARE(sharper->panels[1].table->rows[5][6], QStringLiteral("–"));  // nor of these
    QVERIFY(!buildFigure(recipeOf("schemes_here", {{"tables", {"su_table"}}}), {}));
    const auto nothing =
        buildFigure(recipeOf("schemes_here", {{"tables", {"infoscale_table1"}}, {"shipped", false}}), {});
    QVERIFY(!nothing && nothing.error().message.find("run the lab recall") != std::string::npos);
}

QTEST_MAIN(TestLabFigures)
#include "test_lab_figures.moc"
