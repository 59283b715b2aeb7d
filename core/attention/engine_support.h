#pragma once
// What all CPU engines share: the checks of a request, and one way of spreading blocks of rows over the threads.

#include "core/attention/engine.h"
#include "core/attention/normaliser.h"
#include "core/base/parallel.h"

#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <vector>

namespace attnscope {

Result<void> checkRequest(const AttentionHead& head, const SummaryRequest& request);
Result<void> checkRequest(const AttentionHead& head, const PoolRequest& request);
Result<void> checkRequest(const AttentionHead& head, const AttendRequest& request);

Result<const Normaliser*> findNormaliser(const Choice& choice);

/// What is asked of a head: of one with a sink of its own softmax1 is softmax beside that sink, as its file suggests
/// (suggestedAttention). All other choices mean what they say; sink:s=0 is Softmax one of any head.
Choice normaliserOf(const AttentionHead& head, const Choice& asked);

/// The normaliser of a request that has been checked: what every engine begins with.
template <class Request>
Result<const Normaliser*> checkedNormaliser(const AttentionHead& head, const Request& request)
{
    return checkRequest(head, request).and_then([&] { return findNormaliser(request.normaliser); });
}

/// Rows that the passes of a request take together, and summaries for them: [pass][row - firstRow].
struct RowsOfPasses {
    std::int64_t begin = 0, end = 0;  ///< end < begin: none
    std::vector<std::vector<RowSummary>> summaries;
};
RowsOfPasses rowsOfPasses(const AttentionHead& head, const SummaryRequest& request);

inline tl::unexpected<Error> cancelled() { return failure(ErrorKind::Cancelled, "stopped"); }

/// Where pixel `index` of `pixels` begins in [begin, end).
inline std::int64_t pixelBegin(std::int64_t begin, std::int64_t end, std::int64_t pixels, std::int64_t index)
{
    return begin + index * (end - begin) / pixels;
}

/// Reports the fraction done: one call at a time, never falling.
class ProgressCounter {
public:
    ProgressCounter(const std::function<void(double)>& report, std::int64_t total) : m_report(report), m_total(total) {}
    void step()
    {
        if (!m_report)
            return;
        const std::scoped_lock lock(m_mutex);
        m_report(static_cast<double>(++m_done) / static_cast<double>(m_total));
    }

private:
    const std::function<void(double)>& m_report;
    std::mutex m_mutex;
    std::int64_t m_done = 0;
    std::int64_t m_total;
};

/// body(block) for every block in 0..count-1, none begun after a stop; false if stopped. In parallel blocks go in turns
/// from both ends: under a causal mask they cost more the later they come, and neighbours together cost about the same
/// so.
template <class Body>
bool forEachBlock(std::int64_t count, bool parallel, const std::stop_token& stop, const Body& body)
{
    const auto unlessStopped = [&](std::int64_t block) {
        if (!stop.stop_requested())
            body(block);
    };
    if (parallel)
        forEachInParallel(count, 1,
                          [&](std::int64_t turn) { unlessStopped(turn % 2 == 0 ? turn / 2 : count - 1 - turn / 2); });
    else
        for (std::int64_t block = 0; block < count; ++block)
            unlessStopped(block);
    return !stop.stop_requested();
}

}  // namespace attnscope
