// The needle map and repeated tokens: every number is what core's probes find there, mean over the models; what is
// missing is said.

#include "core/model/model.h"
#include "core/model/probes.h"
#include "core/model/text_tokens.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_kind.h"
#include "ui/figure/probe_charts.h"

#include <QtTest>

#include <cmath>
#include <tuple>

using namespace attnscope;

class TestProbeFigures : public QObject {
    Q_OBJECT
private slots:
    void needlesAreWhatProbesFind()
    {
        const std::vector<std::int64_t> lengths{64, 256};
        const std::vector<double> depths{0, 0.5, 1};
        Recipe recipe = loadRecipe("needle_map").value();
        recipe.scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
        recipe.parameters = {{"models", {"recall1", "recall3"}},
                             {"lengths", "64,256"},
                             {"depths", depths},
                             {"positions", {"own", "rerope:w=64"}},
                             {"samples", 3}};
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QCOMPARE(content->panels.size(), std::size_t(2));
        bool differ = false;
        for (std::size_t p = 0; p < 2; ++p)
            for (std::size_t m = 0; m < 2; ++m)
                for (std::size_t n = 0; n < lengths.size(); ++n)
                    for (std::size_t d = 0; d < depths.size(); ++d) {
                        double found = 0;
                        for (const char* name : {"recall1", "recall3"}) {
                            const Model model = *openModel(name);
                            Policy policy;
                            policy.method = recipe.scenario.methods[m];
                            if (p == 1)
                                policy.position = Choice{"rerope", {{"w", 64}}, {}};
                            const ProbeRequest one{.task = ProbeTask::Needle,
                                                   .lengths = {lengths[n]},
                                                   .depths = {depths[d]},
                                                   .policies = {policy},
                                                   .samples = 3,
                                                   .words = needleOfPairs()};
                            const auto cells = runProbe(model, *generatedTokens(model, 4 * 256), one, {}, {});
                            QVERIFY(cells && cells->size() == 1);
                            found += meansOf(cells->front(), nullptr).right.mean / 2;
                        }
                        const TableContent& table = *content->panels[p].table;
                        const double shown = table.marks[d][1 + m * lengths.size() + n].shade;
                        QVERIFY2(std::abs(shown - 100 * found) < 1e-10,
                                 qPrintable(QStringLiteral("%1 is drawn, %2 found").arg(shown).arg(100 * found)));
                        QCOMPARE(table.rows[d][1 + m * lengths.size() + n], QString::number(100 * found, 'f', 0));
                        differ = differ || found < 1;
                    }
        QVERIFY(differ);  // else any order would do
    }

    /// The other three maps of the window: of the probability, and of how either differs, blue where that is better.
    void needlesOfOtherQuantities_data()
    {
        QTest::addColumn<bool>("probability");
        QTest::addColumn<bool>("difference");
        QTest::addRow("probability") << true << false;
        QTest::addRow("difference of ln p") << true << true;
        QTest::addRow("difference of exact answers") << false << true;
    }
    void needlesOfOtherQuantities()
    {
        QFETCH(bool, probability);
        QFETCH(bool, difference);
        Recipe recipe = loadRecipe("needle_map").value();
        recipe.scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
        recipe.parameters = {{"models", {"recall1"}},
                             {"lengths", "256"},
                             {"depths", {0.5}},
                             {"positions", {"own", "rerope:w=64"}},
                             {"samples", 3},
                             {"probability", probability},
                             {"difference", difference}};
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        const Model model = *openModel("recall1");
        ProbeMeans means[2][2];
        for (const std::size_t p : {0, 1})
            for (const std::size_t m : {0, 1}) {
                Policy policy;
                policy.method = recipe.scenario.methods[m];
                if (p == 1)
                    policy.position = Choice{"rerope", {{"w", 64}}, {}};
                const ProbeRequest one{.task = ProbeTask::Needle,
                                       .lengths = {256},
                                       .depths = {0.5},
                                       .policies = {policy},
                                       .samples = 3,
                                       .words = needleOfPairs()};
                means[p][m] = meansOf(runProbe(model, *generatedTokens(model, 4 * 256), one, {}, {})->front(), nullptr);
            }
        for (const std::size_t p : {0, 1}) {
            const TableContent& table = *content->panels[p].table;
            for (const std::size_t m : {0, 1}) {
                const ProbeMeans &here = means[p][m], &first = means[m == 0 ? 0 : p][0];
                const double ofLoss = first.loss.mean - here.loss.mean,
                             ofExact = 100 * (here.right.mean - first.right.mean);
                const double expected = !difference ? std::exp(-here.loss.mean) : probability ? ofLoss : ofExact;
                const double shade = table.marks[0][1 + m].shade;
                QVERIFY2(std::abs(shade - expected) < 1e-9,
                         qPrintable(QStringLiteral("%1 is drawn, %2 found").arg(shade).arg(expected)));
                const QRgb colour = table.scale.colour(shade);
                if (difference && std::abs(shade) > 1e-9)
                    QCOMPARE(qBlue(colour) > qRed(colour), shade > 0);
                QCOMPARE(table.rows[0][1 + m].startsWith(u'+'), difference && shade > 0);
            }
        }
        QCOMPARE(content->footnote.contains("ln $p$"), probability);
        QCOMPARE(content->footnote.contains(". Difference"), difference);
    }

