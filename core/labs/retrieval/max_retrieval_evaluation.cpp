#include "core/labs/lab_parameters.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"

#include "core/attention/normaliser.h"
#include "core/base/text.h"
#include "core/learn/parallel.h"
#include "core/rows/entropy_root.h"
#include "core/statistics/matrices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attnscope {

using namespace learn;

namespace {

constexpr std::int64_t itemsAtOnce = 1 << 14;       // hidden items in memory: 8 MB at width 128
constexpr std::uint64_t measuredSeed = 0x6d656173;  // sets that entropy_measured is solved on
constexpr std::int64_t measuredSets = 128;

Result<HeadVariant> parseVariant(std::string_view text, const std::array<double, 5>& refit)
{
    HeadVariant variant{.label = std::string(text)};
    const std::size_t bar = text.find('|');
    variant.method = TRY(parseChoice(trimmed(text.substr(0, bar)), scaleMethods(), "scale method"));
    if (bar == text.npos)
        return variant;
    const std::string_view name = trimmed(text.substr(bar + 1));
    if (name == "refit") {
        variant.normaliser = {.id = "adaptive", .values = {}, .text = {}};
        for (std::size_t i = 0; i < refit.size(); ++i)
            variant.normaliser.values["c" + std::to_string(4 - i)] = refit[i];
        return variant;
    }
    variant.normaliser = TRY(parseChoice(name, normalisers(), "normaliser"));
    return variant;
}

/// A normaliser with its parameters read.
struct BoundNormaliser {
    const Normaliser* row;
    Parameters parameters;
    explicit BoundNormaliser(const Choice& choice)
        : row(*findRow(normalisers(), choice.id, "normaliser")), parameters(*row, choice)
    {
    }

    /// weights of m e; returns their sum.
    double weigh(const float* e, Index n, double m, std::vector<double>& z, float* weights) const
    {
        z.resize(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i)
            z[static_cast<std::size_t>(i)] = m * static_cast<double>(e[i]);
        const NormaliserState state = row->solve(z, parameters);
        double mass = 0;
        for (Index i = 0; i < n; ++i) {
            const double w = row->weight(z[static_cast<std::size_t>(i)], state, parameters);
            weights[i] = static_cast<float>(w);
            mass += w;
        }
        return mass;
    }
};

double entropyOf(const float* weights, Index n, double mass)
{
    double h = 0;
    for (Index i = 0; i < n; ++i)
        if (weights[i] > 0)
            h -= static_cast<double>(weights[i]) / mass * std::log(static_cast<double>(weights[i]) / mass);
    return h;
}

}  // namespace

bool isPlainSoftmax(const HeadVariant& variant) { return isVanilla(variant.method) && isSoftmax(variant.normaliser); }

Result<std::vector<HeadVariant>> parseVariants(const std::string& text, const std::array<double, 5>& refit)
{
    std::vector<HeadVariant> variants;
    for (const std::string& part : partsOf(text, ';'))
        if (!part.empty())
            variants.push_back(TRY(parseVariant(part, refit)));
    if (variants.empty())
        return failure(ErrorKind::InvalidArgument,
                       "name at least one scale method to evaluate, like \"vanilla; vanilla|adaptive; infoscale\"");
    return variants;
}

std::vector<Entry> normaliserVariants()
{
    std::vector<Entry> rows;
    for (Entry row : entriesIn(normalisers()))
        if (!isSoftmax({row.id, {}, {}})) {
            row.id = "vanilla|" + row.id;
            row.presets.clear();  // they name the normaliser alone
            rows.push_back(std::move(row));
        }
    return rows;
}

std::vector<Entry> variantRows()
{
    std::vector<Entry> rows = entriesIn(scaleMethods());
    std::ranges::move(normaliserVariants(), std::back_inserter(rows));
    rows.push_back(plainEntry("vanilla|refit", "Adaptive temperature, refit",
                              "The adaptive temperature with coefficients fitted to the head that is tested."));
    return rows;
}

