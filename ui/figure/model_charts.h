#pragma once
// A study of a model (core/model/study.h) as charts: quality against length and against the place in the window, one
// line a method. The figure and the window's Model workspace draw the same.

#include "core/model/study.h"
#include "ui/plot/chart.h"

#include <optional>
#include <vector>

namespace attnscope {

/// What a policy of a study is to a chart.
struct StudyLine {
    QString label;        ///< markup
    int style = 0;        ///< of its method
    bool ghost = false;   ///< drawn faintly, without a label
    QString name = {};    ///< where the label alone does not tell it from others
    bool beside = false;  ///< under other positions than those whose lines are plain: dashed, with open markers
};

/// A loss in nats with one standard error either way, or perplexity: e to them.
ChartPoint qualityPoint(double x, double loss, std::optional<double> standardError, bool perplexity);

/// Perplexity with one standard error of the loss either way, or the loss in nats; against n.
ChartSpec qualityChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, bool perplexity,
                       double trainLength);

/// The same against the place in the window, of the cells with that n.
ChartSpec placeChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, std::int64_t n,
                     bool perplexity, double trainLength);

/// What policy `b` loses more than `a` at each place of the window, in nats: paired differences with their errors.
ChartSpec differenceChart(const std::vector<StudyCell>& cells, const std::vector<StudyLine>& lines, std::int64_t n,
                          std::size_t a, std::size_t b, double trainLength);

}  // namespace attnscope
