#include "ui/model/head_view.h"

#include "core/analysis/model_heads.h"
#include "core/attention/row_detail.h"
#include "core/model/study.h"
#include "core/rows/rows.h"
#include "ui/figure/map_pictures.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/when_seen.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/views/map_loupe.h"
#include "ui/views/region_motion.h"
#include "ui/views/save_map.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

constexpr std::int64_t mostReadAtOnce = 1 << 23;  // products of a row: a few milliseconds
constexpr size_t keysInWords = 4;

QString weightInWords(double weight)
{
    return weight >= 0.0095 ? QString::number(weight, 'f', 2) : printedIn(QString::number(weight, 'g', 1));
}

QString quoted(const Analysis& analysis, std::int64_t index)
{
    const bool known = index >= 0 && index < std::ssize(analysis.tokens);
    return u"\u2018%1\u2019"_s.arg(known ? QString::fromStdString(analysis.tokens[static_cast<size_t>(index)])
                                         : QString::number(index));
}

/// A weight a cell, of rows that can be read at once; those that cannot are blank.
PooledMap cellsOf(const PreparedHead& head, const Region& region, std::int64_t row, RowDetail& pointed)
{
    PooledMap map{.region = region,
                  .rows = static_cast<int>(region.rowEnd - region.rowBegin),
                  .columns = static_cast<int>(region.columnEnd - region.columnBegin),
                  .values = {}};
    map.values.assign(static_cast<size_t>(map.rows * map.columns), 0);
    const std::int64_t products = head.head.keyCount * std::max<std::int64_t>(1, head.head.query.cols());
    for (std::int64_t i = region.rowBegin; i < region.rowEnd; ++i) {
        if (products * (i == row ? 1 : map.rows) > mostReadAtOnce)
            continue;
        const auto detail = rowDetail(head.head, head.normaliser, i, head.head.keyCount,
                                      static_cast<double>(head.scale[static_cast<size_t>(i)]));
        if (!detail)
            continue;
        for (size_t k = 0; k < detail->keys.size(); ++k)
            if (detail->keys[k] >= region.columnBegin && detail->keys[k] < region.columnEnd)
                map.values[static_cast<size_t>((i - region.rowBegin) * map.columns + detail->keys[k] -
                                               region.columnBegin)] = static_cast<float>(detail->weights[k]);
        if (i == row)
            pointed = *detail;
    }
    return map;
}

}  // namespace

QString rowInWords(const Analysis& analysis, const PreparedHead& head, std::int64_t row, std::int64_t key)
{
    if (row < 0 || row >= head.head.queryCount() ||
        head.head.keyCount * std::max<std::int64_t>(1, head.head.query.cols()) > mostReadAtOnce)
        return {};
    const auto detail = rowDetail(head.head, head.normaliser, row, head.head.keyCount,
                                  static_cast<double>(head.scale[static_cast<size_t>(row)]));
    if (!detail || detail->keys.empty())
        return {};
    const QString query = u"%1 %2"_s.arg(quoted(analysis, row), u"(%1)"_s.arg(row));
    if (key >= 0) {
        const auto found = std::lower_bound(detail->keys.begin(), detail->keys.end(), key);
        if (found == detail->keys.end() || *found != key)
            return u"%1 does not see %2 (%3)"_s.arg(query, quoted(analysis, key)).arg(key);
        const double weight = detail->weights[static_cast<size_t>(found - detail->keys.begin())];
        return u"%1 looks at %2 (%3), %4"_s.arg(query, quoted(analysis, key)).arg(key).arg(weightInWords(weight));
    }
    std::vector<size_t> order(detail->keys.size());
    std::iota(order.begin(), order.end(), size_t{0});
    const size_t count = std::min(keysInWords, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                      [&](size_t a, size_t b) { return detail->weights[a] > detail->weights[b]; });
    QStringList looked;
    for (size_t k = 0; k < count; ++k)
        looked << u"%1 %2"_s.arg(quoted(analysis, detail->keys[order[k]]), weightInWords(detail->weights[order[k]]));
    return u"%1 looks at %2"_s.arg(query, looked.join(u", "_s));
}

