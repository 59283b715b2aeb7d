#pragma once
// Charts that several labs show, in the same words.

#include "core/labs/lab.h"
#include "core/labs/lab_support.h"

namespace attnscope {

/// Of training: a column of its table against the step, a line a `group` ("seed", "network").
inline LabChart inTraining(const std::string& id, const std::string& title, const std::string& yTitle,
                           const std::string& y, const std::string& group)
{
    return {.id = id,
            .title = title,
            .xTitle = "Step",
            .yTitle = yTitle,
            .lines = {{.table = "training", .x = "step", .y = y}},
            .group = group};
}
inline LabChart lossOfTraining(const std::string& unit, const std::string& group)
{
    return inTraining("loss", "Loss", "Cross-entropy (" + unit + ")", "loss", group);
}
inline LabChart accuracyInTraining(const std::string& group)
{
    return inTraining("training", "Found in training", "Found (%)", "accuracy", group);
}

constexpr const char* inTokens = "Tokens, $n$";

/// Over lengths, on a logarithmic axis, a line a `group`.
inline LabChart overLengths(const std::string& id, const std::string& title, const std::string& xTitle,
                            const std::string& yTitle, std::vector<LabLine> lines, const std::string& group)
{
    return {.id = id,
            .title = title,
            .xTitle = xTitle,
            .yTitle = yTitle,
            .lines = std::move(lines),
            .logX = true,
            .group = group};
}

/// Of tests: a column of their table against n, a line a policy.
inline LabChart againstLength(const std::string& id, const std::string& title, const std::string& xTitle,
                              const std::string& yTitle, const std::string& y, const std::string& table = qualityTable)
{
    return overLengths(id, title, xTitle, yTitle, {{.table = table, .x = "n", .y = y}}, "policy");
}

inline LabChart entropyOfHeads(const std::string& table = qualityTable, const std::string& xTitle = inTokens)
{
    return againstLength("entropy", "Entropy of the heads", xTitle, "Row entropy (nats)", "entropy_mean", table);
}
inline LabChart perplexityOf(const std::string& title)
{
    LabChart chart = againstLength("perplexity", title, inTokens, "Perplexity", "perplexity");
    chart.logY = true;
    return chart;
}
/// The share of answers right that were told so long before, in the longest sequences.
inline LabChart recallOverDistance(const std::string& title, const std::string& table)
{
    return overLengths("distance", title, "Tokens since it was told, at least", "Recalled (%)",
                       {{.table = table, .x = "from", .y = "recall"}}, "policy");
}

/// What every policy is held against: against n in the same table as the chart's first line.
inline void addReference(LabChart& chart, const std::string& y, const std::string& label)
{
    chart.lines.push_back({.table = chart.lines.front().table,
                           .x = chart.lines.front().x,
                           .y = y,
                           .label = label,
                           .look = LabLine::Look::Reference,
                           .ofEveryGroup = false});
}

/// Of networks that build a solution piece by piece: of those drawn in training, two columns of its table, and of what
/// tests find beside how good solutions are.
inline LabChart drawnInTraining(const std::string& title, const std::string& yTitle, const std::string& mean,
                                const std::string& best, const std::string& bestLabel)
{
    LabChart chart = inTraining("training", title, yTitle, mean, "seed");
    chart.lines.front().label = "mean";
    chart.lines.push_back({.table = "training", .x = "step", .y = best, .label = bestLabel});
    return chart;
}
inline void addPolicyCharts(std::vector<LabChart>& charts, const std::string& xTitle, const std::string& ofChange,
                            const std::string& table)
{
    charts.push_back(againstLength("change", "Change against Vanilla", xTitle, ofChange, "change", table));
    charts.push_back(againstLength("encoder", "Entropy of the encoder's heads", xTitle, "Row entropy (nats)",
                                   "entropy_encoder", table));
    charts.push_back(againstLength("decoder", "Entropy of the decoder's glimpse", xTitle, "Row entropy (nats)",
                                   "entropy_decoder", table));
}

}  // namespace attnscope
