#pragma once
// The centre of the window: one map a ticked method, all on one colour scale, all showing the same region, with the chosen
// row and the crosshair in each, and a line that reads the cell under the pointer.

#include "ui/window/analyser.h"
#include "ui/window/pointer.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLabel;
class QToolButton;

namespace attnscope {

class ColourBar;
class Document;
class HeatmapPlot;
class HeatmapTile;
class TileGrid;

class HeatmapPanel : public QWidget {
    Q_OBJECT
public:
    HeatmapPanel(Document& document, Analyser& analyser, Pointer& pointer, QWidget* parent = nullptr);

    const std::vector<HeatmapTile*>& tiles() const { return m_tiles; }
    QString reading() const;
    bool logColour() const;
    /// Zooms about the middle of the region; the keyboard's way.
    void zoom(double factor);
    void fit();

private:
    QWidget* buildHeader();
    HeatmapTile* addTile();
    void connectPlot(HeatmapPlot* plot, std::size_t index);
    void show(const AnalysisPtr& analysis);
    void showRegion();
    void setTileCount(std::size_t count);
    void recolour();
    void read();
    Region region() const;
    void setRegion(const Region& region);
    void zoomAbout(double factor, QPointF about);
    void pan(QPointF by);
    void chooseRow(std::int64_t row);

    Document& m_document;
    Pointer& m_pointer;
    AnalysisPtr m_analysis;
    TileGrid* m_grid;
    std::vector<HeatmapTile*> m_tiles;
    std::size_t m_readTile = 0;
    QComboBox* m_colourMap;
    QComboBox* m_pool;
    QToolButton* m_log;
    ColourBar* m_bar;
    QLabel* m_kind;
    QLabel* m_reading;
};

}  // namespace attnscope
