// A multiplier a layer, or a head. The step is Newton's on the diagonal, -g / c, of those whose gradient g is told from
// 0 by the windows (head_gradients.h); how far along it is searched as everything else is.

#include "core/tuning/head_gradients.h"
#include "core/tuning/search.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// As they can be pasted.
Setting withRoundedFactors(Setting setting)
{
    for (std::vector<double>& layer : setting.policy.factors)
        std::ranges::transform(layer, layer.begin(), rounded);
    return setting;
}

/// Newton's step of ln m, held to a factor of two; a fixed one where the loss is not convex.
double stepOf(const LossSlope& slope)
{
    constexpr double longest = 0.7, blind = 0.2;
    const double wanted =
        slope.curvature > 0 ? -slope.gradient.mean / slope.curvature : std::copysign(blind, -slope.gradient.mean);
    return std::clamp(wanted, -longest, longest);
}

/// On at most four windows: of a model with many heads these are most of the work.
std::size_t windowsOf(const Search& search) { return std::min<std::size_t>(search.all(), 4); }

Result<std::vector<LossSlope>> slopesAt(Search& search, const Setting& start, const std::vector<ModelPart>& parts)
{
    constexpr double h = 0.2;  // of ln m: far enough that curvatures stand above float32's rounding
    const LossesUnder losses = [&](const Policy& policy) -> Result<std::vector<double>> {
        Setting setting = start;
        setting.policy = policy;
        std::vector<double> all;
        for (const WindowLoss& window : TRY(search.each(setting, windowsOf(search))))
            all.push_back(window.loss);
        return all;
    };
    const auto here = TRY(losses(start.policy));
    std::vector<LossSlope> slopes;
    for (const ModelPart& part : parts) {
        search.tell();
        slopes.push_back(TRY(slopeAt(start.policy, search.architecture(), part, h, here, losses)));
    }
    return slopes;
}

std::vector<HeadRow> rowsOfSlopes(const std::vector<ModelPart>& parts, const std::vector<LossSlope>& slopes)
{
    std::vector<HeadRow> rows;
    for (std::size_t i = 0; i < parts.size(); ++i)
        rows.push_back({.layer = parts[i].layer,
                        .head = parts[i].head,
                        .gradient = slopes[i].gradient.mean,
                        .error = slopes[i].gradient.standardError});
    return rows;
}

}  // namespace

Result<void> gradientsOf(Search& search, const Setting& start, bool byLayer, std::vector<HeadRow>& heads)
{
    const std::vector<ModelPart> parts = partsOfModel(search.architecture(), byLayer);
    search.say("gradients");
    search.expect(2 * parts.size() * windowsOf(search));
    const auto slopes = TRY(slopesAt(search, start, parts));
    heads = rowsOfSlopes(parts, slopes);
    return {};
}

Result<Setting> searchFactors(Search& search, const Setting& start, bool byLayer, std::vector<HeadRow>& heads)
{
    constexpr int rounds = 2;
    const std::vector<ModelPart> parts = partsOfModel(search.architecture(), byLayer);
    Setting best = start;
    search.expect(rounds * 2 * parts.size() * windowsOf(search));
    for (int round = 0; round < rounds; ++round) {
        search.say(byLayer ? "layers" : "heads");
        const auto slopes = TRY(slopesAt(search, best, parts));
        if (round == 0)
            heads = rowsOfSlopes(parts, slopes);
        if (std::ranges::none_of(slopes, &LossSlope::isTold))
            break;
        const auto along = [&](double share) {
            Setting setting = best;
            for (std::size_t i = 0; i < parts.size(); ++i)
                if (slopes[i].isTold())
                    setting.policy =
                        movedBy(std::move(setting.policy), search.architecture(), parts[i], share * stepOf(slopes[i]));
            return withRoundedFactors(std::move(setting));
        };
        const Setting found =
            TRY(search.along({.from = 0.5, .to = 1.5, .points = 3, .least = 0, .most = 3, .bits = 4}, along));
        const double before = TRY(search.loss(best, search.all())), after = TRY(search.loss(found, search.all()));
        if (!(after < before))
            break;
        best = found;
    }
    return best;
}

}  // namespace attnscope
