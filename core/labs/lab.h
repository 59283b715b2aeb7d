#pragma once
// A lab is an experiment that trains something: parameters go in, rows come out, and on the way it tells how far it is,
// what it has found so far and what it looks like. The command line writes the rows; the window draws the charts that
// the lab names as the rows come.
//
//   const Result<LabResult> result =
//       runLab({.choice = {"eie", {}, {}}, .folder = "out"}, stop, [](const LabUpdate&) {...});
//
// runLab() blocks and is called off the GUI thread; the callback comes on the same thread, a few times a second at
// most, and may take its time: the lab waits for it, which is how the window pauses one. With a folder the lab keeps a
// checkpoint there (once stopped, and every so often), from which `resume` goes on, and a record of the run
// (lab_record.h). A lab gives the same rows for the same parameters, on any number of threads, resumed or not (times
// aside).
//
// A new lab is one file with its row and its run (experiment.h), and a line in labs.cpp.

#include "core/analysis/scenario.h"
#include "core/base/choice.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>

namespace attnscope {

using LabValue = std::variant<std::monostate, std::string, std::int64_t, double, bool>;
using LabCells = std::vector<std::pair<std::string, LabValue>>;

/// The table that networks tested on longer inputs fill: a row for each of them, length, and policy.
inline constexpr const char* qualityTable = "quality";

/// One flat row of one of the lab's tables; all rows of a table have the same columns.
struct LabRow {
    std::string table;
    LabCells cells;

    const LabValue* find(std::string_view column) const;
    double number(std::string_view column) const;     ///< NaN where there is none
    std::string word(std::string_view column) const;  ///< empty where there is no text
};

/// A heatmap at this moment: weights of attention, say, one set a row.
struct LabPicture {
    std::string id, title, rowLabel, columnLabel;
    Eigen::MatrixXf values;
};

/// Tours of one instance, side by side: places in the unit square, and a panel for each policy with the edges of its
/// tour.
struct LabTours {
    struct Edge {
        int from = 0, to = 0;  ///< places
        bool differs = false;  ///< not an edge of the first panel's tour; there: of none of the others
    };
    struct Panel {
        std::string title;
        std::vector<Edge> edges;  ///< in the order travelled
    };
    std::string id, title;
    std::vector<std::array<float, 2>> places;
    bool depot = false;  ///< place 0 is one
    std::vector<Panel> panels;
};

/// Packings of one instance, side by side: a bin's length and width, and a panel for each policy with its boxes in the
/// order put.
struct LabPackings {
    struct Box {
        int number = 0;                    ///< of the instance's boxes
        std::array<int, 3> at{}, sides{};  ///< x along the length, y along the width, z upwards
    };
    struct Panel {
        std::string title;
        std::vector<Box> boxes;
    };
    static constexpr std::ptrdiff_t mostBoxes =
        10'000;  ///< of a panel: no more can be told apart, or put in order while one waits
    std::string id, title;
    int length = 1, width = 1;
    std::vector<Panel> panels;
};

/// Something that a run wrote to its folder.
struct LabFile {
    std::string path, about;
    std::optional<Scenario>
        scenario;  ///< what looks at it in the window: a trained scale among the methods, trained heads
};

/// A stretch of a run in which its pace says how long it takes: tests do not go as fast as training.
struct LabPhase {
    double until = 1;  ///< the fraction of the whole run at its end
    std::string next;  ///< what follows: "tests"; empty: nothing
    bool operator==(const LabPhase&) const = default;
};

struct LabUpdate {
    std::string stage;    ///< "training d = 16", "evaluating 1024 items"
    double fraction = 0;  ///< of the whole run, 0 to 1
    LabPhase phase;
    std::vector<LabRow> rows;  ///< new since the last update
    std::vector<LabRow> live;  ///< rows as they stand now, in place of the last update's: the curve being learned
    std::vector<LabPicture> pictures;   ///< in place of those of the same id
    std::vector<LabTours> tours;        ///< likewise
    std::vector<LabPackings> packings;  ///< likewise
    std::vector<LabFile> files;         ///< written since the last update, and complete
};

struct LabRun {
    Choice choice;            ///< the lab's id, parameters and text
    std::string folder = {};  ///< where checkpoints and models are kept: a new or an empty one; empty: nowhere
    bool resume =
        false;  ///< the run that the folder holds goes on from its checkpoint; from the start if there is none
};

struct LabResult {
    std::vector<LabRow> rows;  ///< all of them, the `main` table last
    std::vector<LabFile> files;
    std::vector<std::string> notes = {};  ///< what is wrong with what was found, a sentence each
};

/// Lines of a chart: column y of a table against its column x; one for each value of the chart's `group`.
struct LabLine {
    std::string table, x, y;
    std::string label = {};  ///< markup; may be empty where the group says it all
    enum class Look { Line, Points, Reference, ReferencePoints };
    Look look = Look::Line;    ///< references are the same whatever the run: dashed, drawn once
    bool ofEveryGroup = true;  ///< off: the same whatever the group too
};

/// What is worth watching. Rows whose y is absent leave gaps, and a chart without a row is not shown.
struct LabChart {
    std::string id, title, xTitle, yTitle;
    std::vector<LabLine> lines;
    bool logX = false, logY = false;
    std::string group = {};  ///< a column; may be empty
};

/// A part of a lab's text, and what may stand in it.
struct LabPart {
    std::string name;              ///< "methods"
    std::vector<Entry> rows = {};  ///< none: it is a file, or what is typed
};

using LabCallback = std::function<void(const LabUpdate&)>;

struct Lab : Entry {
    std::string main;     ///< the table that holds the findings
    std::string textKey;  ///< the name of the choice's text among the parameters: "methods"
    std::vector<LabChart> charts;
    /// Errors: Cancelled (after a checkpoint, where there is a folder), InvalidArgument, NotWritable, those of a
    /// checkpoint that does not fit (made with other parameters).
    Result<LabResult> (*run)(const LabRun&, const Lab&, std::stop_token, const LabCallback&);
    /// What the text consists of, with `partSeparator` between, and semicolons between the entries of a part; none: the
    /// text is no list.
    std::vector<LabPart> textParts = {};
    bool tours = false;        ///< the files that its runs write are networks that redecoding.h opens
    char partSeparator = '|';  ///< another one where entries hold bars
};

/// Every lab, in the order shown.
std::span<const Lab> labs();

/// Checks the parameters and runs the lab that the choice names. Nothing that stands in the folder is lost: without
/// `resume` it must hold nothing, with it the same lab's run, and no other run may be at work there. Errors:
/// UnknownName, InvalidArgument (the folder is taken), and those of run.
Result<LabResult> runLab(const LabRun& run, std::stop_token stop = {}, const LabCallback& progress = {});

}  // namespace attnscope
