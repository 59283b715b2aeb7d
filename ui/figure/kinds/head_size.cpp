// Head sizes that lengths ask for: Su's d_n = d ln n / ln N and the 8 ln n that he had from minimum entropy, where the
// Johnson-Lindenstrauss lemma says O(ln n); and how far a random projection to d dimensions moves an inner product.

#include "core/theory/bounds.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

Result<FigureContent> buildHeadSize(const Recipe& recipe, std::stop_token)
{
    std::vector<std::int64_t> lengths;
    ObjectReader reader(recipe.parameters, "parameters");
    readLengths(reader, "lengths", lengths, "16:1e6:49");
    TRY(reader.finish());
    const std::vector<double> n(lengths.begin(), lengths.end());
    const int d = recipe.scenario.d;

    Panel sizes, errors;
    sizes.chart.title = u"Dimensions wanted at length $n$"_s;
    sizes.chart.x = lengthAxis();
    sizes.chart.y.title = u"Dimensions"_s;
    sizes.chart.legend = Legend::BottomRight;
    sizes.chart.series = {sampled({.label = u"$d_n = d \\ln n / \\ln N$"_s, .style = 0}, n,
                                  [&](double at) { return headSizeWanted(at, recipe.scenario.nTrain, d); }),
                          sampled({.label = u"$8 \\ln n$"_s, .style = 1}, n, embeddingSizeWanted)};
    sizes.chart.lines = {{Qt::Horizontal, static_cast<double>(d), u"$d = %1$"_s.arg(d), false},
                         trainLengthLine(recipe.scenario)};

    std::vector<double> dimensions;
    for (int i = 0; i <= 48; ++i)
        dimensions.push_back(std::round(4 * std::pow(2.0, i / 6.0)));
    errors.chart.title = u"Inner products after random projection"_s;
    errors.chart.x.title = u"Dimensions $d$"_s;
    errors.chart.x.log = true;
    errors.chart.x.tickText = TickText::Lengths;
    errors.chart.y.title = u"Root mean square error"_s;
    errors.chart.y.log = true;
    errors.chart.legend = Legend::TopRight;
    errors.chart.series = {sampled({.label = u"Unit vectors, $\\cos \\theta = 1$"_s, .style = 2}, dimensions,
                                   [](double at) { return projectionError(static_cast<int>(at), 1); }),
                           sampled({.label = u"Unit vectors, $\\cos \\theta = 0$"_s, .style = 3}, dimensions,
                                   [](double at) { return projectionError(static_cast<int>(at), 0); })};
    FigureContent content;
    addPanel(content, std::move(sizes), 0, 0);
    addPanel(content, std::move(errors), 0, 1);
    return content;
}

}  // namespace attnscope
