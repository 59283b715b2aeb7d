#include "core/theory/expected_row.h"

#include "core/base/parallel.h"
#include "core/theory/phi_table.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace attnscope {

namespace {

/// The tables of one density at one scale: one a value of r, with the weights of r.
struct WeightedTable {
    double weight;
    PhiTable table;
};

std::vector<WeightedTable> tabulate(const LogitDensity& density, double lambda, double first, double last, int refine,
                                    double order = 1, const std::stop_token& stop = {})
{
    const double multiplier = lambda * std::sqrt(density.d);
    const double needle = multiplier * density.needle.value_or(0);
    const std::vector<Node> rows = density.rows(multiplier, refine, density.needle.has_value());
    std::vector<std::optional<WeightedTable>> made(rows.size());
    forEachInParallel(std::ssize(rows), 8, [&](std::int64_t k) {
        if (stop.stop_requested())
            return;
        const Node& row = rows[static_cast<size_t>(k)];
        const double s = multiplier * row.x;
        made[static_cast<size_t>(k)] =
            WeightedTable{row.weight, PhiTable(density.law, density.law.symmetric ? std::abs(s) : s,
                                               density.needle ? &needle : nullptr, first, last, refine, order)};
    });
    std::vector<WeightedTable> tables;
    for (std::optional<WeightedTable>& table : made)
        if (table)
            tables.push_back(std::move(*table));
    return tables;
}

template <class Value>
double mean(const std::vector<WeightedTable>& tables, Value value)
{
    double sum = 0;
    for (const WeightedTable& row : tables)
        sum += row.weight * value(row.table);
    return sum;
}

/// Order a of sum p^a needs |Gamma(a + i k)| / Gamma(a) to be small at the step's frequency.
int refineFor(double order, int refine) { return order > 16 ? 4 : order > 3 ? std::max(2, refine) : refine; }

}  // namespace

Result<void> checkLengthInTheory(double n, const char* name)
{
    if (n >= 1 && n <= 1e12)
        return {};
    return failure(ErrorKind::InvalidArgument, "{} must be from 1 to 1e12, not {}", name, formatNumber(n));
}

struct ExpectedRow::Tables {
    LogitDensity density;
    double lambda, first, last;
    int refine;
    std::vector<WeightedTable> rows;
};

ExpectedRow::ExpectedRow(const LogitDensity& density, double lambda, double first, double last, Resolution resolution,
                         std::stop_token stop)
    : m_tables(new Tables{density, lambda, first, last, resolution.refine,
                          tabulate(density, lambda, first, last, resolution.refine, 1, stop)})
{
}

ExpectedRow::~ExpectedRow() = default;
ExpectedRow::ExpectedRow(ExpectedRow&&) noexcept = default;
ExpectedRow& ExpectedRow::operator=(ExpectedRow&&) noexcept = default;

double ExpectedRow::freeEnergy(double n) const
{
    return mean(m_tables->rows, [n](const PhiTable& table) { return table.freeEnergy(n); });
}

double ExpectedRow::entropy(double n) const
{
    return n == 1 ? 0 : mean(m_tables->rows, [n](const PhiTable& table) { return table.entropy(n); });
}

double ExpectedRow::meanLogit(double n) const { return freeEnergy(n) - entropy(n); }

double ExpectedRow::needleWeight(double n) const
{
    return mean(m_tables->rows, [n](const PhiTable& table) { return table.needleWeight(n); });
}

std::vector<double> ExpectedRow::powerSum(std::span<const double> n, double order) const
{
    const int refine = refineFor(order, m_tables->refine);
    std::vector<WeightedTable> own;
    if (refine != m_tables->refine || order < 1)
        own = tabulate(m_tables->density, m_tables->lambda, m_tables->first, m_tables->last, refine,
                       std::min(order, 1.0));

    std::vector<double> out(n.size(), 0.0);
    for (const WeightedTable& row : own.empty() ? m_tables->rows : own) {
        const Eigen::ArrayXd column = row.table.powerColumn(order);
        for (size_t k = 0; k < n.size(); ++k)
            out[k] += row.weight * row.table.powerSum(n[k], order, column);
    }
    return out;
}

std::vector<double> ExpectedRow::renyi(std::span<const double> n, double order) const
{
    const bool shannon = std::abs(order - 1) < 1e-7;  // closer, and the difference below has no digits left
    const ExpectedRow powered(m_tables->density, shannon ? 0 : order * m_tables->lambda, m_tables->first,
                              m_tables->last, {m_tables->refine});
    std::vector<double> out;
    for (const double length : n)
        out.push_back(shannon ? entropy(length)
                              : (powered.freeEnergy(length) - order * freeEnergy(length)) / (1 - order));
    return out;
}

double expectedEntropy(const LogitDensity& density, double n, double lambda, Resolution resolution)
{
    return ExpectedRow(density, lambda, n, n, resolution).entropy(n);
}

}  // namespace attnscope
