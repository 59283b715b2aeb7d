#include "ui/figure/figure_content.h"

#include "core/base/choice.h"
#include "core/base/csv.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/typeset.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

std::string quoted(const QString& markup) { return csvText(plainText(markup).toStdString()); }

std::string csvNumber(double value)
{
    return std::isfinite(value) ? formatNumber(value) : std::isnan(value) ? "" : value > 0 ? "inf" : "-inf";
}

/// A number as it is printed, "−0.5 ± 0.1*" or "78.3 (1.3)", as one of a CSV file, with the ends of its error; what is
/// missing is empty, and what is no number stays.
struct CellOfCsv {
    std::string low, high, value;
    bool starred = false;  ///< p < 0.05, as the figure says
};
CellOfCsv cellOfCsv(const QString& markup)
{
    static const QRegularExpression printed(
        u"^([+\u2212-]?[0-9]+(?:[.][0-9]+)?)(?: ?\u00B1 ?([0-9.]+)| [(]([0-9.]+)[)])?[*]*$"_s);
    const QString plain = plainText(markup);
    if (plain == u"\u2013"_s)
        return {};
    const auto match = printed.match(QString(plain).remove(QChar(0x202F)).remove(QChar(0x2009)));
    if (!match.hasMatch())
        return {"", "", quoted(markup), false};
    const auto numeral = [&](int part) {
        return match.captured(part).replace(QChar(0x2212), u"-"_s).remove(QLatin1Char('+'));
    };
    const QString value = numeral(1), error = numeral(2) + numeral(3);
    const auto decimals = [](const QString& text) {
        const qsizetype point = text.indexOf(QLatin1Char('.'));
        return point < 0 ? 0 : static_cast<int>(text.size() - point - 1);
    };
    const int digits = std::max(decimals(value), decimals(error));  // what lies beyond is not printed
    const auto end = [&](int sign) {
        return error.isEmpty() ? std::string()
                               : QString::number(value.toDouble() + sign * error.toDouble(), 'f', digits).toStdString();
    };
    return {end(-1), end(1), csvNumber(value.toDouble()), plain.endsWith(QLatin1Char('*'))};
}

QString headingOf(const TableContent& table, size_t column)
{
    size_t end = 1;
    for (const TableContent::Group& group : table.groups) {
        end += static_cast<size_t>(group.columns);
        if (column < end)
            return group.title.isEmpty()
                       ? table.columns[column]
                       : group.title + (group.subtitle.isEmpty() ? u" "_s : u", "_s + group.subtitle + u": "_s) +
                             table.columns[column];
    }
    return table.columns[column];
}

}  // namespace

std::string dataTable(const FigureContent& content)
{
    std::string out = "panel,title,series,x_name,x,y_name,y,low,high,value\n";
    for (size_t i = 0; i < content.panels.size(); ++i) {
        const Panel& panel = content.panels[i];
        const std::string letter =
            panel.chart.letter.isEmpty() ? std::to_string(i + 1) : panel.chart.letter.toStdString();
        const std::string head = letter + "," + quoted(panel.chart.title) + ",";
        const std::string x = quoted(panel.chart.x.title), y = quoted(panel.chart.y.title);
        int unnamed = 0;
        for (const ChartSeries& series : panel.chart.series) {
            const std::string name =
                series.known().isEmpty() ? "series " + std::to_string(++unnamed) : quoted(series.known());
            for (const ChartPoint& point : series.points)
                out += head + name + "," + x + "," + csvNumber(point.x) + "," + y + "," + csvNumber(point.y) + "," +
                       csvNumber(point.low) + "," + csvNumber(point.high) + ",\n";
        }
        if (panel.map) {
            const PooledMap& map = *panel.map;
            const Region& region = map.region;
            for (int row = 0; row < map.rows; ++row)
                for (int column = 0; column < map.columns; ++column)
                    out += head + "cell,key," +
                           std::to_string(region.columnBegin +
                                          column * (region.columnEnd - region.columnBegin) / map.columns) +
                           ",query," +
                           std::to_string(region.rowBegin + row * (region.rowEnd - region.rowBegin) / map.rows) +
                           ",,," + csvNumber(static_cast<double>(map.at(row, column))) + "\n";
        }
        if (panel.packings)  // a corner of each box, and from where to where it stands up
            for (const LabPackings::Box& box : panel.packings->panels[panel.packing].boxes)
                out += head + "box " + std::to_string(box.number) + " of " + std::to_string(box.sides[0]) + " x " +
                       std::to_string(box.sides[1]) + " x " + std::to_string(box.sides[2]) + ",x," +
                       std::to_string(box.at[0]) + ",y," + std::to_string(box.at[1]) + "," + std::to_string(box.at[2]) +
                       "," + std::to_string(box.at[2] + box.sides[2]) + ",\n";
        if (panel.tour) {
            const LabTours& tours = panel.tour->tours;
            const auto placed = [&](int place) {
                return csvNumber(static_cast<double>(tours.places[static_cast<size_t>(place)][0])) + ",y," +
                       csvNumber(static_cast<double>(tours.places[static_cast<size_t>(place)][1]));
            };
            for (const LabTours::Edge& edge : tours.panels[panel.tour->panel].edges)
                out += head + "edge from " + std::to_string(edge.from) + " to " + std::to_string(edge.to) + ",x," +
                       placed(edge.from) + ",,," + (edge.differs ? "1" : "0") + "\n";
            for (size_t place = 0; panel.tour->step && place < panel.tour->step->weights.size(); ++place)
                out += head + "attention to " + std::to_string(place) + ",x," + placed(static_cast<int>(place)) +
                       ",,," + csvNumber(static_cast<double>(panel.tour->step->weights[place])) + "\n";
        }
        if (panel.table)
            for (size_t r = 0; r < panel.table->rows.size(); ++r) {
                const auto& row = panel.table->rows[r];
                for (size_t column = 1; column < row.size(); ++column) {
                    CellOfCsv cell = cellOfCsv(row[column]);
                    const auto mark = panel.table->markOf(r, column);
                    if (const double all = std::isnan(mark.number) ? mark.shade : mark.number; std::isfinite(all))
                        cell = {"", "", csvNumber(all), cell.starred};  // all of its digits
                    const std::string start = head + quoted(row.front()) + ",",
                                      name = quoted(headingOf(*panel.table, column));
                    out += start + name + ",,,," + cell.low + "," + cell.high + "," + cell.value + "\n";
                    if (cell.starred)
                        out += start + quoted(headingOf(*panel.table, column) + u" (starred)"_s) + ",,,,,,1\n";
                }
            }
    }
    return out;
}

}  // namespace attnscope
