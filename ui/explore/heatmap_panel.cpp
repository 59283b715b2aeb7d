#include "ui/explore/heatmap_panel.h"

#include "core/statistics/measures.h"
#include "ui/figure/chart_look.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/method_style.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/building.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/theme.h"
#include "ui/workbench/document.h"
#include "ui/views/cell_reading.h"
#include "ui/views/chart_view.h"
#include "ui/widgets/copy_data.h"
#include "ui/figure/counted_rows.h"
#include "ui/explore/difference_tile.h"
#include "ui/explore/empty_maps.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/views/length_chart.h"
#include "ui/views/map_loupe.h"
#include "ui/explore/map_tools.h"
#include "ui/views/note_pad.h"
#include "ui/views/save_map.h"

#include <QKeyEvent>

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {
constexpr int footSpacing = 10, betweenBars = 24, offAxis = 2;
constexpr int textIndent = 6;  // pixels more than maps, so that it begins where other cards' texts do

ViewAction savingCells(std::function<void()> save)
{
    return {u"Save the cells as .npy\u2026"_s, std::move(save), {}, ViewAction::Part::Save};
}

}

HeatmapPanel::HeatmapPanel(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent)
    : QWidget(parent), m_document(document), m_analyser(analyser), m_pointer(pointer), m_grid(new TileGrid),
      m_bar(new ColourBar(u"Colours of the weights. All maps share them, so equal colours are equal "
                          "weights. Where a pixel is the mean of several, the range is that of the means: in a "
                          "larger map, which has fewer in a pixel, it reaches farther"_s)),
      m_differenceBar(new ColourBar(u"Colours of the difference map"_s)),
      m_kind(elidedCaption(u"What a cell of the maps shows"_s)), m_tools(new MapTools(document)),
      m_reading(new FactLine), m_loupe(new MapLoupe(this)), m_nothing(new EmptyMaps)
{
    m_foot = inRow({{m_reading, 5}, {m_bars = inRow({{m_bar, 1}, {m_differenceBar, 1}}, betweenBars), 4}}, footSpacing);
    m_foot->setContentsMargins(textIndent, offAxis, 0, 0);
    inColumn(this, {buildHeader(), {m_grid, 1}, {m_nothing, 1}, m_foot}, 0,
             {8, 3, 8, 2});  // the foot is up to two lines high
    m_nothing->hide();
    m_differenceBar->hide();
    connectLengthLines(*m_nothing->chart(), document);
    m_reading->setAccessibleDescription(u"Reading of the cell under the pointer"_s);
    m_reading->setToolTip(u"The cell under the pointer, or the chosen row: query i, key j, H the entropy of the row, "
                          "e<sup>H</sup> the keys that it attends to"_s);

    connect(&analyser, &Analyser::arrived, this, &HeatmapPanel::show);
    connect(&analyser, &Analyser::loupeArrived, this, [this] {
        const AnalysisPtr& near = m_analyser.loupe();
        m_near = near ? mapPictures(near, m_document.look().maps, currentTheme().dark) : nullptr;
        showLoupe();
    });
    connect(&document, &Document::changed, this, &HeatmapPanel::showRegion);
    connect(&document, &Document::lookChanged, this, &HeatmapPanel::showLook);
    connect(&pointer, &Pointer::moved, this, [this](const Pointed& at) {
        for (HeatmapPlot* plot : plots())
            plot->setPointed(at);
        if (at.method >= 0 && at.method < std::ssize(m_tiles))
            m_pointedLast = m_tiles[m_readTile = static_cast<std::size_t>(at.method)]->plot();
        for (std::size_t i = 0; i < m_tiles.size(); ++i)
            m_tiles[i]->setPointed(static_cast<int>(i) == at.method);
        read();
    });
}

QWidget* HeatmapPanel::buildHeader()
{
    m_header = new QWidget;
    m_title = new ElidedLabel;
    m_title->setText(u"Attention"_s);
    setDemiBold(*m_title);
    QSizePolicy rest = m_kind->sizePolicy();
    rest.setRetainSizeWhenHidden(true);  // the tools stay at the right
    m_kind->setSizePolicy(rest);
    inRow(m_header, {m_title, {m_kind, 1}, m_tools}, 8, {textIndent, 0, 0, 0});
    connect(m_tools, &MapTools::pinAsked, this, &HeatmapPanel::pin);
    connect(m_tools, &MapTools::wholeAsked, this, &HeatmapPanel::fit);
    return m_header;
}

