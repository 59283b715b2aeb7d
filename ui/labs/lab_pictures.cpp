#include "ui/labs/lab_pictures.h"

#include "ui/figure/lab_charts.h"
#include "ui/figure/labels.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/building.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/copy_data.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int gap = 12, captionHeight = 18, headingHeight = 20, widest = 480, barHeight = 26,
              tallest = 260;  // pixels: rows of a picture with many are lower than its columns are wide

ColourScale scaleOfWeights()
{
    ColourScale scale;
    scale.zeroIsBlank = false;
    return scale;
}

}  // namespace

LabPictures::LabPictures(QWidget* parent) : QWidget(parent)
{
    setHeightForWidth(*this);
    setAccessibleName(u"Heatmaps of the run"_s);
    offerActions(this, {copying(u"Copy the cells"_s, [this] { return labData(m_pictures); })});
}

void LabPictures::show(std::vector<LabPicture> pictures)
{
    m_pictures = std::move(pictures);
    m_rows.clear();
    for (const LabPicture& picture : m_pictures) {
        const QString id = text(picture.id);
        const qsizetype slash = id.lastIndexOf(QLatin1Char('/'));
        const QString name = id.left(slash);
        const QString title = text(picture.title), end = title.section(u", "_s, -1);
        auto row = std::ranges::find(m_rows, name, &Row::name);
        if (row == m_rows.end()) {
            const QString variant = plainText(variantLabel(name));  // of what is none the title says what it is
            const QString heading =
                variant == name && !title.isEmpty() ? sentence(title.section(u", "_s, 0, 0)) : variant;
            row = m_rows.insert(m_rows.end(), {name, heading, {}});
        }
        row->pictures.push_back(
            {countsIn(end.isEmpty() ? id.mid(slash + 1) : end), heatmapImage(*pictureMap(picture), scaleOfWeights())});
        m_axes = u"Each row is a %1, its columns are %2"_s.arg(text(picture.rowLabel), text(picture.columnLabel));
    }
    setVisible(!m_rows.empty());
    updateGeometry();
    update();
}

/// Pictures fill the row's width.
int LabPictures::columnWidth(int width) const
{
    std::size_t most = 1;
    for (const Row& row : m_rows)
        most = std::max(most, row.pictures.size());
    return std::min(widest, (width + gap) / static_cast<int>(most) - gap);
}

/// Its cells are squares, or lower where it has many rows.
QSizeF LabPictures::sizeOf(const Drawn& picture, int across) const
{
    const QSizeF cells = picture.image.size();
    const double wide = across / std::max(1.0, cells.width()),
                 high = std::min(wide, tallest / std::max(1.0, cells.height()));
    return {cells.width() * wide, cells.height() * high};
}

int LabPictures::rowHeight(int width) const
{
    double most = 0;
    for (const Row& row : m_rows)
        for (const Drawn& picture : row.pictures)
            most = std::max(most, sizeOf(picture, columnWidth(width)).height());
    return headingHeight + captionHeight + static_cast<int>(std::ceil(most)) + gap;
}

int LabPictures::heightForWidth(int width) const
{
    return m_rows.empty() ? 0 : static_cast<int>(m_rows.size()) * rowHeight(width) + barHeight;
}

/// What the colours and the sides mean comes first, and each picture's name above it: the rest may lie below the edge.
void LabPictures::paintEvent(QPaintEvent*)
{
    if (m_rows.empty())
        return;
    QPainter painter(this);
    const PlotStyle style = chartStyle();
    const int across = columnWidth(width());
    painter.setPen(style.quiet);
    painter.setFont(style.font(style.small));
    const auto say = [&](int left, const QString& words) {
        QRectF taken;
        painter.drawText(QRect(left, -4, width() - left, 20), Qt::AlignLeft | Qt::AlignVCenter, words, &taken);
        return static_cast<int>(std::ceil(taken.right()));
    };
    constexpr int barWidth = 140, besideBar = 16;
    const int barAt = say(0, u"Attention weight"_s) + besideBar;
    paintColourBar(painter, QRectF(barAt, 2, barWidth, 8), scaleOfWeights(), {}, style);
    painter.setPen(style.quiet);
    painter.setFont(style.font(style.small));
    say(barAt + barWidth + besideBar, m_axes);
    int y = barHeight;
    for (const Row& row : m_rows) {
        painter.setFont(style.font(style.text, true));
        painter.setPen(style.ink);
        painter.drawText(QRect(0, y, width(), headingHeight), Qt::AlignLeft | Qt::AlignVCenter, row.heading);
        painter.setFont(style.font(style.small));
        painter.setPen(style.quiet);
        for (std::size_t i = 0; i < row.pictures.size(); ++i) {
            const int x = static_cast<int>(i) * (across + gap), top = y + headingHeight;
            painter.drawText(QRect(x, top, across, captionHeight), Qt::AlignLeft | Qt::AlignVCenter,
                             row.pictures[i].caption);
            paintCells(painter, QRectF(QPointF(x, top + captionHeight), sizeOf(row.pictures[i], across)).toRect(),
                       row.pictures[i].image);
        }
        y += rowHeight(width());
    }
}

}  // namespace attnscope

#include "moc_lab_pictures.cpp"
