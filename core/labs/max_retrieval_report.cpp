#include "core/labs/max_retrieval_report.h"

#include "core/labs/lab_support.h"
#include "core/statistics/samples.h"

#include <cmath>

namespace attnscope {

namespace {

/// Table 1 of the paper, per cent.
struct PublishedRow {
    std::int64_t items;
    double baseline, adaptive;
};
constexpr PublishedRow publishedTable1[] = {{16, 98.6, 98.6},   {32, 97.1, 97.1},   {64, 94.3, 94.5},   {128, 89.7, 89.9},  {256, 81.3, 82.1},  {512, 70.1, 72.5},
                                   {1024, 53.8, 57.7}, {2048, 35.7, 39.4}, {4096, 22.6, 24.9}, {8192, 15.7, 17.5}, {16384, 12.4, 14.0}};

LabValue publishedAccuracy(const HeadVariant& variant, std::int64_t items)
{
    const auto plain = [](const Choice& choice, const char* id) { return choice == Choice{id, {}, {}}; };
    if (!plain(variant.method, "vanilla"))
        return {};
    for (const PublishedRow& row : publishedTable1)
        if (row.items == items) {
            if (plain(variant.normaliser, "softmax"))
                return row.baseline;
            if (plain(variant.normaliser, "adaptive"))
                return row.adaptive;
        }
    return {};
}

}  // namespace

std::vector<LabRow> table1Rows(const std::vector<HeadVariant>& variants, std::int64_t items, const std::vector<std::vector<HeadScore>>& scores)
{
    const auto over = [&](std::size_t variant, double HeadScore::*field) {
        std::vector<double> values;
        for (const std::vector<HeadScore>& seed : scores)
            values.push_back(seed[variant].*field);
        return values;
    };
    std::vector<LabRow> rows;
    const std::vector<double> first = over(0, &HeadScore::accuracy);
    for (std::size_t v = 0; v < variants.size(); ++v) {
        const std::vector<double> accuracy = over(v, &HeadScore::accuracy);
        const SampleMean found = sampleMean(accuracy);
        const auto mean = [&](double HeadScore::*field) { return sampleMean(over(v, field)).mean; };
        std::optional<double> pValue;
        if (v > 0 && !std::isnan(found.mean))
            pValue = pairedTTest(accuracy, first);
        rows.push_back({"table1", {{"method", variants[v].label}, {"items", items}, {"accuracy", present(100 * found.mean)},
                                   {"stderr", found.standardError ? present(100 * *found.standardError) : LabValue{}},
                                   {"published", publishedAccuracy(variants[v], items)},
                                   {"p_value", present(pValue)},
                                   {"multiplier", present(mean(&HeadScore::multiplier))}, {"entropy", present(mean(&HeadScore::entropy))},
                                   {"largest_weight", present(mean(&HeadScore::largestWeight))}, {"ranked_first", present(100 * mean(&HeadScore::ranked))},
                                   {"resolvable", present(100 * mean(&HeadScore::resolvable))}}});
    }
    return rows;
}

}  // namespace attnscope
