#include "core/attention/shared_matrix.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace attnscope {

namespace {

constexpr std::int64_t atATime = 1 << 16;  // numbers; a second-level cache full
constexpr std::uint32_t withoutSign = 0x7fffffff, infinite = 0x7f800000;

/// Numbers without a sign rise as their bits do, and infinities and NaN are above them all. Integers, so that compilers
/// make vectors of the loop, on all cores: at n = 131 072 keys are 32 MB.
float largestOf(SharedMatrix::View values)
{
    std::atomic<std::uint32_t> all = 0;
    forEachInParallel((values.size() + atATime - 1) / atATime, 1, [&](std::int64_t chunk) {
        std::uint32_t most = 0;
        const float* const end = values.data() + std::min(values.size(), (chunk + 1) * atATime);
        for (const float* value = values.data() + chunk * atATime; value < end; ++value)
            most = std::max(most, std::bit_cast<std::uint32_t>(*value) & withoutSign);
        for (std::uint32_t before = all; before < most && !all.compare_exchange_weak(before, most);)
            ;
    });
    return std::bit_cast<float>(std::min<std::uint32_t>(all, infinite));
}

}  // namespace

SharedMatrix::SharedMatrix(std::shared_ptr<const Matrix> values)
    : m_values(std::move(values)), m_rows(m_values->rows()), m_largest(largestOf(**this))
{
}

SharedMatrix SharedMatrix::firstRows(Eigen::Index rows) const
{
    SharedMatrix first(m_values, rows, m_largest);
    if (!allFinite())
        first.m_largest = largestOf(*first);
    return first;
}

}  // namespace attnscope
