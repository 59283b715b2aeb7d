// The lab causal-lm and what it stands on: the generated text says what it promises, the tokeniser reads back what it
// learned, the network that is trained is the one that core/model runs, and runs resume to the last bit.

#include "run_lab.h"

#include "core/labs/language/language_evaluation.h"
#include "core/labs/language/language_network.h"
#include "core/labs/language/language_trainer.h"
#include "core/networks/llama_folder.h"
#include "core/model/byte_pair_training.h"

#include <QFile>
#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>

using namespace attnscope;

namespace {

const std::string tinyRun = "causal-lm:steps=12,length=16,batch=3,layers=1,width=16,inner=24,heads=2,key_heads=1,"
                            "vocabulary=300,megabytes=0.02,windows=3,last=8,most=4";

QByteArray contentOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace

class TestCausalLm : public QObject {
    Q_OBJECT
private slots:
    void storiesAskForWhatTheyTold();
    void longerTextsBeginWithShorterOnes();
    void tokenisersReadBackWhatTheyLearned();
    void answersAreFoundAmongTheTokens();
    void theTrainedNetworkIsTheOneThatRuns();
    void foldersHoldBfloat16();
    void textsOfTheLab_data();
    void textsOfTheLab();
    void rowsComeWithTheirTest();
    void resumedRunsGiveTheSameBits();
    void partsOfAStepAreTheStep();
    void answersByDistance();
    void aTextOfYourOwn();
    void choicesThatDoNotGoTogether_data();
    void choicesThatDoNotGoTogether();
    void theShippedModelRecalls();
};

void TestCausalLm::storiesAskForWhatTheyTold()
{
    const GeneratedText text = generatedText(7, 60000);
    QVERIFY(std::ranges::all_of(text.text, [](char c) { return c == '\n' || (c >= ' ' && c < 127); }));
    std::set<std::string> answers;
    std::int64_t farthest = 0;
    for (const GeneratedText::Answer& one : text.answers) {
        const auto at = [&](std::int64_t from, std::int64_t to) {
            return text.text.substr(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from));
        };
        const std::string answer = at(one.begin, one.end);
        QVERIFY(one.told < one.begin);
        QCOMPARE(at(one.told, one.told + one.end - one.begin), answer);
        // the name before both is one, and nobody of that name was called anything else in between
        const auto nameBefore = [&](std::int64_t byte) {
            return at(static_cast<std::int64_t>(text.text.rfind(' ', static_cast<std::size_t>(byte) - 1)), byte);
        };
        QCOMPARE(nameBefore(one.told), nameBefore(one.begin));
        const std::size_t again =
            text.text.rfind("called" + nameBefore(one.begin) + " ", static_cast<std::size_t>(one.begin));
        QCOMPARE(static_cast<std::int64_t>(again + 6 + nameBefore(one.begin).size()), one.told);
        answers.insert(answer);
        farthest = std::max(farthest, one.begin - one.told);
    }
    QCOMPARE(answers.size(), std::size_t{48});
    QVERIFY(farthest > 8000);  // stories of some 250 bytes, up to 64 of them back
}

void TestCausalLm::longerTextsBeginWithShorterOnes()
{
    const std::string whole = generatedText(3, 5000).text, part = generatedText(3, 1000).text;
    QVERIFY(whole.starts_with(part) && part.size() >= 1000);
    QVERIFY(!generatedText(4, 1000).text.starts_with(part.substr(0, 200)));
}

