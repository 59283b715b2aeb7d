#pragma once
// What targets with no words for rows and heads are given: one multiplier, and one scheme of positions.

#include "core/attention/positions.h"
#include "core/tuning/exports.h"

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// What config files and flags can say: one multiplier, and one scheme of positions.
struct OneScale {
    double multiplier = 1;  ///< m at n
    Choice position;        ///< complete, of all layers
    bool own = true;        ///< it is the model's own
    Rotation rotation;
    double base = 10000;
    int turned = 0;
    std::vector<std::string> notes;
    bool exact = true;

    /// On q and on k.
    double factor() const { return rotation.factor * std::sqrt(multiplier); }
    double parameter(const char* id) const
    {
        return Parameters(**findRow(positions(), position.id, "position"), position)[id];
    }
    /// Turns as RoPE's do with another base; that base.
    std::optional<double> asBase() const
    {
        if (isRope(position))
            return base;
        if (position.id == "ntk" && turned > 2)
            return base * std::pow(parameter("s"), turned / (turned - 2.0));
        return {};
    }
    bool isYarnAsInFiles() const
    {
        return position.id == "yarn_rope" && parameter("by_index") != 0 && parameter("rounded") != 0;
    }
    /// What each pair's frequency is divided by.
    std::vector<double> divisors() const
    {
        std::vector<double> all;
        for (std::size_t p = 0; p < rotation.frequencies.size(); ++p)
            all.push_back(std::pow(base, -2.0 * static_cast<double>(p) / turned) / rotation.frequencies[p]);
        return all;
    }
};

/// Errors: Unavailable where the model's layers differ, or nothing of it turns.
Result<OneScale> oneScale(const ExportSource& source);

/// The text, with the setting that it asks for: the factor stands with the positions, on what turns.
ExportedSetting exportedAs(const ExportSource& source, OneScale one, std::string text);

/// How a number of the text comes from m: "attention_factor 1.1402 is √m, m = 1.3, on queries and on keys alike".
/// `rest` is what the target multiplies by itself, in words and as a number.
std::string ofRoot(const std::string& field, const OneScale& one, const std::string& rest = {}, double by = 1);

inline tl::unexpected<Error> noWords(const std::string& why)
{
    return failure(ErrorKind::Unavailable, why + "; pytorch and factors can say it");
}

inline bool isOne(double value) { return std::abs(value - 1) < 1e-12; }
inline std::int64_t trained(const ExportSource& source) { return std::llround(source.at.trainLength); }

/// Has a layer latent queries and keys (DeepSeek's)?
bool hasLatentLayers(const Architecture& architecture);

/// Do the model's own positions follow the length (dynamic NTK)?
bool turnsByLength(const Architecture& architecture);

/// Says that such positions are written as those of n, where they are the model's own.
void noteFixed(const ExportSource& source, OneScale& one);

/// What the model multiplies by itself is in no target's words, and a method would take its place.
bool takesOwnTemperature(const ExportSource& source);
inline constexpr const char* ownTemperatureStays =
    "the model's own temperature, which grows with the place, stays there: what is multiplied beside it makes the last "
    "row's multiplier that of the method";

bool isByRow(const ExportSource& source);

/// Which row the last is, where a window leaves none n keys: ", of 512 keys".
std::string fullestIn(const TunedAt& at);

}  // namespace attnscope
