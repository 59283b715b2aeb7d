#include "ui/plot/heatmap_plottable.h"

namespace attnscope {

HeatmapPlottable::HeatmapPlottable(QCPAxis* keys, QCPAxis* queries) : QCPAbstractPlottable(keys, queries)
{
    queries->setRangeReversed(true);
}

void HeatmapPlottable::setMap(std::shared_ptr<const PooledMap> map, const ColourScale& scale, QImage image)
{
    m_map = std::move(map);
    m_scale = scale;
    m_image = std::move(image);
}

void HeatmapPlottable::setAbsentRows(std::vector<RowBand> bands, const QColor& paper, const QColor& ink)
{
    m_absent = std::move(bands);
    m_paper = paper;
    m_ink = ink;
}

QRectF HeatmapPlottable::target() const
{
    const Region& region = m_map->region;
    return QRectF(QPointF(mKeyAxis->coordToPixel(static_cast<double>(region.columnBegin)),
                          mValueAxis->coordToPixel(static_cast<double>(region.rowBegin))),
                  QPointF(mKeyAxis->coordToPixel(static_cast<double>(region.columnEnd)),
                          mValueAxis->coordToPixel(static_cast<double>(region.rowEnd))))
        .normalized();
}

void HeatmapPlottable::draw(QCPPainter* painter)
{
    if (!m_map || m_map->rows == 0 || m_map->columns == 0)
        return;
    if (m_image.isNull())
        m_image = heatmapImage(*m_map, m_scale);
    paintCells(*painter, target(), m_image);
    paintRowBands(*painter, target(), m_map->region, m_absent, m_paper, m_ink);
}

std::optional<HeatmapPlottable::Cell> HeatmapPlottable::cellAt(QPointF position) const
{
    if (!m_map || m_map->rows == 0 || m_map->columns == 0)
        return std::nullopt;
    const Region& region = m_map->region;
    const double key = std::floor(mKeyAxis->pixelToCoord(position.x())),
                 query = std::floor(mValueAxis->pixelToCoord(position.y()));
    if (!(key >= static_cast<double>(region.columnBegin) && key < static_cast<double>(region.columnEnd) &&
          query >= static_cast<double>(region.rowBegin) && query < static_cast<double>(region.rowEnd)))
        return std::nullopt;
    Cell cell;
    cell.key = static_cast<std::int64_t>(key);
    cell.query = static_cast<std::int64_t>(query);
    // The cell whose first key is floor(c width / columns) <= key: the last such c.
    const auto cellOf = [](std::int64_t offset, std::int64_t extent, int count) {
        return static_cast<int>(((offset + 1) * count - 1) / extent);
    };
    cell.column = cellOf(cell.key - region.columnBegin, region.columnEnd - region.columnBegin, m_map->columns);
    cell.row = cellOf(cell.query - region.rowBegin, region.rowEnd - region.rowBegin, m_map->rows);
    cell.value = m_map->at(cell.row, cell.column);
    return cell;
}

double HeatmapPlottable::selectTest(const QPointF& pos, bool, QVariant*) const { return cellAt(pos) ? 0 : -1; }

QCPRange HeatmapPlottable::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = m_map && m_map->columns > 0;
    return found
               ? QCPRange(static_cast<double>(m_map->region.columnBegin), static_cast<double>(m_map->region.columnEnd))
               : QCPRange();
}

QCPRange HeatmapPlottable::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = m_map && m_map->rows > 0;
    return found ? QCPRange(static_cast<double>(m_map->region.rowBegin), static_cast<double>(m_map->region.rowEnd))
                 : QCPRange();
}

}  // namespace attnscope

#include "moc_heatmap_plottable.cpp"
