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
        const HeadCandidate first = layersAmong(findCandidates(*file)).front();
        QVERIFY(first.preRope);
        const auto sizes = sizesOf(*file, {.path = shippedModel, .query = first.query, .key = first.key, .layout = {}, .holds = {}});
        QVERIFY(sizes);
        QVERIFY(sizes->heads == 6 && sizes->keyHeads == 3 && sizes->queries == shippedHeadTokens && sizes->keys == shippedHeadTokens && sizes->headSize == 16);
        const HeadFacts facts = factsOf(*file, first.query);
        QVERIFY(facts.causal == true && facts.trainedLength == 256.0 && facts.rotated == false);
    }

    /// Rows of a causal model do not see what follows them, so those of 256 tokens are the first of those of 1 024. The products of other
    /// sizes are summed in another order: to 1e-4 of values of about 1.
    void theyAreTheModels()
    {
        const auto file = shippedHeads();
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
            const auto heads = loadHeads(*file, {.path = shippedModel, .query = layers[layer].query, .key = layers[layer].key, .layout = {}, .holds = {}});
            QVERIFY(heads);
            for (int head = 0; head < heads->headCount(); ++head) {
                QVERIFY((heads->query(head).topRows(256) - captured->layers[layer].query(head)).cwiseAbs().maxCoeff() < 1e-4F);
                QVERIFY((heads->key(head).topRows(256) - captured->layers[layer].key(head)).cwiseAbs().maxCoeff() < 1e-4F);
            }
            QCOMPARE(heads->tokens.size(), std::size_t(shippedHeadTokens));
            QCOMPARE(heads->tokens[40], model->tokenizer->decode(std::span(&window->inputs[40], 1)));
        }
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
        QVERIFY(QDir::setCurrent(before));
        QVERIFY(!named && !opened);
    }
};

QTEST_APPLESS_MAIN(TestShippedHeads)
#include "test_shipped_heads.moc"
