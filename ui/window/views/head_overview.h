#pragma once
// Every head of a model as a cell: layers from top to bottom, heads from left to right, coloured by a number. A click
// or the arrow keys choose the head that is looked at; the pointer reads a cell.

#include "core/model/evaluation.h"
#include "ui/plot/colour_map.h"

#include <QStringList>
#include <QWidget>

#include <array>

namespace attnscope {

struct HeadMeasure;

class HeadOverview : public QWidget {
    Q_OBJECT
public:
    explicit HeadOverview(QWidget* parent = nullptr);
    /// [layer][head] of the measure; not finite: unknown, drawn empty.
    void setValues(HeadValues values, const ColourMap* map, const HeadMeasure& measure);
    /// Of two policies: coloured by what the second, B, has more than the first, A.
    void setDifference(HeadValues a, HeadValues b, const HeadMeasure& measure);
    /// In place of "layer 0", "layer 1", ...; empty: those.
    void setLayerNames(const QStringList& names);
    void setChosen(int layer, int head);
    const HeadValues& values() const { return m_values; }
    const ColourScale& scale() const { return m_scale; }
    /// The cell in widget coordinates.
    QRectF cell(int layer, int head) const;
    /// Of a cell: its layer, its head, what is measured, and its value.
    QString tip(int layer, int head) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, 90}; }

signals:
    void chosen(int layer, int head);
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
    int layers() const { return static_cast<int>(m_values.size()); }
    int heads() const { return m_values.empty() ? 0 : static_cast<int>(m_values.front().size()); }
    std::pair<int, int> at(QPointF position) const;  ///< -1, -1: no cell
    QString valueOf(int layer, int head) const;
    QString reading(int layer, int head) const;
    int titleRoom() const;
    QString nameOf(int layer) const { return layer < m_names.size() ? m_names[layer] : tr("layer %1").arg(layer); }
    void tell();

    void take(HeadValues values, ColourScale scale, const HeadMeasure& measure);
    QString titleOfBar(int room) const;

    HeadValues m_values;
    std::array<HeadValues, 2> m_sides;  ///< whose difference m_values are; empty: they are no difference
    ColourScale m_scale;
    QStringList m_names;
    const HeadMeasure* m_measure;
    int m_layer = 0, m_head = 0;
    std::pair<int, int> m_pointed{-1, -1};
};

}  // namespace attnscope
