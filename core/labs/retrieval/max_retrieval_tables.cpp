#include "core/labs/retrieval/max_retrieval_tables.h"

#include "core/base/each.h"
#include "core/labs/lab_columns.h"
#include "core/labs/lab_support.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Table 1 of the paper, per cent. Of its p-values 0.4, 0.4 and 0.002 at 16, 32 and 64 items and 0.02 at 4096 can be
/// read.
struct PublishedRow {
    std::int64_t items;
    double baseline, adaptive;
};
constexpr PublishedRow publishedTable1[] = {{16, 98.6, 98.6},   {32, 97.1, 97.1},   {64, 94.3, 94.5},
                                            {128, 89.7, 89.9},  {256, 81.3, 82.1},  {512, 70.1, 72.5},
                                            {1024, 53.8, 57.7}, {2048, 35.7, 39.4}, {4096, 22.6, 24.9},
                                            {8192, 15.7, 17.5}, {16384, 12.4, 14.0}};

LabValue publishedAccuracy(const HeadVariant& variant, std::int64_t items)
{
    if (!isVanilla(variant.method))
        return {};
    for (const PublishedRow& row : publishedTable1)
        if (row.items == items) {
            const std::string normaliser = formatChoice(variant.normaliser);
            return normaliser == "softmax"    ? LabValue(row.baseline)
                   : normaliser == "adaptive" ? LabValue(row.adaptive)
                                              : LabValue();
        }
    return {};
}

}  // namespace

std::vector<LabRow> table1Rows(const std::vector<HeadVariant>& variants, std::int64_t items,
                               const std::vector<std::vector<HeadScore>>& scores, std::size_t heads)
{
    const std::size_t units = heads > 1 ? std::min(heads, scores.size()) : scores.size();
    const auto over = [&](std::size_t variant, double HeadScore::*field) {
        std::vector<std::vector<double>> values(units);
        for (std::size_t seed = 0; seed < scores.size(); ++seed)
            values[seed % units].push_back(scores[seed][variant].*field);
        return each(values, [](const std::vector<double>& unit) { return sampleMean(unit).mean; });
    };
    std::vector<LabRow> rows;
    const auto reference = std::ranges::find_if(variants, isPlainSoftmax);
    const auto vanilla = reference == variants.end()
                             ? std::vector<double>()
                             : over(static_cast<std::size_t>(reference - variants.begin()), &HeadScore::accuracy);
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const std::vector<double> accuracy = over(v, &HeadScore::accuracy);
        const SampleMean found = sampleMean(accuracy);
        const auto mean = [&](double HeadScore::*field) { return sampleMean(over(v, field)).mean; };
        std::optional<double> pValue;
        if (!vanilla.empty() && !isPlainSoftmax(variants[v]) && !std::isnan(found.mean))
            pValue = pairedTTest(accuracy, vanilla);
        rows.push_back(
            {"table1",
             {{"method", variants[v].label},
              {"items", items},
              {"accuracy", present(100 * found.mean)},
              {"stderr", found.standardError ? present(100 * *found.standardError) : LabValue{}},
              {"published", publishedAccuracy(variants[v], items)},
              {"p_value", present(pValue)},
              {"multiplier", scalesByRow(variants[v].label) ? LabValue{} : present(mean(&HeadScore::multiplier))},
              {"entropy", present(mean(&HeadScore::entropy))},
              {"largest_weight", present(mean(&HeadScore::largestWeight))},
              {"ranked_first", present(100 * mean(&HeadScore::ranked))},
              {"resolvable", present(100 * mean(&HeadScore::resolvable))}}});
    }
    return rows;
}

std::vector<LabRow> rowsOfHeads(const std::vector<HeadVariant>& variants, std::int64_t items,
                                const std::vector<std::vector<HeadScore>>& scores, std::size_t heads,
                                std::int64_t firstSeed)
{
    std::vector<LabRow> all;
    for (std::size_t head = 0; head < std::min(heads, scores.size()); ++head) {
        std::vector<std::vector<HeadScore>> own;
        for (std::size_t seed = head; seed < scores.size(); seed += heads)
            own.push_back(scores[seed]);
        for (LabRow& row : table1Rows(variants, items, own, 1)) {
            row.table = qualityTable;
            std::erase_if(row.cells, [](const auto& cell) { return cell.first == "published"; });
            row.cells.insert(row.cells.begin(), {"seed", firstSeed + static_cast<std::int64_t>(head)});
            row.cells.emplace_back("seeds", std::ssize(own));
            all.push_back(std::move(row));
        }
    }
    return all;
}

LabRow learnedRow(const std::string& trained, std::int64_t items, const std::vector<std::vector<HeadPair>>& pairs,
                  bool reference)
{
    const auto over = [&](HeadScore HeadPair::*which, double HeadScore::*field, double factor) {
        const auto value = [&](const HeadPair& pair) { return factor * (pair.*which.*field); };
        return each(pairs, [&](const std::vector<HeadPair>& head) { return sampleMean(each(head, value)).mean; });
    };
    const auto mean = [&](HeadScore HeadPair::*which, double HeadScore::*field, double factor) {
        return present(sampleMean(over(which, field, factor)).mean);
    };
    const std::vector<double> own = over(&HeadPair::own, &HeadScore::accuracy, 100),
                              afterwards = over(&HeadPair::afterwards, &HeadScore::accuracy, 100);
    const SampleMean found = sampleMean(own), other = sampleMean(afterwards);
    return {"learned",
            {{"trained", trained},
             {"items", items},
             {"heads", std::ssize(pairs)},
             {"accuracy", present(found.mean)},
             {"stderr", present(found.standardError)},
             {"afterwards", present(other.mean)},
             {"afterwards_stderr", present(other.standardError)},
             {"gain", present(found.mean - other.mean)},
             {"p_value", reference || pairs.size() < 2 ? LabValue{} : present(pairedTTest(own, afterwards))},
             {"entropy", mean(&HeadPair::own, &HeadScore::entropy, 1)},
             {"entropy_afterwards", mean(&HeadPair::afterwards, &HeadScore::entropy, 1)},
             {"largest_weight", mean(&HeadPair::own, &HeadScore::largestWeight, 1)},
             {"ranked_first", mean(&HeadPair::own, &HeadScore::ranked, 100)}}};
}

}  // namespace attnscope
