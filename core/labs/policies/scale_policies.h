#pragma once
// What the tests of networks that route and that pack have in common: policies by their scale method and where it acts,
// how they are named in rows and pictures, and means over networks trained with different seeds.

#include "core/base/parameter.h"
#include "core/labs/lab.h"
#include "core/networks/attention_encoder.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace attnscope {

/// What a lab's text asks for: "vanilla; infoscale | encoder; both | FILE | FILE".
struct PolicyText {
    std::vector<Choice> methods;
    std::vector<std::string> where;  ///< placesOfScale(), or a layer of the encoder: "layer 1"
    std::vector<std::string> files;  ///< as many as the form has; those that are absent are empty
};
/// `form` says how it is written: "METHODS | WHERE | MODEL". Errors: InvalidArgument, UnknownName.
Result<PolicyText> parsePolicyText(const std::string& text, const std::string& form);

/// Where in a network a scale acts: "both", which is where nothing is said, "encoder", "decoder".
std::span<const std::string_view> placesOfScale();
LabPart wherePart();
/// In encoder and decoder; also of a row that says nothing, as that of vanilla.
bool actsEverywhere(std::string_view where);
bool actsInDecoderAlone(std::string_view where);

/// vanilla, if it is asked for, and the other methods wherever they are to act.
std::vector<ScalePolicy> policiesOf(const std::vector<Choice>& methods, const std::vector<std::string>& where,
                                    std::int64_t trainLength);

/// The seed that a network was trained with, none for one from a file, and whether it is one of several in a run.
struct NetworkSeed {
    std::optional<std::int64_t> number = {};
    bool ofSeveral = false;
};

/// "infoscale, encoder"; "vanilla", wherever it acts; of one network of several "infoscale, encoder, seed 2".
std::string labelOf(const ScalePolicy& policy, const NetworkSeed& seed = {});
/// One of placesOfScale(), or a layer of the encoder, from 1: "layer 1".
std::string whereOf(const ScalePolicy& policy);
std::string nameOfLayer(Index layer);
/// The policy acts there from now on. `where` as whereOf() says it.
void actIn(ScalePolicy& policy, const std::string& where);

/// The columns that say which network was tested, on what, and how: seed, `task` as the lab names it, n, n_over_train,
/// method, where, policy.
LabCells policyCells(std::pair<std::string, std::string> task, std::int64_t n, const ScalePolicy& policy,
                     const NetworkSeed& seed);

/// How many instances of `times` N are tested: as many fewer as they are longer, but no fewer than 8, or than there are
/// of N.
inline std::int64_t instancesAt(std::int64_t times, std::int64_t ofShortest)
{
    return std::max(std::min<std::int64_t>(8, ofShortest), ofShortest / times);
}

/// A policy on instances of one size.
template <class Solution>
struct SolutionScore {
    std::vector<Solution> solutions;
    std::vector<double> values;  ///< of each solution: the length of a tour, the load rate of a packing
    HeadRun encoder;
    std::vector<double> decoderEntropies;  ///< head
};

/// addShare() of samples.h, layer by layer.
void addShare(HeadValues& sum, const HeadValues& part, double share);

/// On so many instances, the first ones, entropy_measured finds what every head needs, at N and beyond; on all others
/// the heads keep that. So what a network does with an instance depends on no other but these.
inline constexpr std::size_t measuredInstances = 32;

/// Runs a network on `atOnce` instances after another: run(instances, number of the first, policy) gives solutions and
/// the entropies of heads, and best(run, which, instance) the solution to keep and its value. Nothing where the method
/// has no value at this n. Errors: those of run.
template <class Solution, class Instance, class Run, class Best>
Result<std::optional<SolutionScore<Solution>>> scoreInBatches(std::span<const Instance> all, std::int64_t atOnce,
                                                              ScalePolicy policy, const Run& run, const Best& best)
{
    if (!policy.entropies.empty()) {
        auto measured = TRY(ifDefined(run(all.first(std::min(measuredInstances, all.size())), 0, policy)));
        if (!measured)
            return std::nullopt;
        policy.multipliers = std::move(measured->encoder.multipliers);
    }
    SolutionScore<Solution> score;
    for (std::size_t first = 0; first < all.size(); first += static_cast<std::size_t>(atOnce)) {
        const auto batch = all.subspan(first, std::min(static_cast<std::size_t>(atOnce), all.size() - first));
        auto made = TRY(ifDefined(run(batch, first, policy)));
        if (!made)
            return std::nullopt;
        const double share = static_cast<double>(batch.size()) / static_cast<double>(all.size());
        addShare(score.encoder.entropies, made->encoder.entropies, share);
        addShare(score.encoder.multipliers, made->encoder.multipliers, share);
        addShare(score.decoderEntropies, made->decoderEntropies, share);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            auto [solution, value] = best(*made, i, batch[i]);
            score.solutions.push_back(std::move(solution));
            score.values.push_back(value);
        }
    }
    return std::optional(std::move(score));
}

/// Over layers and heads.
double meanOfLayers(const HeadValues& entropies);

/// A row for each head of every layer and of the decoder: `common`, layer, head, entropy, multiplier.
std::vector<LabCells> headCells(const LabCells& common, const HeadRun& encoder, const std::vector<double>& decoder);

/// Means of `columns` over the networks of rows of `quality` that agree in `kept`, with the standard error of the first
/// of them and a t-test of their `change` against none.
std::vector<LabCells> seedCells(const std::vector<LabRow>& rows, const std::vector<std::string>& kept,
                                const std::vector<std::string>& columns);

}  // namespace attnscope
