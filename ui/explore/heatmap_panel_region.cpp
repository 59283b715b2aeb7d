// The part of the tensors that is on the screen, and what is read there.

#include "ui/explore/heatmap_panel.h"

#include "core/tensor/tensor_writer.h"
#include "ui/explore/difference_tile.h"
#include "ui/plot/heatmap_plottable.h"
#include "ui/plot/qt_text.h"
#include "ui/views/cell_reading.h"
#include "ui/views/heatmap_plot.h"
#include "ui/views/heatmap_tile.h"
#include "ui/views/map_loupe.h"
#include "ui/views/region_motion.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/elided.h"
#include "ui/widgets/file_to_save.h"
#include "ui/workbench/document.h"

#include <algorithm>

namespace attnscope {

void HeatmapPanel::showRegion()
{
    if (!m_analysis)
        return;
    for (HeatmapPlot* plot : plots()) {
        plot->setRegion(region());
        plot->setChosenRow(m_analysis->scenario.view.row);
    }
}

void HeatmapPanel::read()
{
    if (!m_analysis || m_readTile >= m_analysis->methods.size())
        return;
    const Pointed& at = m_pointer.at();  // of what was shown before, it may be a cell that is not there now
    const bool there = at.row < m_analysis->queryCount && at.key < m_analysis->keyCount;
    const Pointed cell = there ? at : Pointed{};
    const bool ofTwo = m_difference && m_under == m_difference->plot() && m_underAt.row >= 0;
    const QStringList facts = ofTwo ? differenceReading(*m_analysis, sidesOf(*m_analysis, m_document.look().maps), cell)
                                    : cellReading(*m_analysis, m_readTile, cell);
    m_reading->setFacts(facts, m_analysis->methods.size() > 1 && facts.size() > 1 ? 1 : 0);  // above the map it is too
}

MapLoupe* HeatmapPanel::loupe() const { return m_loupe; }

/// At this cell of the plot; none: the pointer is over no cell.
void HeatmapPanel::lookCloser(HeatmapPlot* plot, const Pointed& at)
{
    m_under = plot;
    m_underAt = at.row >= 0 && at.key >= 0 ? at : Pointed{};
    const bool wanted = m_document.look().maps.loupe && m_analysis && m_underAt.row >= 0;
    constexpr int margin = 2;  // the next step of the pointer shows cells that are there
    m_analyser.setLoupe(
        wanted ? std::optional(loupeRegion(m_underAt, m_analysis->queryCount, m_analysis->keyCount, margin))
               : std::nullopt);
    showLoupe();
}

/// "Softmax Plus, head 3"; of the difference "InfoScale minus Vanilla".
QString HeatmapPanel::whoseMap(bool difference) const
{
    const auto name = [this](std::size_t method) {
        return method < m_analysis->methods.size() ? text(m_analysis->methods[method].label) : QString();
    };
    const MapLook& look = m_document.look().maps;
    const auto [first, second] = sidesOf(*m_analysis, look);
    const QString methods = difference ? name(first) + betweenSides(look.log) + name(second) : name(m_readTile);
    const Scenario& scenario = m_analysis->scenario;
    return scenario.ofFile() ? methods + u", "_s + text(describeHeads(scenario.tensors)) : methods;
}

void HeatmapPanel::showLoupe()
{
    if (!m_loupe)
        return;
    const bool shown = m_document.look().maps.loupe && m_under && m_under->isVisible() && m_underAt.row >= 0 &&
                       m_analysis && m_underAt.row < m_analysis->queryCount && m_underAt.key < m_analysis->keyCount &&
                       m_pictures && !m_analyser.isFlipped();
    if (!shown)
        return m_loupe->hide();
    const bool difference = m_difference && m_difference->plot() == m_under;
    LoupeReading reading{.at = m_underAt, .cells = {}, .scale = m_pictures->scale, .facts = {}};
    if (difference && m_pictures->difference)
        reading.scale = m_pictures->difference->scale;
    const RowDetail* row = nullptr;
    if (m_near && m_near->analysis == m_analyser.loupe()) {
        const Analysis& near = *m_near->analysis;
        if (difference && m_near->difference) {
            reading.cells = *m_near->difference->map;
        } else if (!difference && m_readTile < near.methods.size()) {
            reading.cells = *m_near->methods[m_readTile].map;
            if (near.scenario.view.row == m_underAt.row && near.methods[m_readTile].absent.empty())
                row = &near.methods[m_readTile].chosen;
        }
    }
    reading.facts = loupeFacts(m_underAt, m_analysis->tokens, row);
    reading.of = whoseMap(difference);
    m_loupe->show(*m_under, std::move(reading));
}

void HeatmapPanel::hideEvent(QHideEvent* event)
{
    m_underAt = {};
    showLoupe();
    QWidget::hideEvent(event);
}

QString HeatmapPanel::cells() const
{
    const HeatmapPlot* plot = m_pointedLast     ? m_pointedLast.data()
                              : m_tiles.empty() ? nullptr
                                                : m_tiles.front()->plot();
    return plot ? mapData(plot->map()) : QString();
}

QString HeatmapPanel::rows() const
{
    return m_analysis && m_readTile < m_analysis->methods.size() ? rowData(*m_analysis, m_readTile) : QString();
}

/// Of the map as it was when it was asked for: while the dialog is open others may come, and fewer.
void HeatmapPanel::saveCells(const PooledMap map)
{
    const QString path = fileToSave(*this, u"Save the cells"_s, u"heatmap.npy"_s, u"NumPy arrays (*.npy)"_s);
    if (path.isEmpty())
        return;
    const auto saved = writeNpy(path.toStdString(), tensorView("", {map.rows, map.columns}, map.values));
    emit saidAbout(saved ? u"Saved %1"_s.arg(path) : QString::fromStdString(saved.error().message), !saved);
}

Region HeatmapPanel::region() const
{
    const Region shown = m_analyser.lookedAt().view.region;
    return shown == Region{} ? wholeRegion(m_analysis->queryCount, m_analysis->keyCount) : shown;
}

void HeatmapPanel::setRegion(const Region& wanted)
{
    const Region whole = wholeRegion(m_analysis->queryCount, m_analysis->keyCount);
    m_document.edit(u"Zoom"_s, [&](Scenario& scenario) { scenario.view.region = wanted == whole ? Region{} : wanted; });
}

void HeatmapPanel::zoomAbout(double factor, QPointF about)
{
    if (m_analysis)
        setRegion(zoomedRegion(region(), wholeRegion(m_analysis->queryCount, m_analysis->keyCount), factor, about));
}

void HeatmapPanel::zoom(double factor)
{
    if (!m_analysis)
        return;
    const Region shown = region();
    zoomAbout(factor, {double(shown.columnBegin + shown.columnEnd) / 2, double(shown.rowBegin + shown.rowEnd) / 2});
}

void HeatmapPanel::pan(QPointF by)
{
    if (m_analysis)
        setRegion(pannedRegion(region(), wholeRegion(m_analysis->queryCount, m_analysis->keyCount), by));
}

void HeatmapPanel::fit()
{
    m_document.editOnce(u"Zoom"_s, [](Scenario& scenario) { scenario.view.region = {}; });
}

void HeatmapPanel::chooseRow(std::int64_t row)
{
    if (!m_analysis)
        return;
    m_document.edit(u"Row"_s, [&](Scenario& scenario) {
        scenario.view.row = std::clamp<std::int64_t>(row, 0, m_analysis->queryCount - 1);
    });
}

}  // namespace attnscope