HeatmapTile* HeatmapPanel::addTile()
{
    auto* tile = new HeatmapTile(m_grid);
    const std::size_t index = m_tiles.size();
    m_tiles.push_back(tile);
    connectTile(tile, index);
    offerActions(tile->plot(),
                 {wholeMatrix([this] { fit(); }),
                  copying(u"Copy the cells"_s, [tile] { return mapData(tile->plot()->map()); }),
                  copying(u"Copy the rows' statistics"_s, [this, index] { return rowData(*m_analysis, index); }),
                  savingCells([this, tile] { saveCells(tile->plot()->map()); })});
    offerSaving(*tile, [tile] { return MapWords{.bar = weightsTitle(showsMeans(tile->plot()->map()))}; });
    return tile;
}

void HeatmapPanel::connectTile(MapTile* tile, std::size_t index)
{
    HeatmapPlot* plot = tile->plot();
    connect(tile->heading(), &QAbstractButton::clicked, this, [this, plot] { toggleLarge(plot); });
    connect(plot, &HeatmapPlot::pointed, this, [this, plot, index](const Pointed& at) {
        m_readTile = index;
        m_pointedLast = plot;
        lookCloser(plot, at);
        m_pointer.point(at);
    });
    connect(plot, &HeatmapPlot::left, this, [this, plot] {
        lookCloser(plot, {});
        m_pointer.leave();
    });
    connect(plot, &HeatmapPlot::rowChosen, this, [this](std::int64_t row) {
        chooseRow(row);
        m_document.endGesture();
    });
    connect(plot, &HeatmapPlot::rowStepped, this, [this](int by) {
        const std::int64_t row = m_document.scenario().view.row;
        chooseRow((row < 0 && m_analysis ? m_analysis->queryCount - 1 : row) + by);
    });
    connect(plot, &HeatmapPlot::zoomed, this, &HeatmapPanel::zoomAbout);
    connect(plot, &HeatmapPlot::panned, this, [this, plot](QPointF by) {
        lookCloser(plot, {});  // the cells move with the pointer
        pan(by);
    });
    connect(plot, &HeatmapPlot::fitted, this, &HeatmapPanel::fit);
    connect(plot, &HeatmapPlot::doubleClicked, this,
            [this, plot] { enlarge(m_enlarged.empty() ? noteName(plot) : std::string()); });
    connect(plot, &HeatmapPlot::finished, &m_document, &Document::endGesture);
    connect(plot, &HeatmapPlot::pixelsChanged, this, &HeatmapPanel::askForPixels);
    const auto cellAt = [plot](QPointF at) {
        const QPointF value = plot->chartLayout().value(at);
        return QPointF(std::floor(value.x()), std::floor(value.y()));
    };
    new NotePad(m_document, {.widget = plot,
                             .name = [this, plot] { return noteName(plot); },
                             .layout = [plot] { return plot->chartLayout(); },
                             .lastPointed = [plot] { return plot->lastPointed(); },
                             .valueAt = cellAt,
                             .point = [plot](QPointF at) { plot->point(at); },
                             .middle = cellMiddle});
}

/// Annotation::chart of what it shows; empty before there is anything.
std::string HeatmapPanel::noteName(const HeatmapPlot* plot) const
{
    for (std::size_t i = 0; m_analysis && i < m_tiles.size() && i < m_analysis->scenario.methods.size(); ++i)
        if (m_tiles[i]->plot() == plot)
            return mapName(m_analysis->scenario.methods, i);
    return m_difference && m_difference->plot() == plot ? differenceMapName() : std::string();
}

void HeatmapPanel::showNotes()
{
    for (HeatmapPlot* plot : plots()) {
        const std::string name = noteName(plot);
        std::vector<ChartNote> notes;
        for (const Annotation& note : m_document.look().annotations)
            if (note.chart == name)
                notes.push_back(chartNote(note, cellMiddle));
        plot->setNotes(std::move(notes));
    }
}

