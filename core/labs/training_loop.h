#pragma once
// The loop around every lab's training: it goes on from the checkpoint in the run's folder, averages what each unit of
// work (a step, an epoch) measures into rows of the table `training`, saves every half minute and when it is stopped,
// and keeps the weights at the end. A training that is stopped and resumed at any moment gives the bits of one that was
// not.

#include "core/labs/lab_support.h"
#include "core/learn/checkpoint.h"

namespace attnscope {

struct Training {
    std::string name = {};       ///< of its files: NAME.safetensors, NAME_checkpoint.safetensors
    learn::Metadata facts = {};  ///< what it depends on, but for how long: a checkpoint made with others is refused
    learn::Weights weights = {};
    learn::Adam* adam = nullptr;
    std::string unit = "step";               ///< "step", "epoch": the column that counts
    std::vector<std::string> measures = {};  ///< the columns beside it: "loss", "accuracy"
    LabCells labels = {};                    ///< columns before them, the same in every row: d = 16
    std::int64_t stepsPerUnit = 1;           ///< of Adam
    std::int64_t total = 0, unitsPerRow = 1;
    /// One unit of work; its measures. Errors: Cancelled, where a stop was asked for, after which it has done nothing.
    std::function<Result<std::vector<double>>()> advance = {};
    std::function<Result<void>()> show = [] {
        return Result<void>();
    };  ///< live rows and pictures, when there will be an update
};

/// Runs it from `from` to `to` of the whole run's progress. Seconds spent. Errors: Cancelled, InvalidArgument (a
/// checkpoint made with other parameters, naming which, or trained for longer; a loss or weights that are no longer
/// finite), those of reading and writing.
Result<double> train(const Training& training, const LabRun& run, std::stop_token stop, LabReporter& report,
                     double from, double to);

/// NAME.safetensors in the run's folder, which must not be empty.
Result<std::string> keepModel(const Training& training, const LabRun& run);

}  // namespace attnscope