HeadView::HeadView(Document& document, ModelRunner& runner, QWidget* parent)
    : QWidget(parent), m_document(document), m_runner(runner), m_heading(elidedCaption()),
      m_explore(pushButton(u"Open in Explore"_s, u"Keeps the queries and keys of this window in a file of tensors and "
                                                 "opens this head of it in Explore, with all of its views"_s)),
      m_grid(new TileGrid), m_tiles{new HeatmapTile(m_grid), new HeatmapTile(m_grid), new HeatmapTile(m_grid)},
      m_readings{new ElidedLabel, new ElidedLabel}, m_weightBar(new ColourBar(u"Colours of the weights"_s)),
      m_differenceBar(new ColourBar(u"Colours of the difference"_s)), m_loupe(new MapLoupe(this))
{
    m_heading->setProperty("role", "pane");
    m_heading->setToolTip(
        u"Queries from top to bottom, keys from left to right. The wheel zooms, a drag pans, a double "
        "click shows all; a click chooses a row"_s);  // not the maps: it would lie over their cells
    QVBoxLayout* readings = inColumn({inRow({{m_readings.front(), 1}, m_differenceBar}), m_readings.back()}, 2);
    readings->setContentsMargins(0, 6, 0, 0);  // they are no title of the axis
    inColumn(this, {inRow({{m_heading, 2}, {m_weightBar, 1}, m_explore}, 16), {m_grid, 1}, readings}, 4,
             {14, 0, 14, 8});
    for (ElidedLabel* reading : m_readings) {
        reading->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        reading->setAccessibleDescription(u"Which tokens the row looks at"_s);
    }
    connect(m_explore, &QPushButton::clicked, this, &HeadView::exploreAsked);
    auto* seen = new WhenSeen(this, [this] { show(); });
    connect(&runner, &ModelRunner::pictured, seen, [seen] { (*seen)(); });
    auto* headings = new WhenSeen(this, [this] {
        const Picture& picture = m_runner.picture();
        for (std::size_t side = 0; picture.analysis && side < picture.analysis->methods.size(); ++side)
            showHeading(picture, side);
    });
    connect(&runner, &ModelRunner::studied, headings, [headings] { (*headings)(); });
    connect(&document, &Document::lookChanged, this, [this] {
        showRow();
        lookCloser(m_under, m_underAt);
    });
    for (std::size_t map = 0; map < m_tiles.size(); ++map)
        connectPlot(map);
    show();
}

void HeadView::connectPlot(std::size_t map)
{
    HeatmapPlot* one = plot(map);
    if (map == 0)  // also where it has its size only once there is something to show: after a start
        connect(
            m_tiles[map]->plot(), &HeatmapPlot::pixelsChanged, this,
            [this] { m_runner.lookAt(m_runner.region(), plot()->pixels()); }, Qt::QueuedConnection);
    connect(m_tiles[map]->heading(), &TileHeading::clicked, this, [this, map] {
        m_large = m_large == static_cast<int>(map) ? -1 : static_cast<int>(map);
        show();
    });
    offerActions(one, {wholeMatrix([this] {
                           if (m_runner.picture().analysis)
                               go(whole());
                       }),
                       copying(u"Copy the cells"_s, [one] { return mapData(one->map()); })});
    offerSaving(*m_tiles[map], [this, map, one] {
        return MapWords{.bar = map == differenceMap ? differenceTitle(m_runner.picture().pictures->look.log)
                                                    : weightsTitle(showsMeans(one->map())),
                        .footnote = m_heading->text()};
    });
    connect(one, &HeatmapPlot::pointed, this, [this, map](const Pointed& at, const QPointF&) {
        point(at);
        lookCloser(map, at);
    });
    connect(one, &HeatmapPlot::left, this, [this, map] {
        point({});
        lookCloser(map, {});
    });
    connect(one, &HeatmapPlot::rowChosen, this, &HeadView::choose);
    connect(one, &HeatmapPlot::rowStepped, this,
            [this](int by) { choose(std::max<std::int64_t>(0, m_document.look().model.row) + by); });
    connect(one, &HeatmapPlot::zoomed, this, [this](double factor, QPointF about) {
        if (m_runner.picture().analysis)
            go(zoomedRegion(now(), whole(), factor, about));
    });
    connect(one, &HeatmapPlot::panned, this, [this, map](QPointF by) {
        lookCloser(map, {});  // the cells move with the pointer
        if (m_runner.picture().analysis)
            go(pannedRegion(now(), whole(), by));
    });
    connect(one, &HeatmapPlot::doubleClicked, one, &HeatmapPlot::fitted);
    connect(one, &HeatmapPlot::fitted, this, [this] {
        if (m_runner.picture().analysis)
            go(whole());
    });
}

