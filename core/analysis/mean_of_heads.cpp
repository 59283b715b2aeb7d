#include "core/analysis/mean_of_heads.h"

#include "core/analysis/stages.h"

#include <algorithm>

namespace attnscope {

namespace {

/// sum += share * other, element by element; `sum` begins empty.
template <class Number>
void addShare(std::vector<Number>& sum, const std::vector<Number>& other, double share)
{
    sum.resize(std::max(sum.size(), other.size()));
    for (std::size_t i = 0; i < other.size(); ++i)
        sum[i] += static_cast<Number>(share * static_cast<double>(other[i]));
}

/// `of`: the summary of the same row of a head.
template <class Of>
RowSummary meanRowSummary(std::span<const MethodAnalysis> heads, Of of)
{
    RowSummary mean = of(heads.front());  // what all heads share, or what has no mean
    const double share = 1 / static_cast<double>(heads.size());
    const auto average = [&](double RowSummary::*field) {
        mean.*field = 0;
        for (const MethodAnalysis& head : heads)
            mean.*field += share * (of(head).*field);
    };
    for (double RowSummary::*field : {&RowSummary::mass, &RowSummary::entropy, &RowSummary::sumSquares, &RowSummary::sumRoots, &RowSummary::sumPower,
                                      &RowSummary::logitMax, &RowSummary::logitMin, &RowSummary::sinkMass, &RowSummary::meanDistance})
        average(field);
    for (std::size_t k = 0; k < mean.top.size(); ++k) {
        double sum = 0;
        for (const MethodAnalysis& head : heads)
            sum += share * static_cast<double>(of(head).top[k]);
        mean.top[k] = static_cast<float>(sum);
    }
    mean.argmax = -1;
    return mean;
}

/// Entropy of the mean row and mutual information, head by head, averaged.
std::optional<MatrixStatistics> meanMatrix(std::span<const MethodAnalysis> heads)
{
    MatrixStatistics mean;
    for (const MethodAnalysis& head : heads) {
        if (!head.matrix)
            return std::nullopt;
        mean.meanRowEntropy += head.matrix->meanRowEntropy / static_cast<double>(heads.size());
        mean.mutualInformation += head.matrix->mutualInformation / static_cast<double>(heads.size());
    }
    return mean;
}

std::vector<RowSummary> allRows(std::span<const MethodAnalysis> heads)
{
    std::vector<RowSummary> rows;
    for (const MethodAnalysis& head : heads)
        rows.insert(rows.end(), head.rows.begin(), head.rows.end());
    return rows;
}

}  // namespace

MethodAnalysis meanOfHeads(std::span<const MethodAnalysis> heads, const BoundMeasure& measure)
{
    MethodAnalysis mean = heads.front();
    if (heads.size() == 1)
        return mean;
    for (const MethodAnalysis& head : heads)
        if (!head.absent.empty()) {
            MethodAnalysis absent;
            absent.method = mean.method;
            absent.label = mean.label;
            absent.counts = mean.counts;
            absent.absent = head.absent;
            return absent;
        }
    const double share = 1 / static_cast<double>(heads.size());
    mean.scale.clear();
    mean.map.values.clear();
    mean.chosen.logits.clear();
    mean.chosen.weights.clear();
    for (const MethodAnalysis& head : heads) {
        addShare(mean.scale, head.scale, share);
        addShare(mean.map.values, head.map.values, share);
        addShare(mean.chosen.logits, head.chosen.logits, share);
        addShare(mean.chosen.weights, head.chosen.weights, share);
        mean.map.exact = mean.map.exact && head.map.exact;
    }
    for (std::size_t row = 0; row < mean.rows.size(); ++row)
        mean.rows[row] = meanRowSummary(heads, [row](const MethodAnalysis& head) -> const RowSummary& { return head.rows[row]; });
    mean.chosenSummary = meanRowSummary(heads, [](const MethodAnalysis& head) -> const RowSummary& { return head.chosenSummary; });
    setSpreads(mean, allRows(heads), measure);
    mean.matrix = meanMatrix(heads);
    mean.keepsEntropy.reset();
    return mean;
}

MethodCurves joinedCurves(std::span<const std::shared_ptr<const MethodCurves>> heads)
{
    MethodCurves all = *heads.front();
    for (const auto& head : heads.subspan(1)) {
        MethodCurves both;
        for (std::size_t l = 0; l < all.lengths.size(); ++l) {
            const auto found = std::find(head->lengths.begin(), head->lengths.end(), all.lengths[l]);
            if (found == head->lengths.end())
                continue;
            both.lengths.push_back(all.lengths[l]);
            both.rows.push_back(std::move(all.rows[l]));
            const auto& more = head->rows[static_cast<std::size_t>(found - head->lengths.begin())];
            both.rows.back().insert(both.rows.back().end(), more.begin(), more.end());
        }
        all = std::move(both);
    }
    return all;
}

}  // namespace attnscope
