#pragma once
// What the program looks at: the queries and keys of one attention layer, head by head, as float32 row-major matrices.
// With grouped-query attention several query heads share a key head: query head h reads key head h / (H_q / H_k).
// A file may instead hold finished logits or weights (m, n); then `queries` holds them and `keys` is empty.

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace attnscope {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Ref<const Matrix>;

struct HeadSet {
    enum class Kind { QueryKey, Logits, Weights };
    Kind kind = Kind::QueryKey;
    std::vector<Matrix> queries;                ///< H_q matrices (m, d); or (m, n) logits or weights
    std::vector<Matrix> keys;                   ///< H_k matrices (n, d); H_k divides H_q
    std::vector<std::string> tokens;            ///< a label per key, or empty
    std::vector<std::string> queryTokens = {};  ///< a label per query of another sequence (cross attention), or empty
    bool hasOrder = true;  ///< neighbours are related; false: the keys are exchangeable, positions are arbitrary
    std::int64_t maskedByValue =
        0;  ///< logits, of all heads, that were so low that they stood for masked keys; they are -inf here
    std::vector<double> sinks = {};  ///< a silent key's logit for each query head, as their model has them; empty: none
    bool rotated = false;            ///< rotary positions are in these queries and keys already (recorded after RoPE)

    int headCount() const { return static_cast<int>(queries.size()); }
    std::int64_t queryCount() const { return queries.empty() ? 0 : queries.front().rows(); }
    std::int64_t keyCount() const
    {
        return kind == Kind::QueryKey ? (keys.empty() ? 0 : keys.front().rows())
                                      : (queries.empty() ? 0 : queries.front().cols());
    }
    int headSize() const
    {
        return kind == Kind::QueryKey && !queries.empty() ? static_cast<int>(queries.front().cols()) : 0;
    }
    const Matrix& query(int head) const { return queries[static_cast<size_t>(head)]; }
    Matrix& query(int head) { return queries[static_cast<size_t>(head)]; }
    const Matrix& key(int head) const { return keys[keyHead(head)]; }
    Matrix& key(int head) { return keys[keyHead(head)]; }
    /// The key head that this query head shares.
    size_t keyHead(int head) const { return static_cast<size_t>(head) * keys.size() / queries.size(); }
};

}  // namespace attnscope
