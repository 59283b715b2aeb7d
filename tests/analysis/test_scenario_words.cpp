// What changed between two scenarios, said in words.

#include "core/analysis/scenario_words.h"

#include <QTest>

using namespace attnscope;
using Words = std::vector<std::string>;

class TestScenarioWords : public QObject {
    Q_OBJECT
private slots:
    void changesAreNamed_data()
    {
        QTest::addColumn<std::function<void(Scenario&)>>("change");
        QTest::addColumn<Words>("words");
        const auto row = [](const char* name, std::function<void(Scenario&)> change, Words words) {
            QTest::newRow(name) << change << words;
        };
        row("nothing", [](Scenario&) {}, {});
        row("what is looked at",
            [](Scenario& s) {
                s.view.row = 3;
                s.view.measure = {"renyi2", {}, {}};
                s.engine = "reference";
            },
            {});
        row("a number", [](Scenario& s) { s.n = 2048; }, {"n 1024 → 2048"});
        row("a method more", [](Scenario& s) { s.methods.push_back({"log_n", {}, {}}); }, {"+ Log n"});
        row("a method less", [](Scenario& s) { s.methods.erase(s.methods.begin()); }, {"− Vanilla"});
        row("another order", [](Scenario& s) { std::swap(s.methods[0], s.methods[1]); }, {});
        row("a parameter", [](Scenario& s) { s.methods[1].values["B"] = 64; },
            {"Softmax Plus → Softmax Plus (B = 64)"});
        row("several",
            [](Scenario& s) {
                s.temperature = 0.5;
                s.attention.mask = {"full", {}, {}};
                s.source = {"sphere", {}, {}};
            },
            {"Local structure → Sphere", "τ 1 → 0.5", "mask Causal → Full"});
        row("a file",
            [](Scenario& s) {
                s.source = {"tensors", {}, {}};
                s.tensors.path = "/here/heads.safetensors";
                s.tensors.head = 2;
            },
            {"Local structure → heads.safetensors, head 2"});
    }
    void changesAreNamed()
    {
        QFETCH(std::function<void(Scenario&)>, change);
        QFETCH(Words, words);
        Scenario to;
        change(to);
        const Words said = scenarioDifferences({}, to);
        QStringList shown;
        for (const std::string& one : said)
            shown << QString::fromStdString(one);
        QVERIFY2(said == words, qPrintable(shown.join(" | ")));
    }

    void anotherHeadOfOneFileIsNamedAlone()
    {
        Scenario from;
        from.source = {"tensors", {}, {}};
        from.tensors.path = "/here/heads.safetensors";
        Scenario to = from;
        to.tensors.head = 2;
        QVERIFY(scenarioDifferences(from, to) == Words{"head 0 → head 2"});
    }

    void aSubjectIsTheSourceAndItsLength()
    {
        QCOMPARE(scenarioSubject({}), std::string("Local structure, n = 1024"));
        Scenario of;
        of.source = {"tensors", {}, {}};
        of.tensors.path = "/here/heads.safetensors";
        of.tensors.query = "layer4.q";
        of.tensors.head = 1;
        QCOMPARE(scenarioSubject(of), std::string("heads.safetensors, layer4.q, head 1, n = 1024"));
    }
};

QTEST_APPLESS_MAIN(TestScenarioWords)
#include "test_scenario_words.moc"
