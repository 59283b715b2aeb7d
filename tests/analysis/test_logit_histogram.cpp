// Where attention's weight sits: by hand on two keys, and against InfoScale's eq. 18 where keys are plenty.

#include "core/analysis/logit_histogram.h"
#include "core/tensor/synthetic_source.h"
#include "core/theory/bounds.h"

#include <QTest>

#include <cmath>

using namespace attnscope;

class TestLogitHistogram : public QObject {
    Q_OBJECT

private slots:
    void twoKeysByHand()
    {
        HeadSet heads;
        heads.queries = {Matrix::Ones(1, 1)};
        heads.keys = {Matrix::Zero(2, 1)};
        heads.keys[0](1, 0) = std::log(2.0F);
        AttentionSpec spec;
        spec.mask = {"full", {}, {}};
        const auto head = prepareHead(heads, 0, spec);
        QVERIFY(head.has_value());
        const std::vector<std::int64_t> rows{0};
        const auto histogram = logitHistogram(*head, spec.normaliser, 1, rows, -0.5, 1.5, 2);
        QVERIFY(histogram.has_value());
        QVERIFY(std::abs(histogram->share[0] - 1.0 / 3) < 1e-6);
        QVERIFY(std::abs(histogram->share[1] - 2.0 / 3) < 1e-6);
        QCOMPARE(histogram->mode(), 1.0);
        // Twice the scale squares the odds, and the key stays where it is on the axis of unscaled logits.
        const auto sharper = logitHistogram(*head, spec.normaliser, 2, rows, -0.5, 1.5, 2);
        QVERIFY(std::abs(sharper->share[1] - 4.0 / 5) < 1e-6);
        // What lies outside the range is left out.
        const auto part = logitHistogram(*head, spec.normaliser, 1, rows, -0.5, 0.5, 1);
        QVERIFY(std::abs(part->share[0] - 1.0 / 3) < 1e-6);
    }

    void cosineAttentionPeaksWhereTheoryPutsIt()
    {
        const int d = 16;
        const double alpha = 8;
        const auto heads = generate({"sphere", {}, {}}, {.queries = 64, .keys = 8192, .d = d, .seed = 3});
        QVERIFY(heads.has_value());
        AttentionSpec spec;
        spec.mask = {"full", {}, {}};
        spec.kernel = {"cosine", {{"alpha", alpha}}, {}};
        const auto head = prepareHead(*heads, 0, spec);
        QVERIFY(head.has_value());
        std::vector<std::int64_t> rows;
        for (std::int64_t row = 0; row < 64; ++row)
            rows.push_back(row);
        const auto histogram = logitHistogram(*head, spec.normaliser, 1, rows, -alpha, alpha, 40);
        QVERIFY(histogram.has_value());
        QVERIFY(std::abs(histogram->mode() / alpha - cosinePeak(alpha, d)) < 0.06);
    }

    void nothingToCountIsAnError()
    {
        HeadSet heads;
        heads.queries = {Matrix::Ones(1, 1)};
        heads.keys = {Matrix::Ones(1, 1)};
        const auto head = prepareHead(heads, 0, {});
        QVERIFY(!logitHistogram(*head, {"softmax", {}, {}}, 1, {}, 0, 1, 4));
        const std::vector<std::int64_t> rows{0};
        QVERIFY(!logitHistogram(*head, {"softmax", {}, {}}, 1, rows, 1, 0, 4));
        QVERIFY(!logitHistogram(*head, {"softmax", {}, {}}, 1, rows, 0, 1, 0));
    }
};

QTEST_APPLESS_MAIN(TestLogitHistogram)
#include "test_logit_histogram.moc"