HeadLogits headLogits(Tape& tape, MaxRetrievalModel& model, std::uint64_t seed, std::uint64_t firstSet,
                      std::int64_t count, std::int64_t items)
{
    tape.clear();
    const MaxRetrievalBatch batch = maxRetrievalBatch(seed, firstSet, count, items);
    const ConstMatrixView probe = tape.value(model.probe(tape, batch));
    const ConstMatrixView hidden = tape.value(model.items(tape, batch));
    HeadLogits result{batch, Matrix(count, items), hidden};
    const Factor queries(tape.products(), probe), keys(tape.products(), hidden);
    for (Index set = 0; set < count; ++set)
        result.logits.row(set).noalias() =
            queries.view().row(set) * keys.view().middleRows(set * items, items).transpose();
    return result;
}

bool largestRanksFirst(const HeadLogits& head, Index set)
{
    return head.logits(set, head.batch.largest[static_cast<std::size_t>(set)]) >= head.logits.row(set).maxCoeff();
}

Result<HeadEvaluation> HeadEvaluation::make(MaxRetrievalModel& model, std::vector<HeadVariant> variants, double nTrain)
{
    HeadEvaluation evaluation(model, std::move(variants), nTrain);
    for (const HeadVariant& variant : evaluation.m_variants)
        evaluation.m_scales.push_back(TRY(bindScale(variant.method)));
    return evaluation;
}

Result<double> HeadEvaluation::measured(double items)
{
    const double target = meanSoftmaxEntropy(
        headLogits(m_tape, *m_model, measuredSeed, 0, measuredSets, static_cast<std::int64_t>(m_nTrain)).logits, 1);
    Matrix logits(measuredSets, static_cast<Index>(items));
    const std::int64_t atOnce = std::max<std::int64_t>(1, itemsAtOnce / static_cast<std::int64_t>(items));
    for (std::int64_t set = 0; set < measuredSets; set += atOnce) {
        const std::int64_t here = std::min(atOnce, measuredSets - set);
        logits.middleRows(set, here) = headLogits(m_tape, *m_model, measuredSeed, static_cast<std::uint64_t>(set), here,
                                                  static_cast<std::int64_t>(items))
                                           .logits;
    }
    const EntropyRoot root =
        TRY(entropyRoot(target, [&](double m) -> Result<double> { return meanSoftmaxEntropy(logits, m); }));
    if (root.multiplier)
        return *root.multiplier;
    if (root.least > target)  // equal logits keep their entropy at any scale
        return failure(ErrorKind::Undefined,
                       "so many items share their set's largest logit that no scale reaches the entropy of training");
    return failure(ErrorKind::Undefined, "{} items have at most {} nats, fewer than the {} of training",
                   formatNumber(items), formatNumber(root.most, 5), formatNumber(target, 5));
}

Result<double> HeadEvaluation::multiplier(std::size_t variant, std::int64_t items)
{
    if (const auto known = m_multipliers.find({variant, items}); known != m_multipliers.end())
        return known->second;
    ScaleContext context = lastRowOf(static_cast<double>(items), m_nTrain, static_cast<int>(m_model->width()));
    context.measured = [this](double length) { return measured(length); };
    const Result<double> m = m_scales[variant](context);
    if (m)
        m_multipliers[{variant, items}] = *m;
    return m;
}

