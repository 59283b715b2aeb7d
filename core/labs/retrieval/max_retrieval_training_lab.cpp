// The lab `max-retrieval-training`: the head of `max-retrieval` learns with other scale methods and normalisers, or
// with a constraint on its entropy, and is tested on more items beside a head that learned with plain softmax and gets
// the same afterwards. Both learn from the same sets from the same weights, and are tested on the same sets.

#include "core/labs/experiment.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <map>

namespace attnscope {

namespace {

constexpr std::uint64_t seedOfTests = 4'000'000'000'000;  // of head s: this + s; training never draws them
constexpr double shareOfLearning = 0.9;
constexpr std::int64_t rowsOfCurve = 100;

/// What heads learn with; tested as it is.
struct LearningKind {
    HeadVariant variant;
    bool constrained = false;
};

/// Variants as `max-retrieval` has them, and `constraint`: plain softmax with a constraint on its entropy. Plain
/// softmax comes first: with it the others are compared.
Result<std::vector<LearningKind>> parseKinds(const std::string& text)
{
    std::vector<LearningKind> kinds{{{.label = "vanilla"}, false}};
    for (const std::string& part : partsOf(text, ';')) {
        if (part.empty() || isVanilla(part))
            continue;
        if (part == "constraint") {
            kinds.push_back({{.label = part}, true});
            continue;
        }
        const auto variant = TRY(parseVariants(part, publishedTemperature));
        kinds.push_back({variant.front(), false});
    }
    return kinds;
}

class TrainingComparison : Experiment {
public:
    TrainingComparison(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress)
    {
        for (std::int64_t items = whole("items_max"); items <= whole("most_items"); items *= 2)
            m_sizes.push_back(items);
    }

    Result<LabResult> operator()()
    {
        if (whole("items_min") > whole("items_max"))
            return failure(ErrorKind::InvalidArgument, "items_min must not be above items_max");
        if (m_sizes.empty())
            return failure(ErrorKind::InvalidArgument, "most_items must not be below items_max, the first size tested");
        m_kinds = TRY(parseKinds(m_parameters.text()));
        for (const LearningKind& kind : m_kinds)  // what cannot be learned with is told before the training
            TRY(headRule(settingsOf(kind, 0)));
        for (std::int64_t head = 0; head < whole("heads"); ++head) {
            std::vector<MaxRetrievalModel> trained;
            for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
                TRY(learn(kind, head, trained));
            m_report.phase({atHead(head + 1), head + 1 < whole("heads") ? "the next head" : ""});
            TRY(test(head, trained));
            m_report.live(rows());
            m_report.send(atHead(head + 1));
        }
        m_report.live({});
        for (LabRow& row : rows())
            m_report.row(std::move(row.table), std::move(row.cells));
        return finish();
    }

private:
    /// Of one head, kind and size: as it learned, and plain softmax's head with the same afterwards.
    struct Pair {
        HeadScore own, afterwards;
    };

    /// The progress at which the head begins: each is trained and tested before the next.
    double atHead(std::int64_t head) const { return static_cast<double>(head) / static_cast<double>(whole("heads")); }

    MaxRetrievalSettings settingsOf(const LearningKind& kind, std::int64_t head) const
    {
        MaxRetrievalSettings settings{.width = whole("width"),
                                      .batch = whole("batch"),
                                      .itemsMin = whole("items_min"),
                                      .itemsMax = whole("items_max"),
                                      .products = m_parameters.on("bfloat16") ? learn::Products::Bfloat16
                                                                              : learn::Products::Float32,
                                      .seed = static_cast<std::uint64_t>(whole("seed") + head)};
        settings.learning = {kind.variant.method, kind.variant.normaliser, 0, 0};
        if (kind.constrained) {
            settings.learning.constraint = m_parameters["constraint"];
            settings.learning.target = m_parameters["target"];
        }
        return settings;
    }

