#include "core/scaling/entropy_exact.h"

#include "core/theory/entropy_scale.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <mutex>
#include <optional>

namespace attnscope {

namespace {

/// Series of lambda*, each for lengths up to a power of 16, made when first asked for. Any number of threads.
class Curves {
public:
    Result<double> multiplier(const std::string& source, double n, double nTrain, int d)
    {
        constexpr double longest = 1e12;  // of EntropyScale; the last power of 16 below it is 7e10
        const double nMax = std::min(
            longest, std::pow(16.0, std::max(1.0, std::ceil(std::log(std::max(n, nTrain)) / std::log(16.0) - 1e-9))));
        return curve({source, nMax, nTrain, d})
            .and_then([&](const EntropyScale& scale) { return scale(std::min(n, nMax)); })
            .map([&](double lambda) { return lambda * std::sqrt(static_cast<double>(d)); });
    }

private:
    struct Key {
        std::string source;
        double nMax, nTrain;
        int d;
        bool operator==(const Key&) const = default;
    };
    struct Known {
        Key key;
        Result<EntropyScale> scale;
    };
    static constexpr size_t most = 64;

    Result<EntropyScale> curve(const Key& key)
    {
        if (const auto known = find(key))
            return *known;
        const Result<LogitDensity> density = logitDensity(key.source, key.d);
        // Without the lock: two threads that ask at once both make it, and neither waits for the other's tasks.
        const Result<EntropyScale> made =
            density ? EntropyScale::make(*density, key.nTrain, key.nMax) : tl::unexpected(density.error());
        const std::scoped_lock lock(m_mutex);
        m_known.push_front({key, made});
        if (m_known.size() > most)
            m_known.pop_back();
        return made;
    }

    std::optional<Result<EntropyScale>> find(const Key& key)
    {
        const std::scoped_lock lock(m_mutex);
        const auto known = std::ranges::find(m_known, key, &Known::key);
        return known == m_known.end() ? std::nullopt : std::optional(known->scale);
    }

    std::mutex m_mutex;
    std::deque<Known> m_known;  ///< the last made first
};

/// One for the whole program: the stages of a picture bind the same method anew for every length that they look at, and
/// each series is thirty roots.
Curves& curves()
{
    static Curves all;
    return all;
}

}  // namespace

Result<Multiplier> entropyExact(const std::string& source)
{
    TRY(logitDensity(source, 64));
    return [source](double n, const ScaleContext& c) { return curves().multiplier(source, n, c.nTrain, c.d); };
}

}  // namespace attnscope
