#include "core/analysis/answer.h"

#include "core/analysis/analysis.h"
#include "core/base/measured_text.h"
#include "core/rows/measured_multiplier.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// What is compared has as many decimals: "4.90" beside "3.31". Three digits of the largest.
class Nats {
public:
    void add(double value)
    {
        if (std::isfinite(value))
            m_largest = std::max(m_largest, std::abs(value));
    }
    std::string operator()(double value) const
    {
        constexpr int digits = 3, least = 1, most = 6;
        const int decimals = m_largest > 0 ? digits - 1 - static_cast<int>(std::floor(std::log10(m_largest))) : 2;
        return formatInColumn({value, 0, digits}, std::clamp(decimals, least, most));
    }

private:
    double m_largest = 0;
};

struct Named {
    std::string label;
    bool vanilla = false;
    ComparedMethod numbers;
    double off() const { return std::abs(numbers.entropy - numbers.atTrained); }
};

/// Those with an entropy: the nearest to H(N), Vanilla, the farthest; as ticked where H(N) is not known.
std::vector<Named> toName(const Analysis& analysis)
{
    std::vector<Named> all;
    for (std::size_t m = 0; m < analysis.methods.size(); ++m) {
        const MethodAnalysis& method = analysis.methods[m];
        const ComparedMethod numbers = comparedMethod(analysis, m);
        if (method.absent.empty() && std::isfinite(numbers.entropy))
            all.push_back({method.label, isVanilla(method.method), numbers});
    }
    constexpr std::size_t most = 3;
    if (!all.empty() && std::isfinite(all.front().numbers.atTrained)) {
        std::ranges::stable_sort(all, {}, &Named::off);
        if (const auto vanilla = std::ranges::find_if(all, &Named::vanilla);
            vanilla != all.end() && vanilla > all.begin() + 1)
            std::rotate(all.begin() + 1, vanilla, vanilla + 1);
        if (all.size() > most)
            std::rotate(all.begin() + most - 1, all.end() - 1, all.end());
    }
    if (all.size() > most)
        all.resize(most);
    return all;
}

/// Several methods, and every one has the same entropy as far as it is said.
bool areAlike(const Analysis& analysis)
{
    if (analysis.methods.size() < 2)
        return false;
    Nats nats;
    for (std::size_t m = 0; m < analysis.methods.size(); ++m)
        nats.add(comparedMethod(analysis, m).entropy);
    const std::string first = nats(comparedMethod(analysis, 0).entropy);
    for (std::size_t m = 0; m < analysis.methods.size(); ++m)
        if (!analysis.methods[m].absent.empty() || nats(comparedMethod(analysis, m).entropy) != first)
            return false;
    return true;
}

std::string multiplierInWords(const Analysis& analysis, double keeps)
{
    if (std::isfinite(keeps)) {
        const std::int64_t most = rowsToSolveOn(analysis.scenario.n);
        const bool ofSome = analysis.queryCount > 0 && most > 0 && analysis.methods.front().counted.count() > most;
        return ofSome ? fmt::format("; a multiplier near m = {}, solved on {} rows, would keep them",
                                    formatNumber(keeps, 4), most)
                      : "; a multiplier m = " + formatNumber(keeps, 4) + " would keep them exactly";
    }
    const bool comes = analysis.theoryComes || !analysis.scenario.view.table;
    return analysis.queryCount > 0 && !comes ? "; no multiplier keeps them exactly" : "";
}

}  // namespace

ComparedMethod comparedMethod(const Analysis& analysis, std::size_t which)
{
    const MethodAnalysis& method = analysis.methods[which];
    const auto& expected = method.expected;
    return {.entropy = expected                  ? expected->entropy
                       : analysis.queryCount > 0 ? method.entropy.mean
                                                 : none,
            .atTrained = expected ? expected->entropyAtTrained : method.entropyAtTrained.value_or(none),
            .multiplier = !method.scale.empty() ? double(method.scale.back())
                          : expected            ? expected->multiplier / analysis.scenario.temperature
                                                : none,
            .keeps = (analysis.queryCount > 0 ? method.keepsEntropy : analysis.theoryKeepsEntropy).value_or(none)};
}

bool areAlikeAtTrained(const Analysis& analysis)
{
    return static_cast<double>(analysis.scenario.n) == analysis.scenario.nTrain && areAlike(analysis);
}

std::string answerInWords(const Analysis& analysis)
{
    const std::vector<Named> named = toName(analysis);
    if (named.empty())
        return analysis.theoryLacks.empty() ? std::string()
                                            : "Theory knows no exact entropy here (" + analysis.theoryLacks +
                                                  "); another source has rows to measure";
    const double n = static_cast<double>(analysis.scenario.n), trained = analysis.scenario.nTrain;
    const Named& first = named.front();
    const double kept = first.numbers.atTrained;
    Nats nats;
    nats.add(kept);
    for (const Named& one : named)
        nats.add(one.numbers.entropy);
    const std::string whole = nats(kept), has = nats(first.numbers.entropy), at = "N = " + lengthInWords(trained);
    const bool compares = std::isfinite(kept) && n != trained;
    if (areAlikeAtTrained(analysis))
        return "At n = " + at + " all have " + has + " nats: the methods differ at other n";
    std::string words = "At n = " + (n == trained ? at : lengthInWords(n)) + " " + first.label;
    // Less than half is not kept.
    const bool keeps = compares && (whole == has || (first.numbers.entropy < kept && first.numbers.entropy > kept / 2));
    if (!compares)
        words += " has " + has + " nats";
    else if (whole == has)
        words += " keeps the " + whole + " nats of " + at;
    else if (keeps)
        words += " keeps " + has + " of the " + whole + " nats of " + at;
    else
        words += " has " + has + " nats where " + at + " had " + whole;
    for (std::size_t i = 1; i < named.size(); ++i)
        words += ", " + named[i].label + (i == 1 && keeps ? " has " : " ") + nats(named[i].numbers.entropy);
    return compares ? words + multiplierInWords(analysis, first.numbers.keeps) : words;
}

}  // namespace attnscope
