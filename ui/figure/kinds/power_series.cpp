// The entropy of ten logits in a power series, a, a^2, ..., a^10, against temperature: what temperature does depends on
// the logits that it meets.

#include "core/attention/normaliser.h"
#include "core/attention/summarise_row.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

Result<FigureContent> buildPowerSeries(const Recipe& recipe, std::stop_token)
{
    int count = 10;
    double coolest = 0.01, hottest = 10;
    std::vector<double> ratios{0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.99};
    ObjectReader reader(recipe.parameters, "parameters");
    reader.number("logits", count, 1, 10000);
    reader.number("coolest", coolest, 1e-6, 1e6);
    reader.number("hottest", hottest, 1e-6, 1e6);
    reader.numbers("ratios", ratios, 0, 1);
    if (!(coolest < hottest))
        reader.fail("parameters.coolest must be below parameters.hottest");
    TRY(reader.finish());

    const Normaliser& softmax = normalisers().front();
    const Choice plain{softmax.id, {}, {}};
    FigureContent content;
    ChartSpec& chart = content.panels.emplace_back().chart;
    chart.x.title = u"Temperature $\\theta$"_s;
    chart.x.log = true;
    chart.y.title = u"Entropy $H$ (nats)"_s;
    chart.y.range = {0, std::log(count) * 1.06};
    chart.legend = Legend::BottomRight;
    for (size_t r = 0; r < ratios.size(); ++r) {
        ChartSeries series;
        series.label = u"$a = %1$"_s.arg(ratios[r]);
        series.colour = ordinalColour(r, ratios.size(), recipe);
        series.style = static_cast<int>(r);
        for (int i = 0; i <= 120; ++i) {
            const double temperature = coolest * std::pow(hottest / coolest, i / 120.0);
            std::vector<double> logits;
            for (int k = 1; k <= count; ++k)
                logits.push_back(std::pow(ratios[r], k) / temperature);
            const VisibleKeys all{0, 0, count};
            series.points.push_back(
                {temperature, summariseRow(logits, all, 0, softmax, Parameters(softmax, plain)).entropy});
        }
        chart.series.push_back(series);
    }
    chart.lines.push_back({Qt::Horizontal, std::log(count), u"$\\ln %1$"_s.arg(count), false});
    return content;
}

}  // namespace attnscope
