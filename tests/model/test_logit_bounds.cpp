// How far apart a head's logits can lie by its weights: closed forms that a text reaches, and every family that is run,
// whose rows never lie farther apart.

#include "core/attention/engines.h"
#include "core/model/families/families.h"
#include "core/model/logit_bounds.h"
#include "core/model/sequence.h"
#include "core/rows/rows.h"
#include "tests/model/every_family.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace attnscope;

namespace {

/// [layer][head]: max z - min z of the rows of a text.
Result<std::vector<std::vector<double>>> largestGaps(const Model& model, const Policy& policy,
                                                     const std::vector<int>& ids)
{
    const ResolvedPolicy rules = TRY(resolve(policy, model.architecture, std::ssize(ids)));
    std::vector<std::vector<double>> gaps;
    SequenceOptions options;
    options.observe = [&](const LayerHeads& layer) -> Result<void> {
        const LayerRule& rule = *rules.layers[static_cast<std::size_t>(layer.layer)];
        std::vector<double>& heads = gaps.emplace_back();
        for (int h = 0; h < model.architecture.heads; ++h) {
            const AttentionHead head = TRY(prepareHead(layer.heads, h, rule.spec));
            const auto which = static_cast<std::size_t>(h);
            double most = 0;
            const auto rows =
                TRY(summariesOf(head, rule.normaliser(which), **chooseEngine("reference"), head.keyCount, 0,
                                std::vector<double>(rule.scale(which).begin(), rule.scale(which).end()), {}));
            for (const RowSummary& row : rows)
                if (row.visible > 0)
                    most = std::max(most, row.logitMax - row.logitMin);
            heads.push_back(most);
        }
        return {};
    };
    Sequence sequence(model, rules, options);
    TRY(sequence.append(ids));
    return gaps;
}

std::vector<std::vector<double>> boundsOf(const Model& model, const Policy& policy, std::int64_t n)
{
    const auto bounds =
        logitGapBounds(model.architecture, *longestVectors(model, {}), *resolve(policy, model.architecture, n));
    return bounds ? *bounds : std::vector<std::vector<double>>{};
}

/// Every head looks at the stream's first coordinate alone, 3 times in queries and twice in keys, its norm halves it;
/// token 0 points there, token 1 away from it.
SmallModel oneDirection(const std::string& family)
{
    SmallModel model = smallModel(family);
    const auto diagonal = [&](const std::string& name, float value) {
        SmallTensor& tensor = model.tensors.at(name);
        const auto columns = static_cast<std::size_t>(tensor.shape[1]);
        std::ranges::fill(tensor.values, 0.0f);
        for (std::size_t h = 0; h < tensor.values.size() / columns / 6; ++h)  // heads of size 6
            for (std::size_t j = 0; j < 6; ++j)
                tensor.values[(6 * h + j) * columns + j] = value;
    };
    diagonal("model.layers.0.self_attn.q_proj.weight", 3);
    diagonal("model.layers.0.self_attn.k_proj.weight", 2);
    std::ranges::fill(model.tensors.at("model.layers.0.input_layernorm.weight").values,
                      family.starts_with("gemma") ? -0.5f : 0.5f);  // Gemma's are 1 + w
    SmallTensor& embedding = model.tensors.at("model.embed_tokens.weight");
    std::ranges::fill(embedding.values.begin(), embedding.values.begin() + 2 * 24, 0.0f);
    embedding.values[0] = 5;
    embedding.values[24] = -5;
    return model;
}

}  // namespace

