// Copies, corrected p-values, and the test of the hypothesis about entropy.

#include "core/labs/scoreboard/scoreboard_statistics.h"

#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/rank_correlation.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attnscope {

namespace {

/// Did the two find the same with every network?
bool isRepeated(const BoardCell& one, const BoardCell& other)
{
    return std::ranges::equal(one.networks, other.networks, [](const BoardPair& a, const BoardPair& b) {
        return a.network == b.network && agree(a.value, b.value) && agree(a.gain, b.gain) &&
               agree(a.entropyChange.value_or(0), b.entropyChange.value_or(0));
    });
}

/// Did the method find what `first` did wherever it was tested, and was that beyond N too?
bool isSame(const Scoreboard& board, const std::string& first, const std::string& method)
{
    bool beyond = false;
    for (const BoardCell& cell : board.cells)
        if (cell.method == method) {
            const BoardCell* other = board.find(cell.task, first, cell.ratio);
            if (!other || !isRepeated(cell, *other))
                return false;
            beyond = beyond || cell.ratio > 1;
        }
    return beyond;
}

/// One network's points of the test.
struct NetworkPoints {
    std::string kind;                                              ///< the first task that it is tested on
    std::map<std::pair<std::string, double>, RankedPairs> groups;  ///< by task and ratio
};

/// By BoardPair::network.
std::map<std::string, NetworkPoints> pointsOf(const Scoreboard& board, bool comparableAlone)
{
    std::map<std::string, NetworkPoints> networks;
    for (const Scoreboard::Task& task : board.tasks)
        for (const BoardCell& cell : board.cells)
            if (cell.task == task.label && cell.ratio > 1 && cell.copyOf.empty() &&
                cell.method.find("|window") == cell.method.npos &&  // another mask is no scale
                (cell.comparable || !comparableAlone))
                for (const BoardPair& pair : cell.networks)
                    if (pair.entropyChange) {
                        NetworkPoints& points = networks[pair.network];
                        if (points.kind.empty())
                            points.kind = task.label;
                        points.groups[{cell.task, cell.ratio}].emplace_back(std::abs(*pair.entropyChange), pair.gain);
                    }
    return networks;
}

/// Over networks, or over kinds of them, of the groups wanted.
template <class Wanted>
std::optional<EntropyRelation> relationOf(std::string scope, const std::map<std::string, NetworkPoints>& networks,
                                          bool overKinds, const Wanted& wanted)
{
    EntropyRelation relation{std::move(scope), 0, {}, 0, overKinds ? "kinds of network" : "networks", 0};
    std::map<std::string, std::vector<double>> kinds;
    for (const auto& [network, points] : networks) {
        std::vector<RankedPairs> chosen;
        for (const auto& [group, pairs] : points.groups)
            if (wanted(group.first, group.second))
                chosen.push_back(pairs);
        const auto found = spearman(chosen);
        if (!found)
            continue;
        relation.points += found->points;
        kinds[overKinds ? points.kind : std::to_string(kinds.size())].push_back(found->rho);
    }
    std::vector<double> units;
    for (const auto& [kind, each] : kinds)
        units.push_back(sampleMean(each).mean);
    if (units.empty())
        return {};
    relation.units = std::ssize(units);
    relation.rho = sampleMean(units).mean;
    relation.p = tTest(units);
    return relation;
}

}  // namespace

void markCopies(Scoreboard& board)
{
    for (std::size_t i = 0; i < board.cells.size(); ++i)
        for (std::size_t j = i;
             j-- > 0 && board.cells[j].task == board.cells[i].task && board.cells[j].ratio == board.cells[i].ratio;)
            if (isRepeated(board.cells[i], board.cells[j]))
                board.cells[i].copyOf = board.cells[j].copyOf.empty() ? board.cells[j].method : board.cells[j].copyOf;
    std::vector<std::string> kept;
    for (const std::string& method : board.methods) {
        const auto first =
            std::ranges::find_if(kept, [&](const std::string& before) { return isSame(board, before, method); });
        if (first == kept.end())
            kept.push_back(method);
        else
            board.copies[*first].push_back(method);
    }
    board.methods = std::move(kept);
    std::erase_if(board.cells, [&](const BoardCell& cell) {
        return std::ranges::find(board.methods, cell.method) == board.methods.end();
    });
}

void correctForAllTests(Scoreboard& board)
{
    for (const bool overNetworks : {true, false}) {
        std::vector<BoardCell*> tested;
        std::vector<double> p;
        for (BoardCell& cell : board.cells)
            if (cell.p && cell.copyOf.empty() && (cell.networks.size() > 1) == overNetworks) {
                tested.push_back(&cell);
                p.push_back(*cell.p);
            }
        const std::vector<double> q = benjaminiHochberg(p);
        for (std::size_t i = 0; i < q.size(); ++i)
            tested[i]->q = q[i];
    }
    for (BoardCell& cell : board.cells)
        if (!cell.copyOf.empty())
            if (const BoardCell* first = board.find(cell.task, cell.copyOf, cell.ratio))
                cell.q = first->q;
}

