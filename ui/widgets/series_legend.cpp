#include "ui/widgets/series_legend.h"

#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"

#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {
constexpr int narrowest = 100;            // that names are put into rows for
constexpr int mostRows = 3, fewRows = 2;  // with more than the first it shows the second until it is asked for all, or
                                          // the first where lines that stand out have their names there
}

SeriesLegend::SeriesLegend(QWidget* parent)
    : QWidget(parent), m_more(iconAndText(u"forward"_s, {}, u"Name all lines, or the first of them"_s))
{
    m_more->setParent(this);
    m_more->setProperty("quiet", true);
    m_more->setIconSize({14, 14});
    m_more->setCheckable(true);
    m_more->setFocusPolicy(Qt::TabFocus);
    connect(m_more, &QToolButton::toggled, this, &SeriesLegend::fit);
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
    const auto heightOf = [this](std::size_t count) {
        m_named = count;
        return flowLegend(nullptr, shown(), chartStyle(), {}, std::max(narrowest, width()), LegendFlow::Columns);
    };
    const double row = heightOf(1), all = heightOf(m_series.size());
    const bool many = all > (mostRows + 0.5) * row;
    double height = all;
    const bool inCrowd = std::ranges::any_of(m_series, &ChartSeries::behind);
    const auto last = std::find_if(m_series.rbegin(), m_series.rend(),
                                   [](const ChartSeries& one) { return !one.behind && one.style >= 0; });
    const auto leading = static_cast<std::size_t>(inCrowd ? m_series.rend() - last : 0);  // to the last that stands out
    const auto mostOf = [&] { return ((m_named <= leading ? mostRows : fewRows) + 0.5) * row; };
    if (many && !m_more->isChecked())
        while ((height = heightOf(m_named)) > mostOf())
            --m_named;
    m_more->setVisible(many);
    if (many) {
        const bool areThin = std::all_of(m_series.begin() + static_cast<std::ptrdiff_t>(m_named), m_series.end(),
                                         [](const ChartSeries& one) { return one.behind; });
        m_more->setText(
            m_more->isChecked()
                ? u"Fewer names"_s
                : (areThin ? u"%1 more lines, drawn thin"_s : u"%1 more lines"_s).arg(m_series.size() - m_named));
        m_more->setAccessibleName(m_more->text());
        m_more->adjustSize();
        m_more->move(0, static_cast<int>(std::ceil(height)));
        height += m_more->height();
    }
    setFixedHeight(std::max(1, static_cast<int>(std::ceil(height))));
    update();
}

std::vector<ChartSeries> SeriesLegend::shown() const
{
    return {m_series.begin(), m_series.begin() + static_cast<std::ptrdiff_t>(std::min(m_named, m_series.size()))};
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
    flowLegend(&painter, shown(), chartStyle(), {}, std::max(narrowest, width()), LegendFlow::Columns);
}

void SeriesLegend::mouseMoveEvent(QMouseEvent* event)
{
    const int at =
        flowLegendAt(shown(), chartStyle(), std::max(narrowest, width()), event->position(), LegendFlow::Columns);
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
