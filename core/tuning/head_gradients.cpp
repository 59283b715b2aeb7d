#include "core/tuning/head_gradients.h"

#include "core/base/each.h"
#include "core/statistics/samples.h"
#include "core/tuning/head_backward.h"

#include <cmath>

namespace attnscope {

std::vector<ModelPart> partsOfModel(const Architecture& architecture, bool byLayer)
{
    std::vector<ModelPart> parts;
    for (int layer = 0; layer < architecture.layers; ++layer)
        for (int head = byLayer ? -1 : 0; head < (byLayer ? 0 : architecture.heads); ++head)
            parts.push_back({layer, head});
    return parts;
}

Policy movedBy(Policy policy, const Architecture& architecture, const ModelPart& part, double by)
{
    if (policy.factors.empty())
        policy.factors.assign(static_cast<std::size_t>(architecture.layers),
                              std::vector(static_cast<std::size_t>(architecture.heads), 1.0));
    std::vector<double>& layer = policy.factors[static_cast<std::size_t>(part.layer)];
    for (std::size_t head = 0; head < layer.size(); ++head)
        if (part.head < 0 || part.head == static_cast<int>(head))
            layer[head] *= std::exp(by);
    return policy;
}

bool LossSlope::isTold() const
{
    const std::optional<double> half = halfInterval(gradient);
    return half && std::abs(gradient.mean) > *half;
}

Result<LossSlope> slopeAt(const Policy& policy, const Architecture& architecture, const ModelPart& part, double h,
                          const std::vector<double>& here, const LossesUnder& losses)
{
    const auto more = TRY(losses(movedBy(policy, architecture, part, h))),
               less = TRY(losses(movedBy(policy, architecture, part, -h)));
    std::vector<double> gradients;
    LossSlope slope;
    for (std::size_t w = 0; w < here.size(); ++w) {
        gradients.push_back((more[w] - less[w]) / (2 * h));
        slope.curvature += (more[w] - 2 * here[w] + less[w]) / (h * h) / static_cast<double>(here.size());
    }
    slope.gradient = sampleMean(gradients);
    return slope;
}

namespace {

/// What all of it is made from.
struct Gradients {
    const Model& model;
    const GradientRequest& request;
    const std::stop_token& stop;
    const std::function<void(const HeadGradients&, double)>& found;
    Policy policy = {};  ///< with what a method has measured
    std::vector<Window> windows = {};

    HeadGradients none(std::string by) const
    {
        const auto heads = static_cast<std::size_t>(model.architecture.heads);
        return {.of = std::vector(static_cast<std::size_t>(model.architecture.layers),
                                  std::vector<std::optional<SampleMean>>(heads)),
                .by = std::move(by)};
    }
    void tell(const HeadGradients& gradients, std::size_t done, std::size_t all) const
    {
        if (found)
            found(gradients, static_cast<double>(done) / static_cast<double>(all));
    }

    /// Errors: Cancelled, those of HeadBackward.
    Result<HeadGradients> backward() const
    {
        const HeadBackward pass = TRY(headBackward(model));
        HeadGradients gradients = none(HeadGradients::backwardPass);
        std::vector<WindowSlopes> all;
        for (const Window& window : windows) {
            TRY(unlessStopped(stop));
            all.push_back(TRY(pass(policy, window, request.last)));
            for (std::size_t layer = 0; layer < gradients.of.size(); ++layer)
                for (std::size_t head = 0; head < gradients.of[layer].size(); ++head) {
                    const auto ofOne = [&](const WindowSlopes& one) { return one.gradients[layer][head]; };
                    gradients.of[layer][head] = sampleMean(each(all, ofOne));
                }
            tell(gradients, all.size(), windows.size());
        }
        return gradients;
    }

    Result<std::vector<double>> losses(const Policy& under) const
    {
        std::vector<double> all;
        for (const Window& window : windows) {
            const WindowResult result = TRY(runWindow(model, window,
                                                      {.policy = under,
                                                       .pictures = {},
                                                       .last = request.last,
                                                       .engine = request.engine,
                                                       .observe = {},
                                                       .progress = {},
                                                       .stop = stop}));
            all.push_back(meanOf(result.predictions).loss);
        }
        return all;
    }

    Result<HeadGradients> differences(const std::string& why) const
    {
        constexpr double h = 0.05;  // of ln m: losses differ by enough to stand above float32's rounding
        const LossesUnder under = [&](const Policy& moved) { return losses(moved); };
        const auto here = TRY(losses(policy));
        HeadGradients gradients = none(differencesBecause(why));
        const std::vector<ModelPart> parts = partsOfModel(model.architecture, false);
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const LossSlope slope = TRY(slopeAt(policy, model.architecture, parts[i], h, here, under));
            gradients.of[static_cast<std::size_t>(parts[i].layer)][static_cast<std::size_t>(parts[i].head)] =
                slope.gradient;
            tell(gradients, i + 1, parts.size());
        }
        return gradients;
    }
};

}  // namespace

std::string differencesBecause(const std::string& why)
{
    return why.empty() ? "central differences" : "central differences: " + why;
}

Result<HeadGradients> headGradients(const Model& model, std::span<const int> ids, const GradientRequest& request,
                                    const std::stop_token& stop,
                                    const std::function<void(const HeadGradients&, double)>& found)
{
    if (model.head.outputs() == 0)
        return failure(ErrorKind::Unavailable,
                       model.folder + " has no head that says tokens, so there is no loss to judge by");
    Gradients all{.model = model, .request = request, .stop = stop, .found = found};
    std::vector<std::int64_t> starts = request.starts;
    if (starts.empty())
        starts = TRY(spreadWindows(model.architecture, ids, request.n, request.windows));
    for (const std::int64_t start : starts)
        all.windows.push_back(TRY(windowOf(model.architecture, ids, start, request.n)));
    all.policy = TRY(withMeasuredHeads(model, request.policy, ids, request.n,
                                       {.last = request.last, .engine = request.engine, .stop = stop}));
    if (request.differences)
        return all.differences({});
    Result<HeadGradients> passed = all.backward();
    return passed || passed.error().kind != ErrorKind::Unavailable ? std::move(passed)
                                                                   : all.differences(passed.error().message);
}

}  // namespace attnscope
