// The run of the lab `max-retrieval`: trains heads (or takes the shipped one), refits the adaptive temperature, and
// tests plain heads under all methods. Heads that learn with something else are each tested beside a plain head that
// learned from the same sets from the same weights and gets the same afterwards.

#include "core/base/each.h"
#include "core/labs/experiment.h"
#include "core/labs/lab_text.h"
#include "core/labs/retrieval/max_retrieval_head.h"
#include "core/labs/retrieval/max_retrieval_lab.h"
#include "core/labs/retrieval/max_retrieval_tables.h"
#include "core/labs/retrieval/max_retrieval_trainer.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>

namespace attnscope {

namespace {

constexpr std::uint64_t testSeed = 1'000'000'000'000;  // test sets of seed s: this + s; training never draws them
constexpr std::int64_t pictureSets = 32, pictureItems = 16;
constexpr std::string_view ofTraining[] = {"heads", "seed", "batch",  "items_min", "width",      "rate",
                                           "decay", "l2",   "biases", "bfloat16",  "constraint", "target"};
constexpr double trainingShare = 0.6, fitShare = 0.05;  // of the run's progress, where it trains
constexpr double learningShare = 0.9;                   // of a head's training, where its pairs are tested after it

/// What heads learn with; tested as it is.
struct LearningKind {
    HeadVariant variant;
    bool constrained = false;  ///< plain softmax with a constraint on its entropy
    std::string suffix = {};   ///< of the files' names, "_vanilla_entmax15"; nothing of plain softmax