HeatmapPlot* HeadView::plot(std::size_t map) const { return m_tiles[map]->plot(); }

MapLoupe* HeadView::loupe() const { return m_loupe; }

QString HeadView::reading(Side side) const { return m_readings[static_cast<std::size_t>(side)]->text(); }

void HeadView::choose(std::int64_t row)
{
    if (const auto& analysis = m_runner.picture().analysis)
        m_document.editLook(
            [&](Look& look) { look.model.row = std::clamp<std::int64_t>(row, 0, analysis->queryCount - 1); });
}

Region HeadView::whole() const
{
    return {0, m_runner.picture().analysis->queryCount, 0, m_runner.picture().analysis->keyCount};
}

Region HeadView::now() const
{
    const Region& asked = m_runner.region();
    return asked.rowEnd > asked.rowBegin ? asked : whole();
}

void HeadView::go(const Region& region)
{
    for (const HeatmapTile* tile : m_tiles)
        tile->plot()->setRegion(region);  // at once, from what is there; the cells follow
    m_runner.lookAt(region == whole() ? Region{} : region, plot()->pixels());
}

void HeadView::point(const Pointed& at)
{
    for (const HeatmapTile* tile : m_tiles)
        tile->plot()->setPointed(at);
    read(at);
}

void HeadView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layout()->activate();
    m_runner.lookAt(m_runner.region(), plot()->pixels());  // more cells than pixels would never be seen
}

void HeadView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        show();
        m_runner.lookAt(m_runner.region(), plot()->pixels());  // on another ground
    }
    QWidget::changeEvent(event);
}

void HeadView::show()
{
    const Picture& picture = m_runner.picture();
    m_explore->setEnabled(picture.a.heads != nullptr);
    m_grid->setVisible(picture.analysis != nullptr);
    m_weightBar->setVisible(picture.analysis != nullptr);
    const bool two = picture.b.has_value();
    m_differenceBar->setVisible(two);
    m_readings.back()->setVisible(two || !picture.error.isEmpty());
    if (!picture.analysis) {
        m_heading->setText(picture.error);
        for (ElidedLabel* reading : m_readings)
            reading->setText({});
        return;
    }
    m_heading->setShortTexts({u"Layer %1, head %2"_s.arg(picture.a.of.layer).arg(picture.a.of.head),
                              u"L%1, H%2"_s.arg(picture.a.of.layer).arg(picture.a.of.head)});
    m_heading->setText(u"Layer %1, head %2, n = %3"_s.arg(picture.a.of.layer)
                           .arg(picture.a.of.head)
                           .arg(countText(double(picture.a.of.n))));
    showMaps(picture);
    std::vector<MapTile*> tiles{m_tiles.front()};
    if (two)
        tiles.assign(m_tiles.begin(), m_tiles.end());
    for (HeatmapTile* tile : m_tiles)
        tile->setVisible(two || tile == m_tiles.front());
    m_grid->setTiles(tiles, two ? m_large : -1);
    m_row.reset();
    showRow();
}

/// The mean entropy is the one that the overview of all heads has, as soon as there is one; till then that of the map's
/// own rows. Returns the method's style.
int HeadView::showHeading(const Picture& picture, std::size_t side)
{
    const std::vector<int> styles = methodStyles(m_document.scenario().methods);
    const ShownHead& of = side == 0 ? picture.a.of : picture.b->of;
    const int style = of.method < std::ssize(styles) ? styles[static_cast<std::size_t>(of.method)] : 0;
    double mean = entropyMean(picture.analysis->methods[side].rows).mean;
    QString rows = u"all rows"_s;
    if (const StudyCell* cell = m_runner.cellOf(of)) {
        const auto heads = headNumbers(m_runner.model()->architecture, *m_runner.study(), of.n, of.policy);
        if (const auto layer = static_cast<std::size_t>(of.layer), head = static_cast<std::size_t>(of.head);
            layer < heads.size() && head < heads[layer].size() && heads[layer][head].absent.empty()) {
            mean = heads[layer][head].entropy;
            rows = text(headRowsInWords(*cell));
        }
    }
    const QString name = m_runner.combinationLabel(of);
    m_tiles[side]->setHeading(style, picture.b ? (side == 0 ? u"A: %1"_s : u"B: %1"_s).arg(name) : name,
                              u"%1 nats"_s.arg(mean, 0, 'f', 2), std::exp(mean), rows);
    return style;
}