    Result<void> learn(std::size_t kind, std::int64_t head, std::vector<MaxRetrievalModel>& trained)
    {
        const LearningKind& with = m_kinds[kind];
        const MaxRetrievalSettings settings = settingsOf(with, head);
        auto rule = TRY(headRule(settings));
        MaxRetrievalTrainer trainer(settings, std::move(rule));
        const std::int64_t seed = whole("seed") + head;
        m_report.stage(fmt::format("learning with {}, head {} of {}", with.variant.label, head + 1, whole("heads")));
        Training training = stepsOf(
            trainer, {.name = "learned_with_" + std::to_string(kind) + "_seed" + std::to_string(seed),
                      .facts = settings.metadata("max-retrieval-training"),
                      .labels = {{"network", with.variant.label + (head == 0 ? "" : fmt::format(" ({})", head + 1))},
                                 {"seed", seed}}});
        training.unitsPerRow = std::max<std::int64_t>(1, training.total / rowsOfCurve);
        const double kinds = static_cast<double>(m_kinds.size()), ofHead = shareOfLearning * atHead(1),
                     from = atHead(head) + ofHead * static_cast<double>(kind) / kinds;
        m_report.phase({atHead(head) + ofHead, "tests"});
        TRY(train(training, from, from + ofHead / kinds));
        trained.push_back(trainer.model());
        return keep(training, fmt::format("head that learned with {}, seed {}", with.variant.label, seed));
    }

    Result<void> test(std::int64_t head, std::vector<MaxRetrievalModel>& trained)
    {
        std::vector<HeadVariant> all;
        for (const LearningKind& kind : m_kinds)
            all.push_back(kind.variant);
        const double nTrain = static_cast<double>(whole("items_max"));
        for (const std::int64_t items : m_sizes) {
            m_report.stage(fmt::format("testing {} items", items));
            const auto scored = [&](std::size_t kind, std::vector<HeadVariant> variants) {
                return HeadEvaluation::make(trained[kind], std::move(variants), nTrain)
                    .and_then([&](HeadEvaluation evaluation) {
                        return evaluation.score(seedOfTests + static_cast<std::uint64_t>(head), whole("sets"), items,
                                                m_stop);
                    });
            };
            const auto afterwards = TRY(scored(0, all));
            for (std::size_t kind = 0; kind < m_kinds.size(); ++kind) {
                const auto own = TRY(scored(kind, {m_kinds[kind].variant}));
                m_pairs[{kind, items}].push_back({own.front(), afterwards[kind]});
            }
        }
        return {};
    }

    /// Means over the heads so far; p of a paired t-test over them.
    std::vector<LabRow> rows() const
    {
        std::vector<LabRow> all;
        for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
            for (const std::int64_t items : m_sizes) {
                const std::vector<Pair>& pairs = m_pairs.at({kind, items});
                const auto over = [&](HeadScore Pair::*which, double HeadScore::*field, double factor) {
                    std::vector<double> values;
                    for (const Pair& pair : pairs)
                        values.push_back(factor * (pair.*which.*field));
                    return values;
                };
                const std::vector<double> own = over(&Pair::own, &HeadScore::accuracy, 100),
                                          afterwards = over(&Pair::afterwards, &HeadScore::accuracy, 100);
                const SampleMean mean = sampleMean(own), other = sampleMean(afterwards);
                all.push_back(
                    {"heads",
                     {{"trained", m_kinds[kind].variant.label},
                      {"items", items},
                      {"heads", std::ssize(pairs)},
                      {"accuracy", present(mean.mean)},
                      {"stderr", present(mean.standardError)},
                      {"afterwards", present(other.mean)},
                      {"afterwards_stderr", present(other.standardError)},
                      {"gain", present(mean.mean - other.mean)},
                      {"p_value", kind > 0 && pairs.size() > 1 ? present(pairedTTest(own, afterwards)) : LabValue{}},
                      {"entropy", present(sampleMean(over(&Pair::own, &HeadScore::entropy, 1)).mean)},
                      {"entropy_afterwards", present(sampleMean(over(&Pair::afterwards, &HeadScore::entropy, 1)).mean)},
                      {"largest_weight", present(sampleMean(over(&Pair::own, &HeadScore::largestWeight, 1)).mean)},
                      {"ranked_first", present(sampleMean(over(&Pair::own, &HeadScore::ranked, 100)).mean)}}});
            }
        return all;
    }

