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
    const Choice& normaliser = request.attention.normaliser;
    const Engine* engine = TRY(chooseEngine(request.engine));
    const auto solver = [&](std::int64_t mostRows) {
        return measuredMultiplier(head, normaliser, request.nTrain, request.temperature, *engine, stop, mostRows,
                                  request.rows);
    };
    const LengthRequest lengths{.attention = request.attention,
                                .methods = {request.method},
                                .lengths = headLengths(request.n),
                                .nTrain = request.nTrain,
                                .temperature = request.temperature,
                                .engine = request.engine,
                                .measured = solver(0)};
    const auto statistics = TRY(lengthStatistics(head, sizeOfHeads(heads), lengths, stop));
    HeadNumbers numbers = TRY(numbersOf(head, normaliser, request.rows, statistics, heads.tokens));
    numbers.ran = whatRuns(request.engine, head, normaliser).note;
    if (numbers.absent.empty() && static_cast<double>(request.n) < request.nTrain) {
        numbers.notKept = belowTrainLength;
    } else if (numbers.absent.empty()) {
        const Result<double> keeps = solver(rowsToSolveOn(request.n))(double(request.n));
        numbers.keepsEntropy = TRY(ifDefined(keeps));
        if (!keeps)
            numbers.notKept = keeps.error().message;
    }
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

