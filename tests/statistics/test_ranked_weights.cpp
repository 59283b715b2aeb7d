// Weights by rank: the largest first, the first ranks all, the rest thinned, the last kept.

#include "core/statistics/ranked_weights.h"

#include <QtTest>

using namespace attnscope;

class TestRankedWeights : public QObject {
    Q_OBJECT
private slots:
    void few()
    {
        const auto ranked = rankedWeights({0.1, 0.3, 0.55, 0.05});
        const std::vector<double> expected{0.55, 0.3, 0.1, 0.05};
        QCOMPARE(ranked.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            QVERIFY(ranked[i].rank == static_cast<std::int64_t>(i) + 1 && ranked[i].weight == expected[i]);
        QVERIFY(rankedWeights({}).empty());
    }

    /// The weight of rank r among n, n - 1, ... 1 is n + 1 - r.
    void many()
    {
        constexpr std::int64_t n = 100000;
        std::vector<double> weights(n);
        for (std::int64_t i = 0; i < n; ++i)
            weights[static_cast<std::size_t>(i)] =
                static_cast<double>(i * 7919 % n + 1);  // 7919 and n have no common divisor: each once
        const auto ranked = rankedWeights(weights);
        QVERIFY(ranked.size() > 512 && ranked.size() < 1300);
        for (std::size_t i = 0; i < ranked.size(); ++i) {
            QCOMPARE(ranked[i].weight, static_cast<double>(n + 1 - ranked[i].rank));
            if (i > 0)
                QVERIFY(ranked[i].rank > ranked[i - 1].rank &&
                        static_cast<double>(ranked[i].rank) <= 1.01 * static_cast<double>(ranked[i - 1].rank) + 1);
        }
        QVERIFY(ranked[511].rank == 512 && ranked.back().rank == n);
    }
};

QTEST_APPLESS_MAIN(TestRankedWeights)
#include "test_ranked_weights.moc"
