#pragma once
// What is seen of a sweep's table at once: y against x, a line for each value of one column, a facet for each value of
// another. Rows that agree in these are averaged, mean and standard error of the mean, and `averaged` says over what.
//
// Columns are told apart by what they hold. A condition is an axis of the sweep, a text, or a column of whole numbers:
// what a row is about. A measure is any other column of numbers: what was found.

#include "core/sweep/sweep_folder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

struct SweepColumn {
    std::string name;
    bool numeric = false;  ///< most cells that are not empty are numbers; others have no value
    bool condition = false;
    bool taskNumber = false;  ///< the sweep's own count of its tasks, the first column
    bool axis = false;        ///< the sweep varies it
    bool redundant = false;   ///< sweep_NAME, where each value of NAME has one of it: NAME says as much
    std::size_t values = 0;   ///< different ones, the empty cell not among them
    std::size_t numbers = 0;  ///< cells that hold one, or nan or inf; a column with any can stand up
};
std::vector<SweepColumn> sweepColumns(const SweepFolder& folder);

/// Names of columns; colour and facet may be empty.
struct SweepChoice {
    std::string x, y, colour, facet;
    bool operator==(const SweepChoice&) const = default;
};

/// What to look at first: a length or another number that varies, against the first measure, the methods in colour, a
/// facet for each value of an axis that is left but for the seed. Empty names where the table has no such column.
SweepChoice firstChoice(const std::vector<SweepColumn>& columns);

inline constexpr std::size_t mostFacets = 9, mostLines = 24;

struct SweepPoint {
    double x = 0, mean = 0;
    std::optional<double> standardError;
    std::int64_t rows = 0;  ///< that the mean is over
};

struct SweepView {
    struct Line {
        std::string value;               ///< of the colour's column
        std::vector<SweepPoint> points;  ///< by x
    };
    struct Facet {
        std::string value;
        std::vector<Line> lines;  ///< in the order of `colours`
    };
    struct Averaged {
        std::string column;
        std::size_t values = 0;  ///< the most that meet in one point
    };
    std::vector<Facet> facets;
    std::vector<std::string> colours;
    std::vector<std::string> xNames;  ///< where x is no number: the value at 0, 1, 2, ...
    std::vector<Averaged> averaged;
    bool repeats = false;  ///< rows that agree in every condition were averaged too
    std::size_t facetsLeftOut = 0, linesLeftOut = 0;
    std::size_t rowsWithoutValue = 0;  ///< of x or y
};

/// Errors: UnknownName (a column that is not there), InvalidArgument (y is no number).
Result<SweepView> viewOf(const SweepFolder& folder, const SweepChoice& choice);

}  // namespace attnscope
