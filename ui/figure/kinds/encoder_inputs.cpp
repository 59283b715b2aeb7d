// What EIE takes for granted, looked at in a trained network: that the numbers X that enter attention are standard
// normal, and that heads then have the entropy of Gaussian queries and keys. Jensen-Shannon divergences of each
// coordinate of X, as it is and standardised, layer by layer, and every head's entropy beside the exact expected one.

#include "core/labs/policies/policy_networks.h"
#include "core/labs/routing/routing_instances.h"
#include "core/statistics/pairs.h"
#include "core/theory/expected_row.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

namespace {

constexpr std::uint64_t unseenSeed = 1'000'003;

/// Of one layer: the divergence of each coordinate from the standard normal distribution, nats.
struct Divergences {
    std::vector<double> asItIs, standardised;
};

Divergences divergencesOf(const Matrix& stream, int bins)
{
    Divergences found;
    for (Index column = 0; column < stream.cols(); ++column) {
        std::vector<float> values(static_cast<std::size_t>(stream.rows()));
        Eigen::Map<Eigen::VectorXf> x(values.data(), stream.rows());
        x = stream.col(column);
        found.asItIs.push_back(divergenceFromNormal(values, bins));
        x.array() -= x.mean();
        const float deviation = std::sqrt(x.squaredNorm() / static_cast<float>(x.size()));
        if (deviation > 0)
            x /= deviation;
        found.standardised.push_back(divergenceFromNormal(values, bins));
    }
    return found;
}

/// `floor`: of as many normal numbers.
Panel divergencePanel(const std::vector<Divergences>& layers, std::vector<double> Divergences::*which, double floor,
                      const QString& title)
{
    Panel panel;
    ChartSpec& chart = panel.chart;
    chart.title = title;
    chart.x.title = u"Coordinate of $X$"_s;
    chart.y.title = u"Divergence from normal (nats)"_s;
    chart.y.log = true;
    chart.y.range = {floor / 1.6, 1};
    chart.legend = Legend::None;
    for (size_t layer = 0; layer < layers.size(); ++layer) {
        ChartSeries series{.label = u"Layer %1"_s.arg(layer + 1),
                           .style = static_cast<int>(layer),
                           .shape = ChartSeries::Shape::Points};
        for (const double divergence : layers[layer].*which)
            series.points.push_back({static_cast<double>(series.points.size()), divergence});
        chart.series.push_back(std::move(series));
    }
    chart.lines.push_back({Qt::Horizontal, floor, u"as many normal numbers"_s, false});
    return panel;
}

Panel entropyPanel(const HeadValues& entropies, double expected, double mostEntropy)
{
    Panel panel;
    ChartSpec& chart = panel.chart;
    chart.title = u"The heads"_s;
    chart.x.title = u"Head"_s;
    chart.y.title = u"Mean entropy of all rows (nats)"_s;
    chart.y.range = {0, mostEntropy * 1.08};
    chart.legend = Legend::None;
    double head = 0;
    for (size_t layer = 0; layer < entropies.size(); ++layer) {
        ChartSeries series{.label = u"Layer %1"_s.arg(layer + 1),
                           .style = static_cast<int>(layer),
                           .shape = ChartSeries::Shape::Points};
        for (const double entropy : entropies[layer])
            series.points.push_back({head++, entropy});
        chart.series.push_back(std::move(series));
    }
    chart.lines.push_back({Qt::Horizontal, mostEntropy, u"$\\ln n$"_s, false});
    chart.lines.push_back({Qt::Horizontal, expected, u"Gaussian $q$, $k$"_s, false});
    return panel;
}

}  // namespace

Result<FigureContent> buildEncoderInputs(const Recipe& recipe, std::stop_token stop)
{
    bool vehicles = false;
    std::int64_t learned = 50, sets = 256;
    int bins = 64;
    ObjectReader reader(recipe.parameters, "parameters");
    reader.boolean("vehicles", vehicles);
    reader.number("learned", learned, 1, 100000);
    reader.number("sets", sets, 1, 4096);
    reader.number("bins", bins, 2, 10000);
    TRY(reader.finish());

    const AttentionModel model = TRY(shippedRouting(vehicles, learned));
    std::vector<RoutingInstance> instances;
    const RoutingDraw draw{.depot = vehicles, .size = learned, .capacity = usualCapacity(learned), .seed = unseenSeed};
    for (std::int64_t number = 0; number < sets; ++number)
        instances.push_back(drawInstance(draw, number));
    std::vector<Divergences> layers;
    double numbers = 0;
    const auto look = [&](Index, const Matrix& stream) {
        layers.push_back(divergencesOf(stream, bins));
        numbers = static_cast<double>(stream.rows());
    };
    const Solved<Tour> run = TRY(runRouting(model, instances,
                                            {.policy = {.trainLength = static_cast<double>(learned)},
                                             .entropies = true,
                                             .engine = recipe.scenario.engine,
                                             .stop = stop,
                                             .observe = look}));

    const double floor = (bins + 1) / (8 * numbers);
    const auto d = static_cast<int>(model.headSize()), n = static_cast<int>(instances.front().nodes());
    FigureContent content;
    addPanel(content, divergencePanel(layers, &Divergences::asItIs, floor, u"$X$ as it is"_s), 0, 0);
    addPanel(content, divergencePanel(layers, &Divergences::standardised, floor, u"$X$ standardised"_s), 0, 1);
    content.panels.back().sharesAxes = true;
    addPanel(content,
             entropyPanel(run.encoder.entropies,
                          expectedEntropy(TRY(logitDensity({"gaussian", {}, {}}, d)), n, 1 / std::sqrt(d)),
                          std::log(n)),
             0, 2);
    content.legend = content.panels.front().chart.series;
    return content;
}

}  // namespace attnscope