void HeadView::showMaps(const Picture& picture)
{
    const Analysis& analysis = *picture.analysis;
    for (std::size_t side = 0; side < analysis.methods.size(); ++side) {
        const int style = showHeading(picture, side);
        plot(side)->setTokens(analysis.tokens, analysis.queryTokens);
        plot(side)->setData(analysis, side, picture.pictures->methods[side], style);
        plot(side)->setRegion(now());
    }
    m_weightBar->setScale(picture.pictures->scale, u"weight"_s, picture.pictures->beyond);
    if (!picture.pictures->difference)
        return;
    const MapPicture& difference = *picture.pictures->difference;
    const bool ratio = picture.pictures->look.log;
    const bool same =
        std::ranges::all_of(difference.map->values, [](float value) { return value == 0 || std::isnan(value); });
    m_tiles[differenceMap]->setHeading(-1, ratio ? u"B over A"_s : u"B minus A"_s,
                                       same ? u"the same weights"_s : QString(), 0, {});
    plot(differenceMap)->setTokens(analysis.tokens, analysis.queryTokens);
    plot(differenceMap)->setMap(difference);
    plot(differenceMap)->setRegion(now());
    m_differenceBar->setScale(difference.scale, ratio ? u"$\\log_{10}$ of B over A"_s : u"B minus A"_s);
}

/// The chosen one, and who it looks at.
void HeadView::showRow()
{
    const std::int64_t row = m_document.look().model.row;
    if (!m_runner.picture().analysis || row == m_row)
        return;
    m_row = row;
    for (const HeatmapTile* tile : m_tiles)
        tile->plot()->setChosenRow(row);
    read({});
}

void HeadView::lookCloser(std::size_t map, const Pointed& at)
{
    m_under = map;
    m_underAt = at;
    if (!m_loupe)
        return;
    const Picture& picture = m_runner.picture();
    const PicturedHead* head = map == 0                           ? &picture.a
                               : map < differenceMap && picture.b ? &*picture.b
                                                                  : nullptr;  // a difference has no weights
    const bool shown = m_document.look().maps.loupe && picture.analysis && head && head->prepared &&
                       plot(map)->isVisible() && at.row >= 0 && at.key >= 0 &&
                       at.row < head->prepared->head.queryCount() && at.key < head->prepared->head.keyCount;
    if (!shown)
        return m_loupe->hide();
    RowDetail row;
    LoupeReading reading{.at = at,
                         .cells = cellsOf(*head->prepared,
                                          loupeRegion(at, picture.analysis->queryCount, picture.analysis->keyCount),
                                          at.row, row),
                         .scale = picture.pictures->scale,
                         .facts = {},
                         .of = !picture.b ? QString()
                               : map == 0 ? u"A"_s
                                          : u"B"_s};
    reading.facts = loupeFacts(at, picture.analysis->tokens, row.keys.empty() ? nullptr : &row);
    m_loupe->show(*plot(map), std::move(reading));
}

void HeadView::hideEvent(QHideEvent* event)
{
    lookCloser(m_under, {});
    QWidget::hideEvent(event);
}

void HeadView::read(const Pointed& at)
{
    const Picture& picture = m_runner.picture();
    const std::int64_t row = at.row >= 0 ? at.row : m_document.look().model.row;
    const auto words = [&](const PicturedHead& head) -> QString {
        if (!picture.analysis || !head.prepared)
            return {};
        return row < 0 ? u"Point at a cell, or click a row, to read who looks at whom"_s
                       : rowInWords(*picture.analysis, *head.prepared, row, at.row >= 0 ? at.key : -1);
    };
    setState(*m_readings.front(), "role", row < 0 ? u"caption"_s : QString());
    if (!picture.b) {
        m_readings.front()->setText(words(picture.a));
        return m_readings.back()->setText(picture.analysis ? picture.error : QString());
    }
    const bool both = row >= 0;
    m_readings.front()->setText(both ? u"A: %1"_s.arg(words(picture.a)) : words(picture.a));
    m_readings.back()->setText(both ? u"B: %1"_s.arg(words(*picture.b)) : QString());
}

}  // namespace attnscope

#include "moc_head_view.cpp"
