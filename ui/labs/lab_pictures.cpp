#include "ui/labs/lab_pictures.h"

#include "ui/figure/lab_charts.h"
#include "ui/figure/variant_label.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/theme.h"
#include "ui/widgets/copy_data.h"

#include <QPainter>

#include <algorithm>

namespace attnscope {

namespace {

constexpr int gap = 8, captionHeight = 18, headingHeight = 20, widest = 112, barHeight = 34;
constexpr double aspect = 1.5;  // of a picture, height over width

ColourScale scaleOfWeights()
{
    ColourScale scale;
    scale.zeroIsBlank = false;
    return scale;
}

}  // namespace

LabPictures::LabPictures(QWidget* parent) : QWidget(parent)
{
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setAccessibleName(u"Heatmaps of the run"_s);
    offerActions(this, {copying(u"Copy the cells"_s, [this] { return labData(m_pictures); })});
}

void LabPictures::show(std::vector<LabPicture> pictures)
{
    m_pictures = std::move(pictures);
    m_rows.clear();
    for (const LabPicture& picture : m_pictures) {
        const QString id = QString::fromStdString(picture.id);
        const qsizetype slash = id.lastIndexOf(QLatin1Char('/'));
        const QString name = id.left(slash);
        auto row = std::ranges::find(m_rows, name, &Row::name);
        if (row == m_rows.end())
            row = m_rows.insert(m_rows.end(), {name, plainText(variantLabel(name)), {}});
        row->pictures.push_back({id.mid(slash + 1), heatmapImage(*pictureMap(picture), scaleOfWeights())});
        m_axes = u"down: %1; right: %2"_s.arg(QString::fromStdString(picture.rowLabel),
                                              QString::fromStdString(picture.columnLabel));
    }
    setVisible(!m_rows.empty());
    updateGeometry();
    update();
}

int LabPictures::columnWidth(int width) const
{
    std::size_t most = 1;
    for (const Row& row : m_rows)
        most = std::max(most, row.pictures.size());
    return std::min(widest, (width - gap) / static_cast<int>(most) - gap);
}

int LabPictures::rowHeight(int width) const
{
    return headingHeight + static_cast<int>(aspect * columnWidth(width)) + captionHeight;
}

int LabPictures::heightForWidth(int width) const
{
    return m_rows.empty() ? 0 : static_cast<int>(m_rows.size()) * rowHeight(width) + barHeight;
}

void LabPictures::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const PlotStyle style = chartStyle();
    const int across = columnWidth(width()), down = static_cast<int>(aspect * across);
    int y = 0;
    for (const Row& row : m_rows) {
        painter.setFont(style.font(style.text, true));
        painter.setPen(style.ink);
        painter.drawText(QRect(gap, y, width() - 2 * gap, headingHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         row.heading);
        painter.setFont(style.font(style.small));
        painter.setPen(style.quiet);
        for (std::size_t i = 0; i < row.pictures.size(); ++i) {
            const QRect target(gap + static_cast<int>(i) * (across + gap), y + headingHeight, across, down);
            paintCells(painter, target, row.pictures[i].image);
            painter.drawText(target.adjusted(0, down, 0, captionHeight), Qt::AlignHCenter | Qt::AlignTop,
                             row.pictures[i].caption);
        }
        y += rowHeight(width());
    }
    if (!m_rows.empty()) {
        paintColourBar(painter, QRectF(gap, y + 2, 140, 8), scaleOfWeights(), {}, style);
        painter.setPen(style.quiet);
        painter.setFont(style.font(style.small));
        painter.drawText(QRect(gap + 164, y - 4, width() - 172, 20), Qt::AlignLeft | Qt::AlignVCenter,
                         u"weight; %1"_s.arg(m_axes));
    }
}

}  // namespace attnscope

#include "moc_lab_pictures.cpp"
