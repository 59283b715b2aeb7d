#include "ui/figure/figure_kind.h"

#include "ui/plot/qt_text.h"

namespace attnscope {

// Of each the name of its function, its id, label and live view, what its numbers are, and what it is about.
// clang-format off
#define ATTNSCOPE_FIGURES(row) \
    row(Views, "views", "Views of the window", "heatmaps", "", \
        "What the window shows of a scenario: heatmaps, entropy against n, dispersion, heads; one of them or " \
        "several.") \
    row(MethodGrid, "method_grid", "Heatmaps of several methods", "heatmaps", "", \
        "One n x n heatmap a scale method under one colour scale.") \
    row(ScaleCurves, "scale_curves", "Scale methods against n", "entropy", "", \
        "The multiplier of every method, its ratio to the one at N, or lambda, against n.") \
    row(Dispersion, "dispersion", "Softmax disperses", "dispersion", "", \
        "Largest weight and top-k mass against n inside Lemma 2.1's bounds, and sorted weights of one row.") \
    row(EntropyCurves, "entropy_curves", "Exact entropy against n", "entropy", "", \
        "The exact expected entropy of a row under each scale method, and at published scales.") \
    row(Approximations, "approximations", "Approximations of the entropy", "entropy", "", \
        "Exact expected entropy and the papers' approximations, against lambda and against n.") \
    row(PowerSeries, "power_series", "Entropy of a power series", "", "formula", \
        "The entropy of logits a, a^2, ... against temperature.") \
    row(AdaptiveFit, "adaptive_fit", "Adaptive temperature's fit", "dispersion", "", \
        "The polynomial for beta against entropy, where it is held at 1 and where it switches itself off.") \
    row(HeadSize, "head_size", "Head sizes that lengths ask for", "", "formula", \
        "d_n = d ln n / ln N, 8 ln n, and the error of projected inner products.") \
    row(PublishedCurves, "published_curves", "Published tables as charts", "", "as published", \
        "Numbers as papers printed them, against length.") \
    row(PublishedTables, "published_tables", "Published tables", "", "as published", \
        "Tables cell by cell, as papers printed them.") \
    row(ScenarioGrid, "scenario_grid", "Heatmaps of several scenarios", "heatmaps", "", \
        "One heatmap for each of a list of changes to the scenario.") \
    row(CosinePeak, "cosine_peak", "Where cosine attention peaks", "heatmaps", "", \
        "The cosine at which attention's weight peaks against alpha: theory and histogram mode.") \
    row(CosineAngles, "cosine_angles", "Angles of cosine attention", "heatmaps", "", \
        "Histograms of cos theta weighted by attention above log heatmaps, for several alphas.") \
    row(HeadEntropy, "head_entropy", "Entropy of heads against n", "entropy", "", \
        "Mean row entropy of every head of a file, or of synthetic heads, against n.") \
    row(EntropySources, "entropy_sources", "Entropy of several sources", "entropy", "", \
        "Entropy against n for several sources of queries and keys, exact and sampled.") \
    row(MaxRetrievalHeads, "max_retrieval_heads", "The max-retrieval head", "", "measured", \
        "A trained head's weights on the largest items of sets of growing size, under any scale method and " \
        "normaliser.") \
    row(MaxRetrievalTable, "max_retrieval_table", "Max retrieval: accuracy", "", "published, measured", \
        "Accuracy of max-retrieval heads against the size of the set, as published and as trained here.") \
    row(Figure7Here, "figure7_here", "Algorithms as text: accuracy", "", "measured", \
        "Share of problems solved exactly against their size, of networks that the lab algorithms trained.") \
    row(EieTables, "eie_tables", "EIE's tables, and here", "", "published, measured", \
        "Load rates and lengths under the paper's scales as printed, beside those of the program's own smaller " \
        "networks.") \
    row(EncoderInputs, "encoder_inputs", "What an encoder's attention sees", "", "measured", \
        "How far the inputs of a network's attention are from the normal numbers of the theory, and its heads' " \
        "entropies from the theory's.") \
    row(LanguageHere, "language_here", "Language models beyond N, and here", "", "published, measured", \
        "Perplexity and accuracy against length as papers printed them, beside those of the program's own smaller " \
        "networks.") \
    row(CapacitiesHere, "capacities_here", "Routes of vehicles, and here", "", "published, measured", \
        "What scales change of routes under three capacities, as printed, and of networks of the lab routing.") \
    row(SchemesHere, "schemes_here", "Positions and windows beyond N, and here", "", "published, measured", \
        "Accuracy under position schemes and windows, with the cosine and InfoScale, as printed, and what networks " \
        "of the lab recall find.") \
    row(Tours, "tours", "Tours, and how they are made", "", "measured", \
        "One instance under two scales: the tours, or steps on the way with the attention of the place where each " \
        "stands.") \
    row(LabRun, "lab_run", "Runs of a lab", "", "measured", \
        "What runs of a lab found, from the folders that they were kept in.") \
    row(NeedleMap, "needle_map", "Needle map", "", "measured", \
        "How often models find what was told once, by depth of the text and length, under every scale method and " \
        "positions.") \
    row(RepeatRecall, "repeat_recall", "Repeated tokens against n", "", "measured", \
        "How much of random tokens that come again models know, against length, under every scale method and " \
        "positions.") \
    row(ModelQuality, "model_quality", "Quality of a model against n", "", "measured", \
        "Perplexity or loss of a model with scale methods in its layers, one panel a position scheme.") \
    row(ModelHeads, "model_heads", "Heads of a model", "", "measured", \
        "Every head of a model by a measure, and the attention of one of them, under one policy or two.") \
    row(ScaleSearch, "scale_search", "The scale that is best for a model", "", "measured", \
        "The loss of every setting that a search for a model's scale tried, beside what theory asks for, and the gain by " \
        "place in the window.") \
    row(Scoreboard, "scoreboard", "Scoreboard", "", "measured", \
        "Every scale method on every task at every length, from runs of labs, as gains against vanilla.") \
    row(ScoreboardEntropy, "scoreboard_entropy", "Scoreboard: quality against entropy", "", "measured", \
        "The gain against vanilla over the size of the change of entropy, from runs of labs.")
// clang-format on

#define ATTNSCOPE_DECLARE(name, ...) Result<FigureContent> build##name(const Recipe&, std::stop_token);
#define ATTNSCOPE_CALL(name, id, label, liveView, basis, about) kind(id, label, about, build##name, liveView, basis),

ATTNSCOPE_FIGURES(ATTNSCOPE_DECLARE)

namespace {

FigureKind kind(const char* id, const char* label, const char* about,
                Result<FigureContent> (*build)(const Recipe&, std::stop_token), const char* liveView, const char* basis)
{
    FigureKind row{{}, build, liveView, basis};
    row.id = id;
    row.label = label;
    row.about = about;
    return row;
}

}  // namespace

std::span<const FigureKind> figureKinds()
{
    static const std::vector<FigureKind> rows{ATTNSCOPE_FIGURES(ATTNSCOPE_CALL)};
    return rows;
}

Result<FigureContent> buildFigure(const Recipe& recipe, std::stop_token stop)
{
    const auto kind = TRY(findRow(figureKinds(), recipe.kind, "kind of figure"));
    auto content = TRY(kind->build(recipe, stop));
    if (recipe.panels.size() > content.panels.size())
        return failure(ErrorKind::InvalidArgument, "recipe.panels names " + std::to_string(recipe.panels.size()) +
                                                       " panels; this figure has " +
                                                       std::to_string(content.panels.size()));
    for (size_t i = 0; i < recipe.panels.size(); ++i) {
        const PanelLabels& wanted = recipe.panels[i];
        const Panel& panel = content.panels[i];
        if ((wanted.xRange || wanted.yRange) && (panel.map || panel.table || panel.tour || panel.packings))
            return failure(
                ErrorKind::InvalidArgument,
                "recipe.panels[" + std::to_string(i) +
                    "]: this panel is no chart, so it has no range; of a map scenario.view.region is the part "
                    "that is shown");
        ChartSpec& chart = content.panels[i].chart;
        if (wanted.title)
            chart.title = text(*wanted.title);
        if (wanted.xTitle)
            chart.x.title = text(*wanted.xTitle);
        if (wanted.yTitle)
            chart.y.title = text(*wanted.yTitle);
        if (wanted.xRange)
            chart.x.range = wanted.xRange;
        if (wanted.yRange)
            chart.y.range = wanted.yRange;
        if ((chart.x.log && chart.x.range && chart.x.range->first <= 0) ||
            (chart.y.log && chart.y.range && chart.y.range->first <= 0))
            return failure(ErrorKind::InvalidArgument,
                           "recipe.panels[" + std::to_string(i) + "]: a range of a logarithmic axis must be above 0");
    }
    return content;
}

}  // namespace attnscope
