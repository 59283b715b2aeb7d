#include "ui/widgets/series_legend.h"

#include "ui/plot/legend.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
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
                                          // the first where it names those alone that stand out
}

SeriesLegend::SeriesLegend(QWidget* parent)
    : QWidget(parent), m_more(iconAndText(u"forward"_s, {}, u"Name all lines, or the first of them"_s))
{
    m_more->setParent(this);
    m_more->setProperty("flush", true);
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
    const bool all = m_more->isChecked(), inCrowd = std::ranges::any_of(m_series, &ChartSeries::behind);
    m_named.clear();
    for (std::size_t i = 0; i < m_series.size(); ++i)
        if (all || !m_series[i].behind)
            m_named.push_back(i);
    const auto heightOf = [this](const std::vector<ChartSeries>& named) {
        return flowLegend(nullptr, named, chartStyle(), {}, std::max(narrowest, width()), LegendFlow::Columns);
    };
    double height = heightOf(shown());
    const double row = heightOf({m_series.begin(), m_series.begin() + (m_series.empty() ? 0 : 1)});
    const bool tooHigh = height > (mostRows + 0.5) * row;
    while (tooHigh && !all && height > ((inCrowd ? mostRows : fewRows) + 0.5) * row) {
        m_named.pop_back();
        height = heightOf(shown());
    }
    const bool many = all ? inCrowd || tooHigh : m_named.size() < m_series.size();
    m_more->setVisible(many);
    if (many) {
        QStringList others;
        bool areThin = true;
        for (std::size_t i = 0; i < m_series.size(); ++i)
            if (!std::ranges::binary_search(m_named, i)) {
                others << plainText(m_series[i].label);
                areThin = areThin && m_series[i].behind;
            }
        const QString lines = (others.size() == 1 ? u"%1 more line"_s : u"%1 more lines"_s).arg(others.size());
        described(m_more,
                  all       ? u"Fewer names"_s
                  : areThin ? lines + u", drawn thin"_s
                            : lines,
                  all ? u"Name those that stand out alone, or the first"_s
                      : u"Name all lines; these are: %1"_s.arg(others.join(u", "_s)));
        m_more->setText(m_more->accessibleName());
        m_more->adjustSize();
        m_more->move(0, static_cast<int>(std::ceil(height)));
        height += m_more->height();
    }
    setFixedHeight(std::max(1, static_cast<int>(std::ceil(height))));
    update();
}

std::vector<ChartSeries> SeriesLegend::shown() const
{
    std::vector<ChartSeries> named;
    for (const std::size_t i : m_named)
        named.push_back(m_series[i]);
    return named;
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
    point(at < 0 ? QString() : m_series[m_named[static_cast<std::size_t>(at)]].label);
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
