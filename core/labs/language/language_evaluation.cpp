#include "core/labs/language/language_evaluation.h"

#include "core/base/each.h"
#include "core/labs/language/language_network.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"
#include "core/statistics/exact_tests.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

namespace attnscope {

Result<std::optional<PolicyScores>> scorePolicy(const Model& model, const Policy& asked, const LanguageCorpus& corpus,
                                                const LanguageTest& test, std::stop_token stop)
{
    const std::int64_t n = test.length, counted = countedOf(model.architecture, n, test.last);
    const Policy policy = TRY(withMeasuredHeads(model, asked, corpus.test, n, {.last = test.last, .stop = stop}));
    if (!TRY(ifDefined(resolve(policy, model.architecture, n))))
        return std::nullopt;
    const auto starts = TRY(spreadWindows(model.architecture, corpus.test, n, static_cast<int>(test.windows)));
    PolicyScores scores;
    for (const std::int64_t start : starts) {
        const auto window = TRY(windowOf(model.architecture, corpus.test, start, n));
        const auto result =
            TRY(runWindow(model, window,
                          {.policy = policy, .pictures = {policy}, .last = test.last, .engine = "auto", .stop = stop}));
        const Quality quality = qualityOf(std::span(&result, 1), 0);
        PolicyScore score{.loss = quality.loss, .accuracy = quality.accuracy, .entropy = quality.entropy};
        const std::int64_t origin = firstTarget(model.architecture, start);
        for (const LanguageCorpus::Recall& recall : corpus.recalls) {
            const std::int64_t place = recall.token - origin - (n - counted);
            if (place < 0 || place >= counted || recall.told < start)
                continue;
            const Prediction& prediction = result.predictions[static_cast<std::size_t>(place)];
            if (!prediction.asked)  // of a masked model: it was not hidden
                continue;
            ++score.asked;
            score.recalled += prediction.right;
            score.answers.push_back({recall.token - recall.told, prediction.right});
        }
        scores.push_back(score);
    }
    return std::optional(std::move(scores));
}

namespace {

void add(LabCells& cells, const char* column, std::optional<double> value)
{
    cells.emplace_back(column, present(value));
}

/// Columns of a paired difference: a mean, and its p.
void addDifference(LabCells& cells, const char* column, const char* p, const std::vector<double>& values,
                   const std::vector<double>* others)
{
    add(cells, column, others ? std::optional(sampleMean(values).mean - sampleMean(*others).mean) : std::nullopt);
    add(cells, p, others ? pairedTTest(values, *others) : std::nullopt);
}

}  // namespace

void addScores(LabCells& cells, const std::optional<PolicyScores>& scores, const PolicyScores* vanilla,
               const ScoreNames& names)
{
    if (!scores || scores->empty()) {
        for (const char* column :
             {"nll", "perplexity", "accuracy", "stderr", "accuracy_stderr", names.recall, names.asked, "entropy_mean",
              "change", "p", "accuracy_change", "accuracy_p", names.windows})
            add(cells, column, {});
        return;
    }
    std::int64_t asked = 0;
    double recalled = 0;
    for (const PolicyScore& score : *scores) {
        asked += score.asked;
        recalled += score.recalled;
    }
    const std::vector<double> losses = each(*scores, &PolicyScore::loss),
                              accuracies = each(*scores, &PolicyScore::accuracy);
    const SampleMean loss = sampleMean(losses), accuracy = sampleMean(accuracies);
    add(cells, "nll", loss.mean);
    add(cells, "perplexity", std::exp(loss.mean));
    add(cells, "accuracy", accuracy.mean);
    add(cells, "stderr", loss.standardError);
    add(cells, "accuracy_stderr", errorOfShare(accuracy));
    add(cells, names.recall, asked > 0 ? std::optional(recalled / static_cast<double>(asked)) : std::nullopt);
    cells.emplace_back(names.asked, asked);
    add(cells, "entropy_mean", sampleMean(each(*scores, &PolicyScore::entropy)).mean);
    const std::vector<double> theirLosses = vanilla ? each(*vanilla, &PolicyScore::loss) : losses,
                              theirAccuracies = vanilla ? each(*vanilla, &PolicyScore::accuracy) : accuracies;
    addDifference(cells, "change", "p", losses, vanilla ? &theirLosses : nullptr);
    addDifference(cells, "accuracy_change", "accuracy_p", accuracies, vanilla ? &theirAccuracies : nullptr);
    cells.emplace_back(names.windows, std::ssize(*scores));
}

namespace {

/// Columns that say what a row is of.
LabCells policyCells(const NetworkLabel& network, const Model& model, const Policy& policy, const LanguageTest& test)
{
    const std::string method =
                          formatChoice(attentionOf(policy)) + (policy.mask ? "|" + formatChoice(*policy.mask) : ""),
                      position = formatChoice(
                          test.mask ? *test.mask
                                    : policy.position.value_or(Choice{model.architecture.position().id, {}, {}})),
                      trained = formatChoice(network.trained);
    return {{"seed", network.seed},
            {"trained", trained},
            {"n", test.length},
            {"n_over_train", static_cast<double>(test.length) / static_cast<double>(model.architecture.trainLength)},
            {"method", method},
            {"positions", position},
            {"where", std::string("all layers")},
            {"policy", position + ", " + method + (isVanilla(network.trained) ? "" : ", trained with " + trained)}};
}

}  // namespace

LabCells qualityCells(const NetworkLabel& network, const Model& model, const Policy& policy, const LanguageTest& test,
                      const std::optional<PolicyScores>& scores, const PolicyScores* vanilla)
{
    LabCells cells = policyCells(network, model, policy, test);
    addScores(cells, scores, isVanillaPolicy(policy) ? nullptr : vanilla);
    return cells;
}

std::vector<LabCells> recallCells(const NetworkLabel& network, const Model& model, const Policy& policy,
                                  const LanguageTest& test, const PolicyScores& scores)
{
    struct Octave {
        std::vector<double> right;  // 1 or 0
        double distances = 0;       // their sum
    };
    std::map<int, Octave> octaves;
    for (const PolicyScore& score : scores)
        for (const PolicyScore::Answer& answer : score.answers) {
            Octave& octave = octaves[static_cast<int>(std::bit_width(static_cast<std::uint64_t>(answer.distance))) - 1];
            octave.right.push_back(answer.right);
            octave.distances += static_cast<double>(answer.distance);
        }
    std::vector<LabCells> rows;
    for (const auto& [power, octave] : octaves) {
        const SampleMean recall = sampleMean(octave.right);
        LabCells cells = policyCells(network, model, policy, test);
        cells.emplace_back("from", std::int64_t{1} << power);
        cells.emplace_back("to", (std::int64_t{2} << power) - 1);
        add(cells, "distance", octave.distances / static_cast<double>(octave.right.size()));
        cells.emplace_back("asked", std::ssize(octave.right));
        add(cells, "recall", recall.mean);
        add(cells, "stderr", errorOfShare(recall));
        rows.push_back(std::move(cells));
    }
    return rows;
}

namespace {

/// Rows of one policy at one n of one task, a seed each.
struct AcrossSeeds {
    const LabRow* first;
    std::vector<std::int64_t> seeds = {};
    std::vector<double> losses = {}, accuracies = {}, entropies = {};

