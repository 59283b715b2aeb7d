#pragma once
// Which heads want to be sharper: the gradient of a model's mean loss with respect to ln m of a head, or of all heads
// of a layer. By one pass back through the network where the tape has it (head_backward.h), else by central differences
// over common windows: with f(+), f(0), f(-) the losses of a window where ln m is moved by h, 0, -h and all else is
// held, gradient g = (f(+) - f(-)) / 2h, curvature c = (f(+) - 2 f(0) + f(-)) / h^2.

#include "core/model/study.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Whose multiplier is moved.
struct ModelPart {
    int layer = 0, head = -1;  ///< -1: all heads of the layer
};
std::vector<ModelPart> partsOfModel(const Architecture& architecture, bool byLayer);

/// ln m of the part moves by `by`.
Policy movedBy(Policy policy, const Architecture& architecture, const ModelPart& part, double by);

struct LossSlope {
    SampleMean gradient;  ///< nats; below 0: sharper is better
    double curvature = 0;
    /// Do the windows tell it from 0: does Student's interval of 95 % leave 0 out? One window cannot say.
    bool isTold() const;
};

/// Of each window, in order.
using LossesUnder = std::function<Result<std::vector<double>>(const Policy&)>;
/// `here`: the losses under the policy itself; `h`: by how much ln m is moved.
Result<LossSlope> slopeAt(const Policy& policy, const Architecture& architecture, const ModelPart& part, double h,
                          const std::vector<double>& here, const LossesUnder& losses);

struct GradientRequest {
    Policy policy;
    std::int64_t n = 0, last = 0;
    std::vector<std::int64_t> starts{};  ///< where windows begin; empty: `windows` of them, spread over the text
    int windows = 2;                     ///< at most; by differences every one runs twice for each head
    std::string engine = "auto";         ///< of the differences
    bool differences = false;            ///< in any case
    bool operator==(const GradientRequest&) const = default;
};
struct HeadGradients {
    std::vector<std::vector<std::optional<SampleMean>>> of = {};  ///< [layer][head]; empty: not yet
    /// "the backward pass", or "central differences: " and why the network could not be passed back through.
    std::string by = {};
    bool byDifferences() const { return by != backwardPass; }
    static constexpr const char* backwardPass = "the backward pass";
};
/// How gradients that were found by differences say so: with the reason, where there is one.
std::string differencesBecause(const std::string& why);

/// Of every head; `found` hears after each window, or by differences after each head, which fraction is done. Errors:
/// Cancelled, those of runWindow and of spreadWindows.
Result<HeadGradients> headGradients(const Model& model, std::span<const int> ids, const GradientRequest& request,
                                    const std::stop_token& stop,
                                    const std::function<void(const HeadGradients&, double)>& found = {});

}  // namespace attnscope