    bool isAs(const LearningKind& other) const
    {
        return variant.method == other.variant.method && variant.normaliser == other.variant.normaliser &&
               constrained == other.constrained;
    }
};

/// What can stand in a file's name, told from those before it.
std::string suffixOf(const std::string& label, const std::vector<LearningKind>& before)
{
    std::string suffix = "_" + label;
    std::ranges::replace_if(
        suffix, [](unsigned char letter) { return std::isalnum(letter) == 0; }, '_');
    const bool taken = std::ranges::find(before, suffix, &LearningKind::suffix) != before.end();
    return taken ? suffix + "_" + std::to_string(before.size()) : suffix;
}

/// Plain softmax comes first, whether it is named or not: with it the others are compared. Errors: UnknownName,
/// InvalidArgument.
Result<std::vector<LearningKind>> parseKinds(const std::string& text)
{
    std::vector<LearningKind> kinds{{.variant = {.label = std::string(vanillaId)}}};
    for (const std::string& part : entriesOfPart(text)) {
        LearningKind kind{.variant = {.label = part}, .constrained = part == constraintId};
        if (!kind.constrained)
            kind.variant = TRY(parseVariants(part, publishedTemperature)).front();
        if (kind.variant.label.ends_with("refit"))
            return failure(ErrorKind::InvalidArgument,
                           "train: {}: there is no head to refit to before it learns; name vanilla|adaptive", part);
        if (std::ranges::any_of(kinds, [&](const LearningKind& other) { return kind.isAs(other); }))
            continue;
        kind.suffix = suffixOf(part, kinds);
        kinds.push_back(std::move(kind));
    }
    return kinds;
}

class MaxRetrievalExperiment : Experiment {
public:
    MaxRetrievalExperiment(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
        : Experiment(run, lab, std::move(stop), progress), m_refit(publishedTemperature)
    {
        for (std::int64_t items = 16; items <= whole("most_items"); items *= 2)
            m_sizes.push_back(items);
    }

    Result<LabResult> operator()()
    {
        if (whole("items_min") > whole("items_max"))
            return failure(ErrorKind::InvalidArgument, "items_min must not be above items_max");
        // wrong names, and what cannot be learned with, are told before the training
        const std::vector<std::string> parts = TRY(readParts(m_lab, m_parameters.text()));
        m_methods = parts.front();
        TRY(parseVariants(m_methods, m_refit));
        m_kinds = TRY(parseKinds(parts[1]));
        TRY(checkConstraint());
        for (const LearningKind& kind : m_kinds)
            TRY(headRule(settingsOf(kind, 0)));
        TRY(obtain());
        TRY(fit());
        TRY(evaluate());
        TRY(pictures());
        return finish();
    }

private:
    double nTrain() const { return static_cast<double>(whole("items_max")); }
    double afterTraining() const { return whole("steps") > 0 ? trainingShare : 0; }

    MaxRetrievalSettings settingsOf(const LearningKind& kind, std::int64_t head) const
    {
        MaxRetrievalSettings settings{.width = whole("width"),
                                      .batch = whole("batch"),
                                      .itemsMin = whole("items_min"),
                                      .itemsMax = whole("items_max"),
                                      .rate = m_parameters["rate"],
                                      .l2 = m_parameters["l2"],
                                      .decay = m_parameters["decay"],
                                      .everyWeight = m_parameters.on("biases"),
                                      .products = m_parameters.on("bfloat16") ? learn::Products::Bfloat16
                                                                              : learn::Products::Float32,
                                      .seed = static_cast<std::uint64_t>(whole("seed") + head),
                                      .learning = {kind.variant.method, kind.variant.normaliser, 0, 0}};
        if (kind.constrained) {
            settings.learning.constraint = m_parameters["constraint"];
            settings.learning.target = m_parameters["target"];
        }
        return settings;
    }

    /// Without a head that learns so they would have no effect, and nobody be told.
    Result<void> checkConstraint() const
    {
        for (const char* id : {"constraint", "target"})
            if (m_parameters[id] != parameterOf(m_lab, id)->byDefault &&
                std::ranges::none_of(m_kinds, &LearningKind::constrained))
                return failure(ErrorKind::InvalidArgument,
                               "{} is of heads that learn with a constraint on their entropy; add {} to train", id,
                               constraintId);
        return {};
    }

    Result<void> obtain()
    {
        if (whole("steps") == 0)
            return takeShipped();
        TRY(trainEach(whole("heads"), trainingShare, "head",
                      [&](std::int64_t head, double from, double to) { return learnKinds(head, from, to); }));
        m_report.live({});
        m_previews.clear();
        for (LabRow& row : learnedRows())
            m_report.row(std::move(row.table), std::move(row.cells));
        return {};
    }

    Result<void> takeShipped()
    {
        TRY(checkNoTraining(
            {"the head that comes with the program", "set steps above 0 to train heads"},
            [](const std::string& id) { return std::ranges::find(ofTraining, id) == std::end(ofTraining); }));
        if (m_kinds.size() > 1)
            return failure(ErrorKind::InvalidArgument,
                           "train: the head that comes with the program learned with plain softmax; set steps above 0 "
                           "to train heads with {}",
                           m_kinds[1].variant.label);
        m_heads.push_back(TRY(loadHead("shipped")));
        return keepTensors();
    }

    /// A head of every kind, with one seed, and what the pairs of them say so far.
    Result<void> learnKinds(std::int64_t head, double from, double to)
    {
        const std::size_t kinds = m_kinds.size();
        const double learned = from + (kinds > 1 ? learningShare : 1) * (to - from),
                     part = (learned - from) / static_cast<double>(kinds);
        if (kinds > 1)
            m_report.phase({learned, "tests"});
        std::vector<MaxRetrievalModel> heads;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            if (kinds > 1)
                m_report.stage(fmt::format("learning with {}, head {} of {}", m_kinds[kind].variant.label, head + 1,
                                           whole("heads")));
            const double begins = from + part * static_cast<double>(kind);
            heads.push_back(TRY(learn(m_kinds[kind], head, begins, begins + part)));
        }
        m_heads.push_back(heads.front());
        if (kinds > 1)
            TRY(testPairs(head, heads, learned, to));
        return head > 0 ? Result<void>() : keepTensors();
    }

    Result<MaxRetrievalModel> learn(const LearningKind& kind, std::int64_t head, double from, double to)
    {
        const MaxRetrievalSettings settings = settingsOf(kind, head);
        MaxRetrievalTrainer trainer(settings, TRY(headRule(settings)));
        const std::int64_t seed = whole("seed") + head;
        const bool plain = kind.suffix.empty();  // its maps change while it learns
        const Training training = stepsOf(
            trainer, {.name = "max_retrieval" + kind.suffix + "_seed" + std::to_string(seed),
                      .facts = settings.metadata("max-retrieval"),
                      .labels = {{"seed", seed}, {"network", fmt::format("{}, seed {}", kind.variant.label, seed)}},
                      .show = [&] {
                          m_report.live(m_previews);
                          return plain && m_report.picturesDue() ? livePictures(trainer.model()) : Result<void>();
                      }});
        TRY(train(training, from, to));
        TRY(keep(training, fmt::format("head trained with {} and seed {}", kind.variant.label, seed)));
        return trainer.model();
    }

