#include "ui/figure/kinds/support.h"

#include "core/base/length_list.h"
#include "core/scaling/scale_method.h"

namespace attnscope {

QString toQt(const std::string& text) { return QString::fromStdString(text); }

QString panelLetter(size_t index) { return QString(QChar(static_cast<char16_t>(u'a' + index))); }

QString methodLabel(const Choice& method)
{
    const auto row = findRow(scaleMethods(), method.id, "scale method");
    return toQt(row ? describeChoice(**row, method) : method.id);
}

ChartSeries methodSeries(const Choice& method, size_t position)
{
    ChartSeries series;
    series.label = methodLabel(method);
    series.style = static_cast<int>(position);
    return series;
}

ChartSeries fromCurve(const Curve& curve, const QString& label, int style)
{
    ChartSeries series;
    series.label = label;
    series.style = style;
    for (const CurvePoint& point : curve) {
        ChartPoint made{point.n, point.value};
        if (point.standardError > 0) {
            made.low = point.value - point.standardError;
            made.high = point.value + point.standardError;
        }
        series.points.push_back(made);
    }
    return series;
}

void readLengths(ObjectReader& reader, std::string_view key, std::vector<std::int64_t>& target)
{
    std::string text;
    reader.text(key, text);
    if (text.empty())
        return;
    if (auto lengths = parseLengths(text))
        target = *lengths;
    else
        reader.fail({lengths.error().kind, reader.pathOf(key) + ": " + lengths.error().message});
}

Result<std::function<Result<double>(double n)>> multiplierOf(const Choice& method, const Scenario& scenario)
{
    return bindScale(method).map([d = scenario.d, nTrain = scenario.nTrain](const auto& bound) -> std::function<Result<double>(double)> {
        return [=](double n) {
            ScaleContext context;
            context.keys = context.rowKeys = n;
            context.position = n - 1;
            context.nTrain = nTrain;
            context.d = d;
            return bound(context);
        };
    });
}

ChartAxis lengthAxis()
{
    ChartAxis axis;
    axis.title = QStringLiteral("Sequence length $n$");
    axis.log = true;
    axis.tickText = TickText::Lengths;
    return axis;
}

QColor ordinalColour(size_t index, size_t count, const Recipe& recipe)
{
    const auto map = findColourMap(recipe.colours);
    const double t = count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
    const bool dark = printStyle(recipe.style).map([](const PlotStyle& style) { return style.dark; }).value_or(false);
    return QColor::fromRgb((map ? *map : &colourMaps().front())->at(dark ? 0.35 + 0.65 * t : 0.05 + 0.7 * t));
}

}  // namespace attnscope
