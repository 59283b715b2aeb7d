#pragma once
// Needles as maps: n across, the depth at which they were told down, a map a method and position scheme, all on one
// colour scale. The pointer or the arrow keys read a cell; a click looks at its n.

#include "ui/widgets/cell_grid.h"

#include <QStringList>

#include <cstdint>
#include <vector>

namespace attnscope {

class ElidedLabel;
class LineSwatch;

struct NeedleMap {
    struct Cell {
        double value = 0;  ///< what it is coloured by; NaN: there is none (yet)
        QString reading;   ///< all that is known of it
    };
    int style = -1;  ///< of the method
    QString name, position;
    std::vector<std::vector<Cell>> cells;  ///< [depth][n]
};

/// What all of them share.
struct NeedleAxes {
    std::vector<std::int64_t> lengths;
    std::vector<double> depths;
    std::int64_t n = 0;  ///< the one that is looked at
    ColourScale scale;
};

class NeedleMapView : public CellGrid {
    Q_OBJECT
public:
    explicit NeedleMapView(QWidget* parent = nullptr);
    void show(NeedleMap map, const NeedleAxes& axes);
    const NeedleMap& map() const { return m_map; }
    const NeedleAxes& axes() const { return m_axes; }
    QRectF cell(int depth, int length) const override;

signals:
    void chosen(std::int64_t n);

protected:
    int rows() const override { return static_cast<int>(m_axes.depths.size()); }
    int columns() const override { return static_cast<int>(m_axes.lengths.size()); }
    double value(At at) const override { return cellAt(at).value; }
    QString reading(At at) const override { return cellAt(at).reading; }
    void pick(At at) override { emit chosen(m_axes.lengths[static_cast<std::size_t>(at.column)]); }
    void paint(QPainter& painter) const override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const NeedleMap::Cell& cellAt(At at) const
    {
        return m_map.cells[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)];
    }

    NeedleMap m_map;
    NeedleAxes m_axes;
};

/// As many side by side as have room, the others below them.
class NeedleMaps : public QWidget {
    Q_OBJECT
public:
    explicit NeedleMaps(QWidget* parent = nullptr);
    ~NeedleMaps() override;
    void show(std::vector<NeedleMap> maps, const NeedleAxes& axes);
    const std::vector<NeedleMapView*>& views() const { return m_views; }

signals:
    void chosen(std::int64_t n);
    void pointed(const QString& reading);

protected:
    void resizeEvent(QResizeEvent*) override { arrange(); }

private:
    struct Tile;
    void addTile();
    void arrange();

    std::vector<Tile> m_tiles;
    std::vector<NeedleMapView*> m_views;
};

}  // namespace attnscope
