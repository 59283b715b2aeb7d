#pragma once
// How long a network's greedy tours are at n cities or customers under scale methods that act in the encoder, the decoder's glimpse or
// both: rows of the table `quality`, over instances that every policy sees alike, each with a paired t-test against `vanilla`.

#include "core/labs/lab.h"
#include "core/model/attention_model.h"

#include <optional>

namespace attnscope {

/// What the lab's text asks for: "vanilla; infoscale | encoder; both | MODEL | INSTANCES".
struct RoutingText {
    std::vector<Choice> methods;
    std::vector<std::string> where;     ///< "encoder", "decoder", "both"
    std::string model, instances;       ///< files; the second may be absent
};
Result<RoutingText> parseRoutingText(const std::string& text);

/// Instances of one size, with the lengths that need no network.
struct RoutingSet {
    std::vector<RoutingInstance> instances;
    std::vector<double> nearest, improved;   ///< nearest neighbour; 2-opt with Or-opt on it
};
/// Errors: Cancelled.
Result<RoutingSet> makeRoutingSet(std::vector<RoutingInstance> instances, std::stop_token stop);

/// A policy on one set.
struct RoutingScore {
    std::vector<Tour> tours;
    std::vector<double> lengths;
    std::vector<std::vector<double>> encoderEntropies;  ///< layer, head: nats
    std::vector<double> decoderEntropies;               ///< head
};
/// Nothing where the method has no value at this n. Errors: those of runRouting.
Result<std::optional<RoutingScore>> scoreRouting(const AttentionModel& model, const RoutingSet& set, const RoutingPolicy& policy, std::stop_token stop);

/// The seed that a network was trained with, none for one from a file, and whether it is one of several in a run.
struct RoutingSeed {
    std::optional<std::int64_t> number = {};
    bool ofSeveral = false;
};

/// "infoscale, encoder"; "vanilla", wherever it acts; of one network of several "infoscale, encoder, seed 2".
std::string labelOf(const RoutingPolicy& policy, const RoutingSeed& seed = {});
std::string whereOf(const RoutingPolicy& policy);

/// Over layers and heads.
double meanOfLayers(const std::vector<std::vector<double>>& entropies);

/// A row of `quality`; `vanilla` may be null.
LabCells qualityCells(const RoutingSet& set, const RoutingPolicy& policy, const std::optional<RoutingScore>& score, const RoutingScore* vanilla, const RoutingSeed& seed = {});

/// Rows of `heads`, one a head of every layer and of the decoder.
std::vector<LabCells> headCells(const RoutingSet& set, const RoutingPolicy& policy, const RoutingScore& score, const RoutingSeed& seed = {});

/// Rows of `seeds`: means over the networks of what `quality` has, with a t-test of their changes against none.
std::vector<LabCells> routingSeedCells(const std::vector<LabRow>& rows);

/// Tours of one instance as a picture, a panel for each policy; the first is what the others are compared with.
struct NamedTour {
    std::string title;
    Tour tour;
};
LabTours sideBySide(std::string id, std::string title, const RoutingInstance& instance, const std::vector<NamedTour>& tours);

}  // namespace attnscope
