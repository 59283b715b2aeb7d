#include "core/scaling/entropy_exact.h"

#include "core/theory/entropy_scale.h"

#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>

namespace attnscope {

namespace {

/// Series of lambda*, each for lengths up to a power of 16, made when first asked for. Any number of threads.
class Curves {
public:
    explicit Curves(std::string source) : m_source(std::move(source)) {}

    Result<double> multiplier(double n, double nTrain, int d)
    {
        const double nMax = std::pow(16.0, std::max(1.0, std::ceil(std::log(std::max(n, nTrain)) / std::log(16.0) - 1e-9)));
        return curve(nMax, nTrain, d).and_then([&](const EntropyScale& scale) { return scale(std::min(n, nMax)); }).map([&](double lambda) {
            return lambda * std::sqrt(static_cast<double>(d));
        });
    }

private:
    Result<EntropyScale> curve(double nMax, double nTrain, int d)
    {
        const std::scoped_lock lock(m_mutex);
        const std::tuple key{nMax, nTrain, d};
        if (const auto known = m_curves.find(key); known != m_curves.end())
            return known->second;
        const Result<LogitDensity> density = logitDensity(m_source, d);
        return m_curves.emplace(key, density ? EntropyScale::make(*density, nTrain, nMax) : tl::unexpected(density.error())).first->second;
    }

    std::string m_source;
    std::mutex m_mutex;
    std::map<std::tuple<double, double, int>, Result<EntropyScale>> m_curves;
};

}  // namespace

Result<Multiplier> entropyExact(const std::string& source)
{
    if (const Result<LogitDensity> density = logitDensity(source, 64); !density)
        return tl::unexpected(density.error());
    return [curves = std::make_shared<Curves>(source)](double n, const ScaleContext& c) { return curves->multiplier(n, c.nTrain, c.d); };
}

}  // namespace attnscope
