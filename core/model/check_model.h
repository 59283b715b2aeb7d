#pragma once
// Whether there is a model to open, before what is open is left for it: as far as its config and the headers of its
// files tell, without its weights and its tokeniser.

#include "core/base/error.h"

#include <stop_token>
#include <string>

namespace attnscope {

/// Of what openModel() opens. Errors: those of it that come before `soon`; Cancelled, between two files' reads: what is
/// being read is read to its end.
Result<void> checkModel(const std::string& folder, const std::stop_token& stop = {});

}  // namespace attnscope
