#pragma once
// The parts of the heatmap panel: a tile (the method's line style, name and multiplier above its map), the grid that
// gives tiles their places, and the colour bar that they share.

#include "ui/plot/colour_map.h"
#include "ui/plot/heatmap_paint.h"
#include "ui/plot/typeset.h"
#include "ui/widgets/theme.h"

#include <QAbstractButton>

#include <array>
#include <vector>

class QBoxLayout;
class QLabel;
class QLayout;

namespace attnscope {

class HeatmapPlot;
class ElidedLabel;
class LineSwatch;
struct TilePlaces;

/// A row of words and signs that can be pressed as a whole.
class TileHeading : public QAbstractButton {
    Q_OBJECT
public:
    explicit TileHeading(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
};

/// A map below its heading. The heading has two parts, which stand side by side or, where maps are narrow, one below
/// the other. Pressed, it asks for the map to be large.
class MapTile : public QWidget {
    Q_OBJECT
public:
    HeatmapPlot* plot() const { return m_plot; }
    TileHeading* heading() const { return m_heading; }
    /// Whose map it is, whatever of that the heading has room for.
    virtual QString title() const = 0;
    /// In a tile of that width.
    void arrange(int lines, int width);
    /// In a strip of small maps there is room for its name alone.
    virtual void setNameAlone(bool alone) = 0;
    /// What has the keyboard one after the other.
    virtual std::vector<QWidget*> stops() const;
    /// What stands beside the name: in its usual type, in smaller type, short, or nothing.
    enum class Caption { Usual, Small, Short, None };
    /// The first that it has room for.
    virtual Caption captionNeeded() const { return Caption::Usual; }
    virtual void setCaption(Caption) {}
    /// Room for the heading of a method with a parameter, in one line.
    static int usualWidth() { return withText(300); }
    static int headingHeight(int lines) { return withText(lines == 1 ? 20 : 38); }

protected:
    MapTile(QLayout* first, QLayout* second, QWidget* parent);
    /// What stands before the first thing that is seen in its heading.
    virtual int inset() const = 0;
    /// Of its two parts in one line, in pixels.
    virtual int apart() const { return 6; }
    /// Of its heading, 0 or 1; one line where there is room for both.
    QBoxLayout* line(int index) const { return m_lines[static_cast<std::size_t>(index)]; }

private:
    TileHeading* m_heading;
    QBoxLayout* m_parts;
    std::array<QBoxLayout*, 2> m_lines{};
    HeatmapPlot* m_plot;
};

class HeatmapTile : public MapTile {
    Q_OBJECT
public:
    explicit HeatmapTile(QWidget* parent = nullptr);
    /// `keys`: how many a row attends to, e^H; not above 0: not known. `rows`: whose mean H is.
    void setHeading(int style, const QString& name, const QString& worked, double keys, const QString& rows,
                    bool preview = false);
    void setPointed(bool pointed);
    void setNameAlone(bool alone) override;
    Caption captionNeeded() const override;
    void setCaption(Caption as) override;
    QString name() const;
    QString title() const override { return name(); }
    QString caption() const;
    /// In place of a map: why there is none; empty where there is one.
    QString whyNone() const;
    bool isCaptionElided() const;
    /// As it is on the screen; empty: there is none.
    QString captionShown() const;

protected:
    int inset() const override;

private:
    HeatmapTile(LineSwatch* swatch, ElidedLabel* name, ElidedLabel* worked, QWidget* parent);

    LineSwatch* m_swatch;
    ElidedLabel* m_name;
    ElidedLabel* m_worked;
    bool m_nameAlone = false;
    QLabel* m_why;  ///< that there is no map
};

/// Gives its tiles their places (tile_places.h).
class TileGrid : public QWidget {
public:
    using QWidget::QWidget;
    /// `large`: the place of the tile that is; -1: all are alike.
    void setTiles(std::vector<MapTile*> tiles, int large = -1);
    const std::vector<MapTile*>& tiles() const { return m_tiles; }
    /// The side of the smallest map, if the grid were of this size.
    int smallestIn(QSize size) const;
    /// Captions alike, after their texts have changed: smaller, short or none once one needs it, until tiles have other
    /// places, so that numbers that change do not change it to and fro.
    void evenCaptions();
    QSize minimumSizeHint() const override { return {240, 150}; }

protected:
    void resizeEvent(QResizeEvent*) override { arrange(); }

private:
    void arrange();
    TilePlaces placesIn(QSize size) const;
    std::vector<MapTile*> m_tiles;
    int m_large = -1;
    MapTile::Caption m_captions = MapTile::Caption::Usual;
};

/// In one line: its title, and the ramp between the numbers at its ends.
class ColourBar : public QWidget {
public:
    explicit ColourBar(const QString& name, QWidget* parent = nullptr);
    /// `beyond`: the ends that some of the values lie beyond, which is said and has a tip.
    void setScale(const ColourScale& scale, const QString& title, Beyond beyond = {});
    const ColourScale& scale() const { return m_scale; }
    /// Where two of them stand in the height of a line or two.
    void setLow(bool low);
    /// Where it is, without the tips beyond it.
    QRectF ramp() const;

protected:
    void paintEvent(QPaintEvent*) override;

private:
    struct Words {
        Typeset title, low, high;
        double taken = 0;  ///< pixels, with the room between
    };
    Words words() const;

    ColourScale m_scale;
    QString m_title, m_about;
    Beyond m_beyond;
    bool m_low = false;
};

}  // namespace attnscope
