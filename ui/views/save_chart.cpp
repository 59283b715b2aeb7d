#include "ui/views/save_chart.h"

#include "core/base/replace_file.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_content.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/save_picture.h"
#include "ui/widgets/theme.h"
#include "ui/views/chart_view.h"

#include <QAction>

#include <algorithm>

namespace attnscope {

namespace {

constexpr double chartWidthMm = 120, flattest = 0.4, highest = 1.2;  // of a width

}  // namespace

Result<void> saveChart(const ChartSpec& chart, QSize shape, const QString& path)
{
    FigureContent content;
    Panel& panel = content.panels.emplace_back();
    panel.chart = chart;
    if (panel.chart.legend == Legend::None)
        panel.chart.legend = Legend::Below;  // nothing else beside it says whose lines these are
    const std::map<int, QColor> chosen = chartStyle().methodColours;
    for (ChartSeries& series : panel.chart.series)
        if (const auto colour = chosen.find(series.style); colour != chosen.end() && !series.colour)
            series.colour = colour->second;
    if (path.endsWith(".csv"_L1, Qt::CaseInsensitive))
        return replaceFile(path.toStdString(), dataTable(content));
    Recipe recipe;
    recipe.title = plainText(chart.title).toStdString();
    recipe.widthMm = chartWidthMm;
    recipe.heightMm = chartWidthMm * std::clamp(double(shape.height()) / std::max(1, shape.width()), flattest, highest);
    return saveFigure(content, recipe, path.toStdString());
}

void offerSaving(ChartView& view, const QString& name)
{
    auto* save = new QAction(savingWords(true), &view);
    view.addAction(save);
    QObject::connect(save, &QAction::triggered, &view, [&view, name] {
        askAndSave(view, name, true, [chart = view.onScreen(), shape = view.size()](const QString& path) {
            return saveChart(chart, shape, path);
        });
    });
}

}  // namespace attnscope
