#include "core/attention/fast/weight_block.h"

#include "core/attention/fast/fast_engine.h"
#include "core/attention/row_logits.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope::fast {

WeightBlock::WeightBlock(const TileKernels& kernels, const AttentionHead& head, const Normaliser& normaliser,
                         const PoolRequest& request, std::int64_t firstRow, int rowCount)
    : m_kernels(kernels), m_head(head), m_normaliser(normaliser), m_request(request),
      m_parameters(normaliser, request.normaliser), m_block(head, kernels, firstRow, rowCount), m_plain(head.plain()),
      m_keyByKey(!normaliser.softmaxForm), m_z(tileKeys), m_x(m_plain ? 0 : tileKeys)
{
    constexpr double log2e = 1 / std::numbers::ln2;
    std::ranges::fill(m_b.at, -unseen);  // no weight from the kernel
    for (int r = 0; r < rowCount; ++r) {
        const size_t row = static_cast<size_t>(firstRow + r);
        const NormaliserState& state = request.states[row];
        if (!hasScale(request.scale[row]))
            continue;
        m_seen[static_cast<size_t>(r)] = true;
        m_scale[static_cast<size_t>(r)] = request.scale[row];
        m_factor.at[r] = finiteFloat(request.scale[row]);
        m_a.at[r] = static_cast<float>(log2e * state.scale * (m_plain ? static_cast<double>(m_factor.at[r]) : 1.0));
        // A key that is not seen has the logit `unseen`: only a factor well above 0 turns it into no weight. A key
        // alone has exactly the weight that its normaliser gives it.
        const double shift = state.shiftFromZero();
        const bool plainFactor = m_a.at[r] >= smallestScale && std::isfinite(m_a.at[r]);
        const bool exact = !(std::abs(shift) <= static_cast<double>(largestLogit)) || !std::isfinite(state.scale) ||
                           !plainFactor || m_block.irregular(r) || !(std::abs(request.scale[row]) <= largestScale) ||
                           m_block.visibleCount(r, head.keyCount) == 1;
        m_b.at[r] = static_cast<float>(log2e * shift);
        if (exact)
            leaveToDefinition(r);
    }
}

/// The kernel gives the row's keys no weight any more.
void WeightBlock::leaveToDefinition(int r)
{
    m_exact[static_cast<size_t>(r)] = m_keyByKey = true;
    m_a.at[r] = 0;
    m_b.at[r] = -unseen;
}

void WeightBlock::addWeights(Keys keys, const int* pixelOf, std::span<Lanes> pixels)
{
    float* const z = m_z.data()->at;
    m_block.products(keys, z);
    for (int r = 0; m_block.someIrregular() && r < m_block.rowCount(); ++r)
        if (m_seen[static_cast<size_t>(r)] && m_block.irregular(r))
            leaveToDefinition(r);
    for (int r = 0; m_keyByKey && r < m_block.rowCount(); ++r)
        if (m_seen[static_cast<size_t>(r)] && (!m_normaliser.softmaxForm || m_exact[static_cast<size_t>(r)]))
            addInDouble(keys, pixelOf, pixels, r);
    if (!m_normaliser.softmaxForm)
        return;
    float* x = z;
    if (!m_plain) {
        Lanes largest;
        x = m_x.data()->at;
        m_block.transform(keys, z, m_factor, x, largest);
    }
    if (!m_block.allSee(keys))
        m_block.mask(keys, x);
    m_kernels.pixels(x, m_a.at, m_b.at, pixelOf, keys.count, m_block.rowCount(), m_request.pool == Pool::Max,
                     pixels.data()->at);
}

void WeightBlock::addInDouble(Keys keys, const int* pixelOf, std::span<Lanes> pixels, int r) const
{
    const std::int64_t row = m_block.firstRow() + r;
    const VisibleKeys visible = m_head.visible(row, m_head.keyCount);
    const double scale = m_scale[static_cast<size_t>(r)];
    const NormaliserState& state = m_request.states[static_cast<size_t>(row)];
    const auto productOf = [&](int c) { return scale * static_cast<double>(m_z[static_cast<size_t>(c)].at[r]); };
    bool exact = m_exact[static_cast<size_t>(r)];  // where some are too large, the others are sums of terms as large
    float most = 0;
    for (int c = 0; c < keys.count && !exact; ++c)
        most = std::max(most, std::abs(m_z[static_cast<size_t>(c)].at[r]));
    exact |= most < leastProduct || std::abs(scale) * static_cast<double>(most) > static_cast<double>(largestLogit);
    for (int c = 0; c < keys.count; ++c) {
        const std::int64_t key = keys.first + c * keys.stride;
        if (!visible.sees(key))
            continue;
        const double x = exact ? logitOf(m_head, row, key, scale) : biasedLogit(m_head, row, key, productOf(c));
        const float w = static_cast<float>(m_normaliser.weight(x, state, m_parameters));
        float& pixel = pixels[static_cast<size_t>(pixelOf[c])].at[r];
        pixel = m_request.pool == Pool::Mean ? pixel + w : std::max(pixel, w);
    }
}

}  // namespace attnscope::fast
