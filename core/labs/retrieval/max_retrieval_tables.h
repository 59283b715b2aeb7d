#pragma once
// What tests of max-retrieval heads come to, as rows of the lab's tables. The sample is of heads, each with the mean of
// its test seeds; where one head was tested, of test seeds, but for `learned`, whose p says something of heads.

#include "core/labs/lab.h"
#include "core/labs/retrieval/max_retrieval_evaluation.h"

namespace attnscope {

/// Rows of `table1` beside what the paper printed, of scores [seed][variant], seed s having tested head s mod heads.
/// Plain softmax, wherever it stands, is what the others are compared with, by a paired t-test over the sample; without
/// it there is none.
std::vector<LabRow> table1Rows(const std::vector<HeadVariant>& variants, std::int64_t items,
                               const std::vector<std::vector<HeadScore>>& scores, std::size_t heads);

/// Likewise of each head by itself, which is one of seed `firstSeed` + its place: its p-values are over its own test
/// seeds.
std::vector<LabRow> rowsOfHeads(const std::vector<HeadVariant>& variants, std::int64_t items,
                                const std::vector<std::vector<HeadScore>>& scores, std::size_t heads,
                                std::int64_t firstSeed);

/// A head that learned with something, and the plain head of the same seed that gets the same afterwards, on the same
/// sets.
struct HeadPair {
    HeadScore own, afterwards;
};
/// A row of `learned`, of pairs [head][test seed]; p of a paired t-test over the heads, none for plain softmax itself
/// (`reference`).
LabRow learnedRow(const std::string& trained, std::int64_t items, const std::vector<std::vector<HeadPair>>& pairs,
                  bool reference);

}  // namespace attnscope
