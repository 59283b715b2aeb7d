#pragma once
// The entropies of a map's rows in the strip beside it: a line through the rows; where several share a pixel, a band
// from the lowest of them to the highest, and their mean: a line to and fro would blacken it.

#include "core/analysis/analysis.h"

#include <QVector>

class QCPAxisRect;
class QCPGraph;
class QColor;

namespace attnscope {

class EntropyGraph {
public:
    /// Rows run along the strip's left axis, entropies along its lower one.
    explicit EntropyGraph(QCPAxisRect* strip);

    /// Those of rows that see keys.
    void setRows(const Analysis& analysis, const MethodAnalysis& method, const QColor& colour);
    void clear();
    /// For the rows that the axis shows, on so many pixels.
    void arrange(int pixels);

    /// Of a row, or the mean of those of a pixel.
    const QCPGraph& line() const { return *m_line; }
    /// Without points where no rows share a pixel.
    const QCPGraph& lowest() const { return *m_lowest; }
    const QCPGraph& highest() const { return *m_highest; }

private:
    QCPAxisRect* m_strip;
    QCPGraph *m_lowest, *m_highest, *m_line;
    QVector<double> m_rows, m_entropies;
};

}  // namespace attnscope
