#pragma once
// The engine whose tiles are compute shaders (core/gpu/tiles.h tells how). Products, bias, soft-cap, masks and softmax
// with its kin run on the device in float32; what is left here is to say which rows see what, and to read entropies off
// sums. Rows that float32 cannot tell (logits beyond fast::largestLogit, or not finite) are done again in double
// precision. Everything else that the shaders cannot do goes to the processor's fastest engine, and handsOver says so.

#include "core/attention/engine.h"
#include "core/attention/normaliser.h"
#include "core/gpu/tiles.h"

#include <string>

namespace attnscope::opengl {

std::string unavailable();
std::string runsOn();
bool hasDevice();
std::string handsOver(const AttentionHead&, const Choice& normaliser, const SummaryExtras&);
Result<std::vector<std::vector<RowSummary>>> summarise(const AttentionHead&, const SummaryRequest&, std::stop_token);
Result<PooledMap> pool(const AttentionHead&, const PoolRequest&, std::stop_token);
/// The processor's.
Result<void> attend(const AttentionHead&, const AttendRequest&, std::stop_token);

/// The parts of a head that the device is given.
gpu::KeyView viewOf(const AttentionHead&);
gpu::QueryView viewOf(const AttentionHead&, std::int64_t firstRow, int count);

/// What row sees and where it stands, without scale.
gpu::Row rowOf(const AttentionHead&, std::int64_t row);

/// Is there a query, or finished logit, that is not finite?
bool irregular(const AttentionHead&, std::int64_t row);

/// The device's part of an exact map; the request is sound. Errors: Unavailable, Cancelled.
Result<PooledMap> poolOnDevice(const AttentionHead&, const PoolRequest&, const Normaliser&, const std::stop_token&);

}  // namespace attnscope::opengl
