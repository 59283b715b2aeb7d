// The head of the max-retrieval task at work: its weights on the items of largest priority, set after set, as sets
// grow; one row of panels for each way of scaling.

#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_head.h"
#include "core/scaling/scale_method.h"
#include "ui/figure/kinds/support.h"
#include "ui/plot/ticks.h"
#include "ui/figure/lab_charts.h"

namespace attnscope {

namespace {

constexpr std::uint64_t pictureSeed = 1'000'000'000'000;  // as the lab's own pictures

QString nameOf(const std::string& label)
{
    return isVanilla(label) ? u"Softmax"_s : label == "vanilla|adaptive" ? u"Adaptive temperature"_s : text(label);
}

}  // namespace

Result<FigureContent> buildMaxRetrievalHeads(const Recipe& recipe, std::stop_token stop)
{
    std::string headName = "shipped", variantTexts = "vanilla; vanilla|adaptive";
    std::vector<std::int64_t> sizes{16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384};
    std::int64_t sets = 32, items = 16;
    double nTrain = 16;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.text("head", headName);
    reader.text("variants", variantTexts);
    readLengths(reader, "sizes", sizes);
    reader.number("sets", sets, 1, 1024);
    reader.number("items", items, 1, 1024);
    reader.number("n_train", nTrain, 1, 1e9);
    TRY(reader.finish());
    auto head = TRY(loadHead(headName));
    const auto variants = TRY(parseVariants(variantTexts, publishedTemperature));
    HeadEvaluation evaluation = TRY(HeadEvaluation::make(head, variants, nTrain));

    FigureContent content;
    for (const auto size : sizes)
        content.columnTitles.push_back(u"$n$ = %1"_s.arg(countText(static_cast<double>(size))));
    std::vector<std::shared_ptr<const PooledMap>> maps;
    for (size_t variant = 0; variant < variants.size(); ++variant) {
        content.rowTitles.push_back(nameOf(variants[variant].label));
        for (size_t size = 0; size < sizes.size(); ++size) {
            if (stop.stop_requested())
                return failure(ErrorKind::Cancelled, "cancelled");
            auto image = TRY(evaluation.picture(variant, pictureSeed, sets, sizes[size], items));
            maps.push_back(pictureMap({{}, {}, {}, {}, std::move(image)}));
            Panel panel = mapPanel(maps.back(), {}, {});
            panel.sharesAxes = true;
            panel.chart.x.hidden = true;  // the items have ranks, not places
            panel.chart.y.title = u"Set"_s;
            addPanel(content, std::move(panel), variant, size, false);
        }
    }
    const auto scale = TRY(figureScale(maps, false, 4, recipe));
    for (Panel& panel : content.panels)
        panel.scale = scale;
    content.bars = {{scale, u"Weight"_s}};
    content.footnote =
        u"Columns of each panel: the %1 items of largest priority of a set of n, the largest at the right."_s.arg(
            items);
    return content;
}

}  // namespace attnscope