void TestCausalLm::tokenisersReadBackWhatTheyLearned()
{
    // "ab" stands 4 times, "bc" 3, " ab" 3: merges ab; then (space, ab) and (ab, c) tie at 3, and the space has the
    // smaller id
    const auto json = trainByteLevelTokenizer("abc abc ab abc", 259);
    QVERIFY(json);
    const auto small = readTokenizerJson(*json, "tokenizer.json");
    QVERIFY2(small, small ? "" : small.error().message.c_str());
    QCOMPARE(*(*small)->encode("ab ab"), (std::vector<int>{257, 258}));
    QCOMPARE((*small)->decode(std::vector<int>{0, 258, 257}), std::string(" abab"));  // the begin token is no text

    const std::string text = generatedText(1, 100000).text;
    const auto learned = trainByteLevelTokenizer(text, 1024);
    const auto tokenizer = readTokenizerJson(*learned, "tokenizer.json");
    QVERIFY(tokenizer);
    for (const std::string& any : {text.substr(0, 20000), std::string("tabs\t\tand  spaces \n\n, d\u00fcnn \u20ac")}) {
        const auto ids = encodeLines(**tokenizer, any);
        QVERIFY(ids);
        QCOMPARE((*tokenizer)->decode(*ids), any);
    }
    QVERIFY(encodeLines(**tokenizer, text)->size() < text.size() / 3);
    QCOMPARE(trainByteLevelTokenizer("abc", 256).error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(trainByteLevelTokenizer("\xff", 300).error().kind, ErrorKind::InvalidArgument);
}

void TestCausalLm::answersAreFoundAmongTheTokens()
{
    const GeneratedText text = generatedText(5, 20000);
    const auto tokenizer = readTokenizerJson(*trainByteLevelTokenizer(text.text, 400), "tokenizer.json");
    const auto ids = encodeLines(**tokenizer, text.text);
    const auto recalls = recallsAmong(**tokenizer, *ids, text);
    QCOMPARE(recalls.size(), text.answers.size());
    for (std::size_t i = 0; i < recalls.size(); ++i) {
        QCOMPARE((*ids)[static_cast<std::size_t>(recalls[i].token)], (*ids)[static_cast<std::size_t>(recalls[i].told)]);
        const std::string until =
            (*tokenizer)->decode(std::span(*ids).first(static_cast<std::size_t>(recalls[i].token)));
        QCOMPARE(static_cast<std::int64_t>(until.size()), text.answers[i].begin);
    }
}

/// Two independent forward passes in float32 through two layers: losses agree to some units of 1e-7 times their size.
void TestCausalLm::theTrainedNetworkIsTheOneThatRuns()
{
    const std::vector<int> ids = [] {
        std::vector<int> all;
        for (int i = 0; i < 200; ++i)
            all.push_back((i * i * 7 + i * 13 + 5) % 61);
        return all;
    }();
    constexpr std::int64_t n = 80;
    learn::Llama network({.layers = 2,
                          .width = 48,
                          .inner = 64,
                          .heads = 6,
                          .keyHeads = 2,
                          .vocabulary = 61,
                          .base = 500,
                          .epsilon = 1e-4},
                         5);
    QTemporaryDir folder;
    const std::string path = folder.filePath("llama").toStdString();
    QVERIFY(learn::saveLlama(
        path, network,
        {.trainLength = 32, .beginToken = 0, .maskToken = {}, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const auto model = openModel(path);
    QVERIFY2(model, model ? "" : model.error().message.c_str());
    QCOMPARE(model->unknownFields, std::vector<std::string>());
    QCOMPARE(model->architecture.trainLength, 32);
    QCOMPARE(model->architecture.beginToken, std::optional(0));
    const auto window = windowOf(model->architecture, ids, 3, n);
    for (const bool logN : {false, true}) {
        std::vector<float> multipliers;
        for (std::int64_t i = 0; logN && i < n; ++i)
            multipliers.push_back(static_cast<float>(std::log(static_cast<double>(i + 1)) / std::log(32.0)));
        learn::Tape tape;
        const auto logits = network(tape, window->inputs, 1, {.multipliers = multipliers});
        const auto z = tape.value(logits);
        Policy policy;
        policy.method.id = logN ? "row_log" : "vanilla";
        const auto result = runWindow(
            *model, *window,
            {.policy = policy, .pictures = {}, .last = 0, .engine = "auto", .observe = {}, .progress = {}, .stop = {}});
        QVERIFY(result);
        for (std::int64_t t = 0; t < n; ++t) {
            const Eigen::ArrayXd row = z.row(t).cast<double>();
            const double loss = std::log((row - row.maxCoeff()).exp().sum()) + row.maxCoeff() -
                                row[window->targets[static_cast<std::size_t>(t)]];
            QVERIFY2(std::abs(loss - result->predictions[static_cast<std::size_t>(t)].loss) < 2e-5,
                     qPrintable(QString("place %1: %2").arg(t).arg(loss)));
        }
    }
}

void TestCausalLm::foldersHoldBfloat16()
{
    learn::Llama network({.layers = 1, .width = 8, .inner = 12, .heads = 2, .keyHeads = 2, .vocabulary = 20}, 5);
    QTemporaryDir folder;
    const std::string path = folder.filePath("llama").toStdString();
    QVERIFY(learn::saveLlama(
        path, network,
        {.trainLength = 32, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {{"note", "kept"}}}));
    const auto model = openModel(path);
    QVERIFY(model);
    QCOMPARE(model->files->dtypes(), "BF16");
    QVERIFY(!model->architecture.beginToken && !model->tokenizer);
    const auto file = TensorFile::open(path + "/model.safetensors");
    QCOMPARE(file->metadata().at("note"), "kept");
    QCOMPARE(file->metadata().at("format"), "pt");
    const auto values = file->read<float>(**file->find("model.layers.0.mlp.down_proj.weight"));
    for (const learn::Weight* weight : network.weights())
        if (weight->name == "model.layers.0.mlp.down_proj.weight")
            for (std::size_t i = 0; i < values->size(); ++i)
                QVERIFY(std::abs((*values)[i] - weight->value.data()[i]) <= std::abs(weight->value.data()[i]) / 256);
}

void TestCausalLm::textsOfTheLab_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read");
    QTest::addRow("all") << "vanilla; infoscale:row=1 | rope; ntk | a.txt"
                         << "2 2 a.txt";
    QTest::addRow("methods alone") << " vanilla ;"
                                   << "1 0 ";
    QTest::addRow("a normaliser") << "vanilla; adaptive | rope"
                                  << "2 1 ";
    QTest::addRow("no method") << " | rope"
                               << "name at least one scale method";
    QTest::addRow("unknown") << "vanila"
                             << "unknown scale method or normaliser 'vanila'";
    QTest::addRow("unknown positions") << "vanilla | rop"
                                       << "unknown position 'rop'";
    QTest::addRow("windows") << "vanilla | rope; window:w=8; lambda"
                             << "1 3 ";
    QTest::addRow("a mask that is no window") << "vanilla | causal"
                                              << "windows in their place: window, sink_window, lambda";
    QTest::addRow("a window that sees what is asked for") << "vanilla | window:w=8,causal=0"
                                                          << "'window:causal=0,w=8' looks ahead";
    QTest::addRow("too many") << "vanilla | rope | a | b"
                              << "more than 3 parts";
}

void TestCausalLm::textsOfTheLab()
{
    QFETCH(QString, text);
    QFETCH(QString, read);
    auto parsed = parseLlamaText(*findRow(labs(), "causal-lm", "lab").value(), text.toStdString(), true);
    const QString said =
        parsed ? QString("%1 %2 %3")
                     .arg(parsed->methods.size())
                     .arg(std::ranges::count_if(parsed->positions,
                                                [](const Placement& one) { return one.position || one.mask; }))
                     .arg(QString::fromStdString(parsed->others["text"]))
               : QString::fromStdString(parsed.error().message);
    QVERIFY2(said.contains(read), qPrintable(said));
}

void TestCausalLm::rowsComeWithTheirTest()
{
    Choice choice = choose(tinyRun);
    choice.text = "vanilla; infoscale:row=1 | rope; pi";
    std::size_t pictures = 0;
    const LabResult result = runOrFail({choice}, [&](const LabUpdate& update) { pictures += update.pictures.size(); });
    const std::vector<LabRow> rows = tableOf(result, "quality");
    QCOMPARE(rows.size(), std::size_t{3 * 2 * 3});  // n = 16, 32, 64; positions; methods and a window
    for (const LabRow& row : rows) {
        QVERIFY(row.number("nll") > 0 && std::abs(std::log(row.number("perplexity")) - row.number("nll")) < 1e-12);
        QVERIFY(row.number("stderr") > 0 && row.number("entropy_mean") > 0);
        QCOMPARE(row.number("n_over_train"), row.number("n") / 16);
        const bool vanilla = std::get<std::string>(*row.find("method")) == "vanilla";
        QCOMPARE(std::isnan(row.number("p")), vanilla || row.number("change") == 0);
    }
    // at n = N positions that stretch do nothing
    QCOMPARE(rows[0].number("nll"), rows[3].number("nll"));
    QVERIFY(rows[13].number("change") == rows[13].number("nll") - rows[12].number("nll"));
    QCOMPARE(rows[14].word("method"), std::string("vanilla|window:w=4"));
    QVERIFY(rows[14].number("entropy_mean") <= std::log(4.0));  // it sees 4 tokens
    QCOMPARE(tableOf(result, "training").size(), std::size_t{12});
}

void TestCausalLm::resumedRunsGiveTheSameBits()
{
    QTemporaryDir folder;
    const auto at = [&](const char* name) { return folder.filePath(name).toStdString(); };
    Choice choice = choose(tinyRun);
    choice.text = "vanilla";
    // Updates come a tenth of a second apart: as many steps as this machine needs to have one on the way.
    Result<LabResult> stopped = LabResult{};
    for (double steps = 200; stopped && steps < 1e6; steps *= 4) {
        choice.values["steps"] = steps;
        QVERIFY(QDir(folder.filePath("parts")).removeRecursively());
        std::stop_source stop;
        stopped = runLab({choice, at("parts")}, stop.get_token(), [&](const LabUpdate& update) {
            if (update.stage == "training")
                stop.request_stop();
        });
    }
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    const LabResult whole = runOrFail({choice, at("whole")});
    const LabResult resumed = runOrFail({choice, at("parts"), true});
    for (const char* file : {"/causal_lm_seed1/model.safetensors", "/causal_lm_seed1/config.json",
                             "/causal_lm_seed1/tokenizer.json", "/causal_lm_qk.safetensors"}) {
        QVERIFY2(!contentOf(at("whole") + file).isEmpty(), file);
        QCOMPARE(contentOf(at("parts") + file), contentOf(at("whole") + file));
    }
    const std::vector<LabRow> one = tableOf(whole, "quality"), other = tableOf(resumed, "quality");
    QCOMPARE(other.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t c = 0; c < one[i].cells.size(); ++c)
            QVERIFY2(one[i].cells[c] == other[i].cells[c], one[i].cells[c].first.c_str());
    QCOMPARE(resumed.files.size(), std::size_t{2});
    QVERIFY(resumed.files[1].scenario.has_value());
}

/// A step in three parts, of unlike sizes, changes weights as the whole does: sums are made in another order, so to
/// within float32's rounding, which Adam, whose steps of small gradients are as long as those of large ones, makes more
/// of: the loss is compared, over ten steps.
void TestCausalLm::partsOfAStepAreTheStep()
{
    std::vector<int> ids;
    for (int i = 0; i < 3000; ++i)
        ids.push_back(1 + (i * i + 7 * i) % 49);
    for (const bool causal : {true, false}) {
        LanguageSettings settings{
            .shape =
                {.layers = 1, .width = 16, .inner = 16, .heads = 2, .keyHeads = 2, .vocabulary = 50, .causal = causal},
            .length = 12,
            .batch = 4,
            .steps = 10,
            .warmup = 2,
            .rate = 1e-3,
            .hidden = 0.3,
            .multipliers = {},
            .seed = 2};
        LanguageTrainer whole(settings, windowsOf(settings, ids));
        settings.parts = 3;
        LanguageTrainer parts(settings, windowsOf(settings, ids));
        for (int step = 0; step < 10; ++step) {
            const LanguageTrainer::Step one = whole.step(), other = parts.step();
            QVERIFY2(std::abs(one.loss - other.loss) < 1e-4,
                     qPrintable(QStringLiteral("%1, %2").arg(one.loss).arg(other.loss)));
            QVERIFY(std::abs(one.accuracy - other.accuracy) < 0.05);
        }
    }
}

/// Answers told 1, 2, 3, 3 and 9 tokens before: octaves 1, 2 to 3 and 8 to 15.
void TestCausalLm::answersByDistance()
{
    Model model;
    model.architecture.trainLength = 8;
    PolicyScores scores(2);
    scores[0].answers = {{1, true}, {3, false}, {9, true}};
    scores[1].answers = {{2, true}, {3, true}};
    std::vector<LabRow> rows;
    for (LabCells& cells : recallCells({}, model, {}, {.length = 16}, scores))
        rows.push_back({"recall", std::move(cells)});
    QCOMPARE(rows.size(), std::size_t{3});
    const double expected[3][5] = {{1, 1, 1, 1, 1}, {2, 3, 8.0 / 3, 3, 2.0 / 3}, {8, 15, 9, 1, 1}};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t column = 0; column < 5; ++column)
            QVERIFY(std::abs(rows[row].number(std::array{"from", "to", "distance", "asked", "recall"}[column]) -
                             expected[row][column]) < 1e-12);
    QVERIFY(std::abs(rows[1].number("stderr") - 1.0 / 3) < 1e-12);  // of 1, 0, 1: sqrt(1/3) over sqrt 3
    QVERIFY(std::isnan(rows[0].number("stderr")));
    // none of three says that the share is low, not that it is 0 to within 0
    scores[0].answers = {{2, false}, {3, false}, {3, false}, {9, true}, {10, true}};
    scores[1].answers = {};
    for (const LabCells& cells : recallCells({}, model, {}, {.length = 16}, scores))
        QVERIFY(std::isnan(LabRow{"recall", cells}.number("stderr")));
}

void TestCausalLm::aTextOfYourOwn()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath("mine.txt").toStdString();
    std::ofstream(path) << std::string(generatedText(9, 30000).text);
    Choice choice = choose(tinyRun);
    choice.text = "vanilla | | " + path;
    const std::vector<LabRow> rows = tableOf(runOrFail({choice}), "quality");
    QCOMPARE(rows.size(), std::size_t{6});
    QVERIFY(std::isnan(rows.front().number("recall")));  // nobody knows where such a text asks for what it told
    std::ofstream(path, std::ios::trunc) << "too short";
    const auto refused = runLab({choice});
    QVERIFY(!refused && refused.error().message.find("too short") != std::string::npos);
}

void TestCausalLm::choicesThatDoNotGoTogether_data()
{
    QTest::addColumn<QString>("run");
    QTest::addColumn<QString>("says");
    QTest::addRow("heads") << "causal-lm:heads=5"
                           << "heads must divide width";
    QTest::addRow("key heads") << "causal-lm:key_heads=4"
                               << "key_heads must divide heads";
    QTest::addRow("odd heads") << "causal-lm:width=90,heads=6,key_heads=3"
                               << "even";
    QTest::addRow("training without steps") << "causal-lm:steps=0,layers=2"
                                            << "layers is a choice of training";
}

void TestCausalLm::choicesThatDoNotGoTogether()
{
    QFETCH(QString, run);
    QFETCH(QString, says);
    QCOMPARE(notRefused(choose(run.toStdString()), says), QString());
}

/// Chance is 1 of 48 for an answer, and ln 1024 = 6.9 nats for a token; the model was trained far from both.
void TestCausalLm::theShippedModelRecalls()
{
    Choice choice = choose("causal-lm:steps=0,most=1,windows=8,last=128");
    choice.text = "vanilla";
    const LabResult found = runOrFail({choice});
    const std::vector<LabRow> rows = tableOf(found, "quality");
    QCOMPARE(rows.size(), std::size_t{2});  // and with a window
    double asked = 0, recalled = 0;         // of all distances together
    for (const LabRow& row : tableOf(found, "recall")) {
        asked += row.number("asked");
        recalled += row.number("asked") * row.number("recall");
        QVERIFY(row.number("from") <= row.number("distance") && row.number("distance") <= row.number("to"));
    }
    QCOMPARE(asked, rows[0].number("asked"));
    QVERIFY(std::abs(recalled / asked - rows[0].number("recall")) < 1e-12);
    QVERIFY2(rows[0].number("nll") < 1.6, qPrintable(QString::number(rows[0].number("nll"))));
    QVERIFY(rows[0].number("asked") >= 10);
    QVERIFY2(rows[0].number("recall") > 0.5, qPrintable(QString::number(rows[0].number("recall"))));
}

QTEST_GUILESS_MAIN(TestCausalLm)
#include "test_causal_lm.moc"
