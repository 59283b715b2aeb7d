#pragma once
// Every head over a training: at each file of a run, or at each writing of one file that is written again and again.
// Which heads sharpen, which become induction heads, and when. Plain values.

#include "core/analysis/head_numbers.h"
#include "ui/explore/file_heads.h"
#include "ui/plot/chart.h"

#include <QPoint>
#include <QStringList>

#include <optional>
#include <vector>

namespace attnscope {

/// Of the file that these numbers are of.
HeadWriting writingOf(const TensorFile& file, const EveryHeadNumbers& numbers);

class HeadHistory {
public:
    /// The numbers of a file as it is now: another writing of the one before, or, where anything else was asked (of
    /// another file, n, method, ...), the first of a new history.
    void add(const EveryHead& of, const EveryHeadNumbers& numbers);
    const std::vector<HeadWriting>& writings() const { return m_writings; }

private:
    std::optional<EveryHead> m_of;
    std::vector<HeadWriting> m_writings;
    std::size_t m_values = 0;  ///< of a writing
};

struct HeadHistoryChart {
    ChartSpec chart;
    std::vector<QPoint> heads;  ///< layer and head of each line
};
/// A line a head, the chosen one strong and last; against the step where every writing has one and they rise, else
/// against the number of the writing. `layers`: their names.
HeadHistoryChart chartOf(const std::vector<HeadWriting>& writings, const HeadMeasure& measure,
                         const QStringList& layers, QPoint chosen, int style);

}  // namespace attnscope
