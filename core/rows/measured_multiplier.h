#pragma once
// The scale that keeps the entropy of real tensors: the m for which the mean entropy of a set of rows at n is that of
// the same set at N under m = 1.

#include "core/rows/rows.h"

#include <functional>
#include <stop_token>
#include <vector>

namespace attnscope {

/// Solves on these tensors, at one temperature. Means are over the set's rows, or over at most `mostRows` of them,
/// evenly spread. Query i's logits have the factor own[i] beside m, a model's own, at N as at n; empty: 1. Remembers
/// what it has solved; `head` must outlive it. Errors of the result: Undefined where the head has fewer than N or n
/// tokens or no multiplier gives that entropy, with the reason; Cancelled.
std::function<Result<double>(double n)> measuredMultiplier(const AttentionHead& head, const Choice& normaliser,
                                                           double nTrain, double temperature, const Engine& engine,
                                                           std::stop_token stop, std::int64_t mostRows = 0,
                                                           RowSet rows = {}, std::vector<double> own = {});

/// The entropy that is kept: of N tokens under m = 1. NaN where no row of theirs has one. Errors: as above.
Result<double> entropyToKeep(const AttentionHead& head, const Choice& normaliser, double nTrain, double temperature,
                             const Engine& engine, std::stop_token stop, std::int64_t mostRows = 0, RowSet rows = {});

/// Of how many rows a head's multiplier is solved at n tokens, which takes a dozen looks: 0, all, up to 2 048 tokens;
/// then 512.
constexpr std::int64_t rowsToSolveOn(std::int64_t n) { return n > 2048 ? 512 : 0; }

/// For rows of every length up to `longest`: asks `measured` at N 2^(k/4) and at `longest` alone, and interpolates
/// linearly in ln n between them.
std::function<Result<double>(double n)> betweenSolvedLengths(std::function<Result<double>(double n)> measured,
                                                             double nTrain, double longest);

}  // namespace attnscope
