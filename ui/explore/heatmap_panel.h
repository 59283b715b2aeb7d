#pragma once
// The centre of the window: one map a ticked method, all on one colour scale, all showing the same region, with the
// chosen row and the crosshair in each, and a line that reads the cell under the pointer.

#include "ui/plot/colour_map.h"
#include "ui/workbench/analyser.h"
#include "ui/workbench/pointer.h"
#include "ui/widgets/throttle.h"

#include <QPointer>
#include <QWidget>

#include <vector>

class QBoxLayout;

namespace attnscope {

class ColourBar;
class DifferenceTile;
class Document;
class ElidedLabel;
class EmptyMaps;
class FactLine;
class HeatmapPlot;
class HeatmapTile;
class MapLoupe;
class MapTile;
class MapTools;
class TileGrid;

class HeatmapPanel : public QWidget {
    Q_OBJECT
public:
    HeatmapPanel(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);

    const std::vector<HeatmapTile*>& tiles() const { return m_tiles; }
    DifferenceTile* difference() const { return m_difference; }
    QString reading() const;
    /// A pin, in place of the scenario.
    bool showsPin() const { return m_analyser.isFlipped(); }
    /// Where one was shown alone.
    void showAll() { enlarge({}); }
    EmptyMaps* nothing() const { return m_nothing; }
    /// Of the map that was pointed at last, as text.
    QString cells() const;
    QString rows() const;
    /// Zooms about the middle of the region; the keyboard's way.
    void zoom(double factor);
    void fit();
    /// The colours keep the range that they have now; false: they follow the maps again.
    void pin(bool pinned);
    /// The side of the smallest map, if the maps had so much more room across.
    int smallestWith(int more) const;
    /// What one only presses, and not looks at.
    void setToolsVisible(bool visible);
    /// The reading of a cell on a line of its own, where maps are narrow and letters large.
    void setReadingAbove(bool above);
    /// The maps and their colours alone.
    std::vector<QPixmap> pictures() const;
    /// Shown while the pointer is over a map, where the look has it.
    MapLoupe* loupe() const;

signals:
    void saidAbout(const QString& message, bool wrong);  ///< of what was saved
    void counted();                                      ///< there are more maps, or fewer

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    QWidget* buildHeader();
    void saveCells(PooledMap map);
    HeatmapTile* addTile();
    void connectTile(MapTile* tile, std::size_t index);
    void show(const AnalysisPtr& analysis);
    void showRegion();
    void setTileCount(std::size_t count);
    void enlarge(const std::string& name);
    void toggleLarge(const HeatmapPlot* plot);
    void arrangeTiles();
    void showBars();
    void placeBars();
    void placeTitle();
    void askForPixels();
    void showLook();
    void showNotes();
    MethodPair namesOf(std::pair<std::size_t, std::size_t> places) const;
    std::string noteName(const HeatmapPlot* plot) const;
    void showDifference();
    std::vector<HeatmapPlot*> plots() const;
    void recolour();
    void read();
    void lookCloser(HeatmapPlot* plot, const Pointed& at);
    void showLoupe();
    QString whoseMap(bool difference) const;
    Region region() const;
    void setRegion(const Region& region);
    void zoomAbout(double factor, QPointF about);
    void pan(QPointF by);
    void chooseRow(std::int64_t row);

    Document& m_document;
    Analyser& m_analyser;
    Pointer& m_pointer;
    AnalysisPtr m_analysis;
    TileGrid* m_grid;
    std::vector<HeatmapTile*> m_tiles;
    std::size_t m_readTile = 0;
    QPointer<HeatmapPlot> m_pointedLast;  ///< of them and the difference
    std::string m_enlarged;               ///< the map that is shown alone, as its notes name it; empty: all are shown
    std::string m_large;                  ///< MapLook::large as it is arranged
    DifferenceTile* m_difference = nullptr;         ///< while it is shown
    std::shared_ptr<const MapPictures> m_pictures;  ///< on the screen
    ColourBar* m_bar;
    ColourBar* m_differenceBar;
    ElidedLabel* m_title = nullptr;
    ElidedLabel* m_kind;
    MapTools* m_tools;
    QWidget* m_header = nullptr;
    bool m_showsTools = true;
    Throttle m_reads{this};
    FactLine* m_reading;
    QBoxLayout *m_foot, *m_bars;
    QPointer<MapLoupe> m_loupe;     ///< a part of the window, which may go first
    QPointer<HeatmapPlot> m_under;  ///< the pointer, over this cell
    Pointed m_underAt;
    std::shared_ptr<const MapPictures> m_near;  ///< what the loupe shows of
    EmptyMaps* m_nothing;                       ///< in place of the maps, where there are none
};

}  // namespace attnscope
