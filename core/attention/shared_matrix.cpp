#include "core/attention/shared_matrix.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace attnscope {

namespace {

constexpr std::int64_t atATime = 1 << 16;  // numbers; a second-level cache full
constexpr std::uint32_t exponent = 0x7f800000;

/// Infinities and NaN are the numbers whose exponent is all ones. Integers, so that compilers make vectors of the loop,
/// on all cores: at n = 131 072 keys are 32 MB.
bool finite(SharedMatrix::View values)
{
    std::atomic<bool> all = true;
    forEachInParallel((values.size() + atATime - 1) / atATime, 1, [&](std::int64_t chunk) {
        std::uint32_t bad = 0;
        const float* const end = values.data() + std::min(values.size(), (chunk + 1) * atATime);
        for (const float* value = values.data() + chunk * atATime; value < end; ++value)
            bad |= (std::bit_cast<std::uint32_t>(*value) & exponent) == exponent ? 1U : 0U;
        if (bad)
            all = false;
    });
    return all;
}

}  // namespace

SharedMatrix::SharedMatrix(std::shared_ptr<const Matrix> values)
    : m_values(std::move(values)), m_rows(m_values->rows()), m_finite(finite(**this))
{
}

SharedMatrix SharedMatrix::firstRows(Eigen::Index rows) const
{
    SharedMatrix first(m_values, rows, m_finite);
    first.m_finite = m_finite || finite(*first);
    return first;
}

}  // namespace attnscope
