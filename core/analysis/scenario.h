#pragma once
// A Scenario says everything about a picture: what is looked at, how it is scaled, and which part of it is asked for.
// It is a plain comparable value: the window's document, a session file, a figure's recipe and the command line all
// make one, and analyse() is a function of it alone.

#include "core/attention/attention_head.h"
#include "core/attention/engine.h"
#include "core/base/choice.h"
#include "core/rows/rows.h"
#include "core/tensor/head_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

/// The sources that are not synthetic.
inline constexpr const char *sourceOfFiles = "tensors", *sourceOfTheory = "theory";

/// The part of the answer that a view needs.
struct View {
    std::int64_t row = -1;  ///< the chosen query; -1: the last
    Region region;          ///< of the heatmap; all zero: the whole matrix
    int pixels = 512;       ///< of the heatmap, at most, in each direction
    bool preview = false;   ///< answer from sampled rows and keys, at once; the answer says so
    Pool pool = Pool::Mean;
    RowSet::Kind rows = RowSet::Kind::All;  ///< that means speak of, in pictures, tables, curves and theory alike
    bool table = true;  ///< also what costs several more looks at every weight: mutual information, keepsEntropy, a
                        ///< file's other heads
    Choice measure{"shannon", {}, {}};  ///< of the curve against n
    std::int64_t curveFirst = 16;       ///< lengths of the curve
    std::int64_t curveLast = 16384;
    int curvePoints = 21;  ///< 0: no curves; of ten octaves: two an octave, so that the powers of two, where the axis
                           ///< has its numbers, are among them
    int curveRows = 64;    ///< queries sampled at each length of more than curveCountsAllRowsUpTo
    bool operator==(const View&) const = default;
};

struct Scenario {
    Choice source{"local", {}, {}};
    TensorSelection tensors;  ///< used when `source` is "tensors"
    std::int64_t n = 1024;    ///< keys; for tensors: the first n tokens, at most all
    int d = 64;               ///< head size; for tensors: the file's
    double nTrain = 128;      ///< N
    double temperature = 1;   ///< tau
    std::uint64_t seed = 1;
    AttentionSpec attention;
    std::vector<Choice> methods{{"vanilla", {}, {}}, {"softmax_plus", {}, {}}, {"infoscale", {}, {}}};
    std::string engine = automaticEngineId;  ///< of engines(), or that
    View view;
    bool operator==(const Scenario&) const = default;

    /// Queries and keys of a file.
    bool ofFile() const { return source.id == sourceOfFiles; }
    /// Expectations without queries and keys.
    bool ofTheory() const { return source.id == sourceOfTheory; }
};

}  // namespace attnscope
