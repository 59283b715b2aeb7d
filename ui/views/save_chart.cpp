#include "ui/views/save_chart.h"

#include "core/base/replace_file.h"
#include "ui/figure/figure.h"
#include "ui/figure/figure_content.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/file_to_save.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/theme.h"
#include "ui/views/chart_view.h"

#include <QAction>
#include <QPointer>

#include <algorithm>

namespace attnscope {

namespace {

constexpr double chartWidthMm = 120, flattest = 0.4, highest = 1.2;  // of a width

/// Of the chart as it was when it was asked for: while the dialog is open another may come, or the view go.
void askAndSave(ChartView& view, const QString& name)
{
    const ChartSpec chart = view.onScreen();
    const QSize shape = view.size();
    const QPointer<QWidget> window = view.window();
    const QString path = fileToSave(view, u"Save the chart"_s, name + u".pdf"_s,
                                    u"PDF (*.pdf);;SVG (*.svg);;PNG (*.png);;Numbers (*.csv)"_s);
    if (path.isEmpty())
        return;
    const auto saved = saveChart(chart, shape, path);
    if (auto* messages = window ? window->findChild<MessageBar*>() : nullptr)
        messages->say(saved ? MessageBar::Kind::Done : MessageBar::Kind::Error,
                      saved ? u"Saved %1."_s.arg(path) : text(saved.error().message));
}

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
    auto* save = new QAction(u"Save as PDF, SVG, PNG or numbers\u2026"_s, &view);
    view.addAction(save);
    QObject::connect(save, &QAction::triggered, &view, [&view, name] { askAndSave(view, name); });
}

}  // namespace attnscope