    /// Values of those seeds that the other has too, in this one's order.
    std::vector<double> shared(const std::vector<double>& values, const AcrossSeeds& other) const
    {
        std::vector<double> both;
        for (std::size_t i = 0; i < seeds.size(); ++i)
            if (std::ranges::find(other.seeds, seeds[i]) != other.seeds.end())
                both.push_back(values[i]);
        return both;
    }
    /// The other's values of the same seeds, in this one's order.
    std::vector<double> theirs(std::vector<double> AcrossSeeds::*values, const AcrossSeeds& other) const
    {
        std::vector<double> both;
        for (const std::int64_t seed : seeds)
            if (const auto found = std::ranges::find(other.seeds, seed); found != other.seeds.end())
                both.push_back((other.*values)[static_cast<std::size_t>(found - other.seeds.begin())]);
        return both;
    }
    bool shares(const AcrossSeeds& other) const { return !shared(losses, other).empty(); }
};

}  // namespace

std::vector<LabCells> seedCells(const std::vector<LabRow>& quality)
{
    std::vector<AcrossSeeds> all;
    for (const LabRow& row : quality) {
        if (std::isnan(row.number("nll")))
            continue;
        auto found = std::ranges::find_if(all, [&](const AcrossSeeds& a) {
            return a.first->number("n") == row.number("n") && a.first->word("task") == row.word("task") &&
                   a.first->word("policy") == row.word("policy");
        });
        if (found == all.end())
            found = all.insert(all.end(), {.first = &row});
        found->seeds.push_back(static_cast<std::int64_t>(row.number("seed")));
        found->losses.push_back(row.number("nll"));
        found->accuracies.push_back(row.number("accuracy"));
        found->entropies.push_back(row.number("entropy_mean"));
    }
    /// The row that this one is held against: same task, n and positions, tested with vanilla, trained so, with a seed
    /// that both have.
    const auto against = [&](const AcrossSeeds& mine, const std::string& trained) {
        return std::ranges::find_if(all, [&](const AcrossSeeds& a) {
            return a.first->number("n") == mine.first->number("n") &&
                   a.first->word("task") == mine.first->word("task") &&
                   a.first->word("positions") == mine.first->word("positions") && isVanilla(a.first->word("method")) &&
                   a.first->word("trained") == trained && mine.shares(a);
        });
    };
    std::vector<LabCells> rows;
    for (const AcrossSeeds& mine : all) {
        LabCells cells;
        for (const auto& cell : mine.first->cells)
            for (const char* kept : {"trained", "task", "n", "n_over_train", "method", "positions", "where", "policy"})
                if (cell.first == kept)
                    cells.push_back(cell);
        const SampleMean loss = sampleMean(mine.losses), accuracy = sampleMean(mine.accuracies);
        cells.emplace_back("networks", std::ssize(mine.losses));
        add(cells, "nll", loss.mean);
        add(cells, "perplexity", std::exp(loss.mean));
        add(cells, "accuracy", accuracy.mean);
        add(cells, "stderr", loss.standardError);
        add(cells, "accuracy_stderr", errorOfShare(accuracy));
        add(cells, "entropy_mean", sampleMean(mine.entropies).mean);
        auto other = against(mine, std::string(vanillaId));
        if (other == all.end())
            other = against(mine, mine.first->word("trained"));
        const bool compared = other != all.end() && other->first != mine.first;
        const auto difference = [&](const char* column, const char* p, std::vector<double> AcrossSeeds::*values) {
            const auto theirs = compared ? mine.theirs(values, *other) : std::vector<double>();
            addDifference(cells, column, p, compared ? mine.shared(mine.*values, *other) : mine.*values,
                          compared ? &theirs : nullptr);
        };
        difference("change", "p", &AcrossSeeds::losses);
        difference("accuracy_change", "accuracy_p", &AcrossSeeds::accuracies);
        cells.emplace_back("against", compared ? LabValue(other->first->word("policy")) : LabValue());
        rows.push_back(std::move(cells));
    }
    return rows;
}

}  // namespace attnscope
