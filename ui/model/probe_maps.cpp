#include "ui/model/probe_maps.h"

#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/theme.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr int depthLabelRoom = 48, lengthLabelRoom = 20, depthTitleRoom = 18, needleMargin = 4;
constexpr int leastMapWidth = 230, leastMapHeight = 170, needleGap = 14;

}  // namespace

NeedleMapView::NeedleMapView(QWidget* parent) : CellGrid(parent)
{
    connect(this, &CellGrid::pointed, this, &NeedleMapView::describe);
    setToolTip(u"n across, the depth at which the needle is told down: 0 is the text's beginning. A click looks at "
               "that n"_s);
}

void NeedleMapView::show(NeedleMap map, const NeedleAxes& axes)
{
    m_map = std::move(map);
    m_axes = axes;
    setAccessibleName(m_map.position.isEmpty() ? u"Needles, %1"_s.arg(m_map.name)
                                               : u"Needles, %1, %2"_s.arg(m_map.name, m_map.position));
    if (!has(pointedAt()))
        pointAt({});
    update();
}

QRectF NeedleMapView::cell(int depth, int length) const
{
    const double left = withText(depthLabelRoom), top = withText(depthTitleRoom),
                 wide = (width() - left - needleMargin) / std::max(1, columns()),
                 tall = (height() - top - withText(lengthLabelRoom)) / std::max(1, rows());
    return {left + length * wide, top + depth * tall, wide, tall};
}

void NeedleMapView::paint(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    const QFontMetrics metrics(painter.font());
    const QRectF first = cell(0, 0);
    const double left = first.left() - 6;
    const auto atSide = [&](double middle, const QString& words) {
        painter.drawText(QRectF(0, middle - 10, left, 20), Qt::AlignRight | Qt::AlignVCenter, words);
    };
    atSide(first.top() / 2, u"depth"_s);
    const int everyDepth = std::max(1, static_cast<int>(std::ceil(metrics.height() / first.height())));
    for (int depth = 0; depth < rows(); depth += everyDepth)
        atSide(cell(depth, 0).center().y(), number(m_axes.depths[static_cast<std::size_t>(depth)]));
    const double below = cell(rows() - 1, 0).bottom();
    atSide(below + (height() - below) / 2, u"n"_s);
    int widest = 1;
    for (const std::int64_t n : m_axes.lengths)
        widest = std::max(widest, metrics.horizontalAdvance(lengthText(static_cast<double>(n))) + 6);
    const int everyLength = std::max(1, static_cast<int>(std::ceil(widest / first.width())));
    for (int length = 0; length < columns(); length += everyLength) {
        const std::int64_t n = m_axes.lengths[static_cast<std::size_t>(length)];
        painter.setPen(n == m_axes.n ? theme.text : theme.muted);
        const QRectF column = cell(0, length);
        painter.drawText(QRectF(column.center().x() - widest, below, 2.0 * widest, height() - below), Qt::AlignCenter,
                         lengthText(static_cast<double>(n)));
    }
    paintCells(painter, m_axes.scale);
    paintFrame(painter, pointedAt(), theme.text, 2);
}

void NeedleMapView::keyPressEvent(QKeyEvent* event)
{
    const bool chooses = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (chooses && has(pointedAt()))
        return pick(pointedAt());
    if (const auto next = steppedFrom(pointedAt(), *event))
        pointAt(*next);
    else
        CellGrid::keyPressEvent(event);
}

struct NeedleMaps::Tile {
    QWidget* whole;
    LineSwatch* swatch;
    ElidedLabel *name, *position;
};

NeedleMaps::NeedleMaps(QWidget* parent) : QWidget(parent) {}
NeedleMaps::~NeedleMaps() = default;

void NeedleMaps::addTile()
{
    Tile tile{new QWidget(this), new LineSwatch, new ElidedLabel, elidedCaption(u"Positions"_s)};
    setDemiBold(*tile.name);
    tile.name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    auto* view = new NeedleMapView;
    QHBoxLayout* heading = inRow({tile.swatch, tile.name, {tile.position, 1}}, 6);
    heading->setContentsMargins(4, 0, 4, 0);
    inColumn(tile.whole, {heading, {view, 1}}, 2);
    connect(view, &NeedleMapView::chosen, this, &NeedleMaps::chosen);
    connect(view, &NeedleMapView::pointed, this, &NeedleMaps::pointed);
    tile.whole->show();
    m_tiles.push_back(tile);
    m_views.push_back(view);
}

void NeedleMaps::show(std::vector<NeedleMap> maps, const NeedleAxes& axes)
{
    const bool others = maps.size() != m_tiles.size();
    while (m_tiles.size() < maps.size())
        addTile();
    while (m_tiles.size() > maps.size()) {
        delete m_tiles.back().whole;
        m_tiles.pop_back();
        m_views.pop_back();
    }
    for (std::size_t i = 0; i < maps.size(); ++i) {
        m_tiles[i].swatch->showStyle(maps[i].style);
        m_tiles[i].name->setText(maps[i].name);
        m_tiles[i].position->setText(maps[i].position);
        m_views[i]->show(std::move(maps[i]), axes);
    }
    if (others)
        arrange();
}

/// How many stand side by side depends on the width alone: the height may grow with it.
void NeedleMaps::arrange()
{
    const int count = static_cast<int>(m_tiles.size());
    if (count == 0)
        return setMinimumHeight(0);
    const int most = std::clamp((width() + needleGap) / (withText(leastMapWidth) + needleGap), 1, count),
              rows = (count + most - 1) / most, columns = (count + rows - 1) / rows;
    setMinimumHeight(rows * withText(leastMapHeight) + (rows - 1) * needleGap);
    const int wide = (width() - (columns - 1) * needleGap) / columns, tall = (height() - (rows - 1) * needleGap) / rows;
    for (int i = 0; i < count; ++i)
        m_tiles[static_cast<std::size_t>(i)].whole->setGeometry((i % columns) * (wide + needleGap),
                                                                (i / columns) * (tall + needleGap), wide, tall);
}

}  // namespace attnscope

#include "moc_probe_maps.cpp"