    /// Each kind's head as it learned, and the plain one with the same afterwards.
    Result<void> testPairs(std::int64_t head, std::vector<MaxRetrievalModel>& learned, double from, double to)
    {
        m_report.phase({to, head + 1 < whole("heads") ? "the next head" : "more tests"});
        const std::vector<HeadVariant> variants = each(m_kinds, &LearningKind::variant);
        HeadEvaluation plain = TRY(HeadEvaluation::make(learned.front(), variants, nTrain()));
        std::vector<HeadEvaluation> own;  // of the kinds from the second on
        for (std::size_t kind = 1; kind < m_kinds.size(); ++kind)
            own.push_back(TRY(HeadEvaluation::make(learned[kind], {variants[kind]}, nTrain())));
        std::int64_t done = 0, work = 0;
        for (const std::int64_t items : m_sizes)
            work += setsOf(items) * items;
        for (const std::int64_t items : m_sizes) {
            m_report.stage(fmt::format("testing {} items, head {} of {}", items, head + 1, whole("heads")));
            std::vector<std::vector<HeadPair>> pairs(m_kinds.size());  // [kind][test seed]
            for (std::int64_t seed = head; seed < testSeeds(); seed += whole("heads")) {
                const std::uint64_t drawn = testSeed + static_cast<std::uint64_t>(seed);
                const auto afterwards = TRY(plain.score(drawn, setsOf(items), items, m_stop));
                pairs[0].push_back({afterwards[0], afterwards[0]});
                for (std::size_t kind = 1; kind < m_kinds.size(); ++kind) {
                    const auto score = TRY(own[kind - 1].score(drawn, setsOf(items), items, m_stop));
                    pairs[kind].push_back({score.front(), afterwards[kind]});
                }
                m_report.live(m_previews);
                m_report.sendIfDue(from + (to - from) * static_cast<double>(done) / static_cast<double>(work));
            }
            done += setsOf(items) * items;
            for (std::size_t kind = 0; kind < m_kinds.size(); ++kind)
                m_pairs[{kind, items}].push_back(std::move(pairs[kind]));
        }
        m_previews = learnedRows();
        m_report.live(m_previews);
        m_report.send(to);
        return {};
    }

    std::vector<LabRow> learnedRows() const
    {
        std::vector<LabRow> rows;
        for (const auto& [of, pairs] : m_pairs)
            rows.push_back(learnedRow(m_kinds[of.first].variant.label, of.second, pairs, of.first == 0));
        return rows;
    }

    /// The head as it is now, on sets of several sizes.
    Result<void> livePictures(MaxRetrievalModel& model)
    {
        HeadEvaluation evaluation = TRY(HeadEvaluation::make(model, {m_kinds.front().variant}, nTrain()));
        for (const std::int64_t items : {16, 64, 256})
            TRY(addPicture(evaluation, 0, items, false));
        return {};
    }

    Result<void> addPicture(HeadEvaluation& evaluation, std::size_t variant, std::int64_t items, bool rows)
    {
        auto image = TRY(ifDefined(evaluation.picture(variant, testSeed, pictureSets, items, pictureItems)));
        if (!image)
            return {};
        const std::string& label = evaluation.variants()[variant].label;
        for (Eigen::Index set = 0; rows && set < image->rows(); ++set)
            for (Eigen::Index rank = 0; rank < image->cols(); ++rank)
                m_report.row("heads", {{"method", label},
                                       {"items", items},
                                       {"set", std::int64_t{set}},
                                       {"rank", std::int64_t{image->cols() - rank}},
                                       {"weight", static_cast<double>((*image)(set, rank))}});
        m_report.picture({label + "/" + std::to_string(items), fmt::format("{}, {} items", label, items), "set",
                          "the 16 largest items, the largest last", std::move(*image)});
        return {};
    }

    /// The first head's queries and keys, for the window.
    Result<void> keepTensors()
    {
        if (m_run.folder.empty())
            return {};
        const auto path = TRY(pathInFolder(m_run.folder, "max_retrieval_qk.safetensors"));
        const Scenario scenario = TRY(writeHeadTensors(path, m_heads.front(), nTrain()));
        addFile({path, "queries and keys of 4 sets of 2048 items", scenario});
        return {};
    }

