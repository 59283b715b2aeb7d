// Gradients of heads by the backward pass: against a closed form, against differences of losses of the forward pass,
// which is other code, and where they are not to be had.

#include "core/networks/llama_folder.h"
#include "core/model/generated_text.h"
#include "core/model/text_tokens.h"
#include "core/tuning/head_backward.h"
#include "core/tuning/head_gradients.h"
#include "core/tuning/tune_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>

using namespace attnscope;

class TestHeadBackward : public QObject {
    Q_OBJECT

private slots:
    void oneHeadIsAsOnPaper();
    void differencesAgree_data();
    void differencesAgree();
    void whatTheTapeHasNotIsSaid();
    void searchesOfHeadsAgree();
};

/// One layer of one head without positions, whose feed-forward writes nothing: with z = m q.k / sqrt(2), p = softmax(z)
/// over the keys so far, h_t = e_t + O sum p_j v_j, g = h / r, r^2 = mean h^2 + eps and logits W g,
///
///     dL_t / d ln m = dL/dh . O sum p_j (z_j - sum p z) v_j,   dL/dh = (u - g (g.u) / 2) / r,   u = W^T (softmax -
///     target).
void TestHeadBackward::oneHeadIsAsOnPaper()
{
    learn::Llama network(
        {.layers = 1, .width = 2, .inner = 2, .heads = 1, .keyHeads = 1, .vocabulary = 4, .tied = false}, 3);
    Eigen::MatrixXd embedding, q, k, v, o, w;
    for (learn::Weight* weight : network.weights()) {
        if (weight->vector)
            continue;
        weight->value *=
            weight->name.find("embed") == std::string::npos ? 2 : 1;  // far from where everything is linear
        if (weight->name.find("down_proj") != std::string::npos)
            weight->value.setZero();
        const auto is = [&](const char* name) { return weight->name.find(name) != std::string::npos; };
        Eigen::MatrixXd& to = is("embed")    ? embedding
                              : is("q_proj") ? q
                              : is("k_proj") ? k
                              : is("v_proj") ? v
                              : is("o_proj") ? o
                                             : w;
        if (!is("mlp"))
            to = weight->value.cast<double>();
    }
    QTemporaryDir folder;
    const std::string path = folder.filePath("one").toStdString();
    QVERIFY(learn::saveLlama(
        path, network,
        {.trainLength = 8, .beginToken = {}, .maskToken = {}, .tokenizer = {}, .facts = {}, .bfloat16 = false}));
    const Model model = openModel(path).value();
    QVERIFY(!model.architecture.tiedEmbeddings);
    const std::vector<int> ids{2, 0, 1, 3, 3, 0, 2};
    constexpr double m = 1.3, epsilon = 1e-5;
    constexpr Eigen::Index n = 6;
    const auto normed = [&](const Eigen::VectorXd& x) {
        return Eigen::VectorXd(x / std::sqrt(x.squaredNorm() / 2 + epsilon));
    };
    double expected = 0, expectedLoss = 0;
    for (Eigen::Index t = 0; t < n; ++t) {
        const Eigen::VectorXd query = q * normed(embedding.row(ids[static_cast<std::size_t>(t)]));
        Eigen::VectorXd z(t + 1);
        Eigen::MatrixXd values(2, t + 1);
        for (Eigen::Index j = 0; j <= t; ++j) {
            const Eigen::VectorXd x = normed(embedding.row(ids[static_cast<std::size_t>(j)]));
            z[j] = m * query.dot(k * x) / std::sqrt(2.0);
            values.col(j) = v * x;
        }
        const Eigen::VectorXd p = z.array().exp() / z.array().exp().sum();
        const Eigen::VectorXd h = embedding.row(ids[static_cast<std::size_t>(t)]).transpose() + o * (values * p);
        const Eigen::VectorXd g = normed(h), logits = w * g;
        Eigen::VectorXd excess = logits.array().exp() / logits.array().exp().sum();
        const int target = ids[static_cast<std::size_t>(t + 1)];
        expectedLoss -= std::log(excess[target]) / n;
        excess[target] -= 1;
        const Eigen::VectorXd u = w.transpose() * excess,
                              dh = (u - g * g.dot(u) / 2) / std::sqrt(h.squaredNorm() / 2 + epsilon),
                              moved = o * (values * (p.array() * (z.array() - p.dot(z))).matrix());
        expected += dh.dot(moved) / n;
    }
    Policy policy;
    policy.position = Choice{"none", {}, {}};
    policy.factors = {{m}};
    const auto slopes = headBackward(model).value()(policy, windowOf(model.architecture, ids, 0, n).value(), 0);
    QVERIFY2(slopes, slopes ? "" : slopes.error().message.c_str());
    QVERIFY2(std::abs(expected) > 5e-3, qPrintable(QString::number(expected)));
    QVERIFY2(std::abs(slopes->loss - expectedLoss) < 1e-6, qPrintable(QString::number(slopes->loss - expectedLoss)));
    QVERIFY2(std::abs(slopes->gradients[0][0] - expected) < 1e-6,
             qPrintable(QStringLiteral("%1, on paper %2").arg(slopes->gradients[0][0]).arg(expected)));
}

