#pragma once
// A lab is an experiment that trains something: parameters go in, rows come out, and on the way it tells how far it is, what
// it has found so far and what it looks like. The command line writes the rows, the window draws them as they come.
//
//   const Result<LabResult> result = (*findLab("eie"))->run({.choice = {"eie"}, .folder = "out"}, stop, [](const LabUpdate&) {...});
//
// run() blocks and is called off the GUI thread; the callback comes on the same thread as run(), a few times a second at
// most. With a folder the lab keeps a checkpoint there: once stopped, and every so often, and `resume` goes on from it. A
// lab gives the same rows for the same parameters, on any number of threads, resumed or not (times aside).

#include "core/base/choice.h"

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <Eigen/Core>

namespace attnscope {

using LabValue = std::variant<std::monostate, std::string, std::int64_t, double, bool>;

/// One flat row of one of the lab's tables; all rows of a table have the same columns.
struct LabRow {
    std::string table;
    std::vector<std::pair<std::string, LabValue>> cells;

    const LabValue* find(std::string_view column) const;
    double number(std::string_view column) const;  ///< NaN where there is none
};

/// A heatmap at this moment: weights of attention, say, one set a row.
struct LabPicture {
    std::string id, title, rowLabel, columnLabel;
    Eigen::MatrixXf values;
};

struct LabUpdate {
    std::string stage;            ///< "training d = 16", "evaluating 1024 items"
    double fraction = 0;          ///< of the whole run, 0 to 1
    std::vector<LabRow> rows;     ///< new since the last update
    std::vector<LabRow> live;     ///< tables as they stand now, in place of what was there: the curve being learned
    std::vector<LabPicture> pictures;  ///< in place of those of the same id
};

struct LabRun {
    Choice choice;                ///< the lab's id, parameters and text
    std::string folder = {};      ///< where checkpoints and models are kept; empty: nowhere
    bool resume = false;          ///< from the folder's checkpoint; from the start if there is none
};

struct LabResult {
    std::vector<LabRow> rows;             ///< all of them, the `main` table last
    std::vector<std::string> files;       ///< what was written to the folder: trained networks
};

using LabCallback = std::function<void(const LabUpdate&)>;

struct Lab : Entry {
    std::string main;                     ///< the table that holds the findings
    std::string textKey;                  ///< the name of the choice's text among the parameters: "methods"
    /// Errors: Cancelled (after a checkpoint, where there is a folder), InvalidArgument, NotWritable, those of a checkpoint
    /// that does not fit (made with other parameters).
    Result<LabResult> (*run)(const LabRun&, std::stop_token, const LabCallback&);
};

/// Every lab, in the order shown.
std::span<const Lab> labs();

/// Checks the parameters and runs the lab that the choice names. Errors: UnknownName and those of run.
Result<LabResult> runLab(const LabRun& run, std::stop_token stop = {}, const LabCallback& progress = {});

}  // namespace attnscope
