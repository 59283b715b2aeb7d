#pragma once
// A map of how two of the ticked methods differ, chosen above it.

#include "ui/figure/map_pictures.h"
#include "ui/views/heatmap_tile.h"

#include <QLabel>

#include <utility>

class QComboBox;
class QLabel;

namespace attnscope {

class DifferenceTile : public MapTile {
    Q_OBJECT
public:
    explicit DifferenceTile(QWidget* parent = nullptr);
    /// Its picture is that of the look's sides.
    void show(const MapPictures& pictures);
    /// Says which methods are compared: 0 the first, 1 the second.
    QComboBox* side(int index) const { return index == 0 ? m_first : m_second; }
    /// Why there is nothing to see; empty where there is.
    QString note() const;
    QString title() const override;
    /// Without the arrows that open its lists: on the stage and in pictures.
    void setBare(bool bare);
    void setNameAlone(bool alone) override;
    std::vector<QWidget*> stops() const override;
    /// Whenever it has another size.
    void setCaption(Caption) override { showBetween(); }
    QString between() const { return m_between->text(); }

signals:
    void sidesChosen(std::pair<std::size_t, std::size_t> sides);  ///< places in the ticked list

protected:
    int inset() const override;
    int apart() const override { return 2; }  // a space of its sentence

private:
    DifferenceTile(QComboBox* first, QLabel* between, QComboBox* second, ElidedLabel* note, QWidget* parent);
    void showArrows();
    void showBetween();
    void fill(QComboBox* list, const Analysis& analysis, std::size_t chosen);

    QComboBox* m_first;
    QComboBox* m_second;
    QLabel* m_between;
    ElidedLabel* m_note;  ///< said where there is nothing to see
    bool m_bare = false, m_nameAlone = false, m_tight = false, m_isRatio = true;
};

}  // namespace attnscope
