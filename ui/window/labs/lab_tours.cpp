#include "ui/window/labs/lab_tours.h"

#include "ui/figure/tour_paint.h"
#include "ui/plot/plot_style.h"
#include "ui/window/theme.h"

#include <QPainter>

#include <algorithm>

namespace attnscope {

namespace {
constexpr int tourHeading = 22, tourCaption = 20;
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
    const LabTours* shown = toursToShow(tours);
    m_tours = shown ? *shown : LabTours();
    m_steps.clear();
    setVisible(shown);
    updateGeometry();
    update();
}

void LabTourView::showSteps(std::vector<TourStep> steps)
{
    m_steps = std::move(steps);
    update();
}

/// Of a panel, a square.
int LabTourView::side(int width) const
{
    const int panels = std::max(1, static_cast<int>(m_tours.panels.size()));
    return std::clamp((width - gap) / panels - gap, 1, m_widest);
}

int LabTourView::heightForWidth(int width) const { return m_tours.panels.empty() ? 0 : tourHeading + side(width) + tourCaption; }

void LabTourView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    painter.setFont(style.font(style.text, true));
    painter.setPen(style.ink);
    QRect heading(gap, 0, width() - 2 * gap, tourHeading);
    const QString title = tr("Tours, %1.").arg(QString::fromStdString(m_tours.title));
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, title);
    heading.setLeft(heading.left() + painter.fontMetrics().horizontalAdvance(title) + gap);
    painter.setFont(style.font(style.small));
    painter.setPen(style.quiet);
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(meaningOfTours(!m_steps.empty()), Qt::ElideRight, heading.width()));
    const int across = side(width());
    for (std::size_t i = 0; i < m_tours.panels.size(); ++i) {
        const QRectF square(gap + static_cast<int>(i) * (across + gap), tourHeading, across, across);
        paintTour(painter, style, m_tours, i, i < m_steps.size() ? &m_steps[i] : nullptr, square);
        painter.setPen(style.quiet);
        painter.drawText(square.adjusted(0, across, 0, tourCaption).toRect(), Qt::AlignHCenter | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(QString::fromStdString(m_tours.panels[i].title), Qt::ElideRight, across));
    }
}

}  // namespace attnscope

#include "moc_lab_tours.cpp"
