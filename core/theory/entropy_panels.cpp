#include "core/theory/entropy_panels.h"

#include "core/base/parallel.h"
#include "core/theory/phi_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace attnscope {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr Index nodeCount = 16;
constexpr double diedDown = 1e-9;
constexpr double firstBreak = 0.5;  ///< of s in units of the law's standard deviation
constexpr size_t tableCost = 16;    ///< of making a table, in readings of one

/// The pairs (n, lambda) of one lambda.
using Group = std::vector<size_t>;

/// Rows of one spread s, which are `weight` of all rows at their lambda.
struct Spread {
    double s, weight;
    const Group* group;
    std::vector<double> own;  ///< the entropies of its group where no panel serves it
};

/// The lengths of all pairs: each once, rising, and where every pair's is among them.
struct Lengths {
    std::vector<double> distinct;
    std::vector<Index> place;

    explicit Lengths(std::span<const double> n) : place(n.size())
    {
        for (const Group& group : indicesOfEqual(n)) {
            for (const size_t pair : group)
                place[pair] = static_cast<Index>(distinct.size());
            distinct.push_back(n[group.front()]);
        }
    }
    double of(size_t pair) const { return distinct[static_cast<size_t>(place[pair])]; }
};

/// The s between two breaks.
struct Panel {
    double from, to;
    std::vector<Spread> spreads;
    std::vector<Index> places;   ///< of the lengths that its spreads ask for, rising
    std::vector<Index> columns;  ///< column of every length's place, or -1
    MatrixXd values;             ///< (node, column): entropies; later the series. Empty: not used
    std::vector<bool> trusted;   ///< of every column

    double node(Index k) const
    {
        return (from + to) / 2 +
               (to - from) / 2 * std::cos(std::numbers::pi * (static_cast<double>(k) + 0.5) / nodeCount);
    }
};

double entropyOf(const PhiTable& table, double n) { return n == 1 ? 0 : table.entropy(n); }

/// T_0(t) .. T_15(t)
VectorXd chebyshev(double t)
{
    VectorXd values(nodeCount);
    values[0] = 1;
    values[1] = t;
    for (Index k = 2; k < nodeCount; ++k)
        values[k] = 2 * t * values[k - 1] - values[k - 2];
    return values;
}

/// series = seriesOfValues() values
const MatrixXd& seriesOfValues()
{
    static const MatrixXd matrix = [] {
        MatrixXd m(nodeCount, nodeCount);
        for (Index node = 0; node < nodeCount; ++node)
            m.col(node) =
                2.0 / nodeCount * chebyshev(std::cos(std::numbers::pi * (static_cast<double>(node) + 0.5) / nodeCount));
        m.row(0) /= 2;
        return m;
    }();
    return matrix;
}

/// 0: |s| sigma below the first break; then two a doubling. Negative numbers: negative s.
int panelNumber(double spread)
{
    const double size = std::abs(spread) / firstBreak;
    const int number = size < 1 ? 0 : 1 + static_cast<int>(std::floor(2 * std::log2(size)));
    return spread < 0 ? -1 - number : number;
}

Panel makePanel(int number, double sigma)
{
    const int size = number < 0 ? -1 - number : number;
    const double unit = (number < 0 ? -firstBreak : firstBreak) / sigma;
    const double inner = size == 0 ? 0 : unit * std::exp2((size - 1) / 2.0), outer = unit * std::exp2(size / 2.0);
    return {.from = inner, .to = outer, .spreads = {}, .places = {}, .columns = {}, .values = {}, .trusted = {}};
}

/// Which lengths the panel's spreads read, and whether sixteen nodes are less work than a table for every s.
void prepare(Panel& panel, const Lengths& lengths)
{
    panel.columns.assign(lengths.distinct.size(), -1);
    size_t readings = 0;
    for (const Spread& spread : panel.spreads) {
        readings += spread.group->size();
        for (const size_t pair : *spread.group)
            panel.columns[static_cast<size_t>(lengths.place[pair])] = 0;
    }
    for (size_t place = 0; place < panel.columns.size(); ++place)
        if (panel.columns[place] == 0) {
            panel.columns[place] = static_cast<Index>(panel.places.size());
            panel.places.push_back(static_cast<Index>(place));
        }
    if (tableCost * panel.spreads.size() + readings > nodeCount * (tableCost + panel.places.size()))
        panel.values.resize(nodeCount, static_cast<Index>(panel.places.size()));
    panel.trusted.assign(panel.places.size(), false);
}