void TestHeadBackward::differencesAgree_data()
{
    QTest::addColumn<QString>("folder");
    QTest::addColumn<int>("n");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("positions");
    const auto add = [](const char* folder, int n, const char* method, const char* positions) {
        QTest::addRow("%s, %s, %s, n = %d", folder, method, positions, n) << folder << n << method << positions;
    };
    add("stories", 384, "vanilla", "own");
    add("stories", 384, "infoscale:row=1", "own");
    add("stories", 384, "entropy_measured", "own");
    add("stories", 512, "vanilla", "ntk");
    add("stories", 512, "ssmax:s=0.3", "yarn_rope:m=1.1");
    add("stories", 384, "vanilla", "none");
    add("recall1", 128, "row_log:clamp_at_one=1", "pi");
    add("copy1", 128, "vanilla", "own");
    add("masked", 200, "vanilla", "own");
    add("cosine16", 200, "vanilla", "own");
    add(SHARED "/data/models/stories260K", 384, "vanilla", "own");
    add(SHARED "/data/gguf/stories260K-q8_0.gguf", 384, "vanilla", "own");
    add(SHARED "/data/models/random-llama3", 96, "vanilla", "own");
    add(SHARED "/data/models/random-mistral", 96, "vanilla", "own");
    add(SHARED "/data/models/random-qwen3", 96, "vanilla", "own");
}

/// Of the steepest head of every layer, (4 D(h/2) - D(h)) / 3 with D(h) = (f(h) - f(-h)) / 2h, h = 0.02: what is left
/// is of the order of h^4, and rounding of float32 over h. All heads together are one multiplier.
void TestHeadBackward::differencesAgree()
{
    QFETCH(QString, folder);
    QFETCH(int, n);
    QFETCH(QString, method);
    QFETCH(QString, positions);
    if (folder.startsWith(SHARED) && !std::filesystem::exists(folder.toStdString()))
        QSKIP("this model is not beside the checkout");
    const Model model = openModel(folder.toStdString()).value();
    std::vector<int> ids;
    if (findShippedModel(folder.toStdString()))
        ids = generatedTokens(model, 3.0 * n).value();
    else if (model.tokenizer && folder.contains("stories"))
        ids = model.tokenizer->encode(testText(3.0 * n)).value();
    else
        ids = repeatedTokens(model.architecture, 40, 3 * n, 1);
    Policy asked;
    asked.method = parseChoice(method.toStdString(), scaleMethods(), "method").value();
    asked.position = parsePositions(positions.toStdString()).value();
    const Policy policy = withMeasuredHeads(model, asked, ids, n, {}).value();
    const Window window = windowOf(model.architecture, ids, 1, n).value();
    const auto pass = headBackward(model);
    QVERIFY2(pass, pass ? "" : pass.error().message.c_str());
    const auto slopes = (*pass)(policy, window, 0);
    QVERIFY2(slopes, slopes ? "" : slopes.error().message.c_str());
    const auto lossAt = [&](const Policy& moved) {
        return meanOf(runWindow(model, window,
                                {.policy = moved,
                                 .pictures = {},
                                 .last = 0,
                                 .engine = "auto",
                                 .observe = {},
                                 .progress = {},
                                 .stop = {}})
                          .value()
                          .predictions)
            .loss;
    };
    const double loss = lossAt(policy);
    QVERIFY2(std::abs(slopes->loss - loss) < 2e-5 * std::max(1.0, loss),
             qPrintable(QString::number(slopes->loss - loss)));
    const auto extrapolated = [&](const std::function<Policy(double)>& moved) {
        const auto central = [&](double h) { return (lossAt(moved(h)) - lossAt(moved(-h))) / (2 * h); };
        return (4 * central(0.01) - central(0.02)) / 3;
    };
    // A loss L of float32 products is known to some 2^-22 L, of which (4 D(h/2) - D(h)) / 3 makes 450 / 3 times as
    // much.
    const double rounding = 150 * std::ldexp(loss, -22);
    const auto isNear = [rounding](double found, double expected) {
        if (std::abs(found - expected) < rounding + 2e-3 * std::abs(expected))
            return true;
        qWarning("%.7f, by differences %.7f", found, expected);
        return false;
    };
    double sum = 0, most = 0;
    for (int layer = 0; layer < model.architecture.layers; ++layer) {
        const std::vector<double>& heads = slopes->gradients[static_cast<std::size_t>(layer)];
        const auto steepest = std::ranges::max_element(heads, {}, [](double g) { return std::abs(g); });
        const ModelPart part{layer, static_cast<int>(steepest - heads.begin())};
        QVERIFY(
            isNear(*steepest, extrapolated([&](double h) { return movedBy(policy, model.architecture, part, h); })));
        for (const double g : heads)
            sum += g;
        most = std::max(most, std::abs(*steepest));
    }
    qInfo("steepest head %g, all together %g", most, sum);
    QVERIFY(most > 1e-4);
    QVERIFY(isNear(sum, extrapolated([&](double h) {
                       Policy all = policy;
                       all.temperature *= std::exp(-h);
                       return all;
                   })));
}

