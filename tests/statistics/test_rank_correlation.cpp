// Spearman's rank correlation against values worked out by hand.

#include "core/statistics/rank_correlation.h"

#include <QtTest>

#include <cmath>

using namespace attnscope;

class TestRankCorrelation : public QObject {
    Q_OBJECT
private slots:
    /// Differences of ranks 1, 1, 1, 1, 0: rho = 1 - 6 * 4 / (5 * 24) = 0.8. Of 120 orders one has squared differences
    /// that sum to 0, four to 2 and three to 4 (two swaps of neighbours that do not touch), and as many the other way
    /// round: the published 0.133 (Zar 1984, table B.20).
    void fivePoints()
    {
        const auto found = spearman({{1, 20}, {2, 10}, {3, 40}, {4, 30}, {5, 5000}});
        QVERIFY(found && found->points == 5);
        QVERIFY(std::abs(found->rho - 0.8) < 1e-12);
        QVERIFY(std::abs(found->p - 16.0 / 120) < 1e-12);
    }

    /// A perfect order of m values is one of two among m!, and no evidence beyond that; of more than nine too, where
    /// Student's t would have nothing left.
    void perfectOrdersAreNotProof()
    {
        double orders = 2;
        for (int m = 3; m <= 12; ++m) {
            orders *= m;
            RankedPairs rising, falling;
            for (int i = 0; i < m; ++i) {
                rising.emplace_back(i, i * i);
                falling.emplace_back(i, -i);
            }
            for (const RankedPairs& pairs : {rising, falling}) {
                const auto found = spearman(pairs);
                QVERIFY2(found && std::abs(std::abs(found->rho) - 1) < 1e-12 &&
                             std::abs(found->p * orders / 2 - 1) < 1e-9,
                         qPrintable(QString::number(found->p)));
            }
        }
        RankedPairs many;
        for (int i = 0; i < 1000; ++i)
            many.emplace_back(i, i);
        QVERIFY(spearman(many)->p > 0);
    }

    /// The ends of twelve values are swapped, 11^2 twice: rho = 1 - 6 * 242 / (12 * 143) = 2 / 13. With ten degrees of
    /// freedom 1 - p = s (1 + c / 2 + 3 c^2 / 8 + 5 c^3 / 16 + 35 c^4 / 128), where s = rho and c = 1 - rho^2
    /// (Abramowitz & Stegun 26.7.4).
    void manyPointsHaveStudentsP()
    {
        RankedPairs pairs;
        for (int i = 0; i < 12; ++i)
            pairs.emplace_back(i, i == 0 ? 11 : i == 11 ? 0 : i);
        const auto found = spearman(pairs);
        const double s = 2.0 / 13, c = 1 - s * s;
        QVERIFY(found && std::abs(found->rho - s) < 1e-12);
        const double within = s * (1 + c / 2 + 3 * c * c / 8 + 5 * c * c * c / 16 + 35 * c * c * c * c / 128);
        QVERIFY2(std::abs(found->p - (1 - within)) < 1e-12, qPrintable(QString::number(found->p - (1 - within))));
    }

    /// Ranks 1, 2.5, 2.5, 4 against 1 to 4: 4.5 / sqrt(4.5 * 5). 4.5 is the most that an order can have, and of 24
    /// orders two have it and two its opposite.
    void equalValuesShareTheirRank()
    {
        const auto found = spearman({{1, 1}, {2, 2}, {2, 3}, {3, 4}});
        QVERIFY(found && std::abs(found->rho - std::sqrt(0.9)) < 1e-12);
        QVERIFY(std::abs(found->p - 4.0 / 24) < 1e-12);
    }

    /// Within each group the order is reversed, and the groups lie the other way round: two of 6 * 6 orders.
    void groupsAreRankedApart()
    {
        const std::vector<RankedPairs> groups{{{1, 3}, {2, 2}, {3, 1}}, {{11, 13}, {12, 12}, {13, 11}}};
        const auto within = spearman(groups);
        QVERIFY(within && within->points == 6 && std::abs(within->rho + 1) < 1e-12);
        QVERIFY(std::abs(within->p - 2.0 / 36) < 1e-12);
        RankedPairs all = groups[0];
        all.insert(all.end(), groups[1].begin(), groups[1].end());
        QVERIFY(spearman(all)->rho > 0.5);
    }

    void tooFewOrAllEqual()
    {
        QVERIFY(!spearman({{1, 2}, {2, 1}}));
        QVERIFY(!spearman({{1, 2}, {1, 3}, {1, 4}, {1, 5}}));
        QVERIFY(!spearman(RankedPairs()));
    }
};

QTEST_APPLESS_MAIN(TestRankCorrelation)
#include "test_rank_correlation.moc"