std::vector<Panel> panelsOf(const LogitDensity& density, std::span<const double> lambda,
                            const std::vector<Group>& groups, const Lengths& lengths)
{
    const double sigma = std::sqrt(std::max(density.law.variance, 1e-300));
    std::map<int, Panel> byNumber;
    for (const Group& group : groups) {
        const double multiplier = lambda[group.front()] * std::sqrt(density.d);
        for (const Node& row : density.rows(multiplier, 1, false)) {
            const double s = density.law.symmetric ? std::abs(multiplier * row.x) : multiplier * row.x;
            const int number = panelNumber(s * sigma);
            byNumber.try_emplace(number, makePanel(number, sigma))
                .first->second.spreads.push_back({s, row.weight, &group, {}});
        }
    }
    std::vector<Panel> panels;
    for (auto& [number, panel] : byNumber) {
        prepare(panel, lengths);
        panels.push_back(std::move(panel));
    }
    return panels;
}

void fillNode(Panel& panel, const LogitLaw& law, Index node, const Lengths& lengths)
{
    const auto at = [&](Index place) { return lengths.distinct[static_cast<size_t>(place)]; };
    const PhiTable table(law, panel.node(node), nullptr, at(panel.places.front()), at(panel.places.back()), 1);
    for (size_t k = 0; k < panel.places.size(); ++k)
        panel.values(node, static_cast<Index>(k)) = entropyOf(table, at(panel.places[k]));
}

void makeSeries(Panel& panel)
{
    if (panel.values.size() == 0)
        return;
    const Eigen::RowVectorXd smallest = panel.values.cwiseAbs().colwise().minCoeff();
    panel.values = seriesOfValues() * panel.values;
    for (Index k = 0; k < panel.values.cols(); ++k)
        panel.trusted[static_cast<size_t>(k)] = panel.values.col(k).tail(2).cwiseAbs().sum() <= diedDown * smallest[k];
}

bool trusted(const Panel& panel, const Group& group, const Lengths& lengths)
{
    return std::all_of(group.begin(), group.end(), [&](size_t pair) {
        return panel.trusted[static_cast<size_t>(panel.columns[static_cast<size_t>(lengths.place[pair])])];
    });
}

/// A table for this s alone.
void fillOwn(const LogitLaw& law, Spread& spread, const Lengths& lengths)
{
    const auto shorter = [&](size_t a, size_t b) { return lengths.place[a] < lengths.place[b]; };
    const auto [first, last] = std::minmax_element(spread.group->begin(), spread.group->end(), shorter);
    const PhiTable table(law, spread.s, nullptr, lengths.of(*first), lengths.of(*last), 1);
    for (const size_t pair : *spread.group)
        spread.own.push_back(entropyOf(table, lengths.of(pair)));
}

void addUp(const Panel& panel, const Lengths& lengths, std::vector<double>& out)
{
    for (const Spread& spread : panel.spreads) {
        const VectorXd polynomials = chebyshev((2 * spread.s - panel.from - panel.to) / (panel.to - panel.from));
        for (size_t k = 0; k < spread.group->size(); ++k) {
            const size_t pair = (*spread.group)[k];
            const Index column = panel.columns[static_cast<size_t>(lengths.place[pair])];
            out[pair] +=
                spread.weight * (spread.own.empty() ? polynomials.dot(panel.values.col(column)) : spread.own[k]);
        }
    }
}

/// Runs every job, on all cores, until stopped.
template <class Job, class Run>
void runAll(const std::vector<Job>& jobs, const std::stop_token& stop, Run run)
{
    forEachInParallel(static_cast<std::int64_t>(jobs.size()), 1, [&](std::int64_t k) {
        if (!stop.stop_requested())
            run(jobs[static_cast<size_t>(k)]);
    });
}

}  // namespace

std::vector<Group> indicesOfEqual(std::span<const double> numbers)
{
    std::vector<size_t> order(numbers.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return numbers[a] < numbers[b]; });
    std::vector<Group> groups;
    for (const size_t k : order) {
        if (groups.empty() || numbers[groups.back().front()] != numbers[k])
            groups.emplace_back();
        groups.back().push_back(k);
    }
    return groups;
}

std::vector<double> expectedEntropies(const LogitDensity& density, std::span<const double> n,
                                      std::span<const double> lambda, std::stop_token stop)
{
    std::vector<double> out(n.size(), 0.0);
    const std::vector<Group> groups = indicesOfEqual(lambda);
    const Lengths lengths(n);
    std::vector<Panel> panels = panelsOf(density, lambda, groups, lengths);
    std::vector<std::pair<Panel*, Index>> nodes;
    for (Panel& panel : panels)
        for (Index node = 0; panel.values.size() > 0 && node < nodeCount; ++node)
            nodes.emplace_back(&panel, node);
    runAll(nodes, stop, [&](const auto& job) { fillNode(*job.first, density.law, job.second, lengths); });

    std::vector<Spread*> alone;
    for (Panel& panel : panels) {
        makeSeries(panel);
        for (Spread& spread : panel.spreads)
            if (!trusted(panel, *spread.group, lengths))
                alone.push_back(&spread);
    }
    runAll(alone, stop, [&](Spread* spread) { fillOwn(density.law, *spread, lengths); });
    if (!stop.stop_requested())
        for (const Panel& panel : panels)
            addUp(panel, lengths, out);
    return out;
}

}  // namespace attnscope
