#include "core/scaling/entropy_exact.h"

#include "core/theory/entropy_scale.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <mutex>
#include <optional>

namespace attnscope {

namespace {

/// lambda* where it was asked for: by series, each for lengths up to a power of 16, and where a series does not hold,
/// because not every length below that power has a scale or the scale turns too sharply, by the roots themselves. Any
/// number of threads.
class Curves {
public:
    Result<double> multiplier(const std::string& source, double n, const ScaleContext& context)
    {
        const double nTrain = context.nTrain, tau = context.temperature;
        const int d = context.d;
        constexpr double longest = 1e12;  // that EntropyScale knows
        const double nMax = std::max(
            std::max(n, nTrain),
            std::min(longest,
                     std::pow(16.0, std::max(1.0, std::ceil(std::log(std::max(n, nTrain)) / std::log(16.0) - 1e-9)))));
        const Result<EntropyScale> scale = curve({source, nMax, nTrain, tau, d});
        const bool holds = scale ? scale->error() <= errorOfSeries : scale.error().kind != ErrorKind::Undefined;
        return (holds && n != nTrain
                    ? scale.and_then([&](const EntropyScale& series) { return series(std::min(n, nMax)); })
                    : root({source, n, nTrain, tau, d}))
            .map([&](double lambda) { return lambda * tau * std::sqrt(static_cast<double>(d)); });
    }

private:
    struct Key {
        std::string source;
        double n, nTrain, tau;  ///< n: of a series its largest
        int d;
        auto operator<=>(const Key&) const = default;
    };
    struct Known {
        Key key;
        Result<EntropyScale> scale;
    };
    static constexpr double errorOfSeries = 1e-8;
    static constexpr size_t most = 64, mostRoots = 1 << 16;

    Result<EntropyScale> curve(const Key& key)
    {
        if (const auto known = find(key))
            return *known;
        const Result<LogitDensity> density = logitDensity(key.source, key.d);
        // Without the lock: two threads that ask at once both make it, and neither waits for the other's tasks.
        const Result<EntropyScale> made =
            density ? EntropyScale::make(*density, key.nTrain, key.n, key.tau) : tl::unexpected(density.error());
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

    Result<double> root(const Key& key)
    {
        {
            const std::scoped_lock lock(m_mutex);
            if (const auto known = m_roots.find(key); known != m_roots.end())
                return known->second;
        }
        const Result<double> solved = logitDensity(key.source, key.d).and_then([&](const LogitDensity& density) {
            return entropyInvariantScale(density, key.n, key.nTrain, key.tau);
        });
        const std::scoped_lock lock(m_mutex);
        if (m_roots.size() >= mostRoots)
            m_roots.clear();
        m_roots.insert_or_assign(key, solved);
        return solved;
    }

    std::mutex m_mutex;
    std::deque<Known> m_known;  ///< the last made first
    std::map<Key, Result<double>> m_roots;
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
    return [source](double n, const ScaleContext& c) { return curves().multiplier(source, n, c); };
}

}  // namespace attnscope
