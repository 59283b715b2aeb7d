#include "ui/window/views/heatmap_tile.h"

#include "core/base/choice.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/ticks.h"
#include "ui/plot/typeset.h"
#include "ui/window/controls/building.h"
#include "ui/window/controls/elided.h"
#include "ui/window/controls/line_swatch.h"
#include "ui/window/theme.h"
#include "ui/window/views/heatmap_plot.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int mapLeft = 44;  // where the maps begin

}  // namespace

MapTile::MapTile(QLayout* first, QLayout* second, int inset, QWidget* parent)
    : QWidget(parent), m_heading(new QWidget), m_parts(new QBoxLayout(QBoxLayout::LeftToRight, m_heading)),
      m_plot(new HeatmapPlot), m_inset(inset)
{
    m_parts->addLayout(first);
    m_parts->addLayout(second, 1);
    inColumn(this, {m_heading, {m_plot, 1}}, 0);
    arrange(usualWidth(), 1, false);
}

/// The heading begins where the map does; in a line too short for it, further left.
void MapTile::arrange(int width, int lines, bool compact)
{
    m_plot->setCompact(compact);
    m_parts->setDirection(lines == 1 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_parts->setSpacing(lines == 1 ? 6 : 0);
    m_parts->setContentsMargins(compact || (lines == 1 && width < usualWidth()) ? 0 : withText(mapLeft) - m_inset, 0, 6,
                                0);
    m_heading->setFixedHeight(headingHeight(lines));
}

HeatmapTile::HeatmapTile(QWidget* parent) : HeatmapTile(new LineSwatch, new ElidedLabel, elidedCaption(), parent) {}

HeatmapTile::HeatmapTile(LineSwatch* swatch, ElidedLabel* name, ElidedLabel* worked, QWidget* parent)
    : MapTile(inRow({swatch, name, stretch(0)}, 6), inRow({worked}, 6), 0, parent), m_swatch(swatch), m_name(name),
      m_worked(worked)
{
    setDemiBold(*m_name);
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_name->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
}

void HeatmapTile::setHeading(int style, const QString& name, const QString& worked, double keys)
{
    m_swatch->showStyle(style);
    m_swatch->setVisible(style >= 0);
    m_name->setText(name);
    const auto equals = worked.lastIndexOf(QStringLiteral(" = "));
    QString caption = equals < 0 ? worked : QStringLiteral("m = ") + worked.mid(equals + 3);
    if (keys > 0)
        caption = tr("%1 keys \u00B7 %2")
                      .arg(keys < 1000 ? QString::fromStdString(formatNumber(keys, 3)) : lengthText(std::round(keys)),
                           caption);
    m_worked->setText(caption);
    m_worked->setToolTip(keys > 0 ? tr("A row attends to about %1 keys: e<sup>H</sup>, H its mean entropy.<br>%2")
                                        .arg(keys, 0, 'g', 4)
                                        .arg(worked.toHtmlEscaped())
                                  : worked);
    plot()->setAccessibleName(tr("Attention map of %1").arg(name));
    plot()->setAccessibleDescription(
        tr("Queries down, keys across. Arrow keys choose a row and pan, plus and minus zoom, 0 shows all"));
}

QString HeatmapTile::name() const { return m_name->text(); }
QString HeatmapTile::caption() const { return m_worked->text(); }
bool HeatmapTile::isCaptionElided() const { return m_name->isElided() || m_worked->isElided(); }

void HeatmapTile::setPointed(bool pointed) { m_swatch->setStrong(pointed); }

void TileGrid::setTiles(std::vector<MapTile*> tiles)
{
    m_tiles = std::move(tiles);
    for (MapTile* tile : m_tiles) {
        tile->setParent(this);
        tile->show();
    }
    arrange();
}

void TileGrid::arrange()
{
    const int count = static_cast<int>(m_tiles.size());
    if (count == 0)
        return;
    constexpr int gap = 10;
    const int small = withText(100);  // a map of this side needs the room more than its heading and its strip do
    int bestColumns = 1, bestSide = -1, lines = 1;
    bool compact = false;
    const auto share = [&](int columns) { return (width() - (columns - 1) * gap) / columns; };
    const auto seek = [&](bool closer) {
        const QSize around = HeatmapPlot::surroundings(closer);
        for (int columns = 1; columns <= count; ++columns) {
            const int rows = (count + columns - 1) / columns,
                      high = (height() - (rows - 1) * gap) / rows - around.height();
            const bool two = share(columns) < MapTile::usualWidth() && high - MapTile::headingHeight(2) >= small;
            const int side = std::min(share(columns) - around.width(), high - MapTile::headingHeight(two ? 2 : 1));
            if (side > bestSide) {
                bestSide = side;
                bestColumns = columns;
                lines = two ? 2 : 1;
                compact = closer;
            }
        }
    };
    seek(false);
    if (bestSide < small)
        seek(true);
    const QSize around = HeatmapPlot::surroundings(compact);
    // a tile may be wider than its map, for the sake of its heading
    const int rows = (count + bestColumns - 1) / bestColumns, heading = MapTile::headingHeight(lines);
    const QSize tile(std::min(share(bestColumns), std::max(bestSide + around.width(), MapTile::usualWidth())),
                     std::min(height(), bestSide + around.height() + heading));
    const QSize all(bestColumns * tile.width() + (bestColumns - 1) * gap, rows * tile.height() + (rows - 1) * gap);
    const QPoint origin((width() - all.width()) / 2, std::min(12, (height() - all.height()) / 2));
    for (int i = 0; i < count; ++i) {
        MapTile* shown = m_tiles[static_cast<size_t>(i)];
        shown->arrange(tile.width(), lines, compact);
        shown->setGeometry(origin.x() + (i % bestColumns) * (tile.width() + gap),
                           origin.y() + (i / bestColumns) * (tile.height() + gap), tile.width(), tile.height());
    }
}

ColourBar::ColourBar(const QString& name, QWidget* parent) : QWidget(parent)
{
    setFixedHeight(withText(44));
    setMaximumWidth(300);
    setAccessibleName(name);
    setToolTip(name);
}

void ColourBar::setScale(const ColourScale& scale, const QString& title)
{
    m_scale = scale;
    m_title = title;
    setFixedHeight(withText(44));
    setMinimumWidth(std::max(120, withText(126)));  // for its title, and both ends in words
    setAccessibleDescription(tr("%1, from %2 to %3")
                                 .arg(plainText(title), QString::fromStdString(formatNumber(scale.low, 3)),
                                      QString::fromStdString(formatNumber(scale.high, 3))));
    update();
}

void ColourBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int margin = textScale() > 1 ? withText(26) : 16;  // for half of the numbers at the ends
    paintColourBar(painter, QRectF(margin, withText(16), width() - 2 * margin, 8), m_scale, m_title, chartStyle());
}

}  // namespace attnscope

#include "moc_heatmap_tile.cpp"
