#include "ui/model/probe_tables.h"

#include "core/base/measured_text.h"
#include "ui/figure/probe_charts.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"
#include "ui/widgets/line_swatch.h"
#include "ui/widgets/value_table.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Of both tables: "±" stands after each.
namespace columnOf {
constexpr int Loss = 4, Right = 6, Change = 8;
}

double orNone(const std::optional<double>& value) { return value.value_or(noValue); }

/// "−3.21 ± 0.40"; what has no error is said without.
QString withError(double value, const std::optional<double>& error)
{
    return printed(error ? formatWithError(value, *error) : formatNumber(value, 3));
}

/// "p = 0.012", "p < 0.001"
QString probabilityWords(double p)
{
    const QString said = text(formatProbability(p));
    return said.startsWith(u'<') ? u"p < %1"_s.arg(said.sliced(1)) : u"p = %1"_s.arg(said);
}

QString policyName(const ProbePolicy& policy)
{
    return policy.own ? policy.method : u"%1, %2"_s.arg(policy.method, policy.position);
}

QString needlePlace(const ProbeCell& cell)
{
    return u"n = %1, depth %2"_s.arg(lengthText(static_cast<double>(cell.n)), number(cell.depth));
}

/// What the map is of goes first, and the difference is of that.
QString needleReading(const ProbeCell& cell, const ProbeCell* against, const std::vector<ProbePolicy>& policies,
                      bool probability)
{
    if (cell.scores.empty())
        return u"%1: %2"_s.arg(needlePlace(cell), text(cell.absent));
    const ProbeMeans means = meansOf(cell, against);
    const QString exact = u"exact in %1 of %2"_s
                              .arg(std::llround(means.right.mean * static_cast<double>(cell.scores.size())))
                              .arg(cell.scores.size()),
                  logarithm = u"ln p = %1"_s.arg(withError(-means.loss.mean, means.loss.standardError));
    QString said =
        u"%1: %2, %3"_s.arg(needlePlace(cell), probability ? logarithm : exact, probability ? exact : logarithm);
    const double unit = probability ? -1 : 100;
    const SampleMean& change = probability ? means.lossChange : means.rightChange;
    const std::optional<double> p = probability ? means.lossP : means.rightP,
                                error = change.standardError ? std::optional(std::abs(unit) * *change.standardError)
                                                             : std::nullopt;
    if (against)
        said += u"; difference from %1: %2%3%4"_s.arg(
            policyName(policies[against->policy]), withError(unit * change.mean + 0.0, error),
            probability ? u" of ln p"_s : u" points"_s, p ? u" (%1)"_s.arg(probabilityWords(*p)) : QString());
    return said;
}

}  // namespace

ValueTable* probeTable(ProbeTask task)
{
    const bool needle = task == ProbeTask::Needle;
    std::vector<ValueTable::Column> columns{{u"Method"_s, u"The scale method inside the layers"_s},
                                            {u"Positions"_s, u"The position scheme"_s, true},
                                            {u"n"_s, u"Tokens of a window"_s}};
    const QString error = u"Its standard error over the samples"_s;
    if (needle)
        columns.insert(columns.end(), {{u"Depth"_s, u"Where in the text it is told: 0 its beginning, 1 its end"_s},
                                       {u"ln p"_s, u"Mean logarithm of the probability of the whole answer, nats"_s},
                                       {u"\u00B1 ln p"_s, error, false, columnOf::Loss},
                                       {u"Exact (%)"_s, u"How often greedy decoding says the answer"_s},
                                       {u"\u00B1 exact"_s, error, false, columnOf::Right}});
    else
        columns.insert(columns.end(), {{u"First loss"_s,
                                        u"Of the same tokens in the first copy, when nothing told them, nats a token"_s,
                                        false, columnOf::Loss},
                                       {u"Loss"_s, u"Of the second copy's tokens but the first, nats a token"_s},
                                       {u"\u00B1 loss"_s, error, false, columnOf::Loss},
                                       {u"Right (%)"_s, u"How often the likeliest token is the right one"_s},
                                       {u"\u00B1 right"_s, error, false, columnOf::Right}});
    columns.insert(
        columns.end(),
        {{needle ? u"\u0394 ln p"_s : u"\u0394 loss"_s,
          u"Difference from the first method with the same positions, or from the first of all, sample by sample"_s},
         {needle ? u"\u00B1 \u0394 ln p"_s : u"\u00B1 \u0394 loss"_s, error, false, columnOf::Change},
         {needle ? u"p of \u0394 ln p"_s : u"p of \u0394 loss"_s,
          u"Paired t-test over the samples, two-sided, of this row alone"_s},
         {needle ? u"\u0394 exact"_s : u"\u0394 right"_s, u"Likewise of the share that is right, points"_s},
         {needle ? u"p of \u0394 exact"_s : u"p of \u0394 right"_s, u"Likewise"_s}});
    auto* table =
        new ValueTable(needle ? u"Needles, number by number"_s : u"Repeated tokens, number by number"_s, columns);
    table->letColumnsLeave(needle ? 9 : 10);  // down to the difference from the first method
    return table;
}

