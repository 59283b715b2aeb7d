#pragma once
// How fast the engines are on this machine, against what the arithmetic costs at least: the same tiles' products by
// Eigen's matrix product, and as many of Eigen's exponentials. Engine and bound take turns in one run, so that the
// ratio of the medians means something on a machine that does other things too. An engine that does not run on the
// processor is held against the processor's bound, so that its ratio says what it is worth here. A second bound owes
// nothing to the tiles: the products by OpenBLAS, where that is installed, and as many exponentials.

#include "core/attention/engine.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace attnscope {

struct BenchmarkCase {
    std::int64_t n = 8192;  ///< queries and keys
    int d = 64;
    bool causal = false;
    int methods = 1;   ///< scale methods at once
    int prefixes = 1;  ///< nested lengths n/prefixes, 2n/prefixes, ..., n
    bool operator==(const BenchmarkCase&) const = default;
};

/// NumPy's direct way, the whole matrix at once.
struct NumpyTime {
    double seconds = 0;      ///< median
    std::string blas;        ///< the library that computes its products: a path
    bool reference = false;  ///< that library is the reference BLAS, or not known: no speed to compare with
};

/// Softmax, entropy, largest weight and sum of squares in NumPy, float32, where python3 has NumPy and the matrix fits
/// (n at most 16 384, one method, one length).
std::optional<NumpyTime> timeNumpy(const BenchmarkCase& benchmark, int repeats);

struct BenchmarkRow {
    std::string name;    ///< "n 8192, d 64, causal"
    double seconds = 0;  ///< median, all row statistics
    double rowsPerSecond = 0;
    double boundSeconds = 0;  ///< median, for one method over the largest n, seen keys only
    double ratio = 0;         ///< median of seconds / boundSeconds, pair by pair
    std::optional<double>
        blasBoundSeconds;  ///< median: OpenBLAS's products and as many exponentials; none without OpenBLAS
    std::string blas;      ///< what OpenBLAS says of itself
    std::optional<NumpyTime> numpy;
};

/// n = 1 024 to 65 536, d = 64 and 128, full and causal; and several methods and lengths at n = 8 192.
std::vector<BenchmarkCase> benchmarkCases(std::int64_t longest = 65536);

/// `repeats` turns of engine and bounds. `numpy`: also timeNumpy(). Errors: Unavailable, UnknownName, Cancelled;
/// Unavailable for the reference engine, which has no tiles to bound it.
Result<BenchmarkRow> runBenchmark(const BenchmarkCase& benchmark, std::string_view engine, int repeats, bool numpy,
                                  std::stop_token stop);

}  // namespace attnscope