void HeatmapPanel::show(const AnalysisPtr& analysis)
{
    m_analysis = analysis;
    const bool nothing = analysis->queryCount == 0 || analysis->methods.empty();
    // Not both at once: maps that it squeezes would ask for other pixels, whose answer may delete them here.
    if (!nothing)
        m_nothing->hide();
    for (QWidget* part : {static_cast<QWidget*>(m_grid), static_cast<QWidget*>(m_reading)})
        part->setVisible(!nothing);
    m_tools->setVisible(!nothing && m_showsTools);
    if (nothing) {
        m_nothing->show(*analysis);
        m_nothing->setVisible(true);
    }
    if (m_tiles.size() != analysis->methods.size())
        setTileCount(analysis->methods.size());
    else if (!m_enlarged.empty() || !m_large.empty())
        arrangeTiles();  // another method may stand in its place
    showBars();
    recolour();
    placeTitle();
    showRegion();
    const Pointed& at = m_pointer.at();
    showLoupe();
    m_reads.run([this] { read(); }, analysis->scenario.view.table || at.row >= 0 || at.key >= 0 || at.method >= 0);
}

void HeatmapPanel::setTileCount(std::size_t count)
{
    while (m_tiles.size() > count) {
        delete m_tiles.back();
        m_tiles.pop_back();
    }
    while (m_tiles.size() < count)
        addTile();
    m_readTile = std::min(m_readTile, count ? count - 1 : 0);
    showDifference();
    emit counted();
}

MethodPair HeatmapPanel::namesOf(std::pair<std::size_t, std::size_t> places) const
{
    const std::vector<Choice>& methods = m_analysis->scenario.methods;
    return {methodName(methods, places.first), methodName(methods, places.second)};
}

/// A difference needs two methods.
void HeatmapPanel::showDifference()
{
    const bool shown = m_document.look().maps.difference && m_tiles.size() >= 2;
    if (shown && !m_difference) {
        m_difference = new DifferenceTile(m_grid);
        connectTile(m_difference, 0);
        HeatmapPlot* plot = m_difference->plot();
        offerActions(plot, {wholeMatrix([this] { fit(); }),
                            copying(u"Copy the cells"_s, [plot] { return mapData(plot->map()); }),
                            savingCells([this, plot] { saveCells(plot->map()); })});
        offerSaving(*m_difference, [this] { return MapWords{.bar = differenceTitle(m_document.look().maps.log)}; });
        connect(m_difference, &DifferenceTile::sidesChosen, this, [this](std::pair<std::size_t, std::size_t> sides) {
            m_document.editLook([chosen = namesOf(sides)](Look& look) {
                look.maps.sides = chosen;
                look.maps.pinnedDifference.reset();  // of the sides before
            });
        });
    } else if (!shown) {
        delete std::exchange(m_difference, nullptr);
    }
    arrangeTiles();
    recolour();
    showRegion();
}

/// The map of that name alone, or all of them; one that is no more is no reason to show nothing.
void HeatmapPanel::enlarge(const std::string& name)
{
    m_enlarged = name;
    arrangeTiles();
    recolour();
}

/// Beside the others; one that is alone shows them again first.
void HeatmapPanel::toggleLarge(const HeatmapPlot* plot)
{
    if (!m_enlarged.empty())
        return enlarge({});
    m_document.editLook(
        [name = noteName(plot)](Look& look) { look.maps.large = look.maps.large == name ? std::string() : name; });
}

void HeatmapPanel::arrangeTiles()
{
    std::vector<MapTile*> all(m_tiles.begin(), m_tiles.end());
    if (m_difference)
        all.push_back(m_difference);
    std::vector<MapTile*> widgets = all;
    std::erase_if(widgets,
                  [this](const MapTile* tile) { return !m_enlarged.empty() && noteName(tile->plot()) != m_enlarged; });
    if (widgets.empty()) {
        m_enlarged.clear();
        widgets = all;
    }
    for (MapTile* tile : all)
        tile->setVisible(std::ranges::find(widgets, tile) != widgets.end());
    m_large = m_document.look().maps.large;
    const auto large = std::ranges::find_if(
        widgets, [this](const MapTile* tile) { return !m_large.empty() && noteName(tile->plot()) == m_large; });
    const MapTile* alone = large != widgets.end() ? *large : widgets.size() == 1 ? widgets.front() : nullptr;
    if (const auto tile = std::ranges::find(m_tiles, alone); tile != m_tiles.end()) {
        m_readTile = static_cast<std::size_t>(tile - m_tiles.begin());  // what is large is what is read
        read();
    }
    setFocusProxy(widgets.empty() ? nullptr : widgets.front()->plot());
    QWidget* before = m_tools->findChildren<QWidget*>(Qt::FindDirectChildrenOnly).back();
    for (const MapTile* tile : widgets)  // as they stand, not as they were made
        for (QWidget* stop : tile->stops())
            setTabOrder(std::exchange(before, stop), stop);
    m_grid->setTiles(widgets, large == widgets.end() ? -1 : static_cast<int>(large - widgets.begin()));
    showBars();
    askForPixels();
}

