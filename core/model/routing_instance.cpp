#include "core/model/routing_instance.h"

#include <cmath>
#include <string>

namespace attnscope {

double distanceOf(const RoutingInstance& instance, int a, int b)
{
    const double x = static_cast<double>(instance.places(a, 0)) - static_cast<double>(instance.places(b, 0));
    const double y = static_cast<double>(instance.places(a, 1)) - static_cast<double>(instance.places(b, 1));
    return std::sqrt(x * x + y * y);
}

double lengthOf(const RoutingInstance& instance, const Tour& tour)
{
    if (tour.empty())
        return 0;
    int last = instance.hasDepot() ? 0 : tour.back();
    double length = 0;
    for (const int node : tour) {
        length += distanceOf(instance, last, node);
        last = node;
    }
    return instance.hasDepot() ? length + distanceOf(instance, last, 0) : length;
}

Result<void> checkTour(const RoutingInstance& instance, const Tour& tour)
{
    const int first = instance.hasDepot() ? 1 : 0;
    std::vector<int> visits(static_cast<std::size_t>(instance.nodes()), 0);
    double load = 0;
    int route = 1;
    for (const int node : tour) {
        if (node < 0 || node >= instance.nodes())
            return failure(ErrorKind::InvalidArgument, "the tour goes to node " + std::to_string(node) + ", and there are " + std::to_string(instance.nodes()));
        ++visits[static_cast<std::size_t>(node)];
        if (!instance.hasDepot())
            continue;
        if (node == 0)
            ++route;
        load = node == 0 ? 0 : load + static_cast<double>(instance.demands[static_cast<std::size_t>(node)]);
        if (load > 1 + loadTolerance)
            return failure(ErrorKind::InvalidArgument, "route " + std::to_string(route) + " carries more than a vehicle loads");
    }
    for (int node = first; node < instance.nodes(); ++node)
        if (const int count = visits[static_cast<std::size_t>(node)]; count != 1)
            return failure(ErrorKind::InvalidArgument, "the tour visits node " + std::to_string(node) + " " + std::to_string(count) + " times, not once");
    return {};
}

}  // namespace attnscope
