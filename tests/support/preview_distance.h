#pragma once
// The preview of a scenario against its exact picture, in numbers.

#include "core/analysis/analysis.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

struct PreviewDistance {
    double withinTwo = 0;                              ///< share of the pixels above 0 that are within a factor of 2
    double factorOfHalf = 0, factorOfNineTenths = 0;   ///< the factor that a half, and 90 %, of them stay within
    double moved = 0;                                  ///< sum |preview - exact| / sum exact
    double largest = 0;                                ///< largest |preview - exact| / largest exact
    double entropy = 0;                                ///< mean row entropy, preview - exact, nats
};

inline PreviewDistance previewDistance(const MethodAnalysis& preview, const MethodAnalysis& exact)
{
    PreviewDistance far;
    std::vector<double> factors;
    double sum = 0, difference = 0, top = 0, most = 0;
    for (std::size_t i = 0; i < exact.map.values.size(); ++i) {
        const double shown = static_cast<double>(preview.map.values[i]), is = static_cast<double>(exact.map.values[i]);
        sum += is;
        difference += std::abs(shown - is);
        top = std::max(top, is);
        most = std::max(most, std::abs(shown - is));
        if (is > 0)
            factors.push_back(shown > 0 ? std::exp(std::abs(std::log(shown / is))) : HUGE_VAL);
    }
    std::ranges::sort(factors);
    const auto at = [&](double share) { return factors.empty() ? 1 : factors[static_cast<std::size_t>(share * static_cast<double>(factors.size() - 1))]; };
    far.withinTwo = static_cast<double>(std::ranges::upper_bound(factors, 2) - factors.begin()) / static_cast<double>(std::max<std::size_t>(factors.size(), 1));
    far.factorOfHalf = at(0.5);
    far.factorOfNineTenths = at(0.9);
    far.moved = difference / sum;
    far.largest = most / top;
    far.entropy = preview.entropy.mean - exact.entropy.mean;
    return far;
}

/// One a method.
inline Result<std::vector<PreviewDistance>> previewDistances(Scenario scenario)
{
    scenario.view.preview = true;
    const auto preview = analyse(scenario, {});
    scenario.view.preview = false;
    const auto exact = analyse(scenario, {});
    if (!preview || !exact)
        return tl::unexpected(preview ? exact.error() : preview.error());
    std::vector<PreviewDistance> all;
    for (std::size_t m = 0; m < exact->methods.size(); ++m)
        all.push_back(previewDistance(preview->methods[m], exact->methods[m]));
    return all;
}

}  // namespace attnscope
