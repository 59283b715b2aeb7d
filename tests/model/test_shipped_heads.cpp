// The heads of the model that comes with the program: what the file says of itself, and that they are the model's.

#include "core/model/captured_heads.h"
#include "core/model/generated_text.h"
#include "core/model/shipped_heads.h"
#include "core/tensor/head_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace attnscope;

class TestShippedHeads : public QObject {
    Q_OBJECT
private slots:
    void theFileSaysWhatItHolds()
    {
        const auto file = openHeadSource(shippedModel);
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        QCOMPARE(layersAmong(findCandidates(*file)).size(), std::size_t(3));
        const std::int64_t shippedHeadTokens = findShippedModel(shippedModel)->headTokens;
        const HeadCandidate first = layersAmong(findCandidates(*file)).front();
        QVERIFY(first.preRope);
        const auto sizes =
            sizesOf(*file, {.path = shippedModel, .query = first.query, .key = first.key, .layout = {}, .holds = {}});
        QVERIFY(sizes);
        QVERIFY(sizes->heads == 6 && sizes->keyHeads == 3 && sizes->queries == shippedHeadTokens &&
                sizes->keys == shippedHeadTokens && sizes->headSize == 16);
        const HeadFacts facts = factsOf(*file, first.query);
        QVERIFY(facts.causal == true && facts.trainedLength == 256.0 && facts.rotated == false);
    }

    /// Rows of a causal model do not see what follows them, so those of 256 tokens are the first of those of 1 024. The
    /// products of other sizes are summed in another order: to 1e-4 of values of about 1.
    void theyAreTheModels()
    {
        const ShippedModel& shipped = *findShippedModel(shippedModel);
        const auto file = shippedHeads(shipped);
        QVERIFY(file);
        const auto model = openModel(shippedModel);
        QVERIFY(model);
        const auto ids = model->tokenizer->encode(testText(4096));
        QVERIFY(ids);
        const auto window = windowOf(model->architecture, *ids, 0, 256);
        QVERIFY(window);
        const auto captured = captureHeads(*model, *window, {});
        QVERIFY(captured);
        const auto layers = layersAmong(findCandidates(*file));
        for (std::size_t layer = 0; layer < layers.size(); ++layer) {
            const auto heads = loadHeads(*file, {.path = shippedModel,
                                                 .query = layers[layer].query,
                                                 .key = layers[layer].key,
                                                 .layout = {},
                                                 .holds = {}});
            QVERIFY(heads);
            for (int head = 0; head < heads->headCount(); ++head) {
                QVERIFY((heads->query(head).topRows(256) - captured->layers[layer].query(head)).cwiseAbs().maxCoeff() <
                        1e-4F);
                QVERIFY((heads->key(head).topRows(256) - captured->layers[layer].key(head)).cwiseAbs().maxCoeff() <
                        1e-4F);
            }
            QCOMPARE(heads->tokens.size(), std::size_t(shipped.headTokens));
            QCOMPARE(heads->tokens[40], model->tokenizer->decode(std::span(&window->inputs[40], 1)));
        }
    }

    /// They open, and their heads say what they are. The encoders, cosine or not, find hidden tokens far oftener than
    /// by chance, 1 of 512.
    void allOfThemWork()
    {
        for (const ShippedModel& shipped : shippedModels()) {
            const auto model = openModel(shipped.id);
            QVERIFY2(model, shipped.id);
            const auto file = openHeadSource(shipped.id);
            QVERIFY2(file, shipped.id);
            const auto layers = layersAmong(findCandidates(*file));
            QCOMPARE(std::ssize(layers), std::ptrdiff_t(model->architecture.layers));
            const HeadFacts facts = factsOf(*file, layers.front().query);
            QVERIFY(facts.causal == model->architecture.causal &&
                    facts.trainedLength == static_cast<double>(model->architecture.trainLength));
            QCOMPARE(sizesOf(*file, {.path = shipped.id,
                                     .query = layers.front().query,
                                     .key = layers.front().key,
                                     .layout = {},
                                     .holds = {}})
                         ->keys,
                     shipped.headTokens);
            if (model->architecture.causal)
                continue;
            const auto ids = model->tokenizer->encode(testText(4096));
            QVERIFY(ids);
            const auto window = windowOf(model->architecture, *ids, 0, model->architecture.trainLength);
            QVERIFY(window);
            const auto run = runWindow(
                *model, *window,
                {.policy = {}, .pictures = {}, .last = 0, .engine = "auto", .observe = {}, .progress = {}, .stop = {}});
            QVERIFY(run);
            const double accuracy = meanOf(run->predictions).accuracy;
            QVERIFY2(accuracy > 0.2, shipped.id);
        }
        QVERIFY(!findShippedModel("nobody"));
        QVERIFY(openModel("nobody").error().message.find("cosine128") != std::string::npos);
    }

    /// Of a file that has the name nothing is hidden.
    void aFileOfThatNameComesFirst()
    {
        QVERIFY(namesShippedHeads(shippedModel) && !namesShippedHeads("other"));
        QTemporaryDir folder;
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(folder.path()));
        QFile file(QString::fromLatin1(shippedModel));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("no tensors") > 0);
        file.close();
        const bool named = namesShippedHeads(shippedModel), opened = openHeadSource(shippedModel).has_value();
        QVERIFY(QDir().mkdir("masked"));
        const bool folderNamed = namesShippedHeads("masked"), folderOpened = openModel("masked").has_value();
        const bool shippedOpens = openShipped(*findShippedModel("masked")).has_value();
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(!named && !opened && !folderNamed && !folderOpened && shippedOpens);
    }
};

QTEST_APPLESS_MAIN(TestShippedHeads)
#include "test_shipped_heads.moc"
