#pragma once
// What the labs of language models share: they train small transformers on a text, show how these do while they learn,
// and test what is kept of them at up to many times the length trained at, under scale methods and positions.

#include "core/labs/lab.h"

namespace attnscope {

/// Lab::run of models that predict the next token, of those that find hidden ones, and of those that recall values.
Result<LabResult> runCausalLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);
Result<LabResult> runMaskedLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);
Result<LabResult> runRecall(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);

/// The parameters that both have, with what is a lab's own default.
struct LanguageDefaults {
    double steps, leastSteps, length, batch, layers, width, inner, heads, vocabulary, megabytes, rate;
};
std::vector<Parameter> languageParameters(const LanguageDefaults& defaults, const std::string& helpOnSteps,
                                          std::vector<Parameter> own);

}  // namespace attnscope
