#pragma once
// Masks: which keys a query sees. Each is a function of the query's position alone, two ranges of keys: the first few
// (sinks) and one interval. Nothing of size n x n exists.

#include "core/attention/attention_head.h"

#include <cstdint>
#include <limits>
#include <span>

namespace attnscope {

struct Mask : Entry {
    /// Keys that the query at `position` sees among the first `prefix` keys.
    VisibleKeys (*visible)(std::int64_t position, std::int64_t prefix, const Parameters&) = nullptr;
    /// The relative distance at which rotary positions are held (LM-Infinite), or null.
    std::int64_t (*distanceCap)(const Parameters&) = nullptr;
    /// Real keys among the first `prefix`, or null: all of them.
    std::int64_t (*unmasked)(std::int64_t prefix, const Parameters&) = nullptr;
    /// Of the choice's text, or null: it takes none.
    Result<void> (*checkText)(const std::string& text) = nullptr;
    /// The choice with these as the places where documents start, or null: it knows no documents. A choice that says
    /// itself where they start stays.
    Choice (*withDocuments)(Choice mask, std::span<const std::int64_t> starts) = nullptr;
};

std::span<const Mask> masks();

/// The row of the choice, whose parameters and text fit it. Errors: UnknownName, InvalidArgument.
Result<const Mask*> checkedMask(const Choice& mask);

/// Does every query see every key?
bool seesAllKeys(const Choice& mask);

/// Does a query see all keys up to itself, whatever its place?
bool isCausal(const Choice& mask);

/// Does a query see all keys, or all up to itself: the rows that theory speaks of?
bool seesAllOrCausal(const Choice& mask);

/// Can a query see keys after itself? The mask must be known.
bool looksAhead(const Choice& mask);

/// Does what a query sees depend on where it stands? The mask must be known.
bool looksAtPositions(const Choice& mask);

/// The keys of the sequence that the mask hides from everyone do not count: what scale methods that count `keys` take
/// as n. The mask must be known.
std::int64_t unmaskedKeys(const Choice& mask, std::int64_t prefix);

}  // namespace attnscope
