#include "core/tuning/head_look.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

double median(std::vector<double> values)
{
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double meanOver(const HeadValues& values, const HeadRow& row)
{
    const std::vector<double>& layer = values[static_cast<std::size_t>(row.layer)];
    if (row.head >= 0)
        return layer[static_cast<std::size_t>(row.head)];
    return sampleMean(layer).mean;
}

}  // namespace

std::vector<TheoryMark> theoryAt(const TunedAt& at, int headSize, const std::optional<HeadLook>& look)
{
    std::vector<TheoryMark> marks;
    const ScaleContext context = at.fullestRow(headSize);
    for (const ScaleMethod& method : scaleMethods()) {
        if (isVanilla(method.id) || method.written || method.measured)
            continue;
        const auto scale = bindScale({method.id, {}, {}});
        if (const auto m = scale ? (*scale)(context) : Result<double>(tl::unexpected(scale.error())))
            marks.push_back({method.id, *m});
    }
    if (look) {
        std::vector<double> all;
        for (const std::vector<double>& layer : look->multipliers)
            all.insert(all.end(), layer.begin(), layer.end());
        if (!all.empty())
            marks.push_back({"entropy_measured, median of heads", median(std::move(all))});
    }
    return marks;
}

void addHeads(const std::optional<HeadLook>& look, TuneReport& report)
{
    if (report.heads.empty() && look)
        for (std::size_t layer = 0; layer < look->multipliers.size(); ++layer)
            for (std::size_t head = 0; head < look->multipliers[layer].size(); ++head)
                report.heads.push_back({.layer = static_cast<int>(layer), .head = static_cast<int>(head)});
    RankedPairs measured, dispersal;
    for (HeadRow& row : report.heads) {
        row.multiplier = report.tuned.multiplier;
        if (!report.tuned.policy.factors.empty())
            row.multiplier *= meanOver(report.tuned.policy.factors, row);
        if (!look)
            continue;
        row.measured = meanOver(look->multipliers, row);
        row.entropyAtTrain = meanOver(look->entropyAtTrain, row);
        row.entropyAtN = meanOver(look->entropyAtN, row);
        const double growth = *row.entropyAtN - *row.entropyAtTrain;
        if (!row.gradient || !std::isfinite(growth) || !(*row.measured > 0))
            continue;
        measured.emplace_back(-*row.gradient, std::log(*row.measured));
        dispersal.emplace_back(-*row.gradient, growth);
    }
    report.gainAndMeasured = spearman(measured);
    report.gainAndDispersal = spearman(dispersal);
}

}  // namespace attnscope
