#pragma once
// Few numbers of every head of a layer, from which one sees in a file of many layers whose entropy moves when the
// sequence grows: what the overview of a file and the table of a layer's heads show, and what `attnscope heads` prints.

#include "core/analysis/curve.h"
#include "core/attention/attention_head.h"
#include "core/attention/engine.h"
#include "core/base/error.h"
#include "core/rows/head_role.h"
#include "core/rows/rows.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/head_set.h"

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace attnscope {

struct LengthStatistics;

struct HeadNumbersRequest {
    AttentionSpec attention = {};
    Choice method{"vanilla", {}, {}};
    std::int64_t n = 0;                ///< tokens, at most those of the tensors
    double nTrain = usualTrainLength;  ///< N
    double temperature = 1;            ///< tau
    std::string engine = automaticEngineId;
    RowSet rows = {};  ///< that count, of the first n tokens and of the first N
};

struct HeadNumbers {
    double entropy = 0;                  ///< mean over the rows that count of the first n tokens, nats
    double share = 0;                    ///< that over the mean ln of the keys that a row sees: 1 for uniform rows
    std::optional<double> keepsEntropy;  ///< m for which the mean entropy of n tokens, N or more, is that of N, of
                                         ///< rowsToSolveOn(n)
    std::string notKept;                 ///< of a file's heads, where there is none: why
    std::string ran;                     ///< what computed them, where the engine was asked for by name
    std::optional<double> slope;  ///< of the mean entropy over ln n: a line through n, n/2, ... n/16, as far as these
                                  ///< are 8 tokens or more. Empty: one alone is
    std::string absent;           ///< not empty: why the method has no value here; the numbers are then 0
    double maxWeight = 0, meanDistance = 0;  ///< means as of `entropy`
    HeadRoles roles = {};                    ///< of the same rows
    std::optional<double> gradient;  ///< of a model's mean loss over ln m of the head, nats; of a file's heads none
    Curve curve = {};                ///< the mean entropy at n, n/2, n/4, ... down to 8 tokens, rising in n
};

/// HeadNumbers::notKept where n < N.
inline constexpr const char* belowTrainLength = "n is below N: there is no multiplier for H(N)";

/// What tables and pictures of all heads say of each.
struct HeadMeasure {
    const char* id;      ///< of a Look
    const char* column;  ///< of a table, and what it is sorted by
    const char* label;
    const char* heading;  ///< of a column on the screen
    const char* title;    ///< of the colours, markup
    const char* about;
    const char* unit;  ///< "%1 nats"
    std::optional<double> (*value)(const HeadNumbers&);
    int lengths = 1;        ///< that a study needs for it
    bool role = false;      ///< what a head is for (core/rows/head_role.h)
    bool solved = false;    ///< a multiplier that is solved for, head by head: a model's are 1 up to N
    bool ofLosses = false;  ///< of a model that is run again and again for it: a file's heads have none
    bool hasSign = false;   ///< its sign tells something: coloured around 0
    double (*telling)(double value) = nullptr;  ///< the most telling head has the most; null: the value itself
};
/// In the order shown.
std::span<const HeadMeasure> headMeasures();
/// Those, and what a model's heads have beside them.
std::span<const HeadMeasure> modelHeadMeasures();
/// The first for an id that there is not.
const HeadMeasure& headMeasure(std::string_view id);

/// The lengths of HeadNumbers::curve.
std::vector<std::int64_t> headLengths(std::int64_t n);
/// Of one method at these lengths, of the rows of the set at each: all but `keepsEntropy` and `ran`. `tokens`: a label
/// a key, or empty. Errors: those of rolesOf (core/rows/head_role.h).
Result<HeadNumbers> numbersOf(const AttentionHead& head, const Choice& normaliser, const RowSet& rows,
                              std::span<const LengthStatistics> atLengths, std::span<const std::string> tokens);

/// Of every head. Errors: those of lengthStatistics().
Result<std::vector<HeadNumbers>> headNumbers(const HeadSet& heads, const HeadNumbersRequest& request,
                                             std::stop_token stop);

}  // namespace attnscope