Result<HeadNumbers> numbersOf(const AttentionHead& head, const Choice& normaliser, const RowSet& rows,
                              std::span<const LengthStatistics> atLengths, std::span<const std::string> tokens)
{
    const auto counted = [&](const LengthStatistics& at) {
        const RowSpan span = rowsOf(head, rows, at.n);
        return std::span(at.rows).subspan(static_cast<std::size_t>(span.first), static_cast<std::size_t>(span.count()));
    };
    HeadNumbers numbers;
    const LengthStatistics& whole = atLengths.back();
    std::vector<double> x, y;
    for (const LengthStatistics& at : atLengths) {
        const RowMean entropy = at.rows.empty() ? RowMean{} : entropyMean(counted(at));
        if (entropy.count == 0)
            continue;
        const double n = static_cast<double>(at.n);
        numbers.curve.push_back(pointOf(n, entropy));
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
    const std::span<const RowSummary> wholeRows = counted(whole);
    const auto meanOf = [&](const char* measure) {
        return finiteMean(wholeRows, *bindMeasure({measure, {}, {}})).mean;
    };
    numbers.entropy = meanOf("shannon");
    numbers.maxWeight = meanOf("max_weight");
    numbers.meanDistance = meanOf("mean_distance");
    const double uniform =
        meanOverRows(wholeRows, [](const RowSummary& row) {
            return row.visible > 0 && row.mass > 0 ? std::optional(std::log(double(row.visible))) : std::nullopt;
        }).mean;
    numbers.share = uniform > 0 ? numbers.entropy / uniform : 0;
    const AttentionHead first = firstTokens(head, whole.n, std::ssize(whole.rows));
    const std::vector<int> ids = idsOfLabels(tokens.first(std::min(tokens.size(), static_cast<std::size_t>(whole.n))));
    const std::int64_t firstRow = rowsOf(head, rows, whole.n).first;
    numbers.roles = TRY(rolesOf(first, normaliser, wholeRows,
                                std::span(whole.scale).subspan(static_cast<std::size_t>(firstRow)), firstRow, ids));
    return numbers;
}

namespace {

template <HeadRole role>
std::optional<double> roleOf(const HeadNumbers& head)
{
    return head.absent.empty() && std::isfinite(head.roles[role]) ? std::optional(head.roles[role]) : std::nullopt;
}

}  // namespace

std::span<const HeadMeasure> modelHeadMeasures()
{
    static constexpr HeadMeasure all[] = {
        {.id = "entropy",
         .column = "entropy",
         .label = "Mean entropy",
         .heading = "Entropy H",
         .title = "Mean entropy (nats)",
         .about = "Mean entropy of the rows that count",
         .unit = "%1 nats",
         .value =
             [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.entropy) : std::nullopt; }},
        {.id = "share",
         .column = "share",
         .label = "Entropy over ln n",
         .heading = "H / ln n",
         .title = "Mean entropy over mean $\\ln$ of the keys seen",
         .about = "1: uniform over all keys that a row sees; 0: one key alone",
         .unit = "%1 of ln n",
         .value =
             [](const HeadNumbers& head) { return head.absent.empty() ? std::optional(head.share) : std::nullopt; }},
        {.id = "keeps",
         .column = "keeps_entropy",
         .label = "Multiplier for H(N)",
         .heading = "m for H(N)",
         .title = "Multiplier $m$ that keeps the entropy of $N$",
         .about =
             "Measured: the m for which the mean row entropy of n tokens is that of the first N (above 2 048 tokens "
             "from 512 rows). The farther from 1, the more its entropy moves; a dash: none does",
         .unit = "m = %1",
         .value = [](const HeadNumbers& head) { return head.keepsEntropy; },
         .solved = true,
         .telling = [](double m) { return std::abs(std::log(m)); }},
        {.id = "slope",
         .column = "slope",
         .label = "Slope of H over ln n",
         .heading = "Slope",
         .title = "Slope of the mean entropy over $\\ln n$",
         .about = "A straight line through the mean entropies at several lengths: 1 for uniform rows, 0 for rows that "
                  "do not disperse",
         .unit = "%1 nats per e-fold of n",
         .value = [](const HeadNumbers& head) { return head.slope; },
         .lengths = 2,
         .hasSign = true,
         .telling = [](double slope) { return std::abs(slope); }},
        {.id = "first",
         .column = "first",
         .label = "Weight on the first token",
         .heading = "First",
         .title = "Mean weight on the first token",
         .about = "Of each row's weight, what the first key has",
         .unit = "%1 on the first token",
         .value = roleOf<HeadRole::First>,
         .role = true},
        {.id = "sinks",
         .column = "sinks",
         .label = "Weight on the sinks",
         .heading = "Sinks",
         .title = "Mean weight on the first four tokens",
         .about = "Attention sinks: of each row's weight, what the first four keys have together (Xiao et al. 2023)",
         .unit = "%1 on the first four tokens",
         .value = roleOf<HeadRole::Sinks>,
         .role = true},
        {.id = "previous",
         .column = "previous",
         .label = "Weight on the previous token",
         .heading = "Previous",
         .title = "Mean weight on the previous token",
         .about = "1: a previous-token head (Voita et al. 2019)",
         .unit = "%1 on the previous token",
         .value = roleOf<HeadRole::Previous>,
         .role = true},
        {.id = "itself",
         .column = "itself",
         .label = "Weight on itself",
         .heading = "Itself",
         .title = "Mean weight on the query's own token",
         .about = "Of each row's weight, what the key of the query's own token has",
         .unit = "%1 on itself",
         .value = roleOf<HeadRole::Itself>,
         .role = true},
        {.id = "near",
         .column = "near",
         .label = "Weight fewer than 8 tokens away (local)",
         .heading = "Near",
         .title = "Mean weight on tokens fewer than 8 away",
         .about =
             "Locality: of each row's weight, what the keys fewer than 8 tokens away have together, itself among them",
         .unit = "%1 fewer than 8 tokens away",
         .value = roleOf<HeadRole::Near>,
         .role = true},
        {.id = "induction",
         .column = "induction",
         .label = "Weight on what followed this token (induction)",
         .heading = "Induction",
         .title = "Mean weight on the token after the last one like this",
         .about = "Induction: where a token came before, the weight on what stood after it then; over the rows whose "
                  "token did. Best seen on repeated tokens (Olsson et al. 2022)",
         .unit = "%1 on what followed this token",
         .value = roleOf<HeadRole::Induction>,
         .role = true},
        {.id = "reach",
         .column = "reach",
         .label = "Distance of the largest weight",
         .heading = "Reach",
         .title = "Mean distance of the largest weight (tokens)",
         .about = "How far from its query the key with the row's largest weight stands",
         .unit = "%1 tokens away",
         .value = roleOf<HeadRole::Reach>,
         .role = true},
        {.id = "spread",
         .column = "spread",
         .label = "Effective share of the keys",
         .heading = "e^H / n",
         .title = "$e^H$ over the keys seen",
         .about = "e^H, the keys that a row attends to as if evenly, over the keys that it sees: 1 for uniform rows; "
                  "the geometric mean over the rows",
         .unit = "%1 of the keys",
         .value = roleOf<HeadRole::Spread>,
         .role = true},
        {.id = "gap",
         .column = "gap",
         .label = "Gap of the logits",
         .heading = "Gap",
         .title = "Mean gap of the logits (nats)",
         .about =
             "Mean of max z - min z over the rows. Under softmax no weight of a row is above e^gap over the keys that "
             "it sees: with a gap far below ln n it cannot be sharp (Velickovic et al. 2024)",
         .unit = "%1 nats between the logits",
         .value = roleOf<HeadRole::Gap>,
         .role = true},
        {.id = "gradient",
         .column = "gradient",
         .label = "Gradient of the loss over ln m",
         .heading = "Gradient",
         .title = "Gradient of the loss over $\\ln m$ (nats)",
         .about = "How much the model's mean loss rises when the head's multiplier does, with all others held: below 0 "
                  "the head wants to be sharper. Over two windows, by the backward pass where the model's layers are "
                  "Llama's, as those of ours are; else by central differences, ln m moved by 0.05",
         .unit = "%1 nats",
         .value = [](const HeadNumbers& head) { return head.gradient; },
         .ofLosses = true,
         .hasSign = true},
    };
    return all;
}

std::span<const HeadMeasure> headMeasures()
{
    const auto all = modelHeadMeasures();
    const auto end = std::ranges::find_if(all, &HeadMeasure::ofLosses);
    return all.first(static_cast<std::size_t>(end - all.begin()));
}

const HeadMeasure& headMeasure(std::string_view id)
{
    const auto all = modelHeadMeasures();
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
