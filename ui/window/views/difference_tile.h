#pragma once
// A map of how two of the ticked methods differ, chosen above it.

#include "core/analysis/analysis.h"
#include "ui/plot/colour_map.h"
#include "ui/window/views/heatmap_tile.h"

#include <memory>
#include <utility>

class QComboBox;
class QLabel;

namespace attnscope {

class DifferenceTile : public MapTile {
    Q_OBJECT
public:
    explicit DifferenceTile(QWidget* parent = nullptr);
    /// `sides`: places in the ticked list, shown as far as it goes.
    void show(const std::shared_ptr<const Analysis>& analysis, bool ratio, std::pair<int, int> sides);
    const ColourScale& scale() const { return m_scale; }
    /// Says which methods are compared: 0 the first, 1 the second.
    QComboBox* side(int index) const { return index == 0 ? m_first : m_second; }

signals:
    void sidesChosen(std::pair<int, int> sides);

private:
    DifferenceTile(QComboBox* first, QLabel* between, QComboBox* second, QWidget* parent);
    void fill(QComboBox* list, int chosen);

    std::shared_ptr<const Analysis> m_analysis;
    QComboBox* m_first;
    QComboBox* m_second;
    QLabel* m_between;
    ColourScale m_scale;
};

}  // namespace attnscope
