// A multiplier a layer, or a head: a step of those whose gradient is told from 0 by the windows (head_gradients.h); how
// far along it is searched as everything else is. Where the network can be passed back through, a gradient costs what a
// few runs do, and steps are those of the quasi-Newton method L-BFGS (Nocedal & Wright, Numerical Optimization,
// algorithm 7.4). Else they are Newton's on the diagonal, -g / c, by central differences.

#include "core/tuning/head_gradients.h"
#include "core/tuning/search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace attnscope {

namespace {

constexpr double longest = 0.7, blind = 0.2;  // of ln m in one step: at most, and where nothing says how far

/// As they can be pasted.
Setting withRoundedFactors(Setting setting)
{
    for (std::vector<double>& layer : setting.policy.factors)
        std::ranges::transform(layer, layer.begin(), rounded);
    return setting;
}

/// Gradients by the backward pass of the parts, over all fitting windows; curvatures are not known. Errors:
/// Unavailable.
Result<std::vector<LossSlope>> passedBack(Search& search, const Setting& at, const std::vector<ModelPart>& parts)
{
    const auto windows = TRY(search.slopes(at, search.all()));
    std::vector<LossSlope> slopes;
    for (const ModelPart& part : parts) {
        std::vector<double> values;
        for (const WindowLoss& window : windows) {
            const auto place = static_cast<std::size_t>(part.layer);
            if (place >= window.slopes.size() || part.head >= std::ssize(window.slopes[place]))
                return failure(ErrorKind::InvalidArgument,
                               "the search to go on with holds gradients of another model; start anew without it");
            const std::vector<double>& layer = window.slopes[place];
            values.push_back(part.head < 0 ? std::accumulate(layer.begin(), layer.end(), 0.0)
                                           : layer[static_cast<std::size_t>(part.head)]);
        }
        slopes.push_back({.gradient = sampleMean(values)});
    }
    return slopes;
}

/// By differences on at most four windows: of a model with many heads these are most of the work.
std::size_t windowsOfDifferences(const Search& search) { return std::min<std::size_t>(search.all(), 4); }

Result<std::vector<LossSlope>> slopesByDifferences(Search& search, const Setting& start,
                                                   const std::vector<ModelPart>& parts)
{
    constexpr double h = 0.2;  // of ln m: far enough that curvatures stand above float32's rounding
    const LossesUnder losses = [&](const Policy& policy) -> Result<std::vector<double>> {
        Setting setting = start;
        setting.policy = policy;
        std::vector<double> all;
        for (const WindowLoss& window : TRY(search.each(setting, windowsOfDifferences(search))))
            all.push_back(window.loss);
        return all;
    };
    search.expect(2 * parts.size() * windowsOfDifferences(search));
    const auto here = TRY(losses(start.policy));
    std::vector<LossSlope> slopes;
    for (const ModelPart& part : parts) {
        search.tell();
        slopes.push_back(TRY(slopeAt(start.policy, search.architecture(), part, h, here, losses)));
    }
    return slopes;
}

using Vector = std::vector<double>;
double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }
void add(Vector& to, double factor, const Vector& what)
{
    for (std::size_t i = 0; i < to.size(); ++i)
        to[i] += factor * what[i];
}

/// What the gradients so far say of the curvature: pairs of a step s and the change y of the gradient along it.
class Curvature {
public:
    void add(Vector s, Vector y)
    {
        if (dot(s, y) > 0)
            m_pairs.push_back({std::move(s), std::move(y)});
    }

    /// -H g, with H the inverse of the Hessian by all pairs; before there is one, as far as `blind` in the steepest
    /// part.
    Vector step(const Vector& gradient) const
    {
        Vector step = gradient, along(m_pairs.size());
        for (std::size_t i = m_pairs.size(); i-- > 0;) {
            along[i] = dot(m_pairs[i].s, step) / dot(m_pairs[i].s, m_pairs[i].y);
            attnscope::add(step, -along[i], m_pairs[i].y);
        }
        double largest = 0;
        for (const double g : gradient)
            largest = std::max(largest, std::abs(g));
        const double scale = m_pairs.empty()
                                 ? blind / largest
                                 : dot(m_pairs.back().s, m_pairs.back().y) / dot(m_pairs.back().y, m_pairs.back().y);
        std::ranges::transform(step, step.begin(), [&](double x) { return x * scale; });
        for (std::size_t i = 0; i < m_pairs.size(); ++i)
            attnscope::add(step, along[i] - dot(m_pairs[i].y, step) / dot(m_pairs[i].s, m_pairs[i].y), m_pairs[i].s);
        std::ranges::transform(step, step.begin(), std::negate());
        return step;
    }

private:
    struct Pair {
        Vector s, y;
    };
    std::vector<Pair> m_pairs;
};

