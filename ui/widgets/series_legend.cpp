#include "ui/widgets/series_legend.h"

#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/theme.h"

#include <QMouseEvent>
#include <QPainter>

#include <cmath>

namespace attnscope {

namespace {
constexpr int narrowest = 100;  // that names are put into rows for
}

SeriesLegend::SeriesLegend(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setAccessibleName(u"Legend"_s);
    hide();
}

void SeriesLegend::show(std::vector<ChartSeries> series)
{
    m_series = std::move(series);
    QStringList names;
    for (const ChartSeries& one : m_series)
        names << one.label;
    setAccessibleDescription(names.join(u", "_s));
    setVisible(!m_series.empty());
    fit();
}

void SeriesLegend::fit()
{
    const double height = flowLegend(nullptr, m_series, chartStyle(), {}, std::max(narrowest, width()));
    setFixedHeight(std::max(1, static_cast<int>(std::ceil(height))));
    update();
}

void SeriesLegend::resizeEvent(QResizeEvent*) { fit(); }

void SeriesLegend::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        fit();
    QWidget::changeEvent(event);
}

void SeriesLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    flowLegend(&painter, m_series, chartStyle(), {}, std::max(narrowest, width()));
}

void SeriesLegend::mouseMoveEvent(QMouseEvent* event)
{
    const int at = flowLegendAt(m_series, chartStyle(), std::max(narrowest, width()), event->position());
    point(at < 0 ? QString() : m_series[static_cast<std::size_t>(at)].label);
}

void SeriesLegend::leaveEvent(QEvent* event)
{
    point({});
    QWidget::leaveEvent(event);
}

void SeriesLegend::point(const QString& label)
{
    if (std::exchange(m_pointed, label) != label)
        emit pointed(label);
}

}  // namespace attnscope

#include "moc_series_legend.cpp"
