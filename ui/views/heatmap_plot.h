#pragma once
// One method's attention map on the screen: the pooled map with sharp cells, a strip of row entropies beside it, the
// chosen row and the crosshair. Tells what is pointed at and how the user wants to zoom; the panel around it keeps all
// maps alike.

#include "core/analysis/analysis.h"
#include "ui/plot/chart.h"
#include "ui/plot/axis_numbers.h"
#include "ui/plot/colour_map.h"
#include "ui/plot/custom_plot.h"
#include "ui/views/entropy_graph.h"
#include "ui/widgets/copy_data.h"
#include "ui/widgets/focus_frame.h"
#include "ui/workbench/pointer.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace attnscope {

class HeatmapPlottable;
struct MapPicture;

/// The line of its menu that shows all of it, as its key 0 does.
ViewAction wholeMatrix(std::function<void()> show);

class HeatmapPlot : public QCustomPlot {
    Q_OBJECT
public:
    explicit HeatmapPlot(QWidget* parent = nullptr);

    /// The map of a method of the analysis, with the entropies of its rows in the strip.
    void setData(const Analysis& analysis, std::size_t method, const MapPicture& picture, int style);
    /// A map of its own (a difference), without a strip.
    void setMap(const MapPicture& picture);
    void setRegion(const Region& region);
    /// A text a key and a query, or none: at both axes in place of numbers, where cells are large enough to read them.
    void setTokens(const std::vector<std::string>& keys, const std::vector<std::string>& queries);
    const std::vector<std::string>& keyTokens() const { return m_keyTokens; }
    const std::vector<std::string>& queryTokens() const { return m_queryTokens; }
    void setChosenRow(std::int64_t row);
    void setPointed(const Pointed& at);

    /// Texts with arrows to cells, over everything.
    void setNotes(std::vector<ChartNote> notes);
    /// Between the cells that see each other and masked ones, where the theme's ground is like a colour of the map.
    const std::vector<QLineF>& edges() const { return m_edges; }
    const EntropyGraph& entropies() const { return *m_entropies; }
    const std::vector<ChartNote>& notes() const { return m_notes; }
    /// Where cells stand in the widget.
    ChartLayout chartLayout() const;
    /// Where the pointer was last; the middle of the map before that.
    QPointF lastPointed() const { return m_lastPointed.value_or(QRectF(frame()).center()); }
    /// As if the pointer were there, and nothing is told of it.
    void point(QPointF at) { m_lastPointed = at; }

    const FocusFrame& focusFrame() const { return m_focus; }
    const HeatmapPlottable& plottable() const { return *m_map; }
    /// What is drawn; no cells before there is any.
    const PooledMap& map() const;
    /// The frame of the map in widget coordinates.
    QRect frame() const;
    QSize minimumSizeHint() const override { return {100, 100}; }
    /// Below the strip, by their left ends: H, and between which entropies a wide strip is, 0 and ln n; without those
    /// that would run together with the map's last number.
    std::vector<std::pair<double, QString>> stripLabels() const;
    /// Of the square map, in pixels of the screen: as many cells as can be seen.
    int pixels() const;
    /// Width taken by what is not the map, at least; height likewise.
    static QSize surroundings();
    /// The strip is wider by up to so much where there is room that the map cannot use.
    static int stripRoom();
    /// Where the map begins, without tokens beside it.
    static int leftOfMap();

signals:
    void pointed(const attnscope::Pointed& at, const QPointF& position);
    void left();
    void rowChosen(std::int64_t row);
    void zoomed(double factor, QPointF about);  ///< matrix coordinates; factor > 1: closer
    void panned(QPointF by);                    ///< matrix coordinates
    void fitted();
    void doubleClicked();
    void rowStepped(int by);
    void finished();  ///< of a gesture
    void pixelsChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void buildAxes();
    void drawPointed(QPainter& painter) const;
    void drawNumbers(QPainter& painter) const;
    void drawEdges(QPainter& painter) const;
    void restyle();
    void setPicture(const MapPicture& picture);
    void fitFrame();
    void layOutAxes();
    int side() const;
    int sideWithin(int left, int bottom) const;
    void takeTokensIn();
    QPointF toMatrix(QPointF position) const;
    /// The row whose entropy is under the position.
    std::optional<std::int64_t> stripRowAt(QPointF position) const;

    QSharedPointer<QCPAxisTickerText> ticker(const std::vector<std::string>& tokens, std::int64_t first,
                                             std::int64_t last, int room) const;
    int leftRoom() const;
    int bottomRoom() const;

    std::vector<std::string> m_keyTokens, m_queryTokens;
    std::vector<ChartNote> m_notes;
    std::optional<QPointF> m_lastPointed;
    Region m_region;
    std::vector<AxisNumber> m_keyNumbers, m_queryNumbers;
    int m_numberedSide = 0;  ///< of the map that these are for; 0: they are to be made
    int m_side = 0;          ///< of the map as it is laid out
    std::int64_t m_chosenRow = -1;
    Pointed m_pointed;
    QCPAxisRect* m_frame;
    QCPAxisRect* m_strip;
    HeatmapPlottable* m_map;
    std::shared_ptr<const PooledMap> m_values;  ///< those that map() is
    std::vector<QLineF> m_edges;  ///< of the cells that see each other, in the matrix; none: their ground tells them
    std::unique_ptr<EntropyGraph> m_entropies;  ///< in the strip
    QPointF m_pressedAt, m_lastAt;
    bool m_pressed = false, m_dragging = false;
    FocusFrame m_focus{*this};
    bool m_showsTokens = false;  ///< at the axes
};

}  // namespace attnscope
