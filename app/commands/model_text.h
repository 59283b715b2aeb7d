#pragma once
// The text that a model is run on: --text and --ids of `model` and `tune`.

#include "app/commands/options.h"
#include "core/model/model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

/// DIR, --text and --ids.
void addModelText(CLI::App& app, std::string& folder, std::string& text, std::string& ids);

/// A file of an option; an empty path is none.
struct NamedFile {
    std::string path;
    const char* option;
};

/// What a command on a model writes is none of what it reads, nor two of it one file: the model's own files are read
/// too. Errors: InvalidArgument.
Result<void> checkFiles(std::span<const NamedFile> written, const std::vector<NamedFile>& read,
                        const std::string& model);

/// Lengths that a run may have: as many tokens as queries and keys in memory may be. A longer one is refused before a
/// text is made for it. Errors: InvalidArgument.
inline constexpr std::int64_t longestRun = std::int64_t{1} << 22;
Result<void> checkRunLengths(std::span<const std::int64_t> lengths);

/// Is it the stories that the program makes? A model that comes with it takes them by itself.
bool readsGeneratedText(const Model& model, const std::string& text, const std::string& ids);

/// Its ids. A model that comes with the program takes generated stories by itself, enough for that many tokens. Errors:
/// InvalidArgument (no text, more than is made), Unavailable (no tokeniser), DataError (what is wrong in the file),
/// those of reading.
Result<std::vector<int>> readModelText(const Model& model, const std::string& text, const std::string& ids,
                                       double tokensToGenerate);

}  // namespace attnscope
