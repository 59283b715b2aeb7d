#include "ui/figure/kinds/support.h"

#include "core/base/length_list.h"
#include "core/scaling/scale_method.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/method_style.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

QString symbolsIn(const QString& label)
{
    static const QRegularExpression alone(QStringLiteral("(?<![\\w$\\-'\\x{2019}])([b-zB-Z]|[\\x{03B1}-\\x{03C9}][a-z]?)(?![\\w$\\-.])"));
    return QString(label).replace(alone, QStringLiteral("$\\1$"));
}

QString panelLetter(size_t index) { return QString(QChar(static_cast<char16_t>(u'a' + index))); }

QString methodLabel(const Choice& method)
{
    const auto row = findRow(scaleMethods(), method.id, "scale method");
    return symbolsIn(text(row ? describeChoice(**row, method) : method.id));
}

ChartSeries methodSeries(const std::vector<Choice>& methods, size_t place)
{
    ChartSeries series;
    series.label = methodLabel(methods[place]);
    series.style = methodStyles(methods)[place];
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

Result<std::vector<PublishedTable>> readTables(ObjectReader& reader)
{
    std::vector<std::string> ids;
    if (const nlohmann::json* list = reader.field("tables"))
        for (const nlohmann::json& id : *list)
            ids.push_back(id.is_string() ? id.get<std::string>() : "");
    if (ids.empty())
        reader.fail("parameters.tables is missing; give a list of published tables");
    if (auto done = reader.finish(); !done)
        return tl::unexpected<Error>(done.error());
    std::vector<PublishedTable> tables;
    for (const std::string& id : ids) {
        Result<PublishedTable> table = publishedTable(id);
        if (!table)
            return tl::unexpected<Error>(table.error());
        tables.push_back(std::move(*table));
    }
    return tables;
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

Result<ColourScale> figureScale(const std::vector<std::shared_ptr<const PooledMap>>& maps, bool log, double decades, const Recipe& recipe)
{
    std::vector<const PooledMap*> all;
    for (const auto& map : maps)
        all.push_back(map.get());
    return findColourMap(recipe.colours).map([&](const ColourMap* colours) {
        ColourScale scale = weightScale(all, log, colours, decades);
        scale.zeroIsBlank = false;
        if (const double power = std::pow(10, std::round(std::log10(scale.low))); log && power < scale.high / 2)
            scale.low = power;
        return scale;
    });
}

QColor ordinalColour(size_t index, size_t count, const Recipe& recipe)
{
    const auto map = findColourMap(recipe.colours);
    const double t = count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0;
    const bool dark = printStyle(recipe.style).map([](const PlotStyle& style) { return style.dark; }).value_or(false);
    return QColor::fromRgb((map ? *map : &colourMaps().front())->at(dark ? 0.35 + 0.65 * t : 0.05 + 0.7 * t));
}

}  // namespace attnscope
