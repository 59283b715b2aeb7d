#include "ui/views/heatmap_tile.h"

#include "core/base/choice.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/plot_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/line_swatch.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/tile_places.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace attnscope {

TileHeading::TileHeading(QWidget* parent) : QAbstractButton(parent)
{
    setFocusPolicy(Qt::TabFocus);  // a click on it leaves the keyboard where it is
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setToolTip(u"Large, with the other maps beside it; again: all alike"_s);
}

void TileHeading::paintEvent(QPaintEvent*)
{
    if (!underMouse() && !hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(hasFocus() ? QPen(currentTheme().accent) : QPen(Qt::NoPen));
    painter.setBrush(underMouse() ? currentTheme().hover : Qt::transparent);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

/// Return too, as on what a click opens elsewhere.
void TileHeading::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return click();
    QAbstractButton::keyPressEvent(event);
}

MapTile::MapTile(QLayout* first, QLayout* second, QWidget* parent)
    : QWidget(parent), m_heading(new TileHeading), m_parts(new QBoxLayout(QBoxLayout::LeftToRight, m_heading)),
      m_plot(new HeatmapPlot)
{
    m_parts->addLayout(first);
    m_parts->addLayout(second, 1);
    for (QLayout* row : {first, second})  // on one level with the other maps' headings
        m_parts->setAlignment(row, Qt::AlignVCenter);
    inColumn(this, {m_heading, {m_plot, 1}}, 0);
    for (int line : {0, 1})
        m_lines[static_cast<std::size_t>(line)] = static_cast<QBoxLayout*>(line == 0 ? first : second);
}

std::vector<QWidget*> MapTile::stops() const { return {m_heading, m_plot}; }

/// What the heading shows begins where the map does, as far as that leaves it the usual room.
void MapTile::arrange(int lines, int width)
{
    constexpr int side = 4, leastLeft = 6, usualOfOne = 280, usualOfTwo = 200;
    const int map = HeatmapPlot::leftOfMap();
    const int left = width >= withText(lines == 1 ? usualOfOne : usualOfTwo) ? map : leastLeft,
              before = std::min(left, inset());
    m_parts->setDirection(lines == 1 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    m_parts->setStretch(0, lines == 1 ? 0 : 1);  // two lines share the height alike, whatever stands in them
    m_parts->setSpacing(lines == 1 ? apart() : 0);
    m_parts->setContentsMargins(left - before, 0, side, 0);
    m_lines[1]->setContentsMargins(lines == 1 ? 0 : before, 0, 0, 0);
    m_heading->setFixedHeight(headingHeight(lines));
}

HeatmapTile::HeatmapTile(QWidget* parent) : HeatmapTile(new LineSwatch, new ElidedLabel, elidedCaption(), parent) {}

HeatmapTile::HeatmapTile(LineSwatch* swatch, ElidedLabel* name, ElidedLabel* worked, QWidget* parent)
    : MapTile(inRow({swatch, name, stretch(0)}, 6), inRow({worked}, 6), parent), m_swatch(swatch), m_name(name),
      m_worked(worked), m_why(paragraph("caption"))
{
    setDemiBold(*m_name);
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    m_name->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    constexpr int around = 24;
    inColumn(plot(), {stretch(), m_why, stretch()}, 0, {around, around, around, around});
    m_why->setAlignment(Qt::AlignCenter);
    m_why->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_why->hide();
}

void HeatmapTile::setHeading(int style, const QString& name, const QString& worked, double keys, const QString& rows,
                             bool preview)
{
    m_swatch->showStyle(style);
    m_swatch->setVisible(style >= 0);
    m_name->setText(name);
    const auto equals = worked.lastIndexOf(u" = "_s);
    const bool isNumber = equals >= 0 && !worked.mid(equals + 3).contains(QLatin1Char(' '));  // else why there is none
    QString caption = isNumber ? u"m = "_s + worked.mid(equals + 3) : worked.section(u": "_s, 1);
    if (caption.isEmpty())
        caption = worked;
    if (keys > 0)
        caption = (preview ? u"\u2248 "_s : QString()) +
                  u"%1 keys \u00B7 %2"_s.arg(keys < 1000 ? printed(formatNumber(keys, 3)) : countText(std::round(keys)),
                                             caption);
    m_worked->setText(caption);
    m_worked->setShortTexts({caption.section(u" \u00B7 "_s, 0, 0), {}});  // a number that is cut is another one
    m_worked->setToolTip(
        keys > 0 ? u"A row attends to about %1 keys: e<sup>H</sup>, H the mean entropy over %2.<br>%3"_s.arg(
                       keys < 1000 ? number(keys) : countText(std::round(keys)), rows, worked.toHtmlEscaped())
                 : worked);
    m_why->setText(worked);
    m_why->setVisible(keys <= 0 && !isNumber);
    heading()->setAccessibleName(u"%1, large"_s.arg(name));
    plot()->setAccessibleName(u"Attention map of %1"_s.arg(name));
    plot()->setAccessibleDescription(
        u"Queries down, keys across. Arrow keys choose a row and pan, plus and minus zoom, 0 shows all"_s);
}

/// A swatch has its line in its middle.
int HeatmapTile::inset() const { return LineSwatch::air; }

QString HeatmapTile::name() const { return m_name->text(); }
QString HeatmapTile::caption() const { return m_worked->text(); }
QString HeatmapTile::whyNone() const { return m_why->isHidden() ? QString() : m_why->text(); }
bool HeatmapTile::isCaptionElided() const { return m_name->isElided() || m_worked->isElided(); }

QString HeatmapTile::captionShown() const { return m_worked->isHidden() ? QString() : m_worked->shown(); }

void HeatmapTile::setNameAlone(bool alone)
{
    m_nameAlone = alone;
    m_worked->setVisible(!alone);
}

MapTile::Caption HeatmapTile::captionNeeded() const
{
    heading()->layout()->activate();  // the name beside it may be another one
    if (m_worked->isHidden())
        return Caption::Usual;
    return m_worked->needsSmall()   ? Caption::Small
           : !m_worked->isElided()  ? Caption::Usual
           : m_worked->fitsShort(0) ? Caption::Short
                                    : Caption::None;
}

void HeatmapTile::setCaption(Caption as)
{
    m_worked->setSmall(as != Caption::Usual);
    m_worked->setShort(as == Caption::Short);
    m_worked->setVisible(!m_nameAlone && as != Caption::None);
}

void HeatmapTile::setPointed(bool pointed) { m_swatch->setStrong(pointed); }

void TileGrid::setTiles(std::vector<MapTile*> tiles, int large)
{
    m_tiles = std::move(tiles);
    m_large = large;
    for (MapTile* tile : m_tiles) {
        tile->setParent(this);
        tile->show();
    }
    arrange();
}

TilePlaces TileGrid::placesIn(QSize size) const
{
    return placeTiles(size, static_cast<int>(m_tiles.size()), m_large,
                      {.around = HeatmapPlot::surroundings(),
                       .strip = HeatmapPlot::stripRoom(),
                       .heading = {MapTile::headingHeight(1), MapTile::headingHeight(2)},
                       .usualHeading = MapTile::usualWidth(),
                       .gap = 3});
}

int TileGrid::smallestIn(QSize size) const
{
    const TilePlaces places = placesIn(size);
    int smallest = std::min(size.width(), size.height());
    for (std::size_t i = 0; i < places.tiles.size(); ++i) {
        if (m_large >= 0 && static_cast<int>(i) != m_large)
            continue;  // the strip beside a large one is to choose from
        const QSize map = places.tiles[i].size() - HeatmapPlot::surroundings();
        smallest = std::min({smallest, map.width(), map.height() - MapTile::headingHeight(places.lines[i])});
    }
    return smallest;
}

void TileGrid::arrange()
{
    const TilePlaces places = placesIn(size());
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        m_tiles[i]->arrange(places.lines[i], places.tiles[i].width());
        m_tiles[i]->setNameAlone(m_large >= 0 && static_cast<int>(i) != m_large);
        m_tiles[i]->setGeometry(places.tiles[i]);
    }
    m_captions = MapTile::Caption::Usual;
    for (MapTile* tile : m_tiles)
        tile->setCaption(m_captions);
    evenCaptions();
}

void TileGrid::evenCaptions()
{
    for (const MapTile* tile : m_tiles)
        m_captions = std::max(m_captions, tile->captionNeeded());
    for (MapTile* tile : m_tiles)
        tile->setCaption(m_captions);
}

namespace {

constexpr int afterTitle = 8, besideRamp = 6, tipRoom = 6, shortestRamp = 40;  // words to the ramp, or to its tip

}  // namespace

ColourBar::ColourBar(const QString& name, QWidget* parent) : QWidget(parent), m_about(name)
{
    setMaximumWidth(300);
    setAccessibleName(name);
    setToolTip(name);
}

void ColourBar::setScale(const ColourScale& scale, const QString& title, Beyond beyond)
{
    m_beyond = beyond;
    const QString ends = beyond.low && beyond.high ? u"both ends"_s : beyond.low ? u"the low end"_s : u"the high end"_s;
    setToolTip(!beyond.low && !beyond.high ? m_about
                                           : m_about + u". Some values lie beyond %1, and have its colour"_s.arg(ends));
    m_scale = scale;
    m_title = title;
    setLow(m_low);
    setMinimumWidth(static_cast<int>(std::ceil(words().taken)) + withText(shortestRamp));
    const auto [least, most] = std::minmax(scale.low, scale.high);
    setAccessibleDescription(
        u"%1, from %2 to %3"_s.arg(plainText(title), printed(formatNumber(least, 3)), printed(formatNumber(most, 3))));
    update();
}

void ColourBar::setLow(bool low)
{
    constexpr int usual = 17, least = 14;
    m_low = low;
    setFixedHeight(withText(low ? least : usual));
}

ColourBar::Words ColourBar::words() const
{
    const PlotStyle style = chartStyle();
    const QFont font = style.font(style.small);
    const auto [least, most] = std::minmax(m_scale.low, m_scale.high);
    Words words{Typeset(m_title, font), Typeset(endText(least), font), Typeset(endText(most), font)};
    words.taken = words.title.width() + words.low.width() + words.high.width() +
                  withText(afterTitle + 2 * (besideRamp + tipRoom));  // tips come and go and move nothing around
    return words;
}

/// Between the numbers at its ends, each a gap away from it or from the tip beyond it.
QRectF ColourBar::ramp() const
{
    const PlotStyle style = chartStyle();
    const Words said = words();
    const double high = withText(9), apart = withText(besideRamp);
    QRectF ramp(0, std::floor((height() - high) / 2), width(), high);
    ramp.setLeft(said.title.width() + withText(afterTitle) + said.low.width() + apart);
    ramp.setRight(width() - said.high.width() - apart);
    const double tip = tipOf(ramp, style);
    ramp.adjust(m_beyond.low ? tip : 0, 0, m_beyond.high ? -tip : 0, 0);
    return ramp;
}

void ColourBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const PlotStyle style = chartStyle();
    const Words said = words();
    const double middle = height() / 2.0, apart = withText(besideRamp);
    const double low = said.title.width() + withText(afterTitle);
    const QRectF ramp = this->ramp();
    painter.setPen(style.ink);
    said.title.draw(painter, {0, middle}, Qt::AlignLeft | Qt::AlignVCenter);
    said.low.draw(painter, {low, middle}, Qt::AlignLeft | Qt::AlignVCenter);
    said.high.draw(painter, {ramp.right() + (m_beyond.high ? tipOf(ramp, style) : 0) + apart, middle},
                   Qt::AlignLeft | Qt::AlignVCenter);
    paintRamp(painter, ramp, m_scale, style, m_beyond);
}

}  // namespace attnscope

#include "moc_heatmap_tile.cpp"
