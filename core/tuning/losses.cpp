#include "core/tuning/losses.h"

#include <algorithm>
#include <chrono>

namespace attnscope {

double Losses::now() const
{
    if (m_watch.clock)
        return m_watch.clock();
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Result<const WindowLoss*> Losses::one(const std::string& name, const std::function<Result<WindowLoss>()>& run)
{
    ++m_done;
    if (const auto found = m_table.find(name); found != m_table.end())
        return &found->second;
    TRY(unlessStopped(m_watch.stop));
    const double begin = now(), each = m_runs > 0 ? m_seconds / m_runs : 0;
    if (m_budget > 0 && begin - m_started + (m_reserved + 1) * each > m_budget) {
        m_outOfTime = true;
        return failure(ErrorKind::Cancelled, "time is up");
    }
    Result<WindowLoss> loss = run();
    if (!loss && loss.error().kind != ErrorKind::Undefined)
        return tl::unexpected(loss.error());
    if (!loss)
        loss = WindowLoss{.undefined = true};
    if (!loss->undefined) {  // that takes no time, and tells none of the others'
        m_seconds += now() - begin;
        ++m_runs;
    }
    const auto at = m_table.emplace(name, std::move(*loss)).first;
    if (m_watch.onLoss)
        m_watch.onLoss(name, at->second);
    if (m_afterEach)
        m_afterEach();
    return &at->second;
}

Result<std::vector<WindowLoss>> Losses::windows(const Policy& policy, std::int64_t length,
                                                std::span<const std::int64_t> starts)
{
    const std::string key = keyOf(policy);
    std::vector<WindowLoss> all;
    for (const std::int64_t start : starts) {
        const WindowLoss* window =
            TRY(one(lossKey(length, start, key), [&] { return m_problem.loss(policy, length, start); }));
        if (window->undefined)
            return std::vector<WindowLoss>{};
        all.push_back(*window);
    }
    return all;
}

Result<std::vector<WindowLoss>> Losses::slopes(const Policy& policy, std::int64_t length,
                                               std::span<const std::int64_t> starts)
{
    if (!m_problem.slopes)
        return failure(ErrorKind::Unavailable, m_problem.withoutSlopes);
    const std::string key = keyOf(policy);
    std::vector<WindowLoss> all;
    for (const std::int64_t start : starts) {
        const WindowLoss* window =
            TRY(one(slopeKey(length, start, key), [&] { return m_problem.slopes(policy, length, start); }));
        if (window->undefined)
            return failure(ErrorKind::Unavailable, "the method has no value at n = {}", length);
        all.push_back(*window);
    }
    return all;
}

/// What it says of heads as one list of layers.
Result<std::optional<HeadLook>> Losses::heads()
{
    if (!m_problem.heads)
        return std::nullopt;
    const WindowLoss* kept = TRY(one("heads", [&]() -> Result<WindowLoss> {
        const HeadLook look = TRY(m_problem.heads());
        WindowLoss all;
        for (const HeadValues* part : {&look.multipliers, &look.entropyAtTrain, &look.entropyAtN})
            all.slopes.insert(all.slopes.end(), part->begin(), part->end());
        return all;
    }));
    if (kept->undefined)
        return std::nullopt;
    const Architecture& of = m_problem.architecture;
    const std::ptrdiff_t layers = of.layers;
    if (std::ssize(kept->slopes) != 3 * layers ||
        std::ranges::any_of(kept->slopes, [&](const auto& layer) { return std::ssize(layer) != of.heads; }))
        return failure(ErrorKind::InvalidArgument,
                       "the search to go on with holds the heads of another model; start anew without it");
    const auto part = [&](std::ptrdiff_t which) {
        return HeadValues(kept->slopes.begin() + which * layers, kept->slopes.begin() + (which + 1) * layers);
    };
    return HeadLook{.multipliers = part(0), .entropyAtTrain = part(1), .entropyAtN = part(2)};
}

Result<double> Losses::mean(const Policy& policy, std::int64_t length, std::span<const std::int64_t> starts)
{
    const std::vector<WindowLoss> all = TRY(windows(policy, length, starts));
    double sum = 0;
    for (const WindowLoss& window : all)
        sum += window.loss;
    return all.empty() ? withoutValue : sum / static_cast<double>(all.size());
}

}  // namespace attnscope
