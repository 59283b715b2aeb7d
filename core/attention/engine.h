#pragma once
// An engine turns a prepared head and scales into row summaries, pooled pictures and outputs. This is the contract;
// engines.h has the table. The naive reference engine (double precision, one row at a time) is the definition; the
// others stream tiles and must agree with it within the tolerance that their row of the table states.

#include "core/attention/attention_head.h"
#include "core/attention/row_summary.h"
#include "core/base/processor.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

/// The scale of a row for which the method has no value: not a number, and so its logits are none either. Such a row is
/// a fully masked one (row_summary.h): it sees no key, its statistics are absent, its weights are 0 and no mean counts
/// it.
constexpr double noScale = std::numeric_limits<double>::quiet_NaN();
inline bool hasScale(double scale) { return !std::isnan(scale); }

/// m / tau, in double precision whatever the engine: one that works in float32 leaves what float32 cannot hold to the
/// definition. Quotients beyond 1e100 are 1e100: products of float32 numbers that differ at all have then long been
/// told apart, and none of them overflows.
inline double scaleOf(double multiplier, double temperature)
{
    constexpr double most = 1e100;
    const double scale = multiplier / temperature;
    return std::isnan(scale) ? noScale : scale < -most ? -most : scale > most ? most : scale;
}

/// One scale method at one truncation: rows [firstRow, lastRow) over the first `prefix` keys. All passes of a call
/// share the products q.k; passes with equal scales share the exponentials too.
struct Pass {
    std::int64_t prefix = 0;
    std::int64_t firstRow = 0, lastRow = 0;
    std::vector<double> scale;  ///< m_i / tau for rows firstRow..lastRow-1, or noScale
};

struct SummaryRequest {
    Choice normaliser{"softmax", {}, {}};
    std::vector<Pass> passes;
    SummaryExtras extras = {};
    bool parallel = true;  ///< over oneTBB's threads
};

/// A rectangle of the attention matrix: rows are queries, columns are keys, ends exclusive.
struct Region {
    std::int64_t rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
    bool operator==(const Region&) const = default;
};

enum class Pool { Mean, Max };

/// A region pooled to pixels: cell (r, c) covers rows rowBegin + floor(r height / rows) up to the next cell's, and
/// columns likewise; masked and invisible keys count as 0.
struct PooledMap {
    Region region;
    int rows = 0, columns = 0;
    Pool pool = Pool::Mean;
    bool exact = true;          ///< false: a preview from one sampled query row a pixel row and one key a pixel
    std::vector<float> values;  ///< (rows, columns), weights w
    float at(int row, int column) const
    {
        return values[static_cast<size_t>(row) * static_cast<size_t>(columns) + static_cast<size_t>(column)];
    }
};

struct PoolRequest {
    Choice normaliser{"softmax", {}, {}};
    std::span<const double> scale = {};            ///< m_i / tau for every query row, or noScale
    std::span<const NormaliserState> states = {};  ///< of every query row, from the summaries over all n keys
    Region region;
    int rows = 0, columns = 0;  ///< at most the region's own extent
    Pool pool = Pool::Mean;
    bool preview = false;
    bool parallel = true;
    /// Called from the calling thread or a worker with the fraction done; may be empty.
    std::function<void(double)> progress = {};
};

/// What attention is for: o_i = sum over j of w_ij v_j, for query rows firstRow .. firstRow + output.rows() - 1. A
/// chunk of a longer sequence is a head whose queries are the last m of the n positions. A key without weight adds
/// nothing, whatever its value; a row without a scale, or one that sees no key, gives zeros.
struct AttendRequest {
    Choice normaliser{"softmax", {}, {}};
    std::span<const double> scale;  ///< m_i / tau for every query row of the head, or noScale
    MatrixView values;              ///< (n, d_v); columns of a wider matrix are not copied
    Eigen::Ref<Matrix> output;      ///< (rows, d_v), overwritten; half written after an error
    std::int64_t firstRow = 0;
    bool parallel = true;  ///< over oneTBB's threads
};

namespace fast {
struct TileKernels;
}

/// What asks for an engine by no name: the one that is found fastest here (chooseEngine).
inline constexpr const char* automaticEngineId = "auto";

struct Engine : Entry {
    /// Empty if this machine can run it, else one line that says why not.
    std::string (*unavailable)();
    /// [pass][row - firstRow]. Errors: Cancelled, InvalidArgument.
    Result<std::vector<std::vector<RowSummary>>> (*summarise)(const AttentionHead&, const SummaryRequest&,
                                                              std::stop_token);
    /// Errors: Cancelled, InvalidArgument.
    Result<PooledMap> (*pool)(const AttentionHead&, const PoolRequest&, std::stop_token);
    /// Errors: Cancelled, InvalidArgument.
    Result<void> (*attend)(const AttentionHead&, const AttendRequest&, std::stop_token);
    /// Largest deviation from the reference engine: nats of entropy, and weights relative to the row's largest; an
    /// output relative to sum w |v|, or to max |v| where weights may be zero beside each other (sparse normalisers,
    /// rectifiers). Tiles make logits of up to fast::largestLogit = 256 in float32, whose unit in the last place is
    /// then 3e-5: the product's last rounding, the scale's, the shift's and the exponent's leave half of one each, and
    /// a weight errs as much, relatively, as its logit.
    double tolerance;
    /// The widest instructions that its tiles take; of a device's, those of the rows that it hands over.
    Instructions instructions = Instructions::Avx512;
    /// Its tiles on the processor; null: the definition has none, a device's are elsewhere.
    const fast::TileKernels* tiles = nullptr;
    /// What it runs on, by name; null: the processor.
    std::string (*runsOn)() = nullptr;
    /// Is that a device of its own, so that "auto" may try it, and no renderer in software? Null: it is the processor.
    bool (*hasDevice)() = nullptr;
    /// One line on what of a head under a normaliser, or of its summaries, it leaves to another engine, and why; empty:
    /// nothing. Null: never anything, and where the engine is unavailable it cannot be chosen.
    std::string (*handsOver)(const AttentionHead&, const Choice& normaliser, const SummaryExtras&) = nullptr;
};

}  // namespace attnscope
