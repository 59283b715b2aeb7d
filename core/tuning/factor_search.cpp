// A multiplier a layer, or a head. With f(+), f(0), f(-) the losses of a window where ln m of one of them is moved by
// h, 0, -h and all else is held: gradient g = (f(+) - f(-)) / 2h, curvature c = (f(+) - 2 f(0) + f(-)) / h^2. The step
// is Newton's on the diagonal, -g / c, of those whose gradient is told from 0 by the windows; how far along it is
// searched as everything else is.

#include "core/tuning/search.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

constexpr double moved = 0.2;  ///< h, of ln m: losses differ by enough to stand above float32's rounding

struct Part {
    int layer = 0, head = -1;  ///< -1: all heads of the layer
};

std::vector<Part> partsOfModel(const Architecture& architecture, bool byLayer)
{
    std::vector<Part> parts;
    for (int layer = 0; layer < architecture.layers; ++layer)
        for (int head = byLayer ? -1 : 0; head < (byLayer ? 0 : architecture.heads); ++head)
            parts.push_back({layer, head});
    return parts;
}

/// ln m of the part moves by `by`.
Setting moveBy(Setting setting, const Architecture& architecture, const Part& part, double by)
{
    auto& factors = setting.policy.factors;
    if (factors.empty())
        factors.assign(static_cast<std::size_t>(architecture.layers),
                       std::vector(static_cast<std::size_t>(architecture.heads), 1.0));
    std::vector<double>& layer = factors[static_cast<std::size_t>(part.layer)];
    for (std::size_t head = 0; head < layer.size(); ++head)
        if (part.head < 0 || part.head == static_cast<int>(head))
            layer[head] *= std::exp(by);
    return setting;
}

/// As they can be pasted.
Setting withRoundedFactors(Setting setting)
{
    for (std::vector<double>& layer : setting.policy.factors)
        std::ranges::transform(layer, layer.begin(), rounded);
    return setting;
}

struct Slope {
    SampleMean gradient;
    double curvature = 0;
    /// Do the windows tell it from 0? One window cannot say.
    bool isTold() const { return !gradient.standardError || std::abs(gradient.mean) > 2 * *gradient.standardError; }
    /// Newton's, held to a factor of two; a fixed one where the loss is not convex.
    double step() const
    {
        constexpr double longest = 0.7, blind = 0.2;
        const double wanted = curvature > 0 ? -gradient.mean / curvature : std::copysign(blind, -gradient.mean);
        return std::clamp(wanted, -longest, longest);
    }
};

/// On at most four windows: of a model with many heads these are most of the work.
std::size_t windowsOf(const Search& search) { return std::min<std::size_t>(search.all(), 4); }

Result<std::vector<Slope>> slopesAt(Search& search, const Setting& start, const std::vector<Part>& parts)
{
    const std::size_t windows = windowsOf(search);
    const auto here = TRY(search.each(start, windows));
    std::vector<Slope> slopes;
    for (const Part& part : parts) {
        search.tell();
        const auto more = TRY(search.each(moveBy(start, search.architecture(), part, moved), windows)),
                   less = TRY(search.each(moveBy(start, search.architecture(), part, -moved), windows));
        std::vector<double> gradients;
        Slope slope;
        for (std::size_t w = 0; w < windows; ++w) {
            gradients.push_back((more[w].loss - less[w].loss) / (2 * moved));
            slope.curvature +=
                (more[w].loss - 2 * here[w].loss + less[w].loss) / (moved * moved) / static_cast<double>(windows);
        }
        slope.gradient = sampleMean(gradients);
        slopes.push_back(slope);
    }
    return slopes;
}

std::vector<HeadRow> rowsOfSlopes(const std::vector<Part>& parts, const std::vector<Slope>& slopes)
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
    const std::vector<Part> parts = partsOfModel(search.architecture(), byLayer);
    search.say("gradients");
    search.expect(2 * parts.size() * windowsOf(search));
    const auto slopes = TRY(slopesAt(search, start, parts));
    heads = rowsOfSlopes(parts, slopes);
    return {};
}

Result<Setting> searchFactors(Search& search, const Setting& start, bool byLayer, std::vector<HeadRow>& heads)
{
    constexpr int rounds = 2;
    const std::vector<Part> parts = partsOfModel(search.architecture(), byLayer);
    Setting best = start;
    search.expect(rounds * 2 * parts.size() * windowsOf(search));
    for (int round = 0; round < rounds; ++round) {
        search.say(byLayer ? "layers" : "heads");
        const auto slopes = TRY(slopesAt(search, best, parts));
        if (round == 0)
            heads = rowsOfSlopes(parts, slopes);
        if (std::ranges::none_of(slopes, &Slope::isTold))
            break;
        const auto along = [&](double share) {
            Setting setting = best;
            for (std::size_t i = 0; i < parts.size(); ++i)
                if (slopes[i].isTold())
                    setting = moveBy(std::move(setting), search.architecture(), parts[i], share * slopes[i].step());
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
