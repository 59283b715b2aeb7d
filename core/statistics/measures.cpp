#include "core/statistics/measures.h"

#include "core/base/parameter.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Value = std::optional<double>;

/// Is there a p at all?
bool hasWeights(const RowSummary& row) { return row.visible > 0 && row.mass > 0; }

/// Wraps a function of p.
template <double (*of)(const RowSummary&, const Parameters&)>
Value ofWeights(const RowSummary& row, const Parameters& parameters)
{
    return hasWeights(row) ? Value(of(row, parameters)) : std::nullopt;
}

double logKeys(const RowSummary& row) { return std::log(static_cast<double>(row.visible)); }

/// -sum w ln w of the weights as they are, from the entropy of p = w / mass.
double shannon(const RowSummary& row, const Parameters& parameters)
{
    return parameters.on("raw") ? row.mass * (row.entropy - std::log(row.mass)) : row.entropy;
}

double effectiveTokens(const RowSummary& row, const Parameters&)
{
    return std::min(effectiveKeys(row.entropy), static_cast<double>(row.visible));
}

Value normalisedEntropy(const RowSummary& row, const Parameters&)
{
    return hasWeights(row) && row.visible > 1 ? Value(row.entropy / logKeys(row)) : std::nullopt;
}

/// sum p^order. The usual orders are in every summary, any other only if the engine was asked for it.
double powerSum(const RowSummary& row, double order)
{
    if (order == 0)
        return static_cast<double>(row.support);
    return order == 0.5 ? row.sumRoots : order == 2 ? row.sumSquares : row.sumPower;
}

bool isOne(double order) { return std::abs(order - 1) < 1e-9; }

double renyi(const RowSummary& row, const Parameters& parameters)
{
    const double a = parameters["a"];
    return isOne(a) ? row.entropy : std::log(powerSum(row, a)) / (1 - a);
}

double tsallis(const RowSummary& row, const Parameters& parameters)
{
    const double q = parameters["q"];
    return isOne(q) ? row.entropy : (1 - powerSum(row, q)) / (q - 1);
}

double largest(const RowSummary& row) { return static_cast<double>(row.top.front()); }

double minEntropy(const RowSummary& row, const Parameters&) { return -std::log(largest(row)); }
double collision(const RowSummary& row, const Parameters&) { return row.sumSquares; }
double gradient(const RowSummary& row, const Parameters&) { return 1 - row.sumSquares; }
double participation(const RowSummary& row, const Parameters&) { return 1 / row.sumSquares; }
double maxWeight(const RowSummary& row, const Parameters&) { return largest(row); }
double klUniform(const RowSummary& row, const Parameters&) { return std::max(0.0, logKeys(row) - row.entropy); }
double sinkMass(const RowSummary& row, const Parameters&) { return row.sinkMass; }
double meanDistance(const RowSummary& row, const Parameters&) { return row.meanDistance; }
double support(const RowSummary& row, const Parameters&) { return static_cast<double>(row.support); }

double topMass(const RowSummary& row, const Parameters& parameters)
{
    double sum = 0;
    for (size_t rank = 0; rank < static_cast<size_t>(parameters["k"]); ++rank)
        sum += static_cast<double>(row.top[rank]);
    return std::min(sum, 1.0);
}

double windowTopMass(const RowSummary& row, const Parameters&) { return row.windowMass; }

Value mass(const RowSummary& row, const Parameters&) { return row.visible > 0 ? Value(row.mass) : std::nullopt; }

/// max z - min z; 0 where all are equal, infinite ones too.
double gap(const RowSummary& row) { return row.logitMax == row.logitMin ? 0 : row.logitMax - row.logitMin; }

Value logitGap(const RowSummary& row, const Parameters&) { return row.visible > 0 ? Value(gap(row)) : std::nullopt; }

/// Adaptive temperature multiplies the logits, and so their gap, by its factor.
template <int sign>
Value lemma21(const RowSummary& row, const Parameters&)
{
    if (row.visible == 0)
        return std::nullopt;
    const double delta = gap(row) == 0 ? 0 : gap(row) * row.beta;
    return std::min(1.0, std::exp(sign * delta) / static_cast<double>(row.visible));
}

}  // namespace