Result<std::vector<HeadScore>> HeadEvaluation::score(std::uint64_t seed, std::int64_t count, std::int64_t items,
                                                     std::stop_token stop)
{
    const std::size_t variants = m_variants.size();
    std::vector<HeadScore> scores(variants);
    std::vector<BoundNormaliser> bound;
    for (std::size_t v = 0; v < variants; ++v) {
        scores[v].multiplier = TRY(ifDefined(multiplier(v, items))).value_or(std::numeric_limits<double>::quiet_NaN());
        bound.emplace_back(m_variants[v].normaliser);
    }
    const std::int64_t atOnce = std::clamp<std::int64_t>(itemsAtOnce / items, 1, count);
    for (std::int64_t set = 0; set < count; set += atOnce) {
        TRY(unlessStopped(stop));
        const std::int64_t here = std::min(atOnce, count - set);
        const HeadLogits head = headLogits(m_tape, *m_model, seed, static_cast<std::uint64_t>(set), here, items);
        const Factor values(m_tape.products(), head.hidden);
        Matrix pooled(here * static_cast<Index>(variants), head.hidden.cols()), mass(pooled.rows(), 1);
        std::vector<std::vector<HeadScore>> parts(static_cast<std::size_t>(here), std::vector<HeadScore>(variants));
        forChunks(here, 1, [&](Index row, Index, Index) {
            Matrix weights(static_cast<Index>(variants), items);
            std::vector<double> z;
            const float* e = head.logits.data() + row * items;
            const Index largest = head.batch.largest[static_cast<std::size_t>(row)];
            const double told = resolvable(head.batch, row, m_model->products());
            const bool ranked = largestRanksFirst(head, row);
            weights.setZero();
            for (std::size_t v = 0; v < variants; ++v) {
                if (std::isnan(scores[v].multiplier)) {
                    mass(row * static_cast<Index>(variants) + static_cast<Index>(v), 0) = 0;
                    continue;
                }
                float* w = weights.data() + static_cast<Index>(v) * items;
                const double sum = bound[v].weigh(e, items, scores[v].multiplier, z, w);
                mass(row * static_cast<Index>(variants) + static_cast<Index>(v), 0) = static_cast<float>(sum);
                HeadScore& part = parts[static_cast<std::size_t>(row)][v];
                part.entropy = entropyOf(w, items, sum);
                part.largestWeight = static_cast<double>(w[largest]);
                part.ranked = ranked;
                part.resolvable = told;
            }
            pooled.middleRows(row * static_cast<Index>(variants), static_cast<Index>(variants)).noalias() =
                Factor(m_tape.products(), ConstMatrixView(weights.data(), weights.rows(), items)).view() *
                values.view().middleRows(row * items, items);
        });
        const ConstMatrixView classes =
            m_tape.value(m_model->classify(m_tape, m_tape.constant(pooled), m_tape.constant(mass)));
        for (Index row = 0; row < here; ++row)
            for (std::size_t v = 0; v < variants; ++v) {
                Index best = 0;
                classes.row(row * static_cast<Index>(variants) + static_cast<Index>(v)).maxCoeff(&best);
                const HeadScore& part = parts[static_cast<std::size_t>(row)][v];
                scores[v].accuracy += best == head.batch.labels[static_cast<std::size_t>(row)];
                scores[v].entropy += part.entropy;
                scores[v].largestWeight += part.largestWeight;
                scores[v].ranked += part.ranked;
                scores[v].resolvable += part.resolvable;
            }
    }
    for (HeadScore& score : scores)
        for (double* value : {&score.accuracy, &score.entropy, &score.largestWeight, &score.ranked, &score.resolvable})
            *value = std::isnan(score.multiplier) ? score.multiplier : *value / static_cast<double>(count);
    return scores;
}

Result<Eigen::MatrixXf> HeadEvaluation::picture(std::size_t variant, std::uint64_t seed, std::int64_t count,
                                                std::int64_t items, std::int64_t top)
{
    const double m = TRY(multiplier(variant, items));
    const HeadLogits head = headLogits(m_tape, *m_model, seed, 0, count, items);
    const BoundNormaliser normaliser(m_variants[variant].normaliser);
    top = std::min(top, items);
    Eigen::MatrixXf image(count, top);
    std::vector<double> z;
    std::vector<float> weights(static_cast<std::size_t>(items));
    std::vector<Index> order(static_cast<std::size_t>(items));
    for (Index set = 0; set < count; ++set) {
        normaliser.weigh(head.logits.data() + set * items, items, m, z, weights.data());
        std::iota(order.begin(), order.end(), Index{0});
        std::partial_sort(order.begin(), order.begin() + top, order.end(), [&](Index a, Index b) {
            return head.batch.features(set * items + a, 0) > head.batch.features(set * items + b, 0);
        });
        for (Index k = 0; k < top; ++k)
            image(set, top - 1 - k) = weights[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])];
    }
    return image;
}

}  // namespace attnscope