    void repeatedTokensAreWhatProbesFind()
    {
        Recipe recipe = loadRecipe("repeat_recall").value();
        recipe.scenario.methods = {{"vanilla", {}, {}}, {"softmax_plus", {}, {}}};
        recipe.parameters = {{"models", {"copy1", "copy2"}},
                             {"lengths", "64,256"},
                             {"positions", {"own", "rerope:w=64"}},
                             {"samples", 3}};
        const auto content = buildFigure(recipe, {});
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QCOMPARE(content->panels.size(), std::size_t(2));
        bool differ = false;
        for (std::size_t p = 0; p < 2; ++p) {
            const ChartSpec& chart = content->panels[p].chart;
            QCOMPARE(chart.lines.size(), std::size_t(2));
            QCOMPARE(chart.lines[0].at, 64.0);
            QCOMPARE(chart.lines[1].label, QStringLiteral("chance"));
            QCOMPARE(chart.lines[1].at, 100.0 / openModel("copy1")->architecture.vocabulary);
            for (std::size_t m = 0; m < 2; ++m)
                for (std::size_t n = 0; n < 2; ++n) {
                    double shares[2] = {};
                    for (const std::size_t k : {0, 1}) {
                        const Model model = *openModel(k == 0 ? "copy1" : "copy2");
                        Policy policy;
                        policy.method = recipe.scenario.methods[m];
                        if (p == 1)
                            policy.position = Choice{"rerope", {{"w", 64}}, {}};
                        const ProbeRequest one{.task = ProbeTask::Repeat,
                                               .lengths = {n == 0 ? 64 : 256},
                                               .policies = {policy},
                                               .samples = 3};
                        const auto cells = runProbe(model, {}, one, {}, {});
                        QVERIFY(cells && cells->size() == 1);
                        shares[k] = 100 * meansOf(cells->front(), nullptr).right.mean;
                    }
                    const ChartPoint& point = chart.series[m].points[n];
                    QVERIFY(std::abs(point.y - (shares[0] + shares[1]) / 2) < 1e-10);
                    // of two values half of how far they are apart; where all are right nothing says how far
                    const bool all = shares[0] > 100 - 1e-10 && shares[1] > 100 - 1e-10;
                    QVERIFY((all && std::isnan(point.high)) ||
                            std::abs(point.high - point.y - std::abs(shares[0] - shares[1]) / 2) < 1e-10);
                    differ = differ || shares[0] < 99;
                }
        }
        QVERIFY(differ);
    }

    /// Of so many tokens that their even odds lie far from what a model loses: no axis stretches that far, and its
    /// title is of the axis alone.
    void chanceOutOfSightIsNoted()
    {
        const Model model = *openModel("copy1");
        const ProbeRequest request{.task = ProbeTask::Repeat, .lengths = {64, 128}, .policies = {{}}, .samples = 2};
        auto cells = runProbe(model, {}, request, {}, {});
        QVERIFY(cells);
        for (ProbeCell& cell : *cells)
            for (ProbeScore& score : cell.scores)
                std::tie(score.firstLoss, score.loss) = std::pair(1.0, 0.5 + 0.001 * static_cast<double>(cell.n));
        for (const std::int64_t tokens : {std::int64_t{1} << 50, std::int64_t{2}}) {
            const ChartSpec chart = recallLossChart(*cells, {{QStringLiteral("one"), 0, 0}}, 64, tokens);
            QCOMPARE(chart.y.title, QStringLiteral("Loss (nats)"));
            const bool inSight = std::ranges::any_of(
                chart.lines, [](const ReferenceLine& line) { return line.label == QStringLiteral("chance"); });
            const bool noted = std::ranges::any_of(chart.notes, [](const ChartNote& note) {
                return note.text.startsWith(QLatin1String("chance lies above, at 34.66"));  // 50 ln 2
            });
            QCOMPARE(noted, tokens > 2 && !inSight);
            QVERIFY2(tokens == 2 || noted, qPrintable(QStringLiteral("%1 to %2, %3 notes")
                                                          .arg(chart.y.range->first)
                                                          .arg(chart.y.range->second)
                                                          .arg(chart.notes.size())));
        }
    }

    void whatIsMissingIsSaid_data()
    {
        QTest::addColumn<QString>("setting");
        QTest::addColumn<QString>("said");
        QTest::addRow("no method") << "scenario.methods=[]"
                                   << "name one scale method";
        QTest::addRow("no model") << "parameters.models=[]"
                                  << "give models' folders";
        QTest::addRow("not there") << "parameters.models=[\"/no/such/model\"]"
                                   << "/no/such/model";
        QTest::addRow("no room") << "parameters.lengths=4,5"
                                 << "no room";
        QTest::addRow("no depth") << "parameters.depths=[]"
                                  << "give numbers from 0";
        QTest::addRow("no position") << "parameters.positions=[\"nowhere\"]"
                                     << "parameters.positions";
    }
    void whatIsMissingIsSaid()
    {
        QFETCH(QString, setting);
        QFETCH(QString, said);
        const auto recipe =
            withOptions(*loadRecipe("needle_map"),
                        {.settings = {setting.toStdString()}, .widthMm = {}, .style = {}, .dataPath = {}});
        QVERIFY2(recipe, recipe ? "" : recipe.error().message.c_str());
        const auto content = buildFigure(*recipe, {});
        QVERIFY(!content);
        QVERIFY2(QString::fromStdString(content.error().message).contains(said), content.error().message.c_str());
    }
};

QTEST_MAIN(TestProbeFigures)
#include "test_probe_figures.moc"
