#include "core/tuning/scale_rule.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attnscope {

namespace {

double kappaOfRatio(double m, double n, double nTrain) { return (m - 1) / std::log(n / nTrain); }
double ratioRule(double kappa, double keys, double nTrain)
{
    return 1 + kappa * std::log(std::max(keys / nTrain, 1.0));
}
double kappaOfLog(double m, double n, double) { return m / std::log(n); }
double logRule(double kappa, double keys, double) { return kappa * std::log(keys); }

}  // namespace

// clang-format off
std::span<const ScaleRule> scaleRules()
{
    static const std::vector<ScaleRule> rules{
        {{"constant", "constant", "m", "", "One multiplier at every length: what most programs that run models can be told.", {}, {}, {}, {}},
         false, false, [](double m, double, double) { return m; }, [](double m, double, double) { return m; }, nullptr,
         [](const std::string& m) { return m; }},
        {{"log_ratio", "1 + κ ln(n/N)", "1 + κ ln max(n/N, 1)", "", "Grows with the length of the sequence beyond N, and changes nothing up to it.", {}, {}, {}, {}},
         false, true, kappaOfRatio, ratioRule, nullptr,
         [](const std::string& kappa) { return "1+(" + kappa + ")*log(max(n/N,1))"; }},
        {{"log", "κ ln n", "κ ln n", "", "Grows with the length of the sequence at all lengths.", {}, {}, {}, {}}, false, false, kappaOfLog, logRule, nullptr,
         [](const std::string& kappa) { return "(" + kappa + ")*log(n)"; }},
        {{"row_log_ratio", "1 + κ ln(k/N), each row", "1 + κ ln max(k/N, 1)", "", "Each row has the multiplier of the keys that it sees: those that see no more than N stay as they are.", {}, {}, {}, {}},
         true, true, kappaOfRatio, ratioRule,
         [](double kappa) { return Choice{"custom", {{"row", 1}}, "1+(" + formatNumber(kappa) + ")*log(max(n/N,1))"}; }},
        {{"row_log", "κ ln k, each row", "κ ln k", "", "Each row has the multiplier of the keys that it sees, as Scalable Softmax has it.", {}, {}, {}, {}},
         true, false, kappaOfLog, logRule, [](double kappa) { return Choice{"ssmax", {{"s", kappa}}, {}}; }},
    };
    return rules;
}
// clang-format on

}  // namespace attnscope
