#include "core/attention/fast/whole_rows.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/summarise_row.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope::fast {

KeptProducts::KeptProducts(const AttentionHead& head, const TileKernels& kernels, std::int64_t firstRow, int rowCount,
                           std::int64_t keyCount, const std::stop_token& stop)
    : m_head(head), m_block(head, kernels, firstRow, rowCount), m_z(static_cast<size_t>(keyCount))
{
    for (const Keys keys : m_block.tiles(0, keyCount)) {
        if (stop.stop_requested())
            return;
        m_block.products(keys, m_z[static_cast<size_t>(keys.first)].at);
    }
}

void KeptProducts::read(std::int64_t row, std::int64_t prefix, double scale, RowLogits& out) const
{
    out.visible = m_head.visible(row, prefix);
    out.logits.resize(static_cast<size_t>(out.visible.count()));
    const std::int64_t lane = row - m_block.firstRow();
    bool small = true;
    float largest = 0;
    double most = 0, top = -std::numeric_limits<double>::infinity();  // of the products; of the logits
    for (std::int64_t index = 0; index < std::ssize(out.logits); ++index) {
        const std::int64_t key = out.key(index);
        largest = std::max(largest, std::abs(m_z[static_cast<size_t>(key)].at[lane]));
        const double x = scale * static_cast<double>(m_z[static_cast<size_t>(key)].at[lane]);
        small &= std::abs(x) <= static_cast<double>(largestLogit);
        const double logit = biasedLogit(m_head, row, key, x);
        out.logits[static_cast<size_t>(index)] = logit;
        most = std::max(most, std::abs(x));
        top = std::max(top, logit);
    }
    constexpr double leastTop = 3e-3;  // of `most`: what begins at 0 (a squared ReLU) is made of what is left
    const bool left = std::abs(top) < leastTop * most;
    if (!small || largest < leastProduct || left)  // too large for float32, or it has lost their digits
        readRowLogits(m_head, row, prefix, scale, out);
}

void summariseWholeRows(const TileKernels& kernels, const AttentionHead& head, const SummaryRequest& request,
                        const Normaliser& normaliser, std::int64_t firstRow, int rowCount,
                        std::vector<std::vector<RowSummary>>& out, const std::stop_token& stop)
{
    std::int64_t longest = 0;
    for (const Pass& pass : request.passes)
        if (pass.firstRow < firstRow + rowCount && pass.lastRow > firstRow)
            longest = std::max(longest, pass.prefix);
    const KeptProducts products(head, kernels, firstRow, rowCount, longest, stop);
    const Parameters parameters(normaliser, request.normaliser);

    RowLogits logits;
    for (size_t p = 0; p < request.passes.size(); ++p) {
        const Pass& pass = request.passes[p];
        for (std::int64_t row = std::max(firstRow, pass.firstRow); row < std::min(firstRow + rowCount, pass.lastRow);
             ++row) {
            if (stop.stop_requested())
                return;
            const size_t index = static_cast<size_t>(row - pass.firstRow);
            if (!hasScale(pass.scale[index]))
                continue;
            products.read(row, pass.prefix, pass.scale[index], logits);
            out[p][index] =
                summariseRow(logits.logits, logits.visible, head.position(row), normaliser, parameters, request.extras);
        }
    }
}

}  // namespace attnscope::fast
