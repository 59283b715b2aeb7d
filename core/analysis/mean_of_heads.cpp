#include "core/analysis/mean_of_heads.h"

#include "core/analysis/stages.h"
#include "core/attention/engine_support.h"
#include "core/attention/row_detail.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <map>

namespace attnscope {

namespace {

/// Over the heads in which the row has weights: finished logits may mask a key, or a row, in one head and not in
/// another. `of`: the summary of the same row of a head.
template <class Of>
RowSummary meanRowSummary(std::span<const MethodAnalysis> heads, Of of)
{
    std::vector<const RowSummary*> rows;
    for (const MethodAnalysis& head : heads)
        if (const RowSummary& row = of(head); row.visible > 0 && row.mass > 0)
            rows.push_back(&row);
    if (rows.empty())
        return of(heads.front());
    RowSummary mean = *rows.front();  // what all heads share, or what has no mean
    const double share = 1 / static_cast<double>(rows.size());
    const auto average = [&](double RowSummary::*field) {
        mean.*field = 0;
        for (const RowSummary* one : rows)
            mean.*field += share * (one->*field);
    };
    for (const RowSummary* one : rows) {  // counts of keys: those of the head that has most
        mean.visible = std::max(mean.visible, one->visible);
        mean.support = std::max(mean.support, one->support);
    }
    for (double RowSummary::*field :
         {&RowSummary::mass, &RowSummary::entropy, &RowSummary::sumSquares, &RowSummary::sumRoots,
          &RowSummary::sumPower, &RowSummary::logitMax, &RowSummary::logitMin, &RowSummary::sinkMass,
          &RowSummary::windowMass, &RowSummary::meanDistance})
        average(field);
    for (std::size_t k = 0; k < mean.top.size(); ++k) {
        double sum = 0;
        for (const RowSummary* one : rows)
            sum += share * static_cast<double>(one->top[k]);
        mean.top[k] = static_cast<float>(sum);
    }
    mean.argmax = -1;
    return mean;
}

/// Weights are means over all heads, 0 where a head does not see the key; a key's logit is the mean over the heads that
/// do see it.
RowDetail meanDetail(std::span<const MethodAnalysis> heads)
{
    struct Sum {
        double logit = 0, weight = 0;
        int seen = 0;
    };
    std::map<std::int64_t, Sum> byKey;
    for (const MethodAnalysis& head : heads)
        for (std::size_t k = 0; k < head.chosen.keys.size(); ++k) {
            Sum& sum = byKey[head.chosen.keys[k]];
            sum.logit += head.chosen.logits[k];
            sum.weight += head.chosen.weights[k];
            ++sum.seen;
        }
    RowDetail mean;
    for (const auto& [key, sum] : byKey) {
        mean.keys.push_back(key);
        mean.logits.push_back(sum.logit / sum.seen);
        mean.weights.push_back(sum.weight / static_cast<double>(heads.size()));
    }
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

std::vector<RowSummary> rowsThatCount(std::span<const MethodAnalysis> heads)
{
    std::vector<RowSummary> rows;
    for (const MethodAnalysis& head : heads) {
        const std::span<const RowSummary> counted = countedRows(head);
        rows.insert(rows.end(), counted.begin(), counted.end());
    }
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
    mean.chosen = meanDetail(heads);
    for (const MethodAnalysis& head : heads) {
        addShare(mean.scale, head.scale, share);
        addShare(mean.map.values, head.map.values, share);
        mean.map.exact = mean.map.exact && head.map.exact;
    }
    for (std::size_t row = 0; row < mean.rows.size(); ++row)
        mean.rows[row] =
            meanRowSummary(heads, [row](const MethodAnalysis& head) -> const RowSummary& { return head.rows[row]; });
    mean.chosenSummary =
        meanRowSummary(heads, [](const MethodAnalysis& head) -> const RowSummary& { return head.chosenSummary; });
    setMeans(mean, rowsThatCount(heads), measure);
    mean.matrix = meanMatrix(heads);
    mean.entropyAtTrained.reset();
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

namespace {

constexpr std::int64_t cellsAtATime = std::int64_t{1} << 22;  ///< 16 MB of float32

/// The mean weight of every cell of the region.
Result<std::vector<float>> meanCells(const Engine& engine, std::span<const HeadForMap> heads,
                                     const PoolRequest& request, const Region& region, const std::stop_token& stop)
{
    std::vector<float> mean;
    for (const HeadForMap& one : heads) {
        PoolRequest cells = request;
        cells.scale = one.scale;
        cells.states = one.states;
        cells.region = region;
        cells.rows = static_cast<int>(region.rowEnd - region.rowBegin);
        cells.columns = static_cast<int>(region.columnEnd - region.columnBegin);
        cells.pool = Pool::Mean;
        cells.progress = {};
        const auto map = TRY(engine.pool(*one.head, cells, stop));
        mean.resize(map.values.size());
        for (size_t cell = 0; cell < mean.size(); ++cell)
            mean[cell] += map.values[cell] / static_cast<float>(heads.size());
    }
    return mean;
}

}  // namespace

Result<PooledMap> poolMeanOfHeads(const Engine& engine, std::span<const HeadForMap> heads, const PoolRequest& request,
                                  const std::stop_token& stop)
{
    const Region& region = request.region;
    const std::int64_t width = region.columnEnd - region.columnBegin;
    const auto rowBegin = [&](std::int64_t pixel) {
        return pixelBegin(region.rowBegin, region.rowEnd, request.rows, pixel);
    };
    const auto columnBegin = [&](std::int64_t pixel) { return pixelBegin(0, width, request.columns, pixel); };
    PooledMap map{region, request.rows, request.columns, Pool::Max, true, {}};
    map.values.resize(static_cast<size_t>(request.rows) * static_cast<size_t>(request.columns));
    for (std::int64_t begin = 0, end; begin < request.rows; begin = end) {
        end = begin + 1;  // rows of pixels at a time
        while (end < request.rows && (rowBegin(end + 1) - rowBegin(begin)) * width <= cellsAtATime)
            ++end;
        const auto cells = TRY(meanCells(engine, heads, request,
                                         {rowBegin(begin), rowBegin(end), region.columnBegin, region.columnEnd}, stop));
        for (std::int64_t p = begin; p < end; ++p)
            for (std::int64_t row = rowBegin(p) - rowBegin(begin); row < rowBegin(p + 1) - rowBegin(begin); ++row)
                for (std::int64_t c = 0; c < request.columns; ++c) {
                    const auto* const cell = cells.data() + row * width;
                    float& pixel = map.values[static_cast<size_t>(p * request.columns + c)];
                    pixel = std::max(pixel, *std::max_element(cell + columnBegin(c), cell + columnBegin(c + 1)));
                }
        if (request.progress)
            request.progress(static_cast<double>(end) / request.rows);
    }
    return map;
}

}  // namespace attnscope
