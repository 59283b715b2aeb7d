#pragma once
// One way of spreading independent work over the cores: oneTBB's. The thread sanitiser cannot see how Debian's oneTBB
// hands work over and would report every hand-over as a race; under it the same work runs on plain threads, which it
// understands, so that races in the work itself are found.

#include <cstdint>

#if defined(__SANITIZE_THREAD__)
#include <atomic>
#include <thread>
#include <vector>
#else
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#endif

namespace attnscope {

/// body(index) for every index in 0..count-1, in any order, `grain` neighbours at a time on one thread.
template <class Body>
void forEachInParallel(std::int64_t count, std::int64_t grain, const Body& body)
{
#if defined(__SANITIZE_THREAD__)
    std::atomic<std::int64_t> next = 0;
    std::vector<std::jthread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&] {
            for (std::int64_t begin = next.fetch_add(grain); begin < count; begin = next.fetch_add(grain))
                for (std::int64_t index = begin; index < begin + grain && index < count; ++index)
                    body(index);
        });
#else
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, count, grain),
        [&](const tbb::blocked_range<std::int64_t>& range) {
            for (std::int64_t index = range.begin(); index < range.end(); ++index)
                body(index);
        },
        tbb::simple_partitioner());
#endif
}

}  // namespace attnscope
