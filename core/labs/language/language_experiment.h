#pragma once
// What the labs of language models share: they train small transformers on a text, show how these do while they learn,
// and test what is kept of them at up to many times the length trained at, under scale methods and positions.

#include "core/labs/lab.h"

namespace attnscope {

/// Lab::run of models that predict the next token, and of those that find hidden ones.
Result<LabResult> runCausalLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);
Result<LabResult> runMaskedLm(const LabRun& run, const Lab& lab, std::stop_token stop, const LabCallback& progress);

}  // namespace attnscope
