#pragma once
// How long a network's greedy tours are at n cities or customers under scale methods that act in the encoder, the
// decoder's glimpse or both: rows of the table `quality`, over instances that every policy sees alike. The change
// against `vanilla` and its p are of one quantity, the mean over the instances of ln(length / vanilla's).

#include "core/labs/policies/scale_policies.h"
#include "core/networks/attention_model.h"

#include <optional>

namespace attnscope {

/// Instances of one size, with the lengths that need no network.
struct RoutingSet {
    std::vector<RoutingInstance> instances;
    std::vector<double> nearest, improved;  ///< nearest neighbour; 2-opt with Or-opt on it
};
/// Errors: Cancelled.
Result<RoutingSet> makeRoutingSet(std::vector<RoutingInstance> instances, std::stop_token stop);

using RoutingScore = SolutionScore<Tour>;
/// Nothing where the method has no value at this n. Errors: those of runRouting.
Result<std::optional<RoutingScore>> scoreRouting(const AttentionModel& model, const RoutingSet& set,
                                                 const ScalePolicy& policy, std::stop_token stop);

/// The columns that every row about it begins with.
LabCells policyCells(const RoutingSet& set, const ScalePolicy& policy, const NetworkSeed& seed);

/// A row of `quality`; `vanilla` may be null.
LabCells qualityCells(const RoutingSet& set, const ScalePolicy& policy, const std::optional<RoutingScore>& score,
                      const RoutingScore* vanilla, const NetworkSeed& seed = {});

/// Tours of one instance as a picture, a panel for each policy; the first is what the others are compared with.
struct NamedTour {
    std::string title;
    Tour tour;
};
/// "9.555": with as many decimals beside every tour, so that they can be compared.
std::string tourLength(double length);
LabTours sideBySide(std::string id, std::string title, const RoutingInstance& instance,
                    const std::vector<NamedTour>& tours);

}  // namespace attnscope
