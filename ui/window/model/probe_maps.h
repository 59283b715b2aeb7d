#pragma once
// Needles as maps: n across, the depth at which they were told down, a map a method and position scheme, all on one
// colour scale. The pointer or the arrow keys read a cell; a click looks at its n.

#include "ui/plot/colour_map.h"

#include <QStringList>
#include <QWidget>

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

class NeedleMapView : public QWidget {
    Q_OBJECT
public:
    explicit NeedleMapView(QWidget* parent = nullptr);
    void show(NeedleMap map, const NeedleAxes& axes);
    const NeedleMap& map() const { return m_map; }
    /// The cell in widget coordinates.
    QRectF cell(int depth, int length) const;

signals:
    void chosen(std::int64_t n);
    void pointed(const QString& reading);  ///< empty: nothing is pointed at

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    int depths() const { return static_cast<int>(m_axes.depths.size()); }
    int lengths() const { return static_cast<int>(m_axes.lengths.size()); }
    std::pair<int, int> at(QPointF position) const;  ///< -1, -1: no cell
    const NeedleMap::Cell* cellAt(std::pair<int, int> at) const;
    void pointAt(std::pair<int, int> at);

    NeedleMap m_map;
    NeedleAxes m_axes;
    std::pair<int, int> m_pointed{-1, -1};
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
