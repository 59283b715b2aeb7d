#include "core/tuning/setting.h"

#include "core/base/fingerprint.h"
#include "core/base/measured_text.h"
#include "core/base/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

const ScaleRule& ruleOf(const Setting& setting) { return **findRow(scaleRules(), setting.rule, "rule"); }

}  // namespace

Setting untuned(double trainLength, const std::optional<Choice>& position)
{
    Setting setting;
    setting.policy.trainLength = trainLength;
    setting.policy.position = position;
    return setting;
}

ScaleContext TunedAt::fullestRow(int headSize) const
{
    ScaleContext row = lastRowOf(static_cast<double>(n), trainLength, headSize);
    row.rowKeys = static_cast<double>(mostKeys());
    return row;
}

TunedAt tunedAt(const Architecture& architecture, std::int64_t n, double trainLength)
{
    return {n, trainLength, mostKeysSeen(architecture, n)};
}

bool hasOwnTemperature(const Architecture& architecture)
{
    return std::ranges::any_of(architecture.specs, [](const LayerSpec& spec) { return !isVanilla(spec.method); });
}

double kappaOf(const Setting& setting, const TunedAt& at)
{
    const ScaleRule& rule = ruleOf(setting);
    return rule.kappa(setting.multiplier, static_cast<double>(rule.byRow ? at.mostKeys() : at.n), at.trainLength);
}

Policy policyAt(const Setting& setting, const TunedAt& at, std::int64_t length)
{
    Policy policy = setting.policy;
    if (setting.multiplier == 1 && setting.rule == "constant")
        return policy;
    const ScaleRule& rule = ruleOf(setting);
    const double kappa = kappaOf(setting, at);
    if (rule.method)
        policy.method = rule.method(kappa);
    else if (length == at.n)
        policy.temperature /= setting.multiplier;
    else
        policy.temperature /= rule.multiplier(kappa, static_cast<double>(length), at.trainLength);
    return policy;
}

std::optional<double> multiplierAt(const Setting& setting, const TunedAt& at, int headSize)
{
    if (isMeasured(setting.policy.method) || !setting.policy.factors.empty())
        return {};
    const auto scale = bindScale(setting.policy.method);
    const auto own = scale.and_then([&](const auto& m) { return m(at.fullestRow(headSize)); });
    return own ? std::optional(*own * setting.multiplier) : std::nullopt;
}

Result<Choice> methodOf(const Setting& setting, const TunedAt& at, const Architecture& architecture)
{
    if (!setting.policy.factors.empty())
        return failure(ErrorKind::Unavailable,
                       "a factor a head is no scale method: --head-factors and PyTorch take it");
    if (setting.multiplier == 1 && setting.rule == "constant")
        return setting.policy.method;
    if (!isVanilla(setting.policy.method))
        return failure(ErrorKind::Unavailable, "a multiplier on top of {} is no scale method of its own",
                       formatChoice(setting.policy.method));
    const ScaleRule& rule = ruleOf(setting);
    const double kappa = kappaOf(setting, at);
    if (!rule.method && hasOwnTemperature(architecture))
        return failure(ErrorKind::Unavailable, "a multiplier on top of the model's own temperature, which grows with "
                                               "the place, is no scale method of its own");
    return rule.method ? rule.method(kappa) : Choice{"custom", {}, rule.expression(formatNumber(kappa))};
}

namespace {

/// "0.61 to 1.1"
std::string rangeOf(const std::vector<std::vector<double>>& factors)
{
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const std::vector<double>& layer : factors)
        for (const double factor : layer) {
            least = std::min(least, factor);
            most = std::max(most, factor);
        }
    return formatNumber(least, 4) + " to " + formatNumber(most, 4);
}

}  // namespace

std::string describe(const Setting& setting, const TunedAt& at)
{
    std::vector<std::string> parts;
    if (setting.multiplier != 1 || setting.rule != "constant") {
        const ScaleRule& rule = ruleOf(setting);
        parts.push_back(
            setting.rule == "constant"
                ? "m = " + formatNumber(setting.multiplier, 4)
                : "m = " + rule.label + " with κ = " + formatNumber(kappaOf(setting, at), 4) + " (" +
                      formatNumber(setting.multiplier, 4) +
                      (rule.byRow && at.mostKeys() < at.n
                           ? fmt::format(" where a row sees most, {} keys)", lengthInWords(double(at.mostKeys())))
                           : " at n)"));
    }
    if (!isVanilla(setting.policy.method))
        parts.push_back(formatChoice(setting.policy.method));
    if (setting.policy.position)
        parts.push_back(formatChoice(*setting.policy.position));
    if (!setting.policy.factors.empty())
        parts.push_back((parts.empty() ? "a factor a head, " : "times a factor a head, ") +
                        rangeOf(setting.policy.factors));
    return parts.empty() ? "the model as it is" : joined(parts, ", ");
}

std::string keyOf(const Policy& policy)
{
    std::string key = formatChoice(policy.method) + ' ' + formatNumber(policy.temperature);
    if (policy.position)
        key += ' ' + formatChoice(*policy.position);
    if (!policy.factors.empty()) {
        std::uint64_t factors = fingerprintOfNothing;
        for (const std::vector<double>& layer : policy.factors)
            factors = fingerprint(std::as_bytes(std::span(layer)), factors);
        key += fmt::format(" factors {}", factors);
    }
    return key;
}

double rounded(double value)
{
    if (value == 0 || !std::isfinite(value))
        return value;
    const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - 3);
    // through a text: 1.3 and not 1.3000000000000003
    return numberFrom<double>(formatNumber(std::round(value / unit) * unit, 4)).value_or(value);
}

}  // namespace attnscope
