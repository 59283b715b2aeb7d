#pragma once
// What each stage of analyse() depends on: equal keys, equal results. A stage that reads what its key does not hold
// will show stale pictures: change both together (tests/analysis/test_remembered.cpp changes every field of a
// scenario).

#include "core/analysis/scenario.h"

namespace attnscope {

/// Queries and keys.
struct SourceKey {
    Choice source;
    std::int64_t n = 0;            ///< 0: of any length
    TensorSelection tensors = {};  ///< of a file; which of its heads does not matter
    Choice mask = {};              ///< of a file: it decides which queries belong to the first n tokens
    int d = 0;                     ///< of a synthetic source
    std::uint64_t seed = 0;
    bool operator==(const SourceKey&) const = default;
};

/// One head, its positions applied.
struct HeadKey {
    SourceKey source;
    int head = 0;
    Choice kernel, position, mask;
    double softCap = 0;
    bool operator==(const HeadKey&) const = default;
};

/// From logits to the summary of a row.
struct WeighingKey {
    Choice normaliser, method;
    double nTrain = 0, temperature = 0;
    int d = 0;             ///< as scale methods count it
    SummaryExtras extras;  ///< what the measure asks of the engine
    std::string engine;
    RowSet measuredOn = {};  ///< of a method that measures the head
    bool operator==(const WeighingKey&) const = default;
};

struct RowsKey {
    HeadKey head;
    WeighingKey weighing;
    bool preview = false;
    Region region;  ///< of a preview: its rows are those of the heatmap's pixels
    int pixels = 0;
    bool operator==(const RowsKey&) const = default;
};

struct AllHeadsKey {
    HeadKey head;
    WeighingKey weighing;
    RowSet rows;  ///< that count
    bool operator==(const AllHeadsKey&) const = default;
};

struct MapKey {
    RowsKey rows;
    Region region;
    int pixels = 0;
    Pool pool = Pool::Mean;
    std::vector<int> mean;  ///< the heads whose mean it shows; empty: the one head
    bool operator==(const MapKey&) const = default;
};

/// The queries of a head that a curve looks at; without lengths the head itself.
struct SampleKey {
    HeadKey head;
    std::int64_t first = 0, last = 0;
    int points = 0, rows = 0;
    RowSet::Kind set = RowSet::Kind::All;
    bool operator==(const SampleKey&) const = default;
};

struct CurveKey {
    SampleKey sample;
    WeighingKey weighing;
    bool operator==(const CurveKey&) const = default;
};

/// The means of a curve's rows, of one head or of several together.
struct MeansKey {
    std::vector<CurveKey> heads;
    Choice measure;
    bool operator==(const MeansKey&) const = default;
};

/// The multiplier at which n tokens have the mean entropy of N.
struct MultiplierKey {
    SampleKey head;  ///< its method has no say, nor its measure
    WeighingKey weighing;
    std::int64_t n = 0;
    bool preview = false;  ///< solved on few rows
    RowSet rows;           ///< whose mean it is
    bool operator==(const MultiplierKey&) const = default;
};

/// The law of the logits, and what is made of them.
struct LawKey {
    HeadKey head;          ///< of any length, head and seed
    WeighingKey weighing;  ///< whatever computes
    RowSet::Kind rows = RowSet::Kind::All;
    bool operator==(const LawKey&) const = default;
};

struct TheoryKey {
    LawKey law;
    Choice measure;
    std::int64_t first = 0, last = 0;  ///< lengths
    int points = 0;
    bool operator==(const TheoryKey&) const = default;
};

struct TheoryScaleKey {
    LawKey law;
    std::int64_t n = 0;
    bool operator==(const TheoryScaleKey&) const = default;
};

SourceKey sourceKey(const Scenario& scenario);
/// Of a source whose shorter sequences begin its longer ones.
SourceKey anyLengthKey(const Scenario& scenario);
HeadKey headKey(const Scenario& scenario);
RowsKey rowsKey(const Scenario& scenario, const Choice& method);
MapKey mapKey(const Scenario& scenario, const Choice& method);
/// The map of a mean that is made of all its heads at once.
MapKey jointMapKey(const Scenario& scenario, const Choice& method);
SampleKey sampleKey(const Scenario& scenario);
CurveKey curveKey(const Scenario& scenario, const Choice& method);
MultiplierKey multiplierKey(const Scenario& scenario, const SampleKey& head, std::int64_t n, bool preview, RowSet rows);
TheoryKey theoryKey(const Scenario& scenario, const Choice& method);
TheoryScaleKey theoryScaleKey(const Scenario& scenario);
/// Every head of a file under the first method.
AllHeadsKey allHeadsKey(const Scenario& scenario);

}  // namespace attnscope