/// Of the maps that are on the screen.
void HeatmapPanel::showBars()
{
    const bool something = m_analysis && m_analysis->queryCount > 0 && !m_analysis->methods.empty();
    const auto isShown = [](const MapTile* tile) { return tile && !tile->isHidden(); };
    m_bar->setVisible(something && std::ranges::any_of(m_tiles, isShown));
    m_differenceBar->setVisible(something && isShown(m_difference));
    placeBars();
}

/// One below the other where side by side they would leave what is read no room.
void HeatmapPanel::placeBars()
{
    constexpr int leastReading = 250;
    const int beside = m_bar->minimumWidth() + m_differenceBar->minimumWidth() + betweenBars + footSpacing;
    const bool stacked = !m_bar->isHidden() && !m_differenceBar->isHidden() &&
                         m_foot->direction() == QBoxLayout::LeftToRight && width() - beside < withText(leastReading);
    m_bars->setDirection(stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_bars->setSpacing(stacked ? 0 : betweenBars);
    for (ColourBar* bar : {m_bar, m_differenceBar})
        bar->setLow(stacked);
}

/// The name of the card first, then what a cell is: where the tools leave no room for both it is in the tool tip.
void HeatmapPanel::placeTitle()
{
    constexpr int apart = 16;  // of three in a row, though the middle one is hidden
    const QMargins around = layout()->contentsMargins();
    m_header->setMinimumHeight(m_showsTools ? m_tools->sizeHint().height() : 0);  // the title keeps its place
    const int room = width() - around.left() - around.right() - textIndent - m_tools->sizeHint().width() - apart;
    m_title->setVisible(m_tools->isHidden() || room >= m_title->sizeHint().width());
    m_kind->setVisible(!m_grid->isHidden() && !m_title->isHidden());
}

int HeatmapPanel::smallestWith(int more) const { return m_grid->smallestIn(m_grid->size() + QSize(more, 0)); }

/// More cells than pixels of the screen would be computed, painted and never seen.
void HeatmapPanel::askForPixels()
{
    int most = 0;
    for (const HeatmapPlot* plot : plots())
        if (plot->isVisible())
            most = std::max(most, plot->pixels());
    if (most > 0)
        m_analyser.setPixels(most);
}

void HeatmapPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeTitle();
    placeBars();
    layout()->activate();
    askForPixels();
}

/// The maps hold colours of the theme.
void HeatmapPanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        recolour();
    if (event->type() == QEvent::FontChange)
        arrangeTiles();
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        placeTitle();
    QWidget::changeEvent(event);
}

/// Escape shows all maps again, and then all alike.
void HeatmapPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_enlarged.empty())
        return enlarge({});
    if (event->key() == Qt::Key_Escape && !m_large.empty())
        return m_document.editLook([](Look& look) { look.maps.large.clear(); });
    QWidget::keyPressEvent(event);
}

std::vector<HeatmapPlot*> HeatmapPanel::plots() const
{
    std::vector<HeatmapPlot*> out;
    for (HeatmapTile* tile : m_tiles)
        out.push_back(tile->plot());
    if (m_difference)
        out.push_back(m_difference->plot());
    return out;
}