void fillProbe(ValueTable& table, ProbeTask task, std::span<const ProbeCell> cells,
               const std::vector<ProbePolicy>& policies, std::size_t methods)
{
    const bool needle = task == ProbeTask::Needle;
    const double sign = needle ? -1 : 1;  // ln p of the answer
    table.setSortingEnabled(false);
    table.setRowCount(static_cast<int>(cells.size()));
    for (int row = 0; row < table.rowCount(); ++row) {
        const ProbeCell& cell = cells[static_cast<std::size_t>(row)];
        const ProbePolicy& policy = policies[cell.policy];
        table.setWords(row, 0, policy.method, LineSwatch::icon(policy.style));
        table.setWords(row, 1, policy.position);
        const ProbeMeans means = meansOf(cell, referenceOf(cell, cells, methods));
        int column = 2;
        table.setNumber(row, column++, static_cast<double>(cell.n), 7);
        table.setNumber(row, column++, needle ? cell.depth : means.firstLoss.mean, 4);
        table.setMeasured(row, column++, sign * means.loss.mean, orNone(means.loss.standardError));
        table.setNumber(row, column++, orNone(means.loss.standardError), 2);
        table.setMeasured(row, column++, 100 * means.right.mean, 100 * orNone(means.right.standardError));
        table.setNumber(row, column++, 100 * orNone(means.right.standardError), 2);
        table.setMeasured(row, column++, sign * means.lossChange.mean, orNone(means.lossChange.standardError));
        table.setNumber(row, column++, orNone(means.lossChange.standardError), 2);
        table.setProbability(row, column++, orNone(means.lossP));
        table.setMeasured(row, column++, 100 * means.rightChange.mean, 100 * orNone(means.rightChange.standardError));
        table.setProbability(row, column++, orNone(means.rightP));
        for (int each = 0; each < table.columnCount(); ++each)
            table.cell(row, each)->setToolTip(text(cell.sharesText ? std::string(sharesTextNote) : cell.absent));
    }
    table.offerColumn(1, policies.size() > methods);  // of one position scheme it is the same in every row
    table.setSortingEnabled(true);
    table.fitColumns();
}

std::vector<NeedleMap> needleMaps(std::span<const ProbeCell> cells, const NeedleAxes& axes,
                                  const std::vector<ProbePolicy>& policies, std::size_t methods, const ProbeLook& look)
{
    std::vector<NeedleMap> maps;
    for (const ProbePolicy& policy : policies) {
        NeedleMap& map = maps.emplace_back(NeedleMap{policy.style, policy.method, policy.position, {}});
        map.cells.assign(axes.depths.size(),
                         std::vector<NeedleMap::Cell>(axes.lengths.size(), {noValue, u"not run yet"_s}));
    }
    for (const ProbeCell& cell : cells) {
        const auto depth = std::ranges::find(axes.depths, cell.depth) - axes.depths.begin();
        const auto length = std::ranges::find(axes.lengths, cell.n) - axes.lengths.begin();
        if (depth == std::ssize(axes.depths) || length == std::ssize(axes.lengths))
            continue;
        const ProbeCell* against = referenceOf(cell, cells, methods);
        NeedleMap::Cell& shown =
            maps[cell.policy].cells[static_cast<std::size_t>(depth)][static_cast<std::size_t>(length)];
        shown.reading = needleReading(cell, against, policies, look.probability);
        if (!cell.scores.empty())
            shown.value = needleValue(cell, against, look.probability, look.difference);
    }
    return maps;
}

}  // namespace attnscope
