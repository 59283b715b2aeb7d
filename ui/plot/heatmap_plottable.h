#pragma once
// A pooled attention map in a QCustomPlot: coordinates are key index (x) and query index (y, whose axis is reversed so
// that the first query is on top). Drawing is heatmap_paint.h's: sharp cell edges at every zoom.

#include "ui/plot/absent_rows.h"
#include "ui/plot/custom_plot.h"
#include "ui/plot/heatmap_paint.h"

#include <memory>
#include <optional>

namespace attnscope {

class HeatmapPlottable : public QCPAbstractPlottable {
    Q_OBJECT
public:
    HeatmapPlottable(QCPAxis* keys, QCPAxis* queries);

    /// `image`: heatmapImage() of both; null: it is made when it is drawn.
    void setMap(std::shared_ptr<const PooledMap> map, const ColourScale& scale, QImage image = {});
    const std::shared_ptr<const PooledMap>& map() const { return m_map; }
    const ColourScale& scale() const { return m_scale; }
    /// Rows that have no value are hatched.
    void setAbsentRows(std::vector<RowBand> bands, const QColor& paper, const QColor& ink);
    const std::vector<RowBand>& absentRows() const { return m_absent; }

    struct Cell {
        int row = -1, column = -1;          ///< of the pooled map
        std::int64_t query = -1, key = -1;  ///< of the matrix, under the position
        float value = 0;
    };
    /// What lies under a position of the widget; empty outside the map.
    std::optional<Cell> cellAt(QPointF position) const;

    double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& inKeyRange = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    QRectF target() const;
    std::shared_ptr<const PooledMap> m_map;
    ColourScale m_scale;
    QImage m_image;
    std::vector<RowBand> m_absent;
    QColor m_paper, m_ink;
};

}  // namespace attnscope
