#pragma once
// Short ways that several kinds of figures share.

#include "core/analysis/analysis.h"
#include "core/base/json_reader.h"
#include "core/base/choice.h"
#include "core/base/csv.h"
#include "core/labs/scoreboard/scoreboard.h"
#include "ui/figure/analysis_charts.h"
#include "ui/figure/figure_content.h"
#include "ui/figure/labels.h"
#include "ui/figure/map_pictures.h"
#include "ui/figure/published.h"
#include "ui/plot/qt_text.h"
#include "core/document/method_names.h"
#include "core/document/recipe.h"

#include <QColor>
#include <QString>

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// At that place of the grid, with the next letter.
void addPanel(FigureContent& content, Panel panel, size_t row, size_t column, bool lettered = true);

/// A series of the method at that place of the list, in its style.
ChartSeries methodSeries(const std::vector<Choice>& methods, size_t place);

/// With a point for each abscissa.
template <class Value>
ChartSeries sampled(ChartSeries series, const std::vector<double>& x, Value&& value)
{
    for (const double at : x)
        series.points.push_back({at, value(at)});
    return series;
}

/// ln n, which no row exceeds.
ChartSeries entropyOfUniform(const std::vector<double>& n);

ChartSeries fromCurve(const Curve& curve, const QString& label, int style);

/// Gives the field in LIST grammar: "16:65536:x2". With an example it must be there.
void readLengths(ObjectReader& reader, std::string_view key, std::vector<std::int64_t>& target,
                 const std::string& example = {});

/// At n = N.
ReferenceLine trainLengthLine(const Scenario& scenario);

/// The last field of a kind that draws published tables: the list of their ids. Errors: also those of the fields before
/// it.
Result<std::vector<PublishedTable>> readTables(ObjectReader& reader);

/// What the columns of a published table measure: the words after the length, "128 PPL"; or one nameless measure.
std::vector<std::string> measuresOf(const PublishedTable& table);
/// Of such a measure; nameless: accuracy in per cent.
ChartAxis measureAxis(const std::string& measure);
/// A row's numbers of a measure against length. Bounds such as ">500" have no place on an axis: they leave gaps.
std::vector<ChartPoint> publishedPoints(const PublishedTable& table, const PublishedRow& row,
                                        const std::string& measure);
/// " Not drawn, since a bound has no place on an axis: >500 (7 cells)."; empty where every cell is a number.
QString boundsNotDrawn(const std::vector<PublishedRow>& rows);

/// Runs of labs that a figure shows: those that come with the program, unless `shipped` is false, and those in the
/// folders of `runs`.
struct RunsAsked {
    std::vector<std::string> folders = {};
    bool shipped = true;
    Result<std::vector<BoardRun>> read() const;
};
RunsAsked readRunsAsked(ObjectReader& reader);
/// One with the parameters of another is the same experiment again, and the finished one of them stays.
void addRuns(std::vector<BoardRun>& runs, const std::vector<BoardRun>& more);

/// A CSV that a lab wrote, with a row at least; `what` such a file is.
struct LabResults {
    CsvTable table;
    std::string path, what;
    tl::unexpected<Error> lacks(std::size_t row, const std::string& columns) const;
};
/// The file that parameters.results names, which is the recipe's only parameter; without it `shipped`. Errors:
/// NotReadable, DataError.
Result<LabResults> readResults(const Recipe& recipe, const std::string& shipped, const std::string& what);

/// Mean and standard error, of several values that over them, of one value `within`.
struct RunsMean {
    double mean = std::nan(""), error = std::nan("");
};
RunsMean meanOfRuns(std::span<const double> values, double within);

/// Of the rows of such runs' `quality` what `value` says (NaN: nothing), of each seed's network once.
template <class IsSuch, class Value>
std::vector<double> valuesOfNetworks(const std::vector<BoardRun>& runs, IsSuch&& isSuch, Value&& value)
{
    std::map<double, double> found;
    for (const BoardRun& run : runs)
        if (isSuch(run.record.choice))
            for (const LabRow& row : run.record.rows)
                if (const double number = row.table == qualityTable ? value(row) : std::nan(""); std::isfinite(number))
                    found.emplace(row.number("seed"), number);
    std::vector<double> values;
    for (const auto& [seed, number] : found)
        values.push_back(number);
    return values;
}

/// The factor on q.k at length n: m / sqrt d; row-wise methods count n keys in the last row.
Result<std::function<Result<double>(double n)>> multiplierOf(const Choice& method, const Scenario& scenario);

/// One scale for such maps, on the recipe's colours; a log scale begins at a power of ten. Errors: UnknownName.
Result<ColourScale> figureScale(const std::vector<std::shared_ptr<const PooledMap>>& maps, bool log, double decades,
                                const Recipe& recipe);

/// Place `index` of `count` in an order (lengths, strengths): along the recipe's colour map, ends that lack contrast
/// left out.
QColor ordinalColour(size_t index, size_t count, const Recipe& recipe);

/// A map a method that has one, then that of the `difference` of two places in the list of methods, where they have a
/// map in common; and their bars. `decades` below the largest weight; 0: as many as the window shows. Errors: Undefined
/// (no method has a map), UnknownName (the recipe's colours).
Result<void> addMapPanels(FigureContent& content, const Analysis& analysis, const Look& look,
                          const std::optional<MethodPair>& difference, double decades, const Recipe& recipe);

}  // namespace attnscope