Vector gradientOf(const std::vector<LossSlope>& slopes)
{
    Vector gradient;
    for (const LossSlope& slope : slopes)
        gradient.push_back(slope.gradient.mean);
    return gradient;
}

/// Newton's step of ln m on the diagonal; a fixed one where the loss is not convex.
Vector newtonStep(const std::vector<LossSlope>& slopes)
{
    Vector step;
    for (const LossSlope& slope : slopes)
        step.push_back(slope.curvature > 0 ? -slope.gradient.mean / slope.curvature
                                           : std::copysign(blind, -slope.gradient.mean));
    return step;
}

/// ln m of every part, on top of what all have.
Vector logFactors(const Setting& setting, const std::vector<ModelPart>& parts)
{
    Vector all;
    for (const ModelPart& part : parts)
        all.push_back(setting.policy.factors.empty()
                          ? 0
                          : std::log(setting.policy.factors[static_cast<std::size_t>(part.layer)]
                                                           [static_cast<std::size_t>(std::max(0, part.head))]));
    return all;
}

/// The gradients of the parts where the search stands, and how they come.
class Slopes {
public:
    Slopes(Search& search, const std::vector<ModelPart>& parts) : m_search(search), m_parts(parts) {}

    Result<std::vector<LossSlope>> at(const Setting& setting)
    {
        if (m_by.empty() || passesBack()) {
            Result<std::vector<LossSlope>> slopes = passedBack(m_search, setting, m_parts);
            m_by = slopes ? HeadGradients::backwardPass : differencesBecause(slopes.error().message);
            if (slopes || slopes.error().kind != ErrorKind::Unavailable)
                return slopes;
        }
        return slopesByDifferences(m_search, setting, m_parts);
    }
    bool passesBack() const { return m_by == HeadGradients::backwardPass; }
    const std::string& by() const { return m_by; }

private:
    Search& m_search;
    const std::vector<ModelPart>& m_parts;
    std::string m_by;
};

void report(const std::vector<ModelPart>& parts, const std::vector<LossSlope>& slopes, const std::string& by,
            TuneReport& report)
{
    report.gradientsBy = by;
    for (std::size_t i = 0; i < parts.size(); ++i)
        report.heads.push_back({.layer = parts[i].layer,
                                .head = parts[i].head,
                                .gradient = slopes[i].gradient.mean,
                                .error = slopes[i].gradient.standardError});
}

}  // namespace

Result<void> gradientsOf(Search& search, const Setting& start, bool byLayer, TuneReport& to)
{
    const std::vector<ModelPart> parts = partsOfModel(search.architecture(), byLayer);
    search.say("gradients");
    Slopes slopes(search, parts);
    const auto here = TRY(slopes.at(start));
    report(parts, here, slopes.by(), to);
    return {};
}

Result<Setting> searchFactors(Search& search, const Setting& start, bool byLayer, TuneReport& to)
{
    const std::vector<ModelPart> parts = partsOfModel(search.architecture(), byLayer);
    Setting best = start;
    Slopes slopes(search, parts);
    Curvature curvature;
    Vector before;  // the gradient where the last step began
    Vector step;
    for (int round = 0; round < (slopes.passesBack() ? 4 : 2); ++round) {
        search.say(byLayer ? "layers" : "heads");
        const auto here = TRY(slopes.at(best));
        const Vector gradient = gradientOf(here);
        if (round == 0)
            report(parts, here, slopes.by(), to);
        else if (slopes.passesBack()) {
            Vector change = gradient;
            add(change, -1, before);
            curvature.add(step, std::move(change));
        }
        Vector wanted = slopes.passesBack() ? curvature.step(gradient) : newtonStep(here);
        for (std::size_t i = 0; i < parts.size(); ++i)
            wanted[i] = here[i].isTold() ? std::clamp(wanted[i], -longest, longest) : 0;
        if (!(dot(wanted, gradient) < 0))
            break;
        const auto along = [&](double share) {
            Setting setting = best;
            for (std::size_t i = 0; i < parts.size(); ++i)
                if (wanted[i] != 0)
                    setting.policy =
                        movedBy(std::move(setting.policy), search.architecture(), parts[i], share * wanted[i]);
            return withRoundedFactors(std::move(setting));
        };
        const Setting found =
            TRY(search.along({.from = 0.5, .to = 1.5, .points = 3, .least = 0, .most = 3, .bits = 4}, along));
        if (!(TRY(search.loss(found, search.all())) < TRY(search.loss(best, search.all()))))
            break;
        step = logFactors(found, parts);
        add(step, -1, logFactors(best, parts));
        before = gradient;
        best = found;
    }
    return best;
}

}  // namespace attnscope
