#include "ui/figure/scoreboard_table.h"

#include "core/scaling/scale_method.h"
#include "ui/figure/extent.h"
#include "ui/figure/labels.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

QString valueText(double value)
{
    return value >= 999.5 ? QString::number(value / 1000, 'g', 2) + QLatin1Char('k')
                          : QString::number(value, 'g', value >= 99.5 ? 3 : 2);  // 99.7 is not 1e+02
}

const QString nothingThere = u"\u2013"_s;

/// Those of one name side by side, in the order in which names come first.
std::vector<Scoreboard::Task> tasksByName(const Scoreboard& from)
{
    std::vector<Scoreboard::Task> tasks;
    for (const Scoreboard::Task& task : from.tasks) {
        const auto last = std::find_if(tasks.rbegin(), tasks.rend(), [&](const Scoreboard::Task& one) {
            return taskName(one) == taskName(task) && one.quality == task.quality;
        });
        tasks.insert(last == tasks.rend() ? tasks.end() : last.base(), task);
    }
    return tasks;
}

/// At one length: a group a name, a column a task. How many networks they are of stands above the group where that is
/// the same for all of it.
void addColumnsAt(BoardTable& board, TableContent& table, const Scoreboard& from, double ratio)
{
    table.columns.push_back(u"$n$ = %1\u2009$N$"_s.arg(ratio));
    std::vector<std::vector<Scoreboard::Task>> groups;
    for (const Scoreboard::Task& task : tasksByName(from)) {
        if (!from.find(task.label, vanillaId, ratio))
            continue;
        if (groups.empty() || taskName(groups.back().front()) != taskName(task))
            groups.emplace_back();
        groups.back().push_back(task);
    }
    for (const std::vector<Scoreboard::Task>& tasks : groups) {
        TableContent::Group group{taskName(tasks.front()), static_cast<int>(tasks.size()), text(tasks.front().quality)};
        const bool alike = std::ranges::all_of(
            tasks, [&](const Scoreboard::Task& task) { return task.networks == tasks.front().networks; });
        if (alike)
            group.subtitle += u", "_s + networksText(tasks.front().networks);
        for (const Scoreboard::Task& task : tasks) {
            const QString networks = alike ? QString() : networksText(task.networks), detail = taskDetail(task);
            board.places.push_back({task.label, ratio});
            table.columns.push_back(detail.isEmpty() || networks.isEmpty() ? detail + networks
                                                                           : detail + u", "_s + networks);
        }
        table.groups.push_back(std::move(group));
    }
}

/// Tasks with a cell at one of the lengths, and their columns: a group a task.
void addColumns(BoardTable& board, TableContent& table, const Scoreboard& from, std::span<const double> ratios)
{
    table.columns.push_back(u"$n / N$"_s);
    for (const Scoreboard::Task& task : tasksByName(from)) {
        TableContent::Group group{taskName(task), 0, taskDetail(task)};
        for (const double ratio : ratios)
            if (from.find(task.label, vanillaId, ratio)) {
                board.places.push_back({task.label, ratio});
                table.columns.push_back(QString::number(ratio, 'g', 4));
                ++group.columns;
            }
        group.subtitle += (group.subtitle.isEmpty() ? QString() : u", "_s) + networksText(task.networks);
        if (group.columns > 0)
            table.groups.push_back(std::move(group));
    }
}

void addMethod(BoardTable& board, TableContent& table, const Scoreboard& from, const std::string& method)
{
    std::vector<QString> row{isVanilla(method) ? u"Vanilla, as it is"_s : methodLabel(from, method)};
    std::vector<TableContent::Mark> marks(1);
    bool any = false;
    for (const auto& [task, ratio] : board.places) {
        const BoardCell* cell = from.find(task, method, ratio);
        row.push_back(!cell ? nothingThere : isVanilla(method) ? valueText(cell->value) : gainText(cell->gain));
        const int dots = cell ? starsOf(*cell) : 0;
        marks.push_back({.shade = cell && !isVanilla(method) ? cell->gain : NAN,
                         .number = cell && isVanilla(method) ? cell->value : NAN,
                         .bare = dots == 0,
                         .bold = cell && isBest(*cell),
                         .dots = dots});
        any = any || cell;
    }
    if (!any)
        return;
    board.methods.push_back(method);
    table.ruleAbove.push_back(table.rows.size() == 1);
    table.rows.push_back(std::move(row));
    table.marks.push_back(std::move(marks));
}

}  // namespace

QString methodLabel(const Scoreboard& board, const std::string& method, bool marked)
{
    QString label = sentence(variantLabel(text(method)));
    if (const auto copies = board.copies.find(method); copies != board.copies.end())
        for (const std::string& copy : copies->second)
            label += u" = "_s + variantLabel(text(copy)).remove(u" temperature"_s);  // there is little room
    return !marked || isComparable(board, method) ? label : label + u" \u2020"_s;
}

QString networksText(std::int64_t networks) { return networks == 1 ? u"1 network"_s : u"%1 networks"_s.arg(networks); }