void HeatmapPanel::recolour()
{
    if (!m_analysis)
        return;
    const MapLook& look = m_document.look().maps;
    m_pictures = m_analyser.pictures();
    const bool dark = currentTheme().dark;
    if (!m_pictures || !m_pictures->are(m_analysis, look, dark))
        m_pictures = mapPictures(m_analysis, look, dark);
    const std::vector<int> styles = methodStyles(m_analysis->scenario.methods);
    for (std::size_t i = 0; i < m_tiles.size() && i < m_analysis->methods.size(); ++i) {
        const MethodAnalysis& method = m_analysis->methods[i];
        m_tiles[i]->setHeading(styles[i], QString::fromStdString(method.label),
                               numbersIn(text(method.absent.empty() ? method.worked : method.absent)),
                               method.entropy.count > 0 ? effectiveKeys(method.entropy.mean) : 0,
                               rowSetWords(m_analysis->scenario), m_analysis->scenario.view.preview);
        m_tiles[i]->plot()->setTokens(m_analysis->tokens, m_analysis->queryTokens);
        m_tiles[i]->plot()->setData(*m_analysis, i, m_pictures->methods[i], styles[i]);
    }
    m_grid->evenCaptions();
    if (m_difference && m_pictures->difference) {
        m_difference->plot()->setTokens(m_analysis->tokens, m_analysis->queryTokens);
        m_difference->show(*m_pictures);
        m_differenceBar->setScale(m_pictures->difference->scale, look.log ? u"$\\log_{10}$ ratio"_s : u"difference"_s,
                                  m_pictures->difference->beyond);
    }
    const TensorSelection& tensors = m_analysis->scenario.tensors;
    const QString heads = tensors.mean.empty() ? QString() : QString::fromStdString(describeHeads(tensors)) + u"; "_s;
    const bool hatched = std::any_of(m_tiles.begin(), m_tiles.end(), [](const HeatmapTile* tile) {
        return !tile->plot()->plottable().absentRows().empty();
    });
    const MethodAnalysis* drawn = firstPresent(*m_analysis);
    m_bar->setScale(m_pictures->scale, drawn && showsMeans(drawn->map) ? u"mean $w$"_s : u"weight"_s,
                    m_pictures->beyond);
    m_kind->setShortTexts({!drawn ? QString() : heads + cellKindInShort(drawn->map), {}});
    m_kind->setText(!drawn
                        ? QString()
                        : heads + cellKind(drawn->map) +
                              (m_showsTools ? QString() : u"; means over %1"_s.arg(rowSetWords(m_analysis->scenario))) +
                              (hatched ? u"; hatched: no value"_s : QString()));
    showNotes();
    m_title->setToolTip(u"Queries from top to bottom, keys from left to right: how much of its unit of weight each "
                        "query gives each key. Colours: %1"_s.arg(m_kind->text()));
    m_kind->setToolTip(hatched ? u"Hatched rows see no key, or their method has no scale there: they have no "
                                 "weights, which is not a weight of 0"_s
                               : u"What the colour of a cell of the maps stands for"_s);
}

void HeatmapPanel::setToolsVisible(bool visible)
{
    m_showsTools = visible;
    m_tools->setVisible(visible && m_nothing->isHidden());
    placeTitle();
    if (m_difference)
        m_difference->setBare(!visible);
}

void HeatmapPanel::setReadingAbove(bool above)
{
    m_foot->setDirection(above ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
    m_foot->setSpacing(above ? 2 : footSpacing);
    placeBars();
}

std::vector<QPixmap> HeatmapPanel::pictures() const
{
    if (m_difference)
        m_difference->setBare(true);
    std::vector<QPixmap> pictures{pictureOf(*m_grid)};
    if (m_difference)
        m_difference->setBare(!m_showsTools);
    for (ColourBar* bar : {m_bar, m_differenceBar})
        if (!bar->isHidden())
            pictures.push_back(pictureOf(*bar));
    return pictures;
}

QString HeatmapPanel::reading() const { return m_reading->text(); }

void HeatmapPanel::showLook()
{
    if (m_document.look().maps.large != m_large)
        arrangeTiles();
    if (m_under && m_document.look().maps.loupe == m_loupe->isHidden())
        lookCloser(m_under, m_underAt);
    if (m_document.look().maps.difference != (m_difference != nullptr)) {
        showDifference();
        emit counted();
    } else if (!m_pictures || m_pictures->look != m_document.look().maps)
        recolour();
    else
        showNotes();
}

void HeatmapPanel::pin(bool pinned)
{
    m_document.editLook([&](Look& look) {
        const ColourScale scale = m_pictures ? m_pictures->scale : ColourScale{0, 0};
        look.maps.pinned =
            pinned && scale.high > 0 ? std::optional(std::pair<double, double>(scale.low, scale.high)) : std::nullopt;
        look.maps.pinnedDifference.reset();
        if (look.maps.pinned && m_pictures->difference &&
            m_pictures->difference->scale.low < m_pictures->difference->scale.high)
            look.maps.pinnedDifference = {m_pictures->difference->scale.low, m_pictures->difference->scale.high};
        if (look.maps.pinnedDifference && m_analysis)  // of these two, whatever is ticked
            look.maps.sides = namesOf(sidesOf(*m_analysis, look.maps));
    });
}

}  // namespace attnscope

#include "moc_heatmap_panel.cpp"
