#include "ui/labs/lab_tours.h"

#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/theme.h"

#include <QLineF>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {
constexpr int tourHeading = 22, tourCaption = 22, frameEdge = 1;  // half of a frame lies around its square
}

LabTourView::LabTourView(QWidget* parent) : QWidget(parent)
{
    setHeightForWidth(*this);
    setAccessibleName(u"Tours of the run"_s);
    setMouseTracking(true);
    setVisible(false);
    offerActions(this, {});
}

void LabTourView::show(const std::vector<LabTours>& tours)
{
    const LabTours* shown = toursToShow(tours);
    m_tours = shown ? *shown : LabTours();
    m_steps.clear();
    m_named = -1;
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
    return std::clamp((width - 2 * frameEdge + gap) / panels - gap, 1, m_widest);
}

void LabTourView::setHighest(int highest)
{
    m_widest = std::max(1, highest - tourHeading - tourCaption);
    updateGeometry();
}

int LabTourView::heightForWidth(int width) const
{
    return m_tours.panels.empty() ? 0 : tourHeading + side(width) + tourCaption;
}

QRectF LabTourView::squareOf(std::size_t panel) const
{
    const int across = side(width());
    return {static_cast<double>(frameEdge + static_cast<int>(panel) * (across + gap)), tourHeading,
            static_cast<double>(across), static_cast<double>(across)};
}

/// The nearest one that the pointer is at.
void LabTourView::mouseMoveEvent(QMouseEvent* event)
{
    constexpr double reach = 12;
    double nearest = reach;
    int found = -1;
    for (std::size_t panel = 0; panel < m_tours.panels.size(); ++panel)
        for (int place = 0; place < std::ssize(m_tours.places); ++place)
            if (const double away = QLineF(placeInTour(m_tours, place, squareOf(panel)), event->position()).length();
                away < nearest) {
                nearest = away;
                found = place;
            }
    name(found);
}

void LabTourView::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    name(-1);
}

void LabTourView::name(int place)
{
    if (std::exchange(m_named, place) != place)
        update();
}

void LabTourView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    painter.setFont(style.font(style.text, true));
    painter.setPen(style.ink);
    QRect heading(0, 0, width(), tourHeading);
    const QString title = u"Tours, %1."_s.arg(text(m_tours.title));
    painter.drawText(heading, Qt::AlignLeft | Qt::AlignVCenter, title);
    heading.setLeft(heading.left() + painter.fontMetrics().horizontalAdvance(title) + gap);
    painter.setFont(style.font(style.text));
    painter.setPen(style.quiet);
    painter.drawText(
        heading, Qt::AlignLeft | Qt::AlignVCenter,
        painter.fontMetrics().elidedText(meaningOfTours(!m_steps.empty()), Qt::ElideRight, heading.width()));
    for (std::size_t i = 0; i < m_tours.panels.size(); ++i) {
        const QRectF square = squareOf(i);
        paintTour(painter, style, m_numbers, m_tours, i, i < m_steps.size() ? &m_steps[i] : nullptr, square, m_named);
        painter.setFont(style.font(style.text));
        painter.setPen(style.ink);
        painter.drawText(square.adjusted(0, square.height(), 0, tourCaption).toRect(),
                         Qt::AlignHCenter | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text(m_tours.panels[i].title), Qt::ElideRight,
                                                          static_cast<int>(square.width())));
    }
}

}  // namespace attnscope

#include "moc_lab_tours.cpp"
