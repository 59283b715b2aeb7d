#include "core/analysis/head_numbers.h"

#include "core/analysis/length_statistics.h"
#include "core/attention/engines.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Result<HeadNumbers> numbersOfHead(const HeadSet& heads, int index, const HeadNumbersRequest& request,
                                  std::stop_token stop)
{
    TRY(checkLength(heads, request.n));
    const AttentionHead head = TRY(prepareHead(heads, index, request.attention));
    const LengthRequest lengths{.attention = request.attention,
                                .methods = {request.method},
                                .lengths = headLengths(request.n),
                                .nTrain = request.nTrain,
                                .temperature = request.temperature,
                                .engine = request.engine};
    const auto statistics = TRY(lengthStatistics(head, sizeOfHeads(heads), lengths, stop));
    HeadNumbers numbers = numbersOf(statistics);
    const Choice& normaliser = request.attention.normaliser;
    numbers.ran = whatRuns(request.engine, head, normaliser).note;
    if (!numbers.absent.empty() || double(request.n) < request.nTrain)
        return numbers;
    const Engine* engine = TRY(chooseEngine(request.engine));
    const auto solve = measuredMultiplier(head, normaliser, request.nTrain, request.temperature, *engine, stop,
                                          rowsToSolveOn(request.n));
    numbers.keepsEntropy = TRY(ifDefined(solve(double(request.n))));
    return numbers;
}

}  // namespace

std::vector<std::int64_t> headLengths(std::int64_t n)
{
    std::vector<std::int64_t> lengths;
    for (std::int64_t length = n; length >= 8 || length == n; length /= 2) {
        lengths.insert(lengths.begin(), length);
        if (length < 16)
            break;
    }
    return lengths;
}

HeadNumbers numbersOf(std::span<const LengthStatistics> atLengths)
{
    HeadNumbers numbers;
    const LengthStatistics& whole = atLengths.back();
    std::vector<double> x, y;
    for (const LengthStatistics& at : atLengths) {
        const SampleMean entropy = entropyMean(at.rows);
        if (entropy.count == 0)
            continue;
        const double n = static_cast<double>(at.n);
        numbers.curve.push_back({n, entropy.mean, entropy.standardError.value_or(0)});
        if (at.n >= whole.n / 16) {
            x.push_back(std::log(n));
            y.push_back(entropy.mean);
        }
    }
    numbers.absent = whole.absent;
    if (!whole.absent.empty())
        return numbers;
    if (x.size() >= 2)
        numbers.slope = slopeOf(x, y);
    const auto meanOf = [&](const char* measure) {
        return finiteMean(whole.rows, *bindMeasure({measure, {}, {}})).mean;
    };
    numbers.entropy = meanOf("shannon");
    numbers.effectiveTokens = meanOf("effective_tokens");
    numbers.maxWeight = meanOf("max_weight");
    numbers.sinkMass = meanOf("sink_mass");
    numbers.meanDistance = meanOf("mean_distance");
    const double uniform =
        meanOverRows(whole.rows, [](const RowSummary& row) {
            return row.visible > 0 && row.mass > 0 ? std::optional(std::log(double(row.visible))) : std::nullopt;
        }).mean;
    numbers.share = uniform > 0 ? numbers.entropy / uniform : 0;
    return numbers;
}

std::span<const HeadMeasure> headMeasures()
{
    static constexpr HeadMeasure all[] = {
        {"entropy", "entropy", "Mean entropy", "Mean entropy (nats)", "Mean entropy of the rows that count", "%1 nats",
         [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.entropy) : std::nullopt; }},
        {"share", "share", "Entropy over ln n", "Mean entropy over mean $\\ln$ of the keys seen",
         "1: uniform over all keys that a row sees; 0: one key alone", "%1 of ln n",
         [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.share) : std::nullopt; }},
        {.id = "keeps",
         .column = "keeps_entropy",
         .label = "Multiplier for H(N)",
         .title = "Multiplier $m$ that keeps the entropy of $N$",
         .about = "Measured: the m for which the mean row entropy of n tokens is that of the first N",
         .unit = "m = %1",
         .value = [](const HeadNumbers& head) { return head.keepsEntropy; },
         .solved = true},
        {.id = "slope",
         .column = "slope",
         .label = "Slope of H over ln n",
         .title = "Slope of the mean entropy over $\\ln n$",
         .about = "A straight line through the mean entropies at several lengths: 1 for uniform rows, 0 for rows that "
                  "do not disperse",
         .unit = "%1 nats per e-fold of n",
         .value = [](const HeadNumbers& head) { return head.slope; },
         .lengths = 2},
    };
    return all;
}

const HeadMeasure& headMeasure(std::string_view id)
{
    const auto all = headMeasures();
    const auto found = std::ranges::find_if(all, [&](const HeadMeasure& one) { return id == one.id; });
    return found == all.end() ? all.front() : *found;
}

Result<std::vector<HeadNumbers>> headNumbers(const HeadSet& heads, const HeadNumbersRequest& request,
                                             std::stop_token stop)
{
    std::vector<HeadNumbers> all;
    for (int head = 0; head < heads.headCount(); ++head)
        all.push_back(TRY(numbersOfHead(heads, head, request, stop)));
    return all;
}

}  // namespace attnscope
