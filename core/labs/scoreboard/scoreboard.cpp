#include "core/labs/scoreboard/scoreboard.h"

#include "core/base/each.h"
#include "core/labs/lab_support.h"
#include "core/labs/lab_text.h"
#include "core/labs/policies/scale_policies.h"
#include "core/labs/scoreboard/scoreboard_statistics.h"
#include "core/model/policy.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

namespace attnscope {

namespace {

using Values = decltype(Choice::values);

std::optional<double> numberOf(const LabRow& row, const std::string& column)
{
    const double value = column.empty() ? std::nan("") : row.number(column);
    return std::isnan(value) ? std::nullopt : std::optional(value);
}

double valueOf(GainOf gain, double value)
{
    return gain == GainOf::Share ? 100 * value : gain == GainOf::Loss ? std::exp(value) : value;
}

/// Of losses and logarithms of lengths.
double percentLower(double difference) { return -100 * std::expm1(difference); }

/// Whether the run's networks were trained as those that come with the program: all that any recipe names is the same.
bool isOfRecipe(const BoardTask& task, const Choice& choice, const Values& recipe)
{
    const auto valueIn = [](const Values& values, const std::string& id) {
        const auto found = values.find(id);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
    return std::ranges::all_of(task.recipes, [&](const Values& one) {
        return std::ranges::all_of(one, [&](const auto& named) {
            return valueIn(choice.values, named.first) == valueIn(recipe, named.first);
        });
    });
}

/// "length=100, alpha=16, book": what the run's lab does not do by default, but for how much of it is tested, and for
/// how long networks learned where that is the task's recipe. The model that comes with the program has steps=0.
std::string settingsOf(const BoardTask& task, const Lab& lab, const Choice& choice)
{
    std::string all;
    const auto add = [&](const std::string& part) { all += (all.empty() ? "" : ", ") + part; };
    const bool asShipped =
        std::ranges::any_of(task.recipes, [&](const Values& recipe) { return isOfRecipe(task, choice, recipe); });
    for (const auto& [id, value] : choice.values) {
        const bool learning = (id == "steps" && (value == 0 || asShipped)) || (id == "from" && asShipped);
        if (std::ranges::find(task.sampling, id) == task.sampling.end() && !learning)
            add(id + "=" + formatNumber(value));
    }
    const std::vector<std::string> parts = textPartsOf(lab, choice.text);
    for (std::size_t i = 0; i < parts.size() && i < lab.textParts.size(); ++i)
        if (const std::string& name = lab.textParts[i].name;
            (name == "model" || name == "text" || name == "instances") && !parts[i].empty())
            add(std::filesystem::path(parts[i]).stem().string());
    return all;
}

/// What tells a row's network from others of the same task and settings. A training is one by its seed, whichever run
/// tested it; a network that comes with the program by its number, and one of a file by its path, whatever seed drew
/// the tests.
std::string networkOf(const Lab& lab, const Choice& choice, const LabRow& row)
{
    const Parameters parameters(lab, choice);
    const std::vector<std::string> parts = textPartsOf(lab, choice.text);
    std::string file;
    for (std::size_t i = 0; i < parts.size() && i < lab.textParts.size(); ++i)
        if (lab.textParts[i].name == "model")
            file = parts[i];
    const auto number = numberOf(row, "seed");
    if (!file.empty() || parameters["steps"] == 0)
        return file + " shipped " + formatNumber(number.value_or(1));
    return "trained " + formatNumber(number.value_or(parameters["seed"]));
}

/// "infoscale" however its choice was written.
std::string canonical(const std::string& method)
{
    const auto choice = parseChoice(method, scaleMethods(), "scale method");
    return choice ? formatChoice(*choice) : method;
}

/// A row that a task understands.
struct Score {
    const BoardTask* task = nullptr;
    std::size_t run = 0;
    std::int64_t seed = 0;
    std::string network, conditions, settings, where, method;
    double n = 0, ratio = 0, value = 0;
    double lnLength = 0;  ///< of tours: the mean over the instances of ln(length / vanilla's)
    std::optional<double> entropy, entropyOfDecoder, p;
    std::int64_t count = 0;
    bool comparable = true, isTested = true;

    /// Vanilla's row with the same key is what this one is held against.
    auto unit() const { return std::tuple(task, run, seed, conditions, settings); }
    /// In encoder and decoder is where a scale acts unless somebody asks for less.
    std::string place() const { return actsEverywhere(where) ? "" : ", " + where; }
    std::string label() const
    {
        return task->label + conditions + place() + (settings.empty() ? "" : " (" + settings + ")");
    }
    /// What the label says beyond the task's own.
    std::string detail() const
    {
        const std::string all = conditions + place() + (settings.empty() ? "" : ", " + settings);
        return all.substr(std::min<std::size_t>(2, all.size()));
    }
    std::optional<double> entropyWhere(const std::string& place) const
    {
        return actsInDecoderAlone(place) ? entropyOfDecoder : entropy;
    }
};

double gainOver(const Score& score, const Score& reference)
{
    switch (score.task->gain) {
    case GainOf::Share:
        return 100 * (score.value - reference.value);
    case GainOf::Percent:
        return score.value - reference.value;
    case GainOf::Loss:
        return percentLower(score.value - reference.value);
    case GainOf::Length:
        return percentLower(score.lnLength - reference.lnLength);
    }
    return 0;
}

/// Is a method's multiplier of N keys 1, or has it none? A board asks it of thousands of rows and tens of methods, some
/// of which integrate for their answer.
class ChangesNothing {
public:
    bool operator()(double trainLength, const std::string& method, int headSize)
    {
        const auto [known, isNew] = m_known.try_emplace({trainLength, method, headSize});
        if (isNew)
            known->second = found(trainLength, method, headSize);
        return known->second;
    }

private:
    static bool found(double trainLength, const std::string& method, int headSize)
    {
        const auto choice = parseChoice(method.substr(0, method.find('|')), scaleMethods(), "scale method");
        const ScaleContext context{.keys = trainLength, .nTrain = trainLength, .d = headSize, .measured = {}};
        const std::int64_t keys[] = {static_cast<std::int64_t>(trainLength)};
        const auto m = choice ? rowMultipliers(*choice, context, keys) : tl::unexpected(choice.error());
        return !m || std::abs(m->front() - 1) < 1e-6;
    }

    std::map<std::tuple<double, std::string, int>, bool> m_known;
};

std::optional<Score> scoreOf(const BoardTask& task, const LabRow& row, const BoardRun& run, const Lab& lab,
                             ChangesNothing& changesNothing)
{
    const auto value = numberOf(row, task.column), n = row.find("n") ? numberOf(row, "n") : numberOf(row, "items");
    const Parameters parameters(lab, run.record.choice);
    const double ratio =
        task.trainLength.empty() ? row.number("n_over_train") : n.value_or(0) / parameters[task.trainLength];
    const auto change = numberOf(row, task.change);
    if (!value || !n || std::isnan(ratio) || (!task.change.empty() && !change && !isVanilla(row.word("method"))))
        return {};
    Score score;
    score.task = &task;
    score.n = *n;
    score.ratio = ratio;
    score.value = *value;
    score.lnLength = std::log1p(change.value_or(0) / 100);
    score.seed = static_cast<std::int64_t>(numberOf(row, "seed").value_or(0));
    score.settings = settingsOf(task, lab, run.record.choice);
    score.network = lab.id + " (" + score.settings + "), " + networkOf(lab, run.record.choice, row);
    for (const std::string& column : task.conditions) {
        const std::string word = row.word(column);
        if (column == "trained" ? !isVanilla(word) : !word.empty())
            score.conditions += (column == "trained" ? ", trained with " : ", ") + word;
        if (std::ranges::find(task.learned, column) != task.learned.end())
            score.network += ", " + word;
    }
    score.where = row.word(task.where);
    score.method = canonical(row.word("method"));
    score.entropy = numberOf(row, task.entropy);
    score.entropyOfDecoder = numberOf(row, task.entropyOfDecoder);
    score.p = numberOf(row, task.p);
    const double heads = task.heads.empty() ? 1 : parameters[task.heads];
    score.comparable =
        score.conditions.find("trained with") != score.conditions.npos ||
        changesNothing(std::round(*n / ratio), score.method, static_cast<int>(parameters["width"] / heads));
    const auto counted = numberOf(row, task.count);
    const bool isParameter = parameterOf(lab, task.count) != nullptr;
    score.count = static_cast<std::int64_t>(counted ? *counted : isParameter ? parameters[task.count] : 0);
    return score;
}

/// Rows of a method beside the reference's, all of one task, method and ratio.
struct Pairs {
    Score first;
    std::vector<BoardPair> networks = {};
    std::vector<double> entropies = {};
    std::vector<std::array<double, 3>> seen = {};  ///< value, vanilla's and entropy
    std::set<std::size_t> runs = {};
    std::map<std::string, std::size_t> runOf = {};  ///< of a network: the first run that tested it
};

bool isRepeated(const Pairs& pairs, const std::array<double, 3>& found)
{
    return std::ranges::any_of(
        pairs.seen, [&](const std::array<double, 3>& before) { return std::ranges::equal(before, found, agree); });
}

constexpr double recordedGain =
    1e-5;  // per cent: gains that are nearer than that are the same, as the eight digits go that records keep

BoardCell cellOf(const Pairs& pairs, const std::string& reference)
{
    const GainOf gain = pairs.first.task->gain;
    BoardCell cell;
    cell.task = pairs.first.label();
    cell.method = pairs.first.method;
    cell.n = pairs.first.n;
    cell.ratio = pairs.first.ratio;
    cell.runs.assign(pairs.runs.begin(), pairs.runs.end());
    cell.networks = pairs.networks;
    cell.comparable = pairs.first.comparable;
    cell.isTested = pairs.first.isTested;
    const std::vector<double> gains = each(pairs.networks, &BoardPair::gain);
    const SampleMean mean = sampleMean(gains);
    cell.value = valueOf(gain, sampleMean(each(pairs.networks, &BoardPair::value)).mean);
    cell.vanilla = valueOf(gain, sampleMean(each(pairs.networks, &BoardPair::vanilla)).mean);
    cell.gain = std::abs(mean.mean) < recordedGain ? 0 : mean.mean;
    if (!pairs.entropies.empty())
        cell.entropy = sampleMean(pairs.entropies).mean;
    std::vector<double> changes;
    for (const BoardPair& pair : pairs.networks)
        if (pair.entropyChange)
            changes.push_back(*pair.entropyChange);
    if (!changes.empty())
        cell.entropyChange = sampleMean(changes).mean;
    if (pairs.first.method == reference)
        return cell;
    cell.pairs = std::ssize(gains);
    if (!cell.isTested)
        return cell;
    if (cell.pairs > 1) {
        cell.standardError = mean.standardError;
        const auto [least, most] = std::ranges::minmax(gains);
        if (most - least > recordedGain)
            cell.p = tTest(gains);
        cell.pairedOver = pairs.first.task->pairs;
    } else if (pairs.first.p && isVanilla(reference)) {
        cell.p = pairs.first.p;
        cell.pairs = pairs.first.count;
        cell.pairedOver = pairs.first.task->within;
    }
    return cell;
}

std::size_t placeOf(const std::string& method)
{
    const auto rows = scaleMethods();
    const std::string id = method.substr(0, method.find_first_of(":|"));
    const auto found = std::ranges::find(rows, id, &ScaleMethod::id);
    return static_cast<std::size_t>(found - rows.begin()) +
           (method.find('|') != method.npos ? rows.size() : 0);  // with a normaliser: last
}

/// What the row says of what needs no network, where it is vanilla's.
void addBaselines(std::vector<Score>& scores, const Score& vanilla, const LabRow& row, const Parameters& run)
{
    for (const BoardTask::Baseline& baseline : vanilla.task->baselines)
        if (const auto value = baseline.workedOut
                                   ? std::optional(baseline.workedOut(run, static_cast<std::int64_t>(vanilla.n)))
                                   : numberOf(row, baseline.column);
            value && isVanilla(vanilla.method)) {
            Score score = vanilla;
            score.method = baseline.name;
            score.isTested = !baseline.workedOut;
            if (!score.task->where.empty())
                score.where = std::string(placesOfScale().front());
            score.value = *value;
            score.p = numberOf(row, baseline.p);
            score.entropy = score.entropyOfDecoder = {};
            scores.push_back(std::move(score));
        }
}

std::vector<Score> scoresOf(std::span<const BoardRun> runs)
{
    std::vector<Score> scores;
    ChangesNothing changesNothing;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        const auto lab = findRow(labs(), runs[r].record.choice.id, "lab");
        for (const BoardTask& task : boardTasks()) {
            if (!lab || task.lab != (*lab)->id)
                continue;
            const std::vector<LabRow>& rows = runs[r].record.rows;
            const bool each =
                !task.ofEach.empty() && std::ranges::find(rows, task.ofEach, &LabRow::table) != rows.end();
            for (const LabRow& row : rows)
                if (auto score = row.table == (each ? task.ofEach : task.table)
                                     ? scoreOf(task, row, runs[r], **lab, changesNothing)
                                     : std::nullopt) {
                    score->run = r;
                    addBaselines(scores, *score, row, Parameters(**lab, runs[r].record.choice));
                    scores.push_back(std::move(*score));
                }
        }
    }
    return scores;
}

/// Whether a run has a quality that a board could show, whatever it is held against.
bool hasQuality(const BoardRun& run)
{
    return std::ranges::any_of(boardTasks(), [&](const BoardTask& task) {
        return task.lab == run.record.choice.id && std::ranges::any_of(run.record.rows, [&](const LabRow& row) {
                   return (row.table == task.table || row.table == task.ofEach) && numberOf(row, task.column);
               });
    });
}

}  // namespace

std::string whyNoCell(std::span<const BoardRun> runs)
{
    return std::ranges::any_of(runs, hasQuality)
               ? "a board holds methods against vanilla at the same task and length, and none of the runs has rows of "
                 "both"
               : "there is no row of a lab to make a board of";
}

const BoardCell* Scoreboard::find(std::string_view task, std::string_view method, double ratio) const
{
    const auto found = std::ranges::find_if(cells, [&](const BoardCell& cell) {
        return cell.task == task && cell.method == method && cell.ratio == ratio;
    });
    return found == cells.end() ? nullptr : &*found;
}

Scoreboard makeScoreboard(std::span<const BoardRun> runs, const std::string& reference)
{
    const std::vector<Score> scores = scoresOf(runs);
    const auto placed = [](const Score& score) { return isVanilla(score.method) ? std::string() : score.where; };
    using Unit = decltype(scores[0].unit());
    std::map<std::pair<Unit, double>, const Score*> vanilla;                   // by unit and ratio
    std::map<std::tuple<Unit, double, std::string>, const Score*> references;  // and place
    for (const Score& score : scores) {
        if (isVanilla(score.method))
            vanilla.emplace(std::pair(score.unit(), score.ratio), &score);
        if (score.method == reference)
            references.emplace(std::tuple(score.unit(), score.ratio, placed(score)), &score);
    }
    using Key =
        std::tuple<std::size_t, std::string, double, std::size_t, std::string>;  // task, its label, ratio, method
    std::map<Key, Pairs> cells;
    const auto add = [&](Score score, const Score& against) {
        const auto key = Key(static_cast<std::size_t>(score.task - boardTasks().data()), score.label(), score.ratio,
                             placeOf(score.method), score.method);
        Pairs& pairs = cells.try_emplace(key, Pairs{score}).first->second;
        const std::array found{score.value, against.value, score.entropy.value_or(0)};
        if (pairs.runOf.try_emplace(score.network, score.run).first->second != score.run ||
            (pairs.first.run != score.run && isRepeated(pairs, found)))
            return;
        pairs.seen.push_back(found);
        pairs.runs.insert(score.run);
        pairs.networks.push_back({.network = score.network,
                                  .run = score.run,
                                  .seed = score.seed,
                                  .value = score.value,
                                  .vanilla = against.value,
                                  .gain = gainOver(score, against)});
        const auto entropy = score.entropyWhere(score.where);
        const auto atN = vanilla.find({score.unit(), 1.0});
        if (entropy)
            pairs.entropies.push_back(*entropy);
        if (const auto before = atN == vanilla.end() ? std::nullopt : atN->second->entropyWhere(score.where);
            entropy && before && *before > 0)
            pairs.networks.back().entropyChange = *entropy / *before - 1;
    };
    std::set<std::tuple<Unit, double, std::string>> referenceDone;
    for (const Score& score : scores) {
        const auto against =
            references.find({score.unit(), score.ratio, isVanilla(reference) ? std::string() : score.where});
        if (against == references.end() || score.method == reference ||
            (isVanilla(score.method) && !isVanilla(reference) && score.where.empty() && !score.task->where.empty()))
            continue;
        add(score, *against->second);
        Score baseline = *against->second;  // in the task of the place where the other acts
        baseline.where = score.where;
        if (referenceDone.emplace(baseline.unit(), baseline.ratio, baseline.where).second)
            add(baseline, *against->second);
    }
    Scoreboard board;
    board.reference = reference;
    std::set<double> ratios;
    std::set<std::pair<std::size_t, std::string>> methods;
    for (const auto& [key, pairs] : cells) {
        board.cells.push_back(attnscope::cellOf(pairs, reference));
        const BoardCell& cell = board.cells.back();
        if (board.tasks.empty() || board.tasks.back().label != cell.task)
            board.tasks.push_back({cell.task, pairs.first.task->quality, pairs.first.task->lab, pairs.first.task->label,
                                   pairs.first.detail()});
        board.tasks.back().networks = std::max(board.tasks.back().networks, std::ssize(cell.networks));
        ratios.insert(cell.ratio);
        methods.emplace(placeOf(cell.method), cell.method);
    }
    board.ratios.assign(ratios.begin(), ratios.end());
    for (const auto& [place, method] : methods)
        board.methods.push_back(method);
    markCopies(board);
    correctForAllTests(board);
    findBest(board);
    return board;
}

}  // namespace attnscope
