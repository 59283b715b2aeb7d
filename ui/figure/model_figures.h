#pragma once
// Figures of what a model was run for, as the Model workspace shows it: its quality against n, what it finds again, the
// scale that was found for it. The kinds of figures run it first; the window has run it already.

#include "core/model/probes.h"
#include "core/model/study.h"
#include "core/tuning/tune_over.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/tune_charts.h"

#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// Policies of a run: every method under every position scheme, positions outermost.
struct FiguredPolicies {
    std::vector<Choice> methods;
    std::vector<std::string> positions;  ///< as parsePositions() reads them
};
/// In the order of the cells' policies. Errors: those of parsePositions, with the parameter's name.
Result<std::vector<Policy>> policiesOf(const FiguredPolicies& of);

/// A panel a position scheme, a line a method; `asked`: ModelAsked::inWords(). Errors: Undefined (nothing has a value,
/// and why).
Result<FigureContent> qualityFigure(const StudyResult& study, const Architecture& architecture,
                                    const FiguredPolicies& of, bool perplexity, const QString& asked);

/// Of how many models each score is the mean, and of how many samples a model.
struct ProbesRun {
    QString asked;  ///< which models, and on what
    std::vector<std::int64_t> lengths;
    std::vector<double> depths;
    int samples = 8;
    std::size_t models = 1;
    double trainLength = 0;                        ///< N, if it is that of all
    std::int64_t vocabulary = 0;                   ///< tokens of the model, if they are as many of all
    bool probability = false, difference = false;  ///< of needles, as needleValue() has them
};
/// A field of depth against length for each method, a panel a position scheme.
FigureContent needleFigure(std::span<const ProbeCell> cells, const FiguredPolicies& of, const ProbesRun& run);
/// A panel a position scheme, a line a method.
FigureContent recallFigure(std::span<const ProbeCell> cells, const FiguredPolicies& of, const ProbesRun& run);

/// What was tried, against what it was searched over, and the gain by place in the window, once there is a report;
/// `asked`: ModelAsked::inWords().
FigureContent scaleFigure(TuneCurve curve, TuneOver over, const TuneReport* report, const QString& asked);

}  // namespace attnscope
