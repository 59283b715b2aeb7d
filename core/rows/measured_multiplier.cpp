#include "core/rows/measured_multiplier.h"

#include "core/rows/entropy_root.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

namespace attnscope {

namespace {

class MeasuredMultiplier {
public:
    MeasuredMultiplier(const AttentionHead& head, const Choice& normaliser, double nTrain, double temperature,
                       const Engine& engine, std::stop_token stop, std::int64_t mostRows, RowSet rows,
                       std::vector<double> own = {})
        : m_head(&head), m_normaliser(normaliser), m_nTrain(nTrain), m_temperature(temperature), m_engine(&engine),
          m_stop(std::move(stop)), m_mostRows(mostRows), m_set(rows), m_own(std::move(own))
    {
    }

    Result<double> operator()(double n)
    {
        if (n == m_nTrain)
            return 1.0;
        const auto known = m_solved.find(n);
        return known != m_solved.end() ? known->second : m_solved.emplace(n, solve(n)).first->second;
    }

    Result<double> target()
    {
        const std::int64_t reference = std::llround(m_nTrain);
        TRY(checkTokens(reference));
        if (!m_target) {
            look(reference);
            const double target = TRY(entropy(reference, 1));
            m_target = target;
        }
        return *m_target;
    }

private:
    Result<void> checkTokens(std::int64_t needed) const
    {
        if (needed >= 1 && needed <= m_head->keyCount && queriesWithin(*m_head, needed) > 0)
            return {};
        return failure(ErrorKind::Undefined, "needs {} tokens to measure, and the tensors have {}{}", needed,
                       m_head->keyCount, needed == std::llround(m_nTrain) ? "; give a smaller N" : "");
    }

    /// Looks at these rows: the set's at n, or some of them.
    void look(std::int64_t n)
    {
        m_rows = rowsOf(*m_head, m_set, n);
        m_sampled = m_mostRows > 0 && m_rows.count() > m_mostRows;
        if (!m_sampled)
            return;
        m_some.clear();
        for (std::int64_t k = 0; k < m_mostRows; ++k)
            m_some.push_back(m_rows.first + (2 * k + 1) * m_rows.count() / (2 * m_mostRows));
        m_sample = sampleRows(*m_head, m_some);
        m_rows = {0, m_mostRows};
    }

    /// The mean entropy over the first n tokens of the rows that look() chose.
    Result<double> entropy(std::int64_t n, double multiplier)
    {
        std::vector<double> scale;
        for (std::int64_t row = m_rows.first; row < m_rows.end; ++row)
            scale.push_back(scaleOf(multiplier * ownOf(row), m_temperature));
        return summariesOf(m_sampled ? m_sample : *m_head, m_normaliser, *m_engine, n, m_rows.first, std::move(scale),
                           m_stop)
            .map([](const std::vector<RowSummary>& rows) { return entropyMean(rows).mean; });
    }

    double ownOf(std::int64_t row) const
    {
        if (m_own.empty())
            return 1;
        return m_own[static_cast<size_t>(m_sampled ? m_some[static_cast<size_t>(row)] : row)];
    }

    Result<double> solve(double n)
    {
        const std::int64_t here = std::llround(n), reference = std::llround(m_nTrain);
        for (const std::int64_t needed : {reference, here})
            TRY(checkTokens(needed));
        const double target = TRY(this->target());
        if (std::isnan(target))
            return failure(ErrorKind::Undefined, "none of the rows of N = {} tokens has an entropy to keep", reference);
        look(here);
        const EntropyRoot root = TRY(entropyRoot(target, [&](double m) { return entropy(here, m); }));
        if (root.multiplier)
            return *root.multiplier;
        return failure(ErrorKind::Undefined, "no scale keeps the entropy of N = {} tokens: at n = {} no multiplier {}",
                       reference, here, root.why(target));
    }

    const AttentionHead* m_head;
    Choice m_normaliser;
    double m_nTrain, m_temperature;
    const Engine* m_engine;
    std::stop_token m_stop;
    std::int64_t m_mostRows;
    RowSet m_set;
    std::vector<double> m_own;
    RowSpan m_rows;
    bool m_sampled = false;
    AttentionHead m_sample;
    std::vector<std::int64_t> m_some;  ///< the head's rows that it has
    std::optional<double> m_target;
    std::map<double, Result<double>> m_solved;
};

}  // namespace

std::function<Result<double>(double n)> measuredMultiplier(const AttentionHead& head, const Choice& normaliser,
                                                           double nTrain, double temperature, const Engine& engine,
                                                           std::stop_token stop, std::int64_t mostRows, RowSet rows,
                                                           std::vector<double> own)
{
    const auto solver = std::make_shared<MeasuredMultiplier>(head, normaliser, nTrain, temperature, engine,
                                                             std::move(stop), mostRows, rows, std::move(own));
    return [solver](double n) { return (*solver)(n); };
}

Result<double> entropyToKeep(const AttentionHead& head, const Choice& normaliser, double nTrain, double temperature,
                             const Engine& engine, std::stop_token stop, std::int64_t mostRows, RowSet rows)
{
    return MeasuredMultiplier(head, normaliser, nTrain, temperature, engine, std::move(stop), mostRows, rows).target();
}

std::function<Result<double>(double n)> betweenSolvedLengths(std::function<Result<double>(double n)> measured,
                                                             double nTrain, double longest)
{
    return [measured = std::move(measured), nTrain, longest](double n) -> Result<double> {
        constexpr double perOctave = 4;
        const double place = std::floor(perOctave * std::log2(n / nTrain));
        const auto knot = [&](double k) {
            return std::clamp(std::round(nTrain * std::exp2(k / perOctave)), 1.0, longest);
        };
        const double low = std::min(knot(place), n), high = std::max(knot(place + 1), n);
        const Result<double> below = measured(low);
        if (!below || low == n)
            return below;
        const Result<double> above = measured(high);
        if (!above || high == n)
            return above;
        return *below + (*above - *below) * std::log(n / low) / std::log(high / low);
    };
}

}  // namespace attnscope
