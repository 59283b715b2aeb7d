#pragma once
// The parts of the heatmap panel: a tile (the method's line style, name and multiplier above its map), the grid that makes
// tiles as large as they fit, and the colour bar that they share.

#include "ui/plot/colour_map.h"

#include <QWidget>

#include <vector>

namespace attnscope {

class HeatmapPlot;
class ElidedLabel;
class LineSwatch;

class HeatmapTile : public QWidget {
    Q_OBJECT
public:
    explicit HeatmapTile(QWidget* parent = nullptr);
    HeatmapPlot* plot() const { return m_plot; }
    /// `keys`: how many a row attends to, e^H; not above 0: not known.
    void setHeading(int style, const QString& name, const QString& worked, double keys);
    void setPointed(bool pointed);
    QString name() const;
    QString caption() const;
    static constexpr int headingHeight = 24;

private:
    LineSwatch* m_swatch;
    ElidedLabel* m_name;
    ElidedLabel* m_worked;
    HeatmapPlot* m_plot;
};

/// Lays its tiles out in as many columns as make their maps largest.
class TileGrid : public QWidget {
public:
    using QWidget::QWidget;
    void setTiles(std::vector<QWidget*> tiles);
    QSize minimumSizeHint() const override { return {300, 240}; }

protected:
    void resizeEvent(QResizeEvent*) override { arrange(); }

private:
    void arrange();
    std::vector<QWidget*> m_tiles;
};

class ColourBar : public QWidget {
public:
    explicit ColourBar(const QString& name, QWidget* parent = nullptr);
    void setScale(const ColourScale& scale, const QString& title);
    const ColourScale& scale() const { return m_scale; }

protected:
    void paintEvent(QPaintEvent*) override;

private:
    ColourScale m_scale;
    QString m_title;
};

}  // namespace attnscope
