#include "core/tuning/exports/one_scale.h"

#include "core/base/text.h"

#include <algorithm>

namespace attnscope {

bool hasLatentLayers(const Architecture& architecture)
{
    return std::ranges::any_of(architecture.specs, [](const LayerSpec& spec) { return spec.latent.has_value(); });
}

bool turnsByLength(const Architecture& architecture)
{
    return std::ranges::any_of(architecture.specs, [](const LayerSpec& spec) { return spec.position.dynamic > 0; });
}

void noteFixed(const ExportSource& source, OneScale& one)
{
    if (one.own && turnsByLength(source.architecture))
        one.notes.push_back(fmt::format(
            "the model's own positions follow the length (dynamic NTK); here they are those of {} at every length",
            source.at.n));
}

bool takesOwnTemperature(const ExportSource& source)
{
    return hasOwnTemperature(source.architecture) &&
           !keepsOwnTemperature(policyAt(source.setting, source.at, source.at.n).method);
}

std::string fullestIn(const TunedAt& at)
{
    return at.mostKeys() < at.n ? fmt::format(", of {} keys", at.mostKeys()) : std::string();
}

bool isByRow(const ExportSource& source)
{
    return (*findRow(scaleRules(), source.setting.rule, "rule"))->byRow ||
           countsOf(source.setting.policy.method).value_or(Counts::Keys) == Counts::Row;
}

namespace {

/// The multiplier of the row that sees most keys; heads' factors by their geometric mean.
Result<double> oneMultiplier(const ExportSource& source, std::vector<std::string>& notes, bool& exact)
{
    const Setting& setting = source.setting;
    const auto table = TRY(factorTable(setting, source.at, source.architecture));
    double logs = 0, count = 0;
    for (const std::vector<double>& layer : table)
        for (const double m : layer) {
            if (!(m > 0))
                return failure(ErrorKind::Unavailable, "a multiplier of 0 or below has no root; factors can say it");
            logs += std::log(m);
            ++count;
        }
    if (!setting.policy.factors.empty()) {
        exact = false;
        notes.push_back("a multiplier a head cannot be said there: this is their geometric mean");
    }
    if (takesOwnTemperature(source)) {
        exact = false;
        notes.push_back(ownTemperatureStays);
    } else if (isByRow(source)) {
        exact = false;
        notes.push_back(
            "a multiplier that grows from row to row cannot be said there: this is the one of the last row" +
            fullestIn(source.at));
    }
    return std::exp(logs / count);
}

/// What the text of config files asks for: the factor stands with the positions, on what turns.
Setting askedFor(const ExportSource& source, const OneScale& one)
{
    Setting setting = untuned(source.setting.policy.trainLength);
    if (!one.own)
        setting.policy.position = one.position;
    if (one.turned == source.architecture.headSize) {
        setting.multiplier = one.multiplier;
        return setting;
    }
    Choice position{"long_rope", {{"m", one.factor()}, {"base", one.base}}, {}};
    for (const char* same : {"interleaved", "dims"})
        if (const auto found = one.position.values.find(same); found != one.position.values.end())
            position.values[same] = found->second;
    position.text = joined(one.divisors(), ",", [](double d) { return formatNumber(d); });
    setting.policy.position = std::move(position);
    return setting;
}

}  // namespace

Result<OneScale> oneScale(const ExportSource& source)
{
    const Architecture& a = source.architecture;
    OneScale one{.position = {}, .rotation = {}, .notes = {}};
    Policy policy = source.setting.policy;
    const auto isSayable = [](const Choice& choice) {
        const auto row = findRow(positions(), choice.id, "position");
        return row && (*row)->frequencies && !(*row)->distanceCap;
    };
    if (const auto choice = policy.position; choice && !isSayable(*choice)) {
        one.exact = false;
        one.notes.push_back("positions of the kind " + formatChoice(*choice) +
                            " cannot be said there: the model keeps its own");
        policy.position.reset();
    }
    one.own = !policy.position;
    one.position = TRY(positionOf(policy, a, 0, source.at.n));
    for (int layer = 1; layer < a.layers; ++layer)
        if (!(TRY(positionOf(policy, a, layer, source.at.n)) == one.position))
            return noWords(
                "layers of this model differ in their positions, which these fields and flags cannot follow");
    const Position& row = **findRow(positions(), one.position.id, "position");
    if (!row.frequencies)
        return noWords("this model's positions do not turn its queries and keys, so that no factor of theirs can carry "
                       "a multiplier");
    const Parameters parameters(row, one.position);
    one.rotation = rotationOf(row, one.position, a.headSize);
    one.base = parameters["base"];
    one.turned = turnedCoordinates(a.headSize, parameters);
    one.multiplier = TRY(oneMultiplier(source, one.notes, one.exact));
    const auto normedAfter = [](const LayerSpec& spec) { return spec.headNorm == HeadNorm::Unit; };
    if (!isOne(one.factor()) && std::ranges::any_of(a.specs, normedAfter))
        return noWords("this model norms its queries and keys after they are turned, which takes a factor of their "
                       "positions away");
    if (one.turned < a.headSize && !isOne(one.multiplier)) {
        one.exact = false;
        one.notes.push_back(fmt::format("of each head {} of {} coordinates turn, and the factor is on those alone",
                                        one.turned, a.headSize));
    }
    return one;
}

ExportedSetting exportedAs(const ExportSource& source, OneScale one, std::string text)
{
    return {std::move(text), one.notes, askedFor(source, one), one.exact};
}

std::string ofRoot(const std::string& field, const OneScale& one, const std::string& rest, double by)
{
    const std::string m = formatNumber(one.multiplier, 5), root = one.rotation.factor == 1 ? "√m" : "a √m";
    return field + " " + formatNumber(one.factor() / by, 5) + " is " + root + (rest.empty() ? "" : " / " + rest) +
           " with m = " + m +
           (one.rotation.factor == 1 ? "" : ", a = " + formatNumber(one.rotation.factor, 5) + " of its positions") +
           ": it multiplies queries and keys, and so their products by its square";
}

}  // namespace attnscope
