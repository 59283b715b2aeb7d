// Spearman's rank correlation against values worked out by hand.

#include "core/statistics/rank_correlation.h"

#include <QtTest>

#include <cmath>
#include <numbers>

using namespace attnscope;

class TestRankCorrelation : public QObject {
    Q_OBJECT
private slots:
    /// Differences of ranks 1, 1, 1, 1, 0: rho = 1 - 6 * 4 / (5 * 24) = 0.8. t = 0.8 sqrt(3 / 0.36), and with three
    /// degrees of freedom p = 1 - (2 / pi) (a + sin a cos a) with a = arctan(t / sqrt 3), whose sine and cosine are 0.8
    /// and 0.6.
    void fivePoints()
    {
        const auto found = spearman({{1, 20}, {2, 10}, {3, 40}, {4, 30}, {5, 5000}});
        QVERIFY(found && found->points == 5);
        QVERIFY(std::abs(found->rho - 0.8) < 1e-12);
        QVERIFY(std::abs(found->p - (1 - 2 / std::numbers::pi * (std::asin(0.8) + 0.48))) < 1e-12);
    }

    /// Ranks 1, 2.5, 2.5, 4 against 1 to 4: 4.5 / sqrt(4.5 * 5).
    void equalValuesShareTheirRank()
    {
        const auto found = spearman({{1, 1}, {2, 2}, {2, 3}, {3, 4}});
        QVERIFY(found && std::abs(found->rho - std::sqrt(0.9)) < 1e-12);
    }

    /// Within each group the order is reversed, and the groups lie the other way round.
    void groupsAreRankedApart()
    {
        const std::vector<RankedPairs> groups{{{1, 3}, {2, 2}, {3, 1}}, {{11, 13}, {12, 12}, {13, 11}}};
        const auto within = spearman(groups);
        QVERIFY(within && within->points == 6 && std::abs(within->rho + 1) < 1e-12 && within->p < 1e-12);
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