    Result<void> fit()
    {
        m_report.stage("refitting the adaptive temperature");
        m_report.phase({afterTraining() + fitShare, "tests"});
        m_report.send(afterTraining());
        std::vector<MisrankedSet> points;
        for (std::size_t head = 0; head < m_heads.size(); ++head) {
            const std::int64_t sets = std::max<std::int64_t>(1, whole("sets") / std::ssize(m_heads));
            const std::vector<MisrankedSet> found =
                TRY(misrankedSets(m_heads[head], misrankedSeed + head, sets, mostTestItems, m_sizes, m_stop));
            points.insert(points.end(), found.begin(), found.end());
        }
        const std::optional<std::array<double, 5>> fitted = fitTemperature(points);
        m_refit = fitted.value_or(publishedTemperature);
        double largest = 0;
        for (const MisrankedSet& point : points) {
            m_report.row("temperatures", {{"items", point.items}, {"entropy", point.entropy}, {"theta", point.theta}});
            largest = std::max(largest, point.entropy);
        }
        for (std::size_t i = 0; i < 5; ++i)
            m_report.row("polynomial", {{"power", std::int64_t{4} - static_cast<std::int64_t>(i)},
                                        {"published", publishedTemperature[i]},
                                        {"refit", fitted ? LabValue{m_refit[i]} : LabValue{}}});
        for (int i = 0; fitted && i <= 60; ++i) {
            const double entropy = 0.5 + (largest - 0.5) * i / 60;
            const auto theta = [&](const std::array<double, 5>& c) {
                return 1 / std::max(1.0, polynomialAt(c, entropy));
            };
            m_report.row("fit",
                         {{"entropy", entropy}, {"published", theta(publishedTemperature)}, {"refit", theta(m_refit)}});
        }
        return {};
    }

    /// Seed s tests head s mod heads; every variant sees the same sets.
    Result<void> evaluate()
    {
        auto variants = TRY(parseVariants(m_methods, m_refit));
        std::stable_partition(variants.begin(), variants.end(), isPlainSoftmax);  // the others are held against it
        std::vector<HeadEvaluation> evaluations;
        for (MaxRetrievalModel& head : m_heads)
            evaluations.push_back(TRY(HeadEvaluation::make(head, variants, nTrain())));
        const double start = afterTraining() + fitShare;
        m_report.phase({});
        double work = 0, done = 0;
        for (const std::int64_t items : m_sizes)
            work += static_cast<double>(setsOf(items) * items * testSeeds());
        for (const std::int64_t items : m_sizes) {
            m_report.stage(fmt::format("testing {} items", items));
            std::vector<std::vector<HeadScore>> scores;  // [seed][variant]
            for (std::int64_t seed = 0; seed < testSeeds(); ++seed) {
                HeadEvaluation& evaluation = evaluations[static_cast<std::size_t>(seed) % evaluations.size()];
                scores.push_back(
                    TRY(evaluation.score(testSeed + static_cast<std::uint64_t>(seed), setsOf(items), items, m_stop)));
                done += static_cast<double>(setsOf(items) * items);
                m_report.sendIfDue(start + (1 - start) * done / work);
            }
            std::vector<LabRow> rows = table1Rows(variants, items, scores, m_heads.size());
            if (m_heads.size() > 1)
                std::ranges::move(rowsOfHeads(variants, items, scores, m_heads.size(), whole("seed")),
                                  std::back_inserter(rows));
            for (LabRow& row : rows)
                m_report.row(std::move(row.table), std::move(row.cells));
        }
        return {};
    }

    /// At least one for each head.
    std::int64_t testSeeds() const { return std::max(whole("seeds"), whole("steps") > 0 ? whole("heads") : 1); }

    std::int64_t setsOf(std::int64_t items) const
    {
        return std::clamp<std::int64_t>(mostTestItems / items, 1, whole("sets"));
    }

    /// Figures 2 and 6: baseline and adaptive temperature, 32 sets, size after size.
    Result<void> pictures()
    {
        HeadEvaluation evaluation = TRY(HeadEvaluation::make(
            m_heads.front(), TRY(parseVariants("vanilla; vanilla|adaptive; vanilla|refit", m_refit)), nTrain()));
        for (std::size_t variant = 0; variant < evaluation.variants().size(); ++variant)
            for (const std::int64_t items : m_sizes)
                TRY(addPicture(evaluation, variant, items, true));
        return {};
    }

    std::string m_methods;
    std::vector<LearningKind> m_kinds;
    std::vector<MaxRetrievalModel> m_heads;  ///< that learned with plain softmax
    std::map<std::pair<std::size_t, std::int64_t>, std::vector<std::vector<HeadPair>>>
        m_pairs;  ///< of a kind and a size: [head][test seed]
    std::array<double, 5> m_refit;
    std::vector<std::int64_t> m_sizes;
};

}  // namespace

Result<LabResult> runMaxRetrieval(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress)
{
    return runExperiment<MaxRetrievalExperiment>(run, lab, std::move(stop), progress);
}

}  // namespace attnscope
