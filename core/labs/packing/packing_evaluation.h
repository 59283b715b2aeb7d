#pragma once
// How well a network packs n boxes under scale methods that act in its encoder, the decoder's glimpse or both: rows of
// the table `quality`, over instances that every policy sees alike, each with a paired t-test against `vanilla`.

#include "core/labs/packing/packing_instances.h"
#include "core/labs/policies/scale_policies.h"
#include "core/networks/packing_model.h"

namespace attnscope {

/// Instances of one size and bin, with the load rates of packings that need no network: each box at the same place as
/// the network's would go, turned so that its top is lowest.
struct PackingSet {
    std::vector<PackingInstance> instances;
    std::vector<double> byVolume, random;  ///< load rates, of 1: from the largest to the smallest; in random order
};
/// The first `count` instances of the draw. Errors: Cancelled.
Result<PackingSet> makePackingSet(const PackingDraw& draw, const Bin& bin, std::int64_t count, std::stop_token stop);

using PackingScore = SolutionScore<Packing>;
/// Greedy packings; with samples the best of so many drawn. Nothing where the method has no value at this n. Errors:
/// those of runPacking.
struct PackingSampling {
    std::int64_t samples = 0;
    std::uint64_t seed = 0;
};
Result<std::optional<PackingScore>> scorePacking(const PackingModel& model, const PackingSet& set,
                                                 const ScalePolicy& policy, const PackingSampling& sampling,
                                                 std::stop_token stop);

/// The columns that every row about it begins with.
LabCells policyCells(const PackingSet& set, const ScalePolicy& policy, const NetworkSeed& seed);

/// A row of `quality`; `vanilla` may be null. Load rates in per cent, and changes in points of it.
LabCells qualityCells(const PackingSet& set, const ScalePolicy& policy, const std::optional<PackingScore>& score,
                      const PackingScore* vanilla, const NetworkSeed& seed = {});

/// Rows of `means`: of every policy the means over the bins of what `quality` has at this n.
std::vector<LabCells> meansOverBins(const std::vector<LabRow>& rows, std::int64_t n);

/// Packings of one instance as a picture, a panel for each.
struct NamedPacking {
    std::string title;
    Packing packing;
};
LabPackings inPanels(std::string id, std::string title, const Bin& bin, const std::vector<NamedPacking>& packings);

}  // namespace attnscope
