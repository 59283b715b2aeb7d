#pragma once
// The preview of a heatmap against the exact picture, in numbers.

#include "core/attention/engines.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

struct PreviewDistance {
    double withinTwo = 0;                             ///< share of the pixels above 0 that are within a factor of 2
    double factorOfHalf = 0, factorOfNineTenths = 0;  ///< the factor that a half, and 90 %, of them stay within
    double moved = 0;                                 ///< sum |preview - exact| / sum exact
    double largest = 0;                               ///< largest |preview - exact| / largest exact
    double entropy = 0;  ///< mean row entropy of the rows looked at less that of all rows, nats
};

inline PreviewDistance distanceOfMaps(const PooledMap& preview, const PooledMap& exact)
{
    PreviewDistance far;
    std::vector<double> factors;
    double sum = 0, difference = 0, top = 0, most = 0;
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
        const double shown = static_cast<double>(preview.values[i]), is = static_cast<double>(exact.values[i]);
        sum += is;
        difference += std::abs(shown - is);
        top = std::max(top, is);
        most = std::max(most, std::abs(shown - is));
        if (is > 0)
            factors.push_back(shown > 0 ? std::exp(std::abs(std::log(shown / is))) : HUGE_VAL);
    }
    std::ranges::sort(factors);
    const auto at = [&](double share) {
        return factors.empty() ? 1 : factors[static_cast<std::size_t>(share * static_cast<double>(factors.size() - 1))];
    };
    far.withinTwo = static_cast<double>(std::ranges::upper_bound(factors, 2) - factors.begin()) /
                    static_cast<double>(std::max<std::size_t>(factors.size(), 1));
    far.factorOfHalf = at(0.5);
    far.factorOfNineTenths = at(0.9);
    far.moved = difference / sum;
    far.largest = most / top;
    return far;
}

/// Of a source's head of size 64 under a mask, all rows with the multiplier m.
inline Result<PreviewDistance> previewDistance(const char* source, const char* mask, double m, std::int64_t n,
                                               int pixels)
{
    const auto heads = generate({source, {}, {}}, {.queries = n, .keys = n});
    if (!heads)
        return tl::unexpected(heads.error());
    AttentionSpec spec;
    spec.mask.id = mask;
    const auto head = prepareHead(*heads, 0, spec);
    if (!head)
        return tl::unexpected(head.error());
    const Engine& engine = processorEngine();
    const std::vector<double> scale(static_cast<std::size_t>(n), m);
    const auto summaries = engine.summarise(*head, {spec.normaliser, {Pass{n, 0, n, scale}}, 2, true}, {});
    if (!summaries)
        return tl::unexpected(summaries.error());
    const std::vector<RowSummary>& rows = summaries->front();
    std::vector<NormaliserState> states;
    for (const RowSummary& row : rows)
        states.push_back(row.state);
    PoolRequest request{spec.normaliser, scale, states, {0, n, 0, n}, pixels, pixels, Pool::Mean, false, true, {}};
    const auto exact = engine.pool(*head, request, {});
    request.states = {};
    request.preview = true;
    const auto preview = engine.pool(*head, request, {});
    if (!exact || !preview)
        return tl::unexpected(exact ? preview.error() : exact.error());
    PreviewDistance far = distanceOfMaps(*preview, *exact);
    double all = 0, looked = 0;
    for (const RowSummary& row : rows)
        all += row.entropy / static_cast<double>(n);
    for (int r = 0; r < pixels; ++r)
        looked += rows[static_cast<std::size_t>((2 * r + 1) * n / (2 * pixels))].entropy / pixels;
    far.entropy = looked - all;
    return far;
}

}  // namespace attnscope
