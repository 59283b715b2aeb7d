#include "core/statistics/multiple_tests.h"

#include <algorithm>
#include <numeric>

namespace attnscope {

namespace {

std::vector<std::size_t> ascending(std::span<const double> p)
{
    std::vector<std::size_t> order(p.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return p[i]; });
    return order;
}

}  // namespace

std::vector<double> benjaminiHochberg(std::span<const double> p)
{
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    double least = 1;
    for (std::size_t place = order.size(); place-- > 0;) {
        const double factor = static_cast<double>(p.size()) / static_cast<double>(place + 1);  // of the largest 1
        least = std::min(least, p[order[place]] * factor);
        adjusted[order[place]] = least;
    }
    return adjusted;
}

std::vector<double> holm(std::span<const double> p)
{
    const std::vector<std::size_t> order = ascending(p);
    std::vector<double> adjusted(p.size());
    double most = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        most = std::min(1.0, std::max(most, p[order[place]] * static_cast<double>(p.size() - place)));
        adjusted[order[place]] = most;
    }
    return adjusted;
}

std::string holmInWords(std::size_t tests) { return "Holm-corrected for " + std::to_string(tests) + " comparisons"; }

}  // namespace attnscope
