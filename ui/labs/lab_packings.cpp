#include "ui/labs/lab_packings.h"

#include "ui/figure/packing_paint.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/building.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/theme.h"

#include <QPainter>
#include <QSlider>

#include <algorithm>

namespace attnscope {

namespace {
constexpr int packingGap = 10, packingHeading = 22, packingCaption = 20, packingSlider = 26, widestPacking = 300,
              highestPacking = 420;
}

LabPackingView::LabPackingView(QWidget* parent) : QWidget(parent), m_boxes(new QSlider(Qt::Horizontal, this))
{
    setHeightForWidth(*this);
    setAccessibleName(u"Packings of the run"_s);
    m_boxes->setRange(1, 1);
    m_boxes->setAccessibleName(u"Boxes put"_s);
    m_boxes->setToolTip(u"How many boxes are drawn, in the order in which they were put"_s);
    connect(m_boxes, &QSlider::valueChanged, this, qOverload<>(&QWidget::update));
    setVisible(false);
    offerActions(this, {});
}

void LabPackingView::show(const std::vector<LabPackings>& packings)
{
    const LabPackings* shown = packingsToShow(packings);
    const bool all = m_boxes->value() == m_boxes->maximum();
    m_packings = shown ? *shown : LabPackings();
    const int count = m_packings.panels.empty() ? 0 : static_cast<int>(m_packings.panels.front().boxes.size());
    m_boxes->setRange(1, std::max(1, count));
    if (all)
        m_boxes->setValue(m_boxes->maximum());
    setVisible(count > 0);
    updateGeometry();
    update();
}

/// Pixels of a panel.
int LabPackingView::across(int width) const
{
    const int panels = std::max(1, static_cast<int>(m_packings.panels.size()));
    return std::clamp((width + packingGap) / panels - packingGap, 1, widestPacking);
}

int LabPackingView::picture(int width) const
{
    const QSizeF cells = isometricSize(m_packings, highestTop(m_packings));
    return std::min(highestPacking, static_cast<int>(across(width) * cells.height() / cells.width()));
}

int LabPackingView::heightForWidth(int width) const
{
    return m_packings.panels.empty() ? 0 : packingHeading + picture(width) + packingCaption + packingSlider;
}

void LabPackingView::resizeEvent(QResizeEvent*)
{
    m_boxes->setGeometry(0, height() - packingSlider, std::min(widestPacking, width()), packingSlider);
}

void LabPackingView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    painter.setFont(style.font(style.text, true));
    painter.setPen(style.ink);
    painter.drawText(QRect(0, 0, width(), packingHeading), Qt::AlignLeft | Qt::AlignVCenter,
                     u"Packings, %1; from the first box put, dark, to the last"_s.arg(text(m_packings.title)));
    painter.setFont(style.font(style.small));
    const int wide = across(width()), high = picture(width()), top = highestTop(m_packings);
    for (std::size_t i = 0; i < m_packings.panels.size(); ++i) {
        const QRect panel(static_cast<int>(i) * (wide + packingGap), packingHeading, wide, high);
        paintPacking(painter, style, m_packings, i, static_cast<std::size_t>(m_boxes->value()), top, panel);
        painter.setPen(style.quiet);
        painter.drawText(panel.adjusted(0, high, 0, packingCaption), Qt::AlignHCenter | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text(m_packings.panels[i].title), Qt::ElideRight, wide));
    }
}

}  // namespace attnscope

#include "moc_lab_packings.cpp"
