#pragma once
// Routing instances: drawn, or read from a file of tensors ("tsp.100.cities" (k, n, 2); "cvrp.100.depot" (k, 2),
// "cvrp.100.customers" (k, n, 2), "cvrp.100.demands" (k, n), in parts of a load).

#include "core/base/error.h"
#include "core/networks/routing_instance.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace attnscope {

/// Uniform in the unit square. Customers demand 1 to 9, all equally likely, and a vehicle carries `capacity` (Kool et
/// al.); or, as in EIE, demands are uniform in (0, 1).
struct RoutingDraw {
    bool depot = false;       ///< CVRP
    std::int64_t size = 100;  ///< cities, or customers
    double capacity = 50;     ///< at least the largest demand
    bool wholeDemands = true;
    std::uint64_t seed = 1;
    bool operator==(const RoutingDraw&) const = default;
};

/// What Kool et al. 2019 take: 20, 30, 40 and 50 for 10, 20, 50 and 100 customers.
double usualCapacity(std::int64_t customers);

/// Instance `number` of them: a function of the draw and the number alone.
RoutingInstance drawInstance(const RoutingDraw& draw, std::int64_t number);

/// Every instance of one task that the file holds, by size. Errors: InvalidArgument (none of the task), BadShape,
/// DataError (coordinates that are not finite, places that all coincide, demands outside 0..1), those of reading.
Result<std::map<std::int64_t, std::vector<RoutingInstance>>> readInstances(const std::string& path, bool depot);

}  // namespace attnscope