namespace {

/// Of the networks that both were tested with.
std::optional<double> pBetween(const BoardCell& one, const BoardCell& other)
{
    std::vector<double> a, b;
    for (const BoardPair& pair : one.networks)
        for (const BoardPair& same : other.networks)
            if (pair.network == same.network) {
                a.push_back(pair.gain);
                b.push_back(same.gain);
            }
    return pairedTTest(a, b);
}

}  // namespace

void findBest(Scoreboard& board)
{
    for (auto first = board.cells.begin(); first != board.cells.end();) {
        const auto end = std::find_if(first, board.cells.end(), [&](const BoardCell& cell) {
            return cell.task != first->task || cell.ratio != first->ratio;
        });
        const auto best = std::max_element(first, end, [](const BoardCell& a, const BoardCell& b) {
            const auto counts = [](const BoardCell& cell) {
                return cell.networks.size() > 1 && cell.copyOf.empty() && cell.isTested;
            };
            return counts(b) && (!counts(a) || a.gain < b.gain);
        });
        std::vector<BoardCell*> tested;
        std::vector<double> p;
        for (auto cell = first; cell != end && best->networks.size() > 1; ++cell)
            if (cell != best && cell->copyOf != best->method) {
                cell->behind = best->method;
                if (const auto found = cell->copyOf.empty() && cell->isTested ? pBetween(*best, *cell) : std::nullopt) {
                    tested.push_back(&*cell);
                    p.push_back(*found);
                }
            }
        const std::vector<double> corrected = holm(p);
        for (std::size_t i = 0; i < tested.size(); ++i)
            tested[i]->behindP = corrected[i];
        first = end;
    }
}

std::optional<double> halfIntervalOfOthers(const BoardCell& cell)
{
    return halfIntervalOfOthers(SampleMean{cell.pairs, cell.gain, cell.standardError}, cell.pairs);
}

bool isBest(const BoardCell& cell)
{
    return cell.behind.empty() && cell.copyOf.empty() && cell.isTested && cell.networks.size() > 1;
}

int starsOf(const BoardCell& cell)
{
    const double q = cell.q.value_or(1);
    return q < 0.001 ? 3 : q < 0.01 ? 2 : q < 0.05 ? 1 : 0;
}

bool isComparable(const Scoreboard& board, std::string_view method)
{
    return std::ranges::all_of(board.cells,
                               [&](const BoardCell& cell) { return cell.method != method || cell.comparable; });
}

std::string withCopies(const Scoreboard& board, const std::string& method)
{
    const auto copies = board.copies.find(method);
    return copies == board.copies.end() ? method : method + " = " + joined(copies->second, " = ");
}

std::vector<EntropyRelation> entropyRelations(const Scoreboard& board)
{
    std::vector<EntropyRelation> relations;
    const auto add = [&](std::optional<EntropyRelation> found) {
        if (found)
            relations.push_back(std::move(*found));
    };
    const auto all = pointsOf(board, false), comparable = pointsOf(board, true);
    const auto any = [](const std::string&, double) { return true; };
    add(relationOf("all methods", all, true, any));
    add(relationOf("methods that are 1 at N", comparable, true, any));
    for (const Scoreboard::Task& task : board.tasks)
        add(relationOf(task.label, all, false, [&](const std::string& label, double) { return label == task.label; }));
    std::set<double> ratios;
    for (const BoardCell& cell : board.cells)
        if (cell.ratio > 1)
            ratios.insert(cell.ratio);
    for (const double ratio : ratios)
        add(relationOf("n = " + formatNumber(ratio) + " N", all, true,
                       [&](const std::string&, double at) { return at == ratio; }));
    return relations;
}

std::vector<std::string> whatIsMissing(const Scoreboard& board)
{
    const auto knows = [&](const BoardTask& task) {
        return std::ranges::find(task.baselines, board.reference, &BoardTask::Baseline::name) != task.baselines.end();
    };
    const bool ofSome = std::ranges::any_of(boardTasks(), knows);  // needs no network, and is of those tasks alone
    std::vector<std::string> missing;
    for (const BoardTask& task : boardTasks())
        if ((!ofSome || knows(task)) && findRow(labs(), task.lab, "lab") &&
            std::ranges::none_of(board.tasks, [&](const Scoreboard::Task& there) {
                return there.lab == task.lab && there.name == task.label;
            }))
            missing.push_back(task.label + ": attnscope lab " + task.lab + " --out DIR, then --runs DIR");
    std::vector<std::string> tested = board.methods;
    for (const auto& [method, copies] : board.copies)
        tested.insert(tested.end(), copies.begin(), copies.end());
    std::string without;
    for (const ScaleMethod& method : scaleMethods())
        if (!method.written && std::ranges::none_of(tested, [&](const std::string& there) {
                return there.substr(0, there.find_first_of(":|")) == method.id;
            }))
            without += (without.empty() ? "" : ", ") + method.id;
    if (!without.empty())
        missing.push_back(without + ": name them in --set methods= of a lab");
    return missing;
}

}  // namespace attnscope
