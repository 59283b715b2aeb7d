#include "core/networks/routing_instance.h"

#include <cmath>

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

}  // namespace attnscope
