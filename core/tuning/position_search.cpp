// Schemes of positions and their parameters.

#include "core/tuning/search.h"

#include "core/attention/positions.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// One parameter of a scheme, searched on a logarithmic axis.
struct TunedParameter {
    const char* scheme;
    const char* parameter;
    double (*from)(double ratio, const Parameters& own, int turned);  ///< ratio: max(n/N, 1)
    double (*to)(double ratio, const Parameters& own, int turned);
    bool whole = false;
};

/// What NTK does with a stretch s, as a base: base s^(d/(d-2)).
double stretchedBase(double base, double s, int turned)
{
    return turned > 2 ? base * std::pow(s, turned / (turned - 2.0)) : base;
}

constexpr TunedParameter table[]{
    {"rope", "base", [](double, const Parameters& own, int) { return own["base"]; },
     [](double r, const Parameters& own, int turned) {
         return std::min(1e12, stretchedBase(own["base"], 8 * r, turned));
     }},
    {"pi", "s", [](double, const Parameters&, int) { return 1.0; },
     [](double r, const Parameters&, int) { return 2 * r; }},
    {"ntk", "s", [](double, const Parameters&, int) { return 1.0; },
     [](double r, const Parameters&, int) { return 8 * r; }},
    {"yarn_rope", "s", [](double, const Parameters&, int) { return 1.0; },
     [](double r, const Parameters&, int) { return 4 * r; }},
    {"rerope", "w", [](double, const Parameters&, int) { return 16.0; },
     [](double r, const Parameters&, int) { return 512 * r; }, true},
};

const Choice& ownOf(const Architecture& architecture) { return architecture.position(); }

bool isRotary(const Choice& position)
{
    const auto row = findRow(positions(), position.id, "position");
    return row && (*row)->frequencies;
}

/// The scheme with its parameter, as Hugging Face's files and llama.cpp have it: YaRN's ramp in the index of the pair.
Setting withParameter(Setting setting, const TunedParameter& of, double value)
{
    Choice position = setting.policy.position && setting.policy.position->id == of.scheme ? *setting.policy.position
                                                                                          : Choice{of.scheme, {}, {}};
    position.values[of.parameter] = of.whole ? std::round(value) : rounded(value);
    if (position.id == "yarn_rope")
        position.values["by_index"] = 1;
    setting.policy.position = std::move(position);
    return setting;
}

struct Range {
    double from, to;  ///< logarithms
};

Range rangeOf(const TunedParameter& of, const Search& search)
{
    const Choice& own = ownOf(search.architecture());
    const Position& row = **findRow(positions(), own.id, "position");
    const Parameters parameters(row, own);
    const double ratio = std::max(1.0, static_cast<double>(search.at().n) / search.at().trainLength);
    const int turned = turnedCoordinates(search.architecture().headSize, parameters);
    if (of.whole)  // a distance
        return {std::log(std::max(2.0, search.at().trainLength / 16)),
                std::log(std::max(4.0, static_cast<double>(search.at().n)))};
    return {std::log(of.from(ratio, parameters, turned)), std::log(of.to(ratio, parameters, turned))};
}

/// How far YaRN's ramp reaches: turns within N. Each is searched once, the other held.
Result<Setting> searchRamp(Search& search, Setting setting)
{
    search.say("YaRN's ramp");
    const std::pair<const char*, Line> sides[]{{"beta_fast",
                                                {.from = std::log(8),
                                                 .to = std::log(64),
                                                 .points = 3,
                                                 .least = std::log(2),
                                                 .most = std::log(512),
                                                 .bits = 4}},
                                               {"beta_slow",
                                                {.from = std::log(0.25),
                                                 .to = std::log(4),
                                                 .points = 3,
                                                 .least = std::log(0.01),
                                                 .most = std::log(8),
                                                 .bits = 4}}};
    for (const auto& [parameter, line] : sides) {
        const Setting found = TRY(search.along(line, [&, name = parameter](double x) {
            Setting changed = setting;
            changed.policy.position->values[name] = rounded(std::exp(x));
            return changed;
        }));
        const double before = TRY(search.loss(setting, search.all())), after = TRY(search.loss(found, search.all()));
        if (after < before)
            setting = found;
    }
    return setting;
}