class TestLogitBounds : public QObject {
    Q_OBJECT

private slots:
    /// |x| = sqrt(24), so that with the norm's 1/2 |q| = 1.5 sqrt(24), |k| = sqrt(24): 2 * 1.5 * 24 / sqrt(6).
    void aTextReachesIt()
    {
        QTemporaryDir folder;
        QCOMPARE(writeModel(oneDirection("llama"), folder.path().toStdString()), std::string());
        const auto model = openModel(folder.path().toStdString());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const double expected = 2 * 1.5 * 24 / std::sqrt(6.0);
        Policy still, warm, yarn, cosines;
        still.position = warm.position = Choice{"none", {}, {}};
        warm.temperature = 2;
        yarn.position = Choice{"yarn_rope", {{"s", 4}, {"m", 1.5}}, {}};
        cosines.kernel = Choice{"cosine", {}, {}};
        const auto bounds = boundsOf(*model, still, 4);
        const auto gaps = largestGaps(*model, still, {0, 1, 0, 1});
        QVERIFY2(gaps, gaps ? "" : gaps.error().message.c_str());
        for (std::size_t h = 0; h < 6; ++h) {
            QVERIFY2(std::abs(bounds[0][h] / expected - 1) < 1e-5, qPrintable(QString::number(bounds[0][h], 'g', 12)));
            QVERIFY2(std::abs((*gaps)[0][h] / expected - 1) < 1e-4,
                     qPrintable(QString::number((*gaps)[0][h], 'g', 12)));
        }
        // what multiplies logits multiplies it; turning does not
        QVERIFY(std::abs(boundsOf(*model, warm, 4)[0][0] / expected - 0.5) < 1e-5);
        QVERIFY(std::abs(boundsOf(*model, {}, 4)[0][0] / expected - 1) < 1e-5);
        // YaRN's factor is on queries and on keys
        if (const auto stretched = resolve(yarn, model->architecture, 4))
            QVERIFY(std::abs(boundsOf(*model, yarn, 4)[0][0] / expected - 2.25) < 1e-5);
        else
            QFAIL(stretched.error().message.c_str());
        const auto cosine =
            logitGapBounds(model->architecture, *longestVectors(*model, {}), *resolve(cosines, model->architecture, 4));
        QVERIFY(!cosine && cosine.error().kind == ErrorKind::InvalidArgument);
        std::stop_source stopped;
        stopped.request_stop();
        const auto none = longestVectors(*model, stopped.get_token());
        QVERIFY(!none && none.error().kind == ErrorKind::Cancelled);
    }

    /// Qwen 3 norms queries and keys: its maps say nothing, and 2 sqrt(6) max |g_q| max |g_k| is the bound.
    void normedQueriesAreBoundedByTheirNorms()
    {
        QTemporaryDir folder;
        const SmallModel small = smallModel("qwen3");
        QCOMPARE(writeModel(small, folder.path().toStdString()), std::string());
        const auto model = openModel(folder.path().toStdString());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        const auto bounds = boundsOf(*model, {}, 8);
        for (std::size_t layer = 0; layer < bounds.size(); ++layer) {
            const auto most = [&](const char* which) {
                float largest = 0;
                for (const float g :
                     small.tensors.at("model.layers." + std::to_string(layer) + ".self_attn." + which + "_norm.weight")
                         .values)
                    largest = std::max(largest, std::abs(g));
                return static_cast<double>(largest);
            };
            for (const double bound : bounds[layer])
                QVERIFY(std::abs(bound / (2 * std::sqrt(6.0) * most("q") * most("k")) - 1) < 1e-5);
        }
    }

    /// Gemma 2's logits lie within its soft-cap, whatever its weights.
    void aSoftCapIsABound()
    {
        QTemporaryDir folder;
        SmallModel small = smallModel("gemma2");
        small.config["attn_logit_softcapping"] = 1.25;
        QCOMPARE(writeModel(small, folder.path().toStdString()), std::string());
        const auto model = openModel(folder.path().toStdString());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        for (const auto& layer : boundsOf(*model, {}, 8))
            for (const double bound : layer)
                QVERIFY(bound > 0 && bound <= 2.5);
    }

    void noTextGoesBeyondIt_data()
    {
        QTest::addColumn<QString>("type");
        for (const Family& family : families())
            QTest::addRow("%s", std::string(family.id).c_str()) << QString::fromStdString(std::string(family.id));
    }
    void noTextGoesBeyondIt()
    {
        QFETCH(const QString, type);
        QTemporaryDir folder;
        const auto written = writeFamily(type.toStdString(), folder.path().toStdString());
        QVERIFY2(written, written ? "" : written.error().c_str());
        const auto model = openModel(folder.path().toStdString());
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        std::vector<int> ids;
        for (int i = 0; i < 24; ++i)
            ids.push_back((i * i * 7 + i * 13 + 5) % model->architecture.vocabulary);
        const auto gaps = largestGaps(*model, {}, ids);
        QVERIFY2(gaps, gaps ? "" : gaps.error().message.c_str());
        const auto bounds = boundsOf(*model, {}, std::ssize(ids));
        QCOMPARE(bounds.size(), gaps->size());
        bool finite = false;
        for (std::size_t layer = 0; layer < bounds.size(); ++layer)
            for (std::size_t h = 0; h < bounds[layer].size(); ++h) {
                const double bound = bounds[layer][h], gap = (*gaps)[layer][h];
                QVERIFY2(gap > 0 && gap <= bound * (1 + 1e-5),
                         qPrintable(
                             QStringLiteral("layer %1, head %2: %3, bound %4").arg(layer).arg(h).arg(gap).arg(bound)));
                finite = finite || std::isfinite(bound);
            }
        const bool biased = type == "bloom" || type == "mpt";  // ALiBi
        QCOMPARE(finite, !biased);
    }
};

QTEST_APPLESS_MAIN(TestLogitBounds)
#include "test_logit_bounds.moc"
