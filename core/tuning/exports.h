#pragma once
// A setting in the words of those that run models. With a what queries and keys are each multiplied by where they turn,
// scores are multiplied by a^2: what YaRN's attention factor is, a = sqrt(m), carries any multiplier.
//
//   hf         config.json of Hugging Face's transformers: rope_theta and rope_scaling, where the file has its own
//   llama.cpp  flags; a is --yarn-attn-factor, and where YaRN's ramp is on the file's value rope.scaling.attn_factor
//   vllm       --hf-overrides; its YaRN multiplies a by 0.1 ln s + 1 itself, and calls what is left attn_factor
//   pytorch    a hook on the module of transformers that gives the queries: a multiplier a head, whatever the positions
//   factors    this program's --head-factors
//
// What a target has no words for is said, and the nearest that it has is given instead, as a setting to be measured.

#include "core/tuning/tuning.h"

#include <span>
#include <string>
#include <vector>

namespace attnscope {

struct ExportedSetting {
    std::string text;                ///< to paste, with its line end
    std::vector<std::string> notes;  ///< what the target cannot say, and what it needs to know
    Setting setting;                 ///< what the text asks for
    bool exact = true;               ///< at n, it is what was asked for
};

struct ExportSource {
    Setting setting;
    TunedAt at;
    const Architecture& architecture;
    std::string model;  ///< its folder or file, as it was named
};

struct ExportTarget : Entry {
    Result<ExportedSetting> (*write)(const ExportSource&) = nullptr;
};
std::span<const ExportTarget> exportTargets();

/// Errors: UnknownName; Unavailable where the target has no words for this model at all, with what has.
Result<ExportedSetting> exportTo(const std::string& target, const ExportSource& source);

/// The same; where the target cannot say the setting, the best of what was tried on all of so many windows that it can
/// say takes its place: the model as it is, where that has the lowest loss of them, and never what was not tried while
/// there is one. Errors: also Unavailable, where the model as it is would be the best and cannot be said.
Result<ExportedSetting> exportNearest(const std::string& target, const ExportSource& source,
                                      std::span<const TriedSetting> tried, std::size_t windows);

/// Stands in the text of `factors` for the name of the file, as a word of a shell.
inline constexpr const char* factorsPlaceholder = "FACTORS.npy";

/// One word of a POSIX shell's command line: in quotes where that is needed.
std::string shellWord(const std::string& text);

/// What --head-factors takes beside the method and the positions of the text for `factors`.
std::vector<std::vector<double>> headFactorsOf(const Setting& setting, const TunedAt& at,
                                               const Architecture& architecture);

/// What multiplies every layer's and head's scores beside the model's own temperature, so that the row which sees most
/// keys has the setting's. Errors: Undefined (a method that measures).
Result<std::vector<std::vector<double>>> factorTable(const Setting& setting, const TunedAt& at,
                                                     const Architecture& architecture);

}  // namespace attnscope
