#pragma once
// A pooled attention map with sharp cell edges. Rows (queries) run downwards, columns (keys) to the right. On screen and
// for many cells an image is enlarged cell by cell in the device's own pixels; in print up to `vectorCells` cells become
// filled rectangles. Equal neighbours are merged, and a cell reaches under the next, so no viewer shows seams.

#include "core/attention/engine.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/plot_style.h"

#include <qcustomplot.h>

#include <QImage>

#include <memory>
#include <optional>
#include <span>

namespace attnscope {

inline constexpr int vectorCells = 96 * 96;

/// One pixel a cell; blank cells are transparent.
QImage heatmapImage(const PooledMap&, const ColourScale&);

/// The map over `target` (painter units). Vector: rectangles instead of an image.
void paintHeatmap(QPainter&, const QRectF& target, const PooledMap&, const ColourScale&, bool vector);

/// The smallest positive and the largest value of all: one colour range for several maps. {0, 1} if there is none.
std::pair<double, double> valueRange(std::span<const PooledMap* const> maps);

/// A colour scale for weights: log from the largest value down by at most `decades`, or linear from 0.
ColourScale weightScale(std::span<const PooledMap* const> maps, bool log, const ColourMap* map = nullptr, double decades = 4);

/// The ramp with its ticks and its title: horizontal if wider than high. Labels lie outside `ramp`, to the right or below.
void paintColourBar(QPainter&, const QRectF& ramp, const ColourScale&, const QString& title, const PlotStyle&);

/// In a QCustomPlot: coordinates are key index (x) and query index (y, the axis reversed).
class HeatmapPlottable : public QCPAbstractPlottable {
    Q_OBJECT
public:
    HeatmapPlottable(QCPAxis* keys, QCPAxis* queries);

    void setMap(std::shared_ptr<const PooledMap> map);
    void setScale(const ColourScale& scale);
    const std::shared_ptr<const PooledMap>& map() const { return m_map; }
    const ColourScale& scale() const { return m_scale; }

    struct Cell {
        int row = -1, column = -1;              ///< of the pooled map
        std::int64_t query = -1, key = -1;      ///< of the matrix, under the position
        float value = 0;
    };
    /// What lies under a position of the widget; empty outside the map.
    std::optional<Cell> cellAt(QPointF position) const;

    double selectTest(const QPointF& pos, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth, const QCPRange& inKeyRange = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    QRectF target() const;
    std::shared_ptr<const PooledMap> m_map;
    ColourScale m_scale;
    QImage m_image;
};

}  // namespace attnscope
