#include "core/attention/fast/output_block.h"

#include "core/attention/attend_row.h"
#include "core/attention/fast/block_summary.h"
#include "core/attention/fast/fast_engine.h"
#include "core/attention/fast/whole_rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::fast {

namespace {

constexpr double bitsPerNat = 1 / std::numbers::ln2;
/// A key that a row does not see has the logit `unseen`, which a factor must not bring near 0.
constexpr float leastScale = 1e-10f;

}  // namespace

OutputBlock::OutputBlock(const TileKernels& kernels, const AttentionHead& head, const AttendRequest& request,
                         const Normaliser& normaliser, const MatrixView& values, std::int64_t firstRow, int rowCount)
    : m_kernels(kernels), m_head(head), m_request(request), m_normaliser(normaliser),
      m_parameters(normaliser, request.normaliser), m_values(values), m_firstRow(firstRow), m_rowCount(rowCount),
      m_output(static_cast<size_t>(values.cols()), Lanes{})
{
}

void OutputBlock::run(const std::stop_token& stop)
{
    if (m_normaliser.softmaxForm)
        streamTiles(stop);
    else
        weighWholeRows(stop);
    write(stop);
}

void OutputBlock::streamTiles(const std::stop_token& stop)
{
    Lanes scale, a;
    std::ranges::fill(scale.at, 1.0f);  // a row without a scale rides along and is not read
    for (int r = 0; r < m_rowCount; ++r)
        scale.at[r] = hasScale(scaleOf(r)) ? finiteFloat(scaleOf(r)) : 1;
    const bool plain = m_head.plain() && std::ranges::all_of(scale.at, [](float s) { return s >= leastScale; });
    const Lanes beta = adaptedBeta(stop);
    for (int r = 0; r < blockRows; ++r)
        a.at[r] = finiteFloat(bitsPerNat * static_cast<double>(beta.at[r]) *
                              (plain ? static_cast<double>(scale.at[r]) : 1.0));

    QueryBlock block(m_head, m_kernels, m_firstRow, m_rowCount);
    Tile logits(tileKeys), transformed(plain ? 0 : tileKeys);
    Online online{};
    std::ranges::fill(online.largest, unseen);
    Lanes largestProduct{};
    for (const Keys keys : block.tiles(0, m_head.keyCount)) {
        if (stop.stop_requested())
            return;
        float* x = logits.data()->at;
        block.products(keys, x);
        if (!plain) {
            Lanes largest;
            block.transform(keys, x, scale, transformed.data()->at, largest);
            x = transformed.data()->at;
            std::ranges::transform(largestProduct.at, largest.at, largestProduct.at,
                                   [](float l, float r) { return std::max(l, r); });
        }
        if (!block.allSee(keys))
            block.mask(keys, x);
        const bool moved = m_kernels.weigh(x, a.at, keys.count, m_rowCount, online);
        mix(keys, x, moved ? online.factor : nullptr);
    }
    for (int r = 0; r < m_rowCount; ++r) {
        const size_t row = static_cast<size_t>(r);
        m_total[row] = online.total[r];
        if (const auto silent = m_normaliser.softmaxForm->silentLogit; silent && online.total[r] > 0)
            m_total[row] += std::exp2(bitsPerNat * silent(m_parameters) - static_cast<double>(online.b[r]));
        float largest = plain ? std::abs(scale.at[r] * online.largest[r]) : largestProduct.at[r];
        if (m_head.bias || m_head.slope != 0)  // of any size
            largest = std::max(largest, std::abs(online.largest[r]));
        largest *= std::max(beta.at[r], 1.0f);
        const bool one = m_head.visible(m_firstRow + r, m_head.keyCount).count() == 1;  // whose weight is 1, no less
        m_exact[row] = one || block.irregular(r) || std::isnan(online.total[r]) ||
                       (hasScale(scaleOf(r)) && std::abs(scaleOf(r)) > largestScale) ||
                       (online.largest[r] > unseen && !(largest <= largestLogit));
    }
}

/// The factor that each row's entropy asks for, where the normaliser asks.
Lanes OutputBlock::adaptedBeta(const std::stop_token& stop) const
{
    Lanes beta;
    std::ranges::fill(beta.at, 1.0f);
    if (!m_normaliser.softmaxForm->beta)
        return beta;
    Pass pass{m_head.keyCount, m_firstRow, m_firstRow + m_rowCount, {}};
    for (int r = 0; r < m_rowCount; ++r)
        pass.scale.push_back(scaleOf(r));
    const SummaryRequest request{m_request.normaliser, {std::move(pass)}};
    std::vector<std::vector<RowSummary>> rows{std::vector<RowSummary>(static_cast<size_t>(m_rowCount))};
    BlockSummary(m_kernels, m_head, request, m_normaliser, m_firstRow, m_rowCount, rows).run(stop);
    for (int r = 0; r < m_rowCount; ++r)
        if (const double factor = rows[0][static_cast<size_t>(r)].state.scale; std::isfinite(factor))
            beta.at[r] = finiteFloat(factor);
    return beta;
}

void OutputBlock::weighWholeRows(const std::stop_token& stop)
{
    const KeptProducts products(m_head, m_kernels, m_firstRow, m_rowCount, m_head.keyCount, stop);
    Tile weights(static_cast<size_t>(m_head.keyCount), Lanes{});
    RowLogits logits;
    for (int r = 0; r < m_rowCount; ++r) {
        if (stop.stop_requested())
            return;
        m_total[static_cast<size_t>(r)] = 1;
        if (!hasScale(scaleOf(r)))
            continue;
        products.read(m_firstRow + r, m_head.keyCount, scaleOf(r), logits);
        const NormaliserState state = m_normaliser.solve(logits.logits, m_parameters);
        for (std::int64_t index = 0; index < std::ssize(logits.logits); ++index)
            weights[static_cast<size_t>(logits.key(index))].at[r] =
                static_cast<float>(m_normaliser.weight(logits.logits[static_cast<size_t>(index)], state, m_parameters));
    }
    for (const Keys keys : products.block().tiles(0, m_head.keyCount))
        mix(keys, weights[static_cast<size_t>(keys.first)].at, nullptr);
}

void OutputBlock::mix(Keys keys, const float* weights, const float* factor)
{
    m_kernels.mix(weights, m_values.data() + keys.first * m_values.outerStride(), m_values.outerStride(), keys.count,
                  static_cast<int>(m_values.cols()), m_rowCount, factor, m_output.data()->at);
}

void OutputBlock::write(const std::stop_token& stop)
{
    Eigen::Ref<Matrix> output = m_request.output;
    for (int r = 0; r < m_rowCount && !stop.stop_requested(); ++r) {
        const std::int64_t row = m_firstRow + r;
        auto out = output.row(row - m_request.firstRow);
        const double total = m_total[static_cast<size_t>(r)];
        const float share = hasScale(scaleOf(r)) && total > 0 ? static_cast<float>(1 / total) : 0;
        bool finite = true;
        for (Eigen::Index x = 0; x < out.size(); ++x) {
            out[x] = share > 0 ? m_output[static_cast<size_t>(x)].at[r] * share : 0;
            finite &= std::isfinite(out[x]);
        }
        // A value that is not finite spoils a row even where it has no weight.
        if (!finite || m_exact[static_cast<size_t>(r)])
            attendRow(m_head, row, scaleOf(r), m_normaliser, m_parameters, m_values, out);
    }
}

}  // namespace attnscope::fast
