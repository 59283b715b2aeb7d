#pragma once
// The naive engine: double precision, one whole row at a time. It is the definition of what the others compute.

#include "core/attention/engine.h"

namespace attnscope::reference {

Result<std::vector<std::vector<RowSummary>>> summarise(const AttentionHead&, const SummaryRequest&, std::stop_token);
Result<PooledMap> pool(const AttentionHead&, const PoolRequest&, std::stop_token);
Result<void> attend(const AttentionHead&, const AttendRequest&, std::stop_token);

}  // namespace attnscope::reference