    std::vector<LearningKind> m_kinds;
    std::vector<std::int64_t> m_sizes;
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<Pair>> m_pairs;  ///< of a kind and a size, a head each
};

}  // namespace

Lab maxRetrievalTrainingLab()
{
    std::vector<Entry> kinds = variantRows();
    kinds.push_back(
        plainEntry("constraint", "Constrained entropy", "Plain softmax with a constraint on its entropy in the loss."));
    using enum LabLine::Look;
    return {{"max-retrieval-training",
             "Trained with a method, or given it later",
             "class of argmax p",
             "after Veličković et al. 2024, section 4.1",
             "The head that finds the largest item learns with other scale methods and normalisers, or with a "
             "constraint on its entropy. On more items it stands beside a head that learned with softmax and gets the "
             "same afterwards.",
             {whole("steps", "training steps", 3000, 1, 1e7, "Of each head."),
              whole("heads", "heads", 3, 1, 100,
                    "Heads of each kind, with one seed after another; the t-test is over them."),
              whole("seed", "seed", 1, 0, 1e12, "The weights at the start and the training sets are functions of it."),
              whole("batch", "sets a step", 128, 1, 4096, "As in the paper."), fewestItems(), mostItems(), headWidth(),
              toggle("bfloat16", "factors in bfloat16", true,
                     "Products round their factors to 8 significant bits, in training and in tests; off: float32."),
              real("constraint", "constraint", 0.1, 0, 1e6,
                   "For `constraint`: what (H − target)² is multiplied by in the loss."),
              real("target", "target entropy", 1, 0, 20,
                   "For `constraint`: the entropy in nats that rows are held to, whatever the number of items."),
              whole("sets", "test sets", 256, 1, 65536, "Of each head and size; both heads of a pair see the same."),
              whole("most_items", "most items tested", 1024, 16, 65536,
                    "Sizes double from the most items trained with up to this.")},
             {{"eight kinds, three heads each", "max-retrieval-training", "3000 steps"},
              {"as long as the paper's heads", "max-retrieval-training:steps=100000,heads=10",
               "Veličković et al. 2024, appendix A.4"}},
             "METHOD, METHOD|NORMALISER or constraint, separated by semicolons",
             "vanilla; vanilla|adaptive; vanilla|entmax15; vanilla|sparsemax; vanilla|sigmoid; log_n; "
             "softmax_plus:B=16; constraint"},
            "heads",
            "kinds",
            {{"loss", "Loss", "Step", "Loss", {{"training", "step", "loss", ""}}, false, true, "network"},
             {"accuracy",
              "Accuracy on larger sets",
              "Items, $n$",
              "Accuracy (%)",
              {{"heads", "items", "accuracy", ""},
               {"heads", "items", "afterwards", "softmax's head, the same afterwards", Points}},
              true,
              false,
              "trained"},
             {"gain",
              "What learning with it gains",
              "Items, $n$",
              "Accuracy against afterwards (points)",
              {{"heads", "items", "gain", ""}},
              true,
              false,
              "trained"},
             {"entropy",
              "Entropy of the head",
              "Items, $n$",
              "Row entropy (nats)",
              {{"heads", "items", "entropy", ""}},
              true,
              false,
              "trained"}},
            runExperiment<TrainingComparison>,
            {{"kinds", std::move(kinds)}}};
}

}  // namespace attnscope
