#pragma once
// What is tried: positions, factors of heads or a published method, and on all of it a multiplier with the rule by
// which it goes on to other lengths.

#include "core/model/policy.h"
#include "core/tuning/scale_rule.h"

#include <cstdint>
#include <string>

namespace attnscope {

struct Setting {
    Policy policy = {};  ///< all but the multiplier; the default is the model as it is
    std::string rule = "constant";
    double multiplier = 1;  ///< m of the row that sees most keys: n of them, or what a window leaves
    bool operator==(const Setting&) const = default;
};

/// The model with N given, 0: its own; with positions, where there are some.
Setting untuned(double trainLength, const std::optional<Choice>& position = {});

/// Where settings are tried: n, and the model's N.
struct TunedAt {
    std::int64_t n = 0;
    double trainLength = 1;
    std::int64_t keys = 0;  ///< of the row that sees most, under sliding windows fewer than n; 0: n
    std::int64_t mostKeys() const { return keys > 0 ? keys : n; }
    /// The row that sees most keys.
    ScaleContext fullestRow(int headSize) const;
};
TunedAt tunedAt(const Architecture& architecture, std::int64_t n, double trainLength);

/// Has a layer a temperature of its own that grows with the place (Llama 4, Ministral 3)? A multiplier stands on it; a
/// scale method takes its place.
bool hasOwnTemperature(const Architecture& architecture);

/// The setting's kappa; m where its rule has none.
double kappaOf(const Setting& setting, const TunedAt& at);

/// What the model runs with at this length. At n it is the same under every rule that is not by row.
Policy policyAt(const Setting& setting, const TunedAt& at, std::int64_t length);

/// The whole multiplier of the row that sees most keys; nothing where heads have their own, or the method has no value.
std::optional<double> multiplierAt(const Setting& setting, const TunedAt& at, int headSize);

/// The scale method that does at every length what the setting does. Errors: Unavailable (a factor a head; a multiplier
/// on a model's own temperature).
Result<Choice> methodOf(const Setting& setting, const TunedAt& at, const Architecture& architecture);

/// "m = 1.31, ntk:s=8", "κ = 0.21 (1 + κ ln(n/N))", "the model as it is".
std::string describe(const Setting& setting, const TunedAt& at);

/// A text that two policies share only if they are equal, of measured heads too.
std::string keyOf(const Policy& policy);

/// To four significant digits: what is tried is what can be pasted.
double rounded(double value);

}  // namespace attnscope
