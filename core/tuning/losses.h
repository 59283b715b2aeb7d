#pragma once
// Mean losses over common windows, each window run once; when to stop.

#include "core/tuning/tuning.h"

#include <limits>
#include <span>

namespace attnscope {

inline constexpr double withoutValue = std::numeric_limits<double>::infinity();

class Losses {
public:
    Losses(const TuneProblem& problem, const TuneWatch& watch)
        : m_problem(problem), m_watch(watch), m_table(watch.known)
    {
        m_started = now();
    }

    /// Of each of these windows; empty where the policy has no value. Errors: Cancelled (also once time is up), those
    /// of the losses.
    Result<std::vector<WindowLoss>> windows(const Policy& policy, std::int64_t length,
                                            std::span<const std::int64_t> starts);
    /// The same windows' gradients (WindowLoss::slopes) by TuneProblem::slopes. Errors: those of windows(),
    /// Unavailable.
    Result<std::vector<WindowLoss>> slopes(const Policy& policy, std::int64_t length,
                                           std::span<const std::int64_t> starts);
    /// TuneProblem::heads, kept beside the losses; nothing where they have no value. Errors: those of the problem.
    Result<std::optional<HeadLook>> heads();
    /// The mean loss; withoutValue where there is none.
    Result<double> mean(const Policy& policy, std::int64_t length, std::span<const std::int64_t> starts);

    /// Nothing new is run after this many seconds, less those that as many runs as are `reserved` will take; 0: never.
    void allow(double seconds, double reserved)
    {
        m_budget = seconds;
        m_reserved = reserved;
        m_outOfTime = false;
    }
    bool outOfTime() const { return m_outOfTime; }
    /// Called after every window that was run.
    void afterEach(std::function<void()> run) { m_afterEach = std::move(run); }
    int done() const { return m_done; }  ///< windows asked for so far

private:
    double now() const;
    Result<const WindowLoss*> one(const std::string& name, const std::function<Result<WindowLoss>()>& run);

    const TuneProblem& m_problem;
    const TuneWatch& m_watch;
    LossTable m_table;
    std::function<void()> m_afterEach;
    double m_started = 0, m_budget = 0, m_reserved = 0, m_seconds = 0;
    int m_done = 0, m_runs = 0;
    bool m_outOfTime = false;
};

}  // namespace attnscope
