// Adaptive temperature's beta against the row's entropy: the fitted polynomial, where it is held at 1, and where it
// falls below 1 and so switches itself off. With a max-retrieval head also the sets that such a polynomial is fitted to
// (those in which the largest item lacks the largest logit), and the one fitted to them in the paper's way.

#include "core/attention/normaliser.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_head.h"
#include "ui/figure/kinds/support.h"

namespace attnscope {

namespace {

double polynomial(double entropy, const Parameters& p)
{
    return (((p["c4"] * entropy + p["c3"]) * entropy + p["c2"]) * entropy + p["c1"]) * entropy + p["c0"];
}

/// Misranked sets as points, and beta of the polynomial fitted to them.
Result<std::vector<ChartSeries>> refit(const std::string& headName, std::int64_t sets, double largest,
                                       std::stop_token stop)
{
    MaxRetrievalModel head = TRY(loadHead(headName));
    const auto misranked = TRY(misrankedSets(head, misrankedSeed, sets, mostTestItems,
                                             {16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}, stop));
    const auto coefficients = fitTemperature(misranked);
    if (!coefficients)
        return failure(ErrorKind::DataError, "this head ranks too few sets wrong for a fit; raise parameters.sets");
    ChartSeries points{.label = u"Best $\\beta$ of a misranked set"_s,
                       .style = 2,
                       .shape = ChartSeries::Shape::Points,
                       .opacity = 0.4};
    ChartSeries curve{.label = u"Refit to these"_s, .style = 2, .solid = true, .emphasis = 1.3};
    for (const MisrankedSet& set : misranked)
        points.points.push_back({set.entropy, 1 / set.theta});
    for (int i = 1; i <= 400; ++i) {
        const double entropy = largest * i / 400;
        curve.points.push_back({entropy, entropy > 0.5 ? std::max(1.0, polynomialAt(*coefficients, entropy)) : 1});
    }
    return std::vector{points, curve};
}

}  // namespace

Result<FigureContent> buildAdaptiveFit(const Recipe& recipe, std::stop_token stop)
{
    double largest = 8;
    std::string head;
    std::int64_t sets = 128;
    Choice choice{"adaptive", {}, {}};
    ObjectReader reader(recipe.parameters, "parameters");
    reader.text("head", head);
    reader.number("sets", sets, 1, 65536);
    reader.number("largest_entropy", largest, 0.1, 100);
    reader.choice("normaliser", choice, normalisers(), "normaliser");
    TRY(reader.finish());
    const auto row = findRow(normalisers(), choice.id, "normaliser");
    if (!row || !(*row)->softmaxForm || !(*row)->softmaxForm->beta)
        return failure(ErrorKind::InvalidArgument,
                       "parameters.normaliser must be adaptive, with its coefficients: adaptive:c4=-0.037,c3=0.481");
    const Parameters parameters(**row, choice);
    Choice reversedChoice = choice;
    reversedChoice.values["lowest_first"] = 1;
    const Parameters reversed(**row, reversedChoice);
    const auto beta = (*row)->softmaxForm->beta;

    ChartSeries fit{.label = u"Polynomial"_s, .style = ChartSeries::reference, .dashes = 1};
    ChartSeries used{.label = u"$\\beta$ as used"_s, .style = 0, .emphasis = 1.3};
    ChartSeries other{.label = u"Coefficients read lowest first"_s, .style = 1};
    std::vector<std::pair<double, double>> off;  // where nothing is multiplied
    double from = 0;
    for (int i = 1; i <= 400; ++i) {
        const double entropy = largest * i / 400;
        fit.points.push_back({entropy, polynomial(entropy, parameters)});
        used.points.push_back({entropy, beta(entropy, parameters)});
        other.points.push_back({entropy, beta(entropy, reversed)});
        const bool acts = used.points.back().y > 1, acted = i > 1 && used.points[used.points.size() - 2].y > 1;
        const double between = entropy - largest / 800;
        if (acts && !acted)
            off.emplace_back(from, between);
        else if (!acts && acted)
            from = between;
        if (i == 400 && !acts)
            off.emplace_back(from, largest);
    }
    FigureContent content;
    ChartSpec& chart = content.panels.emplace_back().chart;
    chart.x.title = u"Entropy of the row, $H$ (nats)"_s;
    chart.x.range = {0, largest};
    chart.y.title = u"Inverse temperature $\\beta$"_s;
    chart.y.range = {-0.2, 3};
    chart.legend = Legend::Below;
    chart.series = {fit, used, other};
    if (!head.empty()) {
        auto more = TRY(refit(head, sets, largest, stop));
        chart.y.range = {-0.2, 8};
        chart.series = {more.front(), fit, used, more.back()};
    }
    for (const auto& [begin, end] : off)
        chart.shaded.push_back({begin, end, u"off"_s});
    chart.lines.push_back({Qt::Horizontal, 1, QString(), false});
    const double offAt = off.empty() || off.back().second < largest ? largest : off.back().first;
    if (offAt > 0 && offAt < largest)
        chart.notes.push_back({largest * 0.99, 1.08,
                               u"$e^H > %1$"_s.arg(static_cast<int>(std::exp(offAt) / 10 + 0.5) * 10),
                               Qt::AlignRight | Qt::AlignBottom, ChartSeries::reference});
    return content;
}

}  // namespace attnscope
