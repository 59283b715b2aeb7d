#pragma once
// The parts of the heatmap panel: a tile (the method's line style, name and multiplier above its map), the grid that
// makes tiles as large as they fit, and the colour bar that they share.

#include "ui/plot/colour_map.h"
#include "ui/window/theme.h"

#include <QWidget>

#include <vector>

class QBoxLayout;
class QLayout;

namespace attnscope {

class HeatmapPlot;
class ElidedLabel;
class LineSwatch;

/// A map below its heading. The heading has two parts, which stand side by side or, where maps are narrow, one below
/// the other.
class MapTile : public QWidget {
    Q_OBJECT
public:
    HeatmapPlot* plot() const { return m_plot; }
    /// In one line or two, for a tile of this width.
    void arrange(int width, int lines, bool compact);
    /// Room for the heading of a method with a parameter, in one line.
    static int usualWidth() { return withText(364); }
    static int headingHeight(int lines) { return withText(lines == 1 ? 24 : 42); }

protected:
    /// The first part begins `inset` pixels to the left of the map.
    MapTile(QLayout* first, QLayout* second, int inset, QWidget* parent);

private:
    QWidget* m_heading;
    QBoxLayout* m_parts;
    HeatmapPlot* m_plot;
    int m_inset;
};

class HeatmapTile : public MapTile {
    Q_OBJECT
public:
    explicit HeatmapTile(QWidget* parent = nullptr);
    /// `keys`: how many a row attends to, e^H; not above 0: not known.
    void setHeading(int style, const QString& name, const QString& worked, double keys);
    void setPointed(bool pointed);
    QString name() const;
    QString caption() const;
    bool isCaptionElided() const;

private:
    HeatmapTile(LineSwatch* swatch, ElidedLabel* name, ElidedLabel* worked, QWidget* parent);

    LineSwatch* m_swatch;
    ElidedLabel* m_name;
    ElidedLabel* m_worked;
};

/// Lays its tiles out in as many columns as make their maps largest.
class TileGrid : public QWidget {
public:
    using QWidget::QWidget;
    void setTiles(std::vector<MapTile*> tiles);
    const std::vector<MapTile*>& tiles() const { return m_tiles; }
    QSize minimumSizeHint() const override { return {300, 150}; }

protected:
    void resizeEvent(QResizeEvent*) override { arrange(); }

private:
    void arrange();
    std::vector<MapTile*> m_tiles;
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