QString gainText(double gain)
{
    const double size = std::abs(gain);
    if (size < 0.005)  // neither "+0.00" nor "\u22120.00"
        return u"0"_s;
    const auto inUnits = [size](double unit, char letter) {
        const double number = size / unit;
        return QString::number(number, 'f', number < 9.95 ? 1 : 0) + QLatin1Char(letter);
    };
    const QString digits = size < 0.05     ? QString::number(size, 'f', 2)
                           : size < 9.95   ? QString::number(size, 'f', 1)
                           : size < 999.5  ? QString::number(size, 'f', 0)
                           : size < 999500 ? inUnits(1e3, 'k')
                                           : inUnits(1e6, 'M');
    return (gain > 0 ? "+"_L1 : QString(QChar(0x2212))) + digits;
}

namespace {

QStringList partsOf(const Scoreboard::Task& task) { return text(task.detail).split(u", "_s, Qt::SkipEmptyParts); }

}  // namespace

QString taskName(const Scoreboard::Task& task)
{
    const QStringList parts = partsOf(task);
    if (parts.contains(u"copied=1"_s))
        return u"Words said again"_s;
    const QString name = text(task.name), where = parts.contains(u"scattered=1"_s) ? u", from anywhere"_s : QString();
    return name.left(1).toUpper() + name.mid(1) + where;
}

QString taskDetail(const Scoreboard::Task& task)
{
    static const QHash<QString, QString> words{{"tsp", "cities"}, {"cvrp", "vehicles"}};
    static const QRegularExpression length(u"^length="_s), alpha(u"^alpha="_s), other(u"^(\\w+)=(?=\\S)"_s),
        ofCopies(u"^(copied|fillers|heads|steps)="_s);
    QStringList parts = partsOf(task);
    if (parts.contains(u"copied=1"_s))  // how those networks are made has no room above their columns
        parts.removeIf([](const QString& part) { return ofCopies.match(part).hasMatch(); });
    parts.removeAll(u"scattered=1"_s);  // the name says it
    for (QString& part : parts)
        part = words.value(part, policyPartLabel(part))
                   .replace(length, u"$N$ = "_s)
                   .replace(alpha, u"$\u03B1$ = "_s)
                   .replace(other, u"\\1 = "_s);
    return parts.join(u", "_s);
}

QString taskTitle(const Scoreboard::Task& task)
{
    const QString detail = taskDetail(task);
    return detail.isEmpty() ? taskName(task) : taskName(task) + u", "_s + detail;
}

QString correlationText(double rho) { return QString::number(rho, 'f', 2).replace(QLatin1Char('-'), QChar(0x2212)); }

QString relationText(const EntropyRelation& relation)
{
    return u"\u03C1 = %1 over %2%3"_s.arg(
        correlationText(relation.rho),
        relation.over == "networks" ? networksText(relation.units)
                                    : u"%1 %2"_s.arg(relation.units).arg(text(relation.over)),
        relation.p ? u", p = %1"_s.arg(printed(formatNumber(*relation.p, 2))) : QString());
}

ChartSpec gainAgainstEntropy()
{
    ChartSpec chart;
    chart.x.title = u"Absolute change of entropy (%)"_s;
    chart.legend = Legend::None;
    chart.lines.push_back({Qt::Horizontal, 0, {}, false});
    return chart;
}

void setGainRange(ChartSpec& chart)
{
    Extent gains{0, 0};
    takeOrdinates(gains, chart.series);
    const double room = std::max(0.08 * (gains.high - gains.low), 0.5);
    chart.y.range = std::pair(gains.low - room, gains.high + room);
}

BoardEntropy scoreboardEntropy(const Scoreboard& board, const std::string& task, std::span<const double> ratios)
{
    BoardEntropy made{.chart = gainAgainstEntropy(), .cells = {}};
    ChartSpec& chart = made.chart;
    const auto quality = std::ranges::find(board.tasks, task, &Scoreboard::Task::label);
    const bool shares = quality != board.tasks.end() && quality->quality.find('%') != std::string::npos;
    chart.y.title = shares ? u"Gain (points)"_s : u"Gain (%)"_s;
    std::vector<QString> names;
    for (const std::string& method : board.methods)
        names.push_back(text(method));
    const std::vector<int> styles = variantStyles(names);
    for (std::size_t m = 0; m < board.methods.size(); ++m) {
        ChartSeries series{.label = variantLabel(names[m]), .style = styles[m], .shape = ChartSeries::Shape::Points};
        std::vector<std::size_t> cells;
        for (std::size_t c = 0; c < board.cells.size(); ++c) {
            const BoardCell& cell = board.cells[c];
            if (cell.task != task || cell.method != board.methods[m] || !cell.entropyChange ||
                std::ranges::find(ratios, cell.ratio) == ratios.end())
                continue;
            series.points.push_back({100 * std::abs(*cell.entropyChange), cell.gain});
            cells.push_back(c);
        }
        if (series.points.empty())
            continue;
        chart.series.push_back(std::move(series));
        made.cells.push_back(std::move(cells));
    }
    setGainRange(chart);
    return made;
}

BoardTable scoreboardTable(const Scoreboard& from, std::span<const double> ratios, double halfColour)
{
    BoardTable board;
    auto table = std::make_shared<TableContent>();
    table->scale = gainScale(1);
    table->half = halfColour;
    table->dotted = true;
    if (ratios.size() == 1)
        addColumnsAt(board, *table, from, ratios.front());
    else
        addColumns(board, *table, from, ratios);
    for (const std::string& method : from.methods)
        addMethod(board, *table, from, method);
    board.content = std::move(table);
    return board;
}

}  // namespace attnscope
