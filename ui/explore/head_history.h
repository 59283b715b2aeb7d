#pragma once
// Every head of a file at each of its writings, while a training run writes it again and again: which heads sharpen,
// which become induction heads, and when. Of what was read while somebody looked; a plain value.

#include "core/analysis/head_numbers.h"
#include "ui/explore/file_heads.h"
#include "ui/plot/chart.h"

#include <QPoint>
#include <QStringList>

#include <optional>
#include <vector>

namespace attnscope {

struct HeadWriting {
    int number = 1;                   ///< of the writing, from 1
    std::optional<double> step = {};  ///< as the file's metadata says
    /// [layer][head][place of the measure among modelHeadMeasures(), any of which a session may name]; NaN: none.
    std::vector<std::vector<std::vector<float>>> layers = {};
};

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
HeadHistoryChart chartOf(const HeadHistory& history, const HeadMeasure& measure, const QStringList& layers,
                         QPoint chosen, int style);

}  // namespace attnscope
