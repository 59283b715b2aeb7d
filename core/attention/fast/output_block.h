#pragma once
// The outputs of 64 rows, o = sum over j of w_j v_j. Softmax and its kin go over the tiles once, whatever n is:
//
//   e_j = 2^(a z_j - b),   w_j = e_j / (sum e + 2^(s / ln 2 - b))      s: the silent key's logit, where there is one
//
// with b following the largest logit so far and the sums being moved with it. Normalisers that must see the whole row
// first keep 64 x n products. Rows that float32 cannot tell go through the definition, attendRow.

#include "core/attention/engine.h"
#include "core/attention/fast/query_block.h"
#include "core/attention/normaliser.h"

#include <stop_token>

namespace attnscope::fast {

class OutputBlock {
public:
    /// `values`: the request's, its rows near each other.
    OutputBlock(const TileKernels& kernels, const AttentionHead& head, const AttendRequest& request,
                const Normaliser& normaliser, const MatrixView& values, std::int64_t firstRow, int rowCount);
    void run(const std::stop_token& stop);

private:
    void streamTiles(const std::stop_token& stop);
    void weighWholeRows(const std::stop_token& stop);
    void mix(Keys keys, const float* weights, const float* factor);
    void write(const std::stop_token& stop);

    double scaleOf(int r) const { return m_request.scale[static_cast<size_t>(m_firstRow + r)]; }
    Lanes adaptedBeta(const std::stop_token& stop) const;

    const TileKernels& m_kernels;
    const AttentionHead& m_head;
    const AttendRequest& m_request;
    const Normaliser& m_normaliser;
    const Parameters m_parameters;
    const MatrixView& m_values;
    std::int64_t m_firstRow;
    int m_rowCount;
    Tile m_output;  ///< (d_v, 64), to be divided by m_total
    std::array<double, blockRows> m_total{};
    std::array<bool, blockRows> m_exact{};  ///< through the definition
};

}  // namespace attnscope::fast
