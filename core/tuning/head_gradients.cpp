#include "core/tuning/head_gradients.h"

#include "core/statistics/samples.h"

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

Result<HeadGradients> headGradients(const Model& model, std::span<const int> ids, const GradientRequest& request,
                                    const std::stop_token& stop,
                                    const std::function<void(const HeadGradients&, double)>& found)
{
    constexpr double h = 0.05;  // of ln m: losses differ by enough to stand above float32's rounding
    const Architecture& architecture = model.architecture;
    if (model.head.outputs() == 0)
        return failure(ErrorKind::Unavailable,
                       model.folder + " has no head that says tokens, so there is no loss to judge by");
    std::vector<Window> windows;
    std::vector<std::int64_t> starts = request.starts;
    if (starts.empty())
        starts = TRY(spreadWindows(architecture, ids, request.n, request.windows));
    for (const std::int64_t start : starts)
        windows.push_back(TRY(windowOf(architecture, ids, start, request.n)));
    const Policy own = TRY(withMeasuredHeads(model, request.policy, ids, request.n,
                                             {.last = request.last, .engine = request.engine, .stop = stop}));
    const LossesUnder losses = [&](const Policy& policy) -> Result<std::vector<double>> {
        std::vector<double> all;
        for (const Window& window : windows) {
            const WindowResult result = TRY(runWindow(model, window,
                                                      {.policy = policy,
                                                       .pictures = {},
                                                       .last = request.last,
                                                       .engine = request.engine,
                                                       .observe = {},
                                                       .progress = {},
                                                       .stop = stop}));
            all.push_back(meanOf(result.predictions).loss);
        }
        return all;
    };
    const auto here = TRY(losses(own));
    HeadGradients gradients(static_cast<std::size_t>(architecture.layers),
                            std::vector<std::optional<SampleMean>>(static_cast<std::size_t>(architecture.heads)));
    const std::vector<ModelPart> parts = partsOfModel(architecture, false);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const LossSlope slope = TRY(slopeAt(own, architecture, parts[i], h, here, losses));
        gradients[static_cast<std::size_t>(parts[i].layer)][static_cast<std::size_t>(parts[i].head)] = slope.gradient;
        if (found)
            found(gradients, static_cast<double>(i + 1) / static_cast<double>(parts.size()));
    }
    return gradients;
}

}  // namespace attnscope
