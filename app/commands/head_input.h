#pragma once
// Queries and keys from the command line: FILE (or - for standard input), which tensors of it, and everything about a
// row of attention but its scale. What the file says about itself fills in what was not asked for.

#include "app/commands/options.h"
#include "core/attention/attention_head.h"
#include "core/attention/row_summary.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/head_file.h"

#include <optional>
#include <string>
#include <vector>

namespace attnscope {

/// --kernel, --mask, --positions, --normaliser, --soft-cap. What is not asked for is what the file says: see openHeads.
struct AttentionOptions {
    AttentionSpec spec;
    std::optional<Choice> mask, position, normaliser;
    std::optional<double> softCap;
    std::optional<double> nTrain;  ///< of addTrainLength
};
void addAttention(CLI::App& app, AttentionOptions& target);

/// FILE (which it returns), --q, --k, --layout, --holds, --batch.
CLI::Option* addTensors(CLI::App& app, TensorSelection& target);

struct OpenedHeads {
    HeadSet heads;
    TensorSelection selection;            ///< with the names that were found
    std::optional<std::int64_t> layer;    ///< that the name of the queries speaks of
    AttentionSpec attention;              ///< with N put in where positions count it
    double nTrain = usualTrainLength;     ///< N
    std::vector<std::string> notes;       ///< what was assumed, and what looks like a mistake
    std::vector<std::string> paths = {};  ///< of the files that were opened
};

/// The heads, and how to look at them: as asked for, else as the file suggests (suggestedFor), which the window does
/// too. Errors: those of files, layouts and heads.
Result<OpenedHeads> openHeads(const TensorSelection& selection, const AttentionOptions& attention);

/// Without a file nothing is suggested: what was asked for, else a causal mask and no positions.
OpenedHeads withoutFile(const AttentionOptions& attention);

/// Errors: InvalidArgument, where --output is one of the files that were opened.
Result<void> checkOutput(const OpenedHeads& opened, const std::string& output);

/// The file, or standard input for "-".
Result<TensorFile> openTensors(const std::string& path);

/// --head; read it with readHeads once the file says how many there are.
CLI::Option* addHeads(CLI::App& app, std::string& target);

/// "all", or heads by number, each once: 0,3,5. Errors: InvalidArgument.
Result<std::vector<int>> readHeads(const std::string& text, int headCount);

/// What computed the head, where the engine was asked for by name.
void addWhatRan(std::vector<std::string>& notes, const std::string& engine, const AttentionHead& head,
                const Choice& normaliser, const SummaryExtras& extras = {});

/// "note: ..." on standard error, each once.
void writeNotes(const Console& console, const std::vector<std::string>& notes);

}  // namespace attnscope