/// Differences take over, and say why.
void TestHeadBackward::whatTheTapeHasNotIsSaid()
{
    const Model model = openModel("recall1").value();
    const auto ids = generatedTokens(model, 600).value();
    const auto by = [&](const char* positions) {
        Policy policy;
        policy.position = parsePositions(positions).value();
        const auto found = headGradients(model, ids, {.policy = policy, .n = 96}, {});
        return found ? QString::fromStdString(found->by) : QString::fromStdString(found.error().message);
    };
    QCOMPARE(by("own"), "the backward pass");
    QCOMPARE(by("ntk"), "the backward pass");
    QVERIFY2(by("rerope:w=32").startsWith("central differences: ") && by("rerope:w=32").contains("rerope"),
             qPrintable(by("rerope:w=32")));
    QVERIFY(by("alibi").startsWith("central differences: "));
    const auto asked = headGradients(model, ids, {.policy = {}, .n = 96, .differences = true}, {});
    QCOMPARE(asked->by, "central differences");
    const auto passed = headGradients(model, ids, {.policy = {}, .n = 96}, {});
    for (std::size_t layer = 0; layer < asked->of.size(); ++layer)
        for (std::size_t head = 0; head < asked->of[layer].size(); ++head)  // third differences are left, h = 0.05
            QVERIFY(std::abs(asked->of[layer][head]->mean - passed->of[layer][head]->mean) <
                    2e-4 + 0.02 * std::abs(passed->of[layer][head]->mean));
}

/// A search by the backward pass finds a loss as low as one by differences, and runs fewer windows for it.
void TestHeadBackward::searchesOfHeadsAgree()
{
    const Model model = openModel("stories").value();
    const auto ids = generatedTokens(model, 12 * 513.0).value();
    const TuneRequest request{.n = 512, .over = TuneOver::Heads};
    TuneProblem problem = problemOf(model, ids, request, {.fitting = 4, .verdict = 6}, {}).value();
    QVERIFY(problem.slopes);
    double found[2], gain[2];
    int runs[2], passes = 0;
    for (const bool back : {true, false}) {
        int& count = runs[back ? 0 : 1] = 0;
        TuneProblem counted = problem;
        counted.loss = [&](const Policy& policy, std::int64_t length, std::int64_t start) {
            ++count;
            return problem.loss(policy, length, start);
        };
        if (back)
            counted.slopes = [&](const Policy& policy, std::int64_t length, std::int64_t start) {
                ++passes;
                return problem.slopes(policy, length, start);
            };
        else
            counted.slopes = {};
        const auto report = tune(counted, request);
        QVERIFY(report.has_value());
        QCOMPARE(report->gradientsBy == HeadGradients::backwardPass, back);
        for (const TriedSetting& tried : report->tried)
            if (tried.setting == report->tuned) {
                found[back ? 0 : 1] = tried.loss;
                gain[back ? 0 : 1] = -tried.change;
            }
    }
    qInfo("backward: %.5f nats, gain %.5f, %d runs and %d passes; differences: %.5f nats, gain %.5f, %d runs", found[0],
          gain[0], runs[0], passes, found[1], gain[1], runs[1]);
    QVERIFY(gain[0] > 0.9 * gain[1]);
    QVERIFY(runs[0] + 3 * passes < runs[1]);
}

QTEST_GUILESS_MAIN(TestHeadBackward)
#include "test_head_backward.moc"
