#pragma once
// What happens inside a model's layers that the model itself does not say: scale method, positions, mask, normaliser,
// kernel, temperature. A policy is resolved against an architecture and a length n, because methods count keys and
// positions stretch.

#include "core/attention/attention_head.h"
#include "core/attention/normaliser.h"
#include "core/model/architecture.h"
#include "core/model/head_multipliers.h"
#include "core/scaling/scale_method.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace attnscope {

/// The default is the model as it was published.
struct Policy {
    Choice method{"vanilla", {}, {}};       ///< vanilla: the layer's own, where it has a temperature of its own
    std::optional<Choice> position;         ///< nothing: the model's own
    std::optional<Choice> mask;             ///< nothing: the layer's own
    std::optional<Choice> normaliser = {};  ///< nothing: softmax, with the layer's sinks where it has some
    Choice kernel{"dot", {}, {}};
    double temperature = 1;
    double trainLength = 0;   ///< N; 0: the model's
    std::vector<int> layers;  ///< where all of this holds; the others stay as they are. Empty: everywhere
    std::vector<std::vector<double>> factors =
        {};  ///< of each layer and head, on the method's multiplier (readHeadTable); empty: 1
    std::shared_ptr<const HeadMultipliers> headMultipliers = {};  ///< of a method that measures (withMeasuredHeads)
    bool operator==(const Policy&) const = default;
};

/// The word that stands for the model's own positions.
inline constexpr std::string_view ownPositions = "own";

/// One of positions(), or nothing for "own". Errors: those of parseChoice.
Result<std::optional<Choice>> parsePositions(std::string_view text);

/// One layer's attention at a length.
struct LayerRule {
    AttentionSpec spec;
    std::vector<double> sinks;  ///< a silent key's logit for each head, the layer's or of a table; empty: none
    std::vector<std::vector<double>>
        scales;  ///< of rows 0..n-1: what multiplies q.k / sqrt(d); for all heads, or a head each
    std::span<const double> scale(size_t head) const { return scales[scales.size() == 1 ? 0 : head]; }
    Choice normaliser(size_t head) const { return sinks.empty() ? spec.normaliser : sinkOf(sinks[head]); }
};

struct ResolvedPolicy {
    std::vector<std::shared_ptr<const LayerRule>> layers;
    bool learnedPositions = false;  ///< the model's table is added to the embeddings
    std::int64_t length = 0;        ///< n: no more tokens than these
};

/// Is it one of the policy's layers?
bool holdsIn(const Policy& policy, int layer);

/// The policy for these tokens: a mask by document that does not say itself where documents start has them start at
/// begin tokens.
Policy withDocuments(Policy policy, const Architecture& architecture, std::span<const int> inputs);

/// The same with m = 1: each layer's own factors are what is left.
Policy withoutMethod(Policy policy);

/// The N that the policy uses.
double trainLengthOf(const Policy& policy, const Architecture& architecture);

/// How many keys each row of n tokens sees. Errors: those of the mask.
Result<std::vector<std::int64_t>> keysOfRows(const Choice& mask, std::int64_t n);

/// That the row sees which sees most, over all layers of the model as it is.
std::int64_t mostKeysSeen(const Architecture& architecture, std::int64_t n);

struct Position;
/// w of a scheme that holds distances there, where no number is given: as published, and none that training never
/// showed.
double heldDistance(const Position& row, double trained);

/// The policy's positions in a layer, complete: parameters that were not given are the layer's own (base, pairing,
/// coordinates turned), N, for schemes that stretch s = max(1, n/N), and for one that holds distances w, at most N.
/// Without positions of its own the policy takes the layer's; layers without any, where others have some, stay so.
/// Errors: InvalidArgument (more coordinates than a head has).
Result<Choice> positionOf(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n);

/// In a table: those of the policy as they were given, or the model's own that are in force at n, beyond N others
/// (LongRoPE, dynamic NTK); "learned".
std::string positionsShown(const std::optional<Choice>& position, const Architecture& architecture, std::int64_t n);

/// The multipliers of rows that see rowKeys[i] keys, row i at place i, and all else as the context has it. Equal counts
/// are asked for once. Errors: those of bindScale and of its result.
Result<std::vector<double>> rowMultipliers(const Choice& method, ScaleContext context,
                                           std::span<const std::int64_t> rowKeys);

/// One layer, whatever Policy::layers has. Errors: as resolve().
Result<LayerRule> resolveLayer(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n);

/// Errors: UnknownName, InvalidArgument (parameters, layers, more tokens than learned positions), Undefined (the method
/// has no value for a row, or measures and nobody has).
Result<ResolvedPolicy> resolve(const Policy& policy, const Architecture& architecture, std::int64_t n);

/// A number for each layer and head of a model, from a file: the learned s of Scalable Softmax (with ssmax:s=1, so that
/// m = s ln n), factors of one's own on whatever a method gives, or the logits of sinks. The file's one tensor (.npy,
/// .npz, .safetensors) has the shape (layers, heads), or (heads) for all layers alike: finite numbers. Errors: those of
/// TensorFile, BadShape, InvalidArgument.
Result<std::vector<std::vector<double>>> readHeadTable(const std::string& path, const Architecture& architecture);

}  // namespace attnscope
