#pragma once
// The losses that are known: of a window of a length under a policy, and their gradients. A search is a function of
// losses, so what has them all does the same search again without running anything: that is how one goes on after a
// stop, and comes to the same bytes as one that was never stopped.

#include "core/base/error.h"
#include "core/model/head_values.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct WindowLoss {
    double loss = 0;                  ///< mean over the predictions that count, nats
    std::vector<double> places = {};  ///< the same of each range of places (placeRanges), NaN where nothing counts
    bool undefined = false;           ///< the policy has no value at that length
    HeadValues slopes = {};           ///< d loss / d ln m of each head, where that was asked for
    bool operator==(const WindowLoss&) const = default;
};

/// By lossKey and slopeKey; and of "heads", as slopes, what is known of them (Losses::heads).
using LossTable = std::map<std::string, WindowLoss>;

std::string lossKey(std::int64_t length, std::int64_t start, const std::string& policyKey);
/// Of the same window's gradient, which is a run of its own.
std::string slopeKey(std::int64_t length, std::int64_t start, const std::string& policyKey);

/// A range of places: from the one before it, or 0, to `end`.
/// In at most nine ranges, shorter ones first, the k-th ending at 8 (n/8)^(k/8) as lossByPlace's do, however few
/// predictions each has; N < n ends one of them.
std::vector<std::int64_t> placeRanges(std::int64_t n, double trainLength);

/// `request` is a text that says of what the losses are.
std::string writeLosses(const LossTable& table, const std::string& request);

/// Errors: InvalidHeader (no JSON), InvalidArgument (another request, or no such table), with the name of the file.
Result<LossTable> readLosses(std::string_view text, const std::string& path, const std::string& request);

}  // namespace attnscope