// clang-format off
std::span<const Measure> measures()
{
    static const std::vector<Measure> rows{
        {{"shannon", "Shannon entropy", "H = −Σ p ln p", "Shannon 1948",
          "How spread out the row is: 0 for a single key, ln n when all n keys get the same.",
          {toggle("raw", "not renormalised", false, "Where weights do not sum to 1 (sigmoid, softpick, a sink): on takes −Σ w ln w of the weights as they are, off renormalises them first.")}, {}, {}, {}},
         "nats", ofWeights<shannon>},
        {{"effective_tokens", "Effective tokens", "e^H", "perplexity of the row",
          "The number of keys that a uniform row of the same entropy would have: how many tokens this row attends to. Of several rows e to their mean entropy, the geometric mean.", {}, {}, {}, {}},
         "tokens", ofWeights<effectiveTokens>, nullptr, true},
        {{"normalised_entropy", "Normalised entropy", "H / ln n", "Pielou 1966, evenness",
          "Entropy as a share of the most that n keys allow, 1 for a uniform row. A row of one key has none.", {}, {}, {}, {}},
         "", normalisedEntropy},
        {{"renyi", "Rényi entropy", "H_{a} = ln Σ p^{a} / (1 − {a})", "Rényi 1961",
          "Entropy that weighs large p more (a > 1) or counts faint ones more (a < 1). It falls as a grows; a = 1 is Shannon's.",
          {real("a", "a", 2, 0, 10, "The order: 0 counts keys with any weight, 1/2 is kind to faint keys, 2 is −ln of the collision; for a → ∞ see min-entropy.")},
          {{"Hartley (a = 0)", "renyi:a=0", "Hartley 1928"}, {"a = 1/2", "renyi:a=0.5", "Rényi 1961"}, {"collision entropy (a = 2)", "renyi", "Rényi 1961"}}, {}, {}},
         "nats", ofWeights<renyi>, [](const Parameters& parameters) { return SummaryExtras{.order = parameters["a"]}; }},
        {{"min_entropy", "Min-entropy", "H_∞ = −ln max p", "Rényi 1961, order ∞",
          "The entropy that only looks at the heaviest key: never more than any other Rényi entropy.", {}, {}, {}, {}},
         "nats", ofWeights<minEntropy>},
        {{"tsallis", "Tsallis entropy", "S_{q} = (1 − Σ p^{q}) / ({q} − 1)", "Tsallis 1988",
          "Shannon's entropy with the logarithm replaced by a power; entmax of the same order maximises the mean logit plus this over its order.",
          {real("q", "q", 2, 0, 10, "The order. 1 is Shannon's, 2 is 1 − Σ p² (sparsemax's), 1.5 is entmax 1.5's.")}, {}, {}, {}},
         "", ofWeights<tsallis>, [](const Parameters& parameters) { return SummaryExtras{.order = parameters["q"]}; }},
        {{"collision", "Collision", "Σ p²", "Simpson 1949, concentration",
          "The chance that two keys drawn from the row are the same one: 1/n for a uniform row, 1 for a single key.", {}, {}, {}, {}},
         "", ofWeights<collision>},
        {{"gradient", "Gradient", "1 − Σ p²", "trace of the Jacobian of softmax",
          "How much of a gradient goes through a row of softmax: the trace of ∂p_{i}/∂z_{j} = p_{i} (δ_{ij} − p_{j}). 0 where one key has all weight and nothing can be learned, 1 − 1/n for a uniform row. It is the Tsallis entropy of order 2.", {}, {}, {}, {}},
         "", ofWeights<gradient>},
        {{"participation", "Participation", "1 / Σ p²", "participation ratio; inverse Simpson index",
          "Another count of the keys that matter, stricter than effective tokens about faint ones.", {}, {}, {}, {}},
         "tokens", ofWeights<participation>},
        {{"max_weight", "Largest weight", "max p", "Berger & Parker 1970, dominance", "The share of the heaviest key: the sharpest thing one can say about a row.", {}, {}, {}, {}},
         "", ofWeights<maxWeight>},
        {{"top_mass", "Top-k mass", "Σ of the {k} largest p", "concentration ratio of the k largest", "The share of the k heaviest keys together.",
          {whole("k", "k", 4, 1, RowSummary::topCount, "How many keys.")},
          {{"top 1", "top_mass:k=1", "the largest weight"}, {"top 4", "top_mass", "as many as an attention sink has keys"}, {"top 16", "top_mass:k=16", "the most that is kept of a row"}}, {}, {}},
         "", ofWeights<topMass>},
        {{"window_top_mass", "Windowed top-k mass", "Σ of the {k} largest p with |i − j| < {w}", "top-k mass of a sliding window",
          "The share of the k heaviest keys near the query: beside the top-k mass of the whole row it says whether the keys that a row attends to are near ones.",
          {whole("k", "k", 4, 1, RowSummary::topCount, "How many keys."), whole("w", "w", 64, 1, 1e9, "Keys nearer to the query than this count, its own the nearest.")}, {}, {}, {}},
         "", ofWeights<windowTopMass>,
         [](const Parameters& parameters) { return SummaryExtras{.window = static_cast<std::int64_t>(parameters["w"]), .windowTop = static_cast<int>(parameters["k"])}; }},
        {{"kl_uniform", "KL from uniform", "ln n − H", "Kullback & Leibler 1951",
          "How far the row is from attending to everything alike. For random keys a fixed scale keeps it, while H grows like ln n; a scale that keeps H makes it grow instead.", {}, {}, {}, {}},
         "nats", ofWeights<klUniform>},
        {{"logit_gap", "Logit gap", "δ = max z − min z", "Veličković et al. 2024, Lemma 2.1",
          "The spread of the final logits. While it is bounded, softmax must disperse as n grows.", {}, {}, {}, {}},
         "nats", logitGap},
        {{"lemma21_lower", "Lemma 2.1, lower bound", "e^−δ / n", "Veličković et al. 2024, Lemma 2.1",
          "No softmax weight of this row can be smaller than this.", {}, {}, {}, {}},
         "", lemma21<-1>},
        {{"lemma21_upper", "Lemma 2.1, upper bound", "e^δ / n", "Veličković et al. 2024, Lemma 2.1",
          "No softmax weight of this row can be larger than this (nor than 1): with δ fixed it goes to 0 like 1/n.", {}, {}, {}, {}},
         "", lemma21<1>},
        {{"sink_mass", "Sink mass", "Σ p over keys 0–3", "Xiao et al. 2023",
          "The share of the first four keys, where trained heads park the weight that they need nowhere else.", {}, {}, {}, {}},
         "", ofWeights<sinkMass>},
        {{"mean_distance", "Mean distance", "Σ p |i − j|", "Dosovitskiy et al. 2021, mean attention distance", "How many tokens away the row looks on average.", {}, {}, {}, {}},
         "tokens", ofWeights<meanDistance>},
        {{"mass", "Total mass", "Σ w", "Miller 2023; Ramapuram et al. 2024",
          "What the weights sum to: 1 for softmax and its kin, less with a sink, anything for sigmoid and squared ReLU.", {}, {}, {}, {}},
         "", mass},
        {{"support", "Support", "number of p > 0", "Martins & Astudillo 2016",
          "How many keys have any weight at all: all of them under softmax, few under sparsemax and entmax.", {}, {}, {}, {}},
         "tokens", ofWeights<support>},
    };
    return rows;
}
// clang-format on

