#pragma once
// How long a test waits for what the program does by itself, before that counts as lost: a minute, times the number in
// the environment's ATTNSCOPE_PATIENCE. It measures nothing: on a slow or busy machine the same comes later. All waits
// of one test program together end before CTest's own limit (30 minutes, in the presets), which would take the log of
// what failed with it: after 20 minutes nothing is waited for, and a QTRY_ that fails waits up to three times as long.

#include <QTest>

#include <algorithm>
#include <chrono>

namespace attnscope::testing {

class Patience {
public:
    /// `minutes` at most, before the factor.
    explicit Patience(double minutes) : m_milliseconds(minutes * 60'000 * factor()) {}
    /// Milliseconds, from now.
    operator int() const
    {
        using namespace std::chrono;
        const auto left = duration_cast<milliseconds>(m_began + total - steady_clock::now()).count();
        return static_cast<int>(std::clamp(m_milliseconds, 0.0, std::max(0.0, static_cast<double>(left))));
    }

private:
    static double factor()
    {
        bool isNumber = false;
        const double given = qEnvironmentVariable("ATTNSCOPE_PATIENCE").toDouble(&isNumber);
        return isNumber && given > 0 ? given : 1;
    }

    static constexpr std::chrono::minutes total{20};
    static inline const std::chrono::steady_clock::time_point m_began = std::chrono::steady_clock::now();
    double m_milliseconds;
};

}  // namespace attnscope::testing

inline const attnscope::testing::Patience patience(1), patienceWithPrograms(5);

// Qt's own wait five seconds, and those of Qt 6.8 narrow milliseconds to int.
#define ATTNSCOPE_WAIT(waits)                                                                                          \
    do {                                                                                                               \
        _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wconversion\"") waits;                       \
        _Pragma("GCC diagnostic pop")                                                                                  \
    } while (false)
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) ATTNSCOPE_WAIT(QTRY_VERIFY_WITH_TIMEOUT(expression, patience))
#define QTRY_VERIFY2(expression, says) ATTNSCOPE_WAIT(QTRY_VERIFY2_WITH_TIMEOUT(expression, says, patience))
#define QTRY_COMPARE(actual, expected) ATTNSCOPE_WAIT(QTRY_COMPARE_WITH_TIMEOUT(actual, expected, patience))
