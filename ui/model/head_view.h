#pragma once
// The head that is looked at: its map with the tokens' text at the axes where there is room, and below it who looks at
// whom. Where another combination stands beside the first, both have a map, on one scale, and there is one of how they
// differ; all three show the same part, row and cell.

#include "ui/workbench/model_runner.h"
#include "ui/workbench/pointer.h"

#include <QPointer>
#include <QWidget>

#include <array>

class QPushButton;

namespace attnscope {

class ColourBar;
class ElidedLabel;
class HeatmapPlot;
class HeatmapTile;
class MapLoupe;
class TileGrid;

class HeadView : public QWidget {
    Q_OBJECT
public:
    HeadView(Document& document, ModelRunner& runner, QWidget* parent = nullptr);
    /// Of the maps in the order in which they stand: A, B, their difference.
    HeatmapPlot* plot(std::size_t map = 0) const;
    QString reading(Side side = Side::A) const;
    QPushButton* explore() const { return m_explore; }
    MapLoupe* loupe() const;

signals:
    void exploreAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    static constexpr std::size_t differenceMap = 2;

    void connectPlot(std::size_t map);
    void show();
    int showHeading(const Picture& picture, std::size_t side);
    void showMaps(const Picture& picture);
    void showRow();
    void read(const Pointed& at);
    void lookCloser(std::size_t map, const Pointed& at);
    void point(const Pointed& at);
    void go(const Region& region);
    Region whole() const;
    Region now() const;
    void choose(std::int64_t row);

    Document& m_document;
    ModelRunner& m_runner;
    ElidedLabel* m_heading;
    QPushButton* m_explore;
    TileGrid* m_grid;
    std::array<HeatmapTile*, 3> m_tiles;
    int m_large = -1;  ///< the map beside which the others are a strip
    std::array<ElidedLabel*, 2> m_readings;
    ColourBar *m_weightBar, *m_differenceBar;
    QPointer<MapLoupe> m_loupe;         ///< a part of the window, which may go first
    std::size_t m_under = 0;            ///< the map under the pointer
    Pointed m_underAt;                  ///< the cell there
    std::optional<std::int64_t> m_row;  ///< that is shown as chosen
};

/// "'she' looks at 'Lily' 0.43, 'girl' 0.12": a row of weights in words, the largest first.
QString rowInWords(const Analysis& analysis, const PreparedHead& head, std::int64_t row, std::int64_t key);

}  // namespace attnscope
