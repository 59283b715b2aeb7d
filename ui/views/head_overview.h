#pragma once
// Every head of a model as a cell: layers from top to bottom, heads from left to right, coloured by a number. A click
// or the arrow keys choose the head that is looked at; the pointer reads a cell.

#include "core/model/evaluation.h"
#include "ui/plot/qt_text.h"
#include "ui/widgets/cell_grid.h"

#include <QStringList>

#include <array>

namespace attnscope {

struct HeadMeasure;

class HeadOverview : public CellGrid {
    Q_OBJECT
public:
    explicit HeadOverview(QWidget* parent = nullptr);
    /// [layer][head] of the measure; not finite: unknown, drawn empty.
    void setValues(HeadValues values, const ColourMap* map, const HeadMeasure& measure);
    /// Of two policies: coloured by what the second, B, has more than the first, A.
    void setDifference(HeadValues a, HeadValues b, const HeadMeasure& measure);
    /// In place of "layer 0", "layer 1", ...; empty: those.
    void setLayerNames(const QStringList& names);
    /// A line for each layer's tips: what is special there. Empty: none.
    void setLayerFacts(const QStringList& facts) { m_facts = facts; }
    void setChosen(int layer, int head);
    const HeadValues& values() const { return m_values; }
    const ColourScale& scale() const { return m_scale; }
    QRectF cell(int layer, int head) const override;
    /// Of a cell: its layer, its head, what is measured, and its value.
    QString tip(int layer, int head) const;
    QSize sizeHint() const override;
    /// As wide as cells that are easy to tell apart and to click on.
    int wideHint() const;
    /// As high as it is with rows that are low, but can be read and clicked on.
    int lowHint() const;
    /// The values, columns separated by tabs.
    QString asText() const;
    QSize minimumSizeHint() const override { return {200, 90}; }

signals:
    void chosen(int layer, int head);

protected:
    int rows() const override { return static_cast<int>(m_values.size()); }
    int columns() const override { return m_values.empty() ? 0 : static_cast<int>(m_values.front().size()); }
    double value(At at) const override
    {
        return m_values[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)];
    }
    QString reading(At at) const override;
    QString tip(At at) const override { return tip(at.row, at.column); }
    void pick(At at) override { emit chosen(at.row, at.column); }
    void paint(QPainter& painter) const override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QString valueOf(At at) const;
    int titleRoom() const;
    QString nameOf(int layer) const { return layer < m_names.size() ? m_names[layer] : u"layer %1"_s.arg(layer); }
    /// Where a line begins with it.
    QString titleOf(int layer) const
    {
        const QString name = nameOf(layer);
        return name.startsWith(u"layer "_s) ? u"L"_s + name.sliced(1) : name;
    }
    /// A screen reader hears which head is chosen, and its number.
    void tell() { describe(has(m_chosen) ? reading(m_chosen) : QString()); }

    void take(HeadValues values, ColourScale scale, const HeadMeasure& measure);
    QString titleOfBar(int room) const;

    HeadValues m_values;
    std::array<HeadValues, 2> m_sides;  ///< whose difference m_values are; empty: they are no difference
    ColourScale m_scale;
    QStringList m_names, m_facts;
    const HeadMeasure* m_measure;
    At m_chosen{0, 0};
};

}  // namespace attnscope
