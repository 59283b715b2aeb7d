#include "ui/workbench/figure_sources.h"

#include "ui/figure/explore_charts.h"
#include "ui/figure/map_pictures.h"
#include "ui/figure/model_figures.h"
#include "ui/figure/model_recipes.h"
#include "ui/figure/views_recipe.h"
#include "ui/plot/qt_text.h"
#include "ui/workbench/workbench.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::shared_ptr<const FigureContent> shared(Result<FigureContent> made)
{
    return made ? std::make_shared<const FigureContent>(std::move(*made)) : nullptr;
}

/// A view of Explore; "*": all that it shows.
FigureSource viewSource(Workbench& bench, const QString& label, const std::string& view,
                        const std::function<std::vector<std::string>()>& views)
{
    const bool all = view == "*";
    return {exploreWorkspace, label,
            [&bench, view, views, all, title = label.toStdString()]() -> std::optional<Recipe> {
                const AnalysisPtr& answer = bench.analyser.answer();
                if (view == "heads" && (!answer || answer->heads.empty()))
                    return {};  // they come with a file of tensors
                if (view == "heatmaps" && answer && std::ranges::none_of(answer->methods, hasMap))
                    return {};  // theory has none
                Recipe recipe =
                    viewsRecipe(all ? views() : std::vector{view}, bench.document.scenario(), bench.document.look());
                const ExploreChart* chart = findExploreChart(view);
                recipe.title = chart ? chart->titleOf(bench.document.scenario()).toStdString() : title;
                return recipe;
            },
            [all] { return all; }};
}

ShownOfModel shownOf(const Workbench& bench)
{
    const ShownHead head = bench.model.shown();
    const auto b = bench.model.beside();
    return {bench.document.scenario(),
            bench.document.look(),
            bench.model.folder(),
            bench.model.lengths(),
            head.n,
            {head.position, head.method},
            b ? std::optional(Combination{b->position, b->method}) : std::nullopt,
            head.layer,
            head.head,
            bench.model.madeTokens()};
}

FiguredPolicies policiesOf(const Workbench& bench)
{
    return {bench.document.scenario().methods, bench.document.look().model.positions};
}

bool hasRuns(const Workbench& bench)
{
    return bench.model.isOfNow() && bench.model.opens().model && !bench.document.scenario().methods.empty() &&
           !bench.model.lengths().empty();
}

const ModelLook& lookOf(const Workbench& bench) { return bench.document.look().model; }

FigureSource qualitySource(Workbench& bench)
{
    return {modelWorkspace, u"Quality against n"_s,
            [&bench] { return hasRuns(bench) ? std::optional(qualityRecipe(shownOf(bench))) : std::nullopt; },
            [&bench] { return !lookOf(bench).finding && !lookOf(bench).probing; },
            [&bench]() -> std::shared_ptr<const FigureContent> {
                const auto study = bench.model.studyOfNow();
                if (!study || !study->complete())
                    return nullptr;
                return shared(qualityFigure(*study, bench.model.model()->architecture, policiesOf(bench),
                                            lookOf(bench).perplexity, askedOf(shownOf(bench)).inWords()));
            }};
}

FigureSource headsSource(Workbench& bench)
{
    return {modelWorkspace, u"Heads, and the one that is looked at"_s,
            [&bench] { return hasRuns(bench) ? std::optional(headsRecipe(shownOf(bench))) : std::nullopt; },
            [] { return false; }};
}

FigureSource scaleSource(Workbench& bench)
{
    return {modelWorkspace, u"The scale that was found"_s,
            [&bench]() -> std::optional<Recipe> {
                const auto& news = bench.scale.news();
                if (!news || !news->report || !bench.model.isOfNow())
                    return {};
                ShownOfModel shown = shownOf(bench);
                shown.n = bench.scale.length();
                return scaleRecipe(shown);
            },
            [&bench] { return lookOf(bench).finding; },
            [&bench]() -> std::shared_ptr<const FigureContent> {
                const auto& news = bench.scale.news();
                if (!news || !news->report || !bench.model.isOfNow())
                    return nullptr;
                return shared(scaleFigure(
                    {news->report->at, bench.model.model()->architecture.headSize, news->tried, news->theory},
                    lookOf(bench).over, news->report.get(), askedOf(shownOf(bench)).inWords()));
            }};
}

/// Lengths that were left out are none of the figure's.
std::vector<std::int64_t> lengthsAsked(const ProbeNews& news)
{
    std::vector<std::int64_t> lengths;
    for (const ProbeCell& cell : news.cells)
        if (lengths.empty() || lengths.back() != cell.n)
            lengths.push_back(cell.n);
    return lengths;
}

FigureSource probeSource(Workbench& bench)
{
    const auto found = [&bench]() -> const ProbeNews* {
        const auto& news = bench.probes.news();
        const bool any = news && news->error.isEmpty() && !news->cells.empty() && !bench.probes.isRunning();
        return any && bench.model.isOfNow() ? news.get() : nullptr;
    };
    return {modelWorkspace, u"Probes"_s,
            [&bench, found]() -> std::optional<Recipe> {
                const ProbeNews* news = found();
                if (!news)
                    return {};
                ShownOfModel shown = shownOf(bench);
                // one that was stopped is asked again, whole
                shown.lengths = news->complete ? lengthsAsked(*news) : bench.probes.request().lengths;
                return probeRecipe(shown);
            },
            [&bench] { return lookOf(bench).probing; },
            [&bench, found]() -> std::shared_ptr<const FigureContent> {
                const ProbeNews* news = found();
                if (!news)
                    return nullptr;
                const ProbeRequest& request = bench.probes.request();
                const ProbeLook& look = lookOf(bench).probe;
                const bool needle = request.task == ProbeTask::Needle;
                const ModelAsked asked = askedOf(shownOf(bench));
                const ProbesRun run{needle ? asked.inWords() : modelsInWords({asked.model}),
                                    lengthsAsked(*news),
                                    request.depths,
                                    request.samples,
                                    1,
                                    static_cast<double>(bench.model.model()->architecture.trainLength),
                                    bench.model.model()->architecture.vocabulary,
                                    look.probability,
                                    look.difference};
                const auto figure = needle ? needleFigure : recallFigure;
                FigureContent content = figure(news->cells, policiesOf(bench), run);
                if (!news->complete)
                    content.footnote.prepend(
                        u"Partial: stopped at %1 %, after %2 cells (opened again, all are asked). "_s
                            .arg(std::lround(100 * news->fraction))
                            .arg(news->cells.size()));
                return shared(std::move(content));
            }};
}

}  // namespace

std::vector<FigureSource> figureSources(Workbench& bench, const std::function<std::vector<std::string>()>& views)
{
    std::vector<FigureSource> all{viewSource(bench, u"The whole window"_s, "*", views),
                                  viewSource(bench, u"Maps"_s, "heatmaps", views)};
    for (const ExploreChart& chart : exploreCharts())
        all.push_back(viewSource(bench, chart.plainTitle(), chart.id, views));
    all.push_back(viewSource(bench, u"All heads"_s, "heads", views));
    for (const auto source : {qualitySource, headsSource, scaleSource, probeSource})
        all.push_back(source(bench));
    return all;
}

}  // namespace attnscope
