#include "ui/window/labs/lab_tours.h"

#include "ui/plot/plot_style.h"
#include "ui/window/theme.h"

#include <QPainter>

#include <algorithm>

namespace attnscope {

namespace {
constexpr int tourGap = 10, tourHeading = 22, tourCaption = 20;
}

LabTourView::LabTourView(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);  // a fixed height would be that of the hint's width
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(tr("Tours of the run"));
    setVisible(false);
}

void LabTourView::show(const std::vector<LabTours>& tours)
{
    const auto largest = std::ranges::max_element(tours, {}, [](const LabTours& one) { return one.places.size(); });
    m_tours = largest == tours.end() ? LabTours() : *largest;
    setVisible(!m_tours.panels.empty());
    updateGeometry();
    update();
}

/// Of a panel, a square.
int LabTourView::side(int width) const
{
    const int panels = std::max(1, static_cast<int>(m_tours.panels.size()));
    return std::clamp((width - tourGap) / panels - tourGap, 1, m_widest);
}

int LabTourView::heightForWidth(int width) const { return m_tours.panels.empty() ? 0 : tourHeading + side(width) + tourCaption; }

void LabTourView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    painter.setFont(style.font(style.text, true));
    painter.setPen(style.ink);
    painter.drawText(QRect(tourGap, 0, width() - 2 * tourGap, tourHeading), Qt::AlignLeft | Qt::AlignVCenter, tr("Tours, %1; edges that differ from the first panel's in colour").arg(QString::fromStdString(m_tours.title)));
    painter.setFont(style.font(style.small));
    const int across = side(width());
    for (std::size_t i = 0; i < m_tours.panels.size(); ++i) {
        const QRectF square(tourGap + static_cast<int>(i) * (across + tourGap), tourHeading, across, across);
        const auto at = [&](int place) {
            const auto& [x, y] = m_tours.places[static_cast<std::size_t>(place)];
            return QPointF(square.left() + static_cast<double>(x) * across, square.bottom() - static_cast<double>(y) * across);
        };
        painter.setPen(QPen(style.grid, style.thin));
        painter.drawRect(square);
        for (const bool differing : {false, true}) {  // those in colour above the others
            painter.setPen(QPen(differing ? currentTheme().accent : style.quiet, differing ? style.line : style.thin));
            for (const LabTours::Edge& edge : m_tours.panels[i].edges)
                if (edge.differs == differing)
                    painter.drawLine(at(edge.from), at(edge.to));
        }
        if (m_tours.depot) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(style.ink);
            painter.drawEllipse(at(0), style.marker / 2, style.marker / 2);
            painter.setBrush(Qt::NoBrush);
        }
        painter.setPen(style.quiet);
        painter.drawText(square.adjusted(0, across, 0, tourCaption).toRect(), Qt::AlignHCenter | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(QString::fromStdString(m_tours.panels[i].title), Qt::ElideRight, across));
    }
}

}  // namespace attnscope

#include "moc_lab_tours.cpp"