/// The schemes' own parameter around where it is now, or over all its range.
Result<Setting> searchParameter(Search& search, const Setting& start, const TunedParameter& of,
                                std::optional<double> around)
{
    const Range range = rangeOf(of, search);
    const double step = (range.to - range.from) / 6;
    const double from = around ? std::max(range.from, *around - step) : range.from,
                 to = around ? std::min(range.to, *around + step) : range.to;
    search.say(std::string(of.scheme) + ": " + of.parameter);
    return search.along({.from = from, .to = to, .points = around ? 3 : 5, .least = range.from, .most = range.to},
                        [&](double x) { return withParameter(start, of, std::exp(x)); });
}

double parameterNow(const Setting& setting, const TunedParameter& of)
{
    return std::log(setting.policy.position->values.at(of.parameter));
}

const TunedParameter* tunedParameter(const Setting& setting)
{
    const auto found = std::ranges::find_if(table, [&](const TunedParameter& of) {
        return setting.policy.position && setting.policy.position->id == of.scheme;
    });
    return found == std::end(table) ? nullptr : found;
}

}  // namespace

std::vector<std::string> tunedSchemes()
{
    std::vector<std::string> all;
    for (const TunedParameter& of : table)
        all.emplace_back(of.scheme);
    return all;
}

std::optional<SchemeParameter> schemeParameter(const Setting& setting, const TunedAt& at)
{
    const TunedParameter* of = tunedParameter(setting);
    if (!of)
        return {};
    const Position& row = **findRow(positions(), of->scheme, "position");
    const bool given = setting.policy.position->values.contains(of->parameter);
    return SchemeParameter{of->scheme, of->parameter,
                           given || of->parameter == std::string_view("base")
                               ? Parameters(row, *setting.policy.position)[of->parameter]
                           : row.distanceCap ? heldDistance(row, at.trainLength)
                                             : std::max(1.0, static_cast<double>(at.n) / at.trainLength)};
}

bool turns(const Architecture& architecture) { return isRotary(ownOf(architecture)); }

Result<Setting> searchPositions(Search& search, const Setting& start)
{
    search.say("positions");
    std::vector<std::pair<const TunedParameter*, Setting>> arms;
    constexpr int points = 5;
    for (const TunedParameter& of : table) {
        const auto& asked = search.request().schemes;
        if (!asked.empty() && std::ranges::find(asked, of.scheme) == asked.end())
            continue;
        const Range range = rangeOf(of, search);
        for (int i = 0; i < points; ++i)
            arms.emplace_back(
                &of, withParameter(start, of, std::exp(range.from + (range.to - range.from) * i / (points - 1))));
    }
    const auto left = TRY(search.halve(
        arms.size(), [&](std::size_t which, std::size_t windows) { return search.loss(arms[which].second, windows); }));
    const auto& [of, around] = arms[left.front()];
    Setting best = TRY(searchParameter(search, around, *of, parameterNow(around, *of)));
    if (best.policy.position->id == "yarn_rope")
        best = TRY(searchRamp(search, best));
    return TRY(search.loss(start, search.all())) <= TRY(search.loss(best, search.all())) ? start : best;
}

Result<Setting> searchBoth(Search& search, const Setting& start, std::vector<TriedSetting>& surface)
{
    Setting best = TRY(searchPositions(search, start));
    const TunedParameter* of = tunedParameter(best);
    if (!of)
        return searchScale(search, best);
    search.say("the surface");
    constexpr int half = 2;
    const Range range = rangeOf(*of, search);
    const double step = (range.to - range.from) / 8, centre = parameterNow(best, *of);
    Setting lowest = best;
    double least = withoutValue;
    for (int p = -half; p <= half; ++p)
        for (int k = -half; k <= half; ++k) {
            Setting setting = withParameter(best, *of, std::exp(std::clamp(centre + p * step, range.from, range.to)));
            setting.multiplier = rounded(std::exp(0.2 * k));
            setting.rule = search.request().rules.front();
            const double loss = TRY(search.loss(setting, search.few()));
            surface.push_back({setting, search.few(), loss, {}, loss - search.asItIs(search.few())});
            if (loss < least) {
                least = loss;
                lowest = setting;
            }
        }
    best = lowest;
    for (int turn = 0; turn < 2; ++turn) {
        const Setting scaled = TRY(search.along({.from = std::log(best.multiplier) - 0.3,
                                                 .to = std::log(best.multiplier) + 0.3,
                                                 .points = 3,
                                                 .least = -2.8,
                                                 .most = 2.8},
                                                [&](double x) {
                                                    Setting setting = best;
                                                    setting.rule = search.request().rules.front();
                                                    setting.multiplier = rounded(std::exp(x));
                                                    return setting;
                                                }));
        best = TRY(searchParameter(search, scaled, *of, parameterNow(scaled, *of)));
    }
    return search.best();
}

}  // namespace attnscope