bool isShannon(const Choice& measure) { return measure.id == "shannon"; }

double effectiveKeys(double entropy) { return std::exp(entropy); }

Result<BoundMeasure> bindMeasure(const Choice& choice)
{
    const Measure* row = TRY(findRow(measures(), choice.id, "measure"));
    TRY(validate(*row, choice));
    return BoundMeasure{row, choice, row->asks ? row->asks(Parameters(*row, choice)) : SummaryExtras{}};
}

Result<SummaryExtras> extrasOf(std::span<const BoundMeasure> measures)
{
    const SummaryExtras none;
    SummaryExtras all;
    for (const BoundMeasure& measure : measures) {
        const SummaryExtras& asked = measure.extras;
        if (asked.order != none.order && all.order != none.order && asked.order != all.order)
            return failure(ErrorKind::InvalidArgument, "one order at a time, not both {} and {}",
                           formatNumber(all.order), formatNumber(asked.order));
        const bool window = asked.window > 0;
        if (window && all.window > 0 && (asked.window != all.window || asked.windowTop != all.windowTop))
            return failure(ErrorKind::InvalidArgument,
                           "one window and number of keys in it at a time, not both w = {}, k = {} and w = {}, k = {}",
                           all.window, all.windowTop, asked.window, asked.windowTop);
        if (asked.order != none.order)
            all.order = asked.order;
        if (window) {
            all.window = asked.window;
            all.windowTop = asked.windowTop;
        }
    }
    return all;
}

}  // namespace attnscope
