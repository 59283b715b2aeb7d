// The labs: what they train on is exact, what they ship is as good as they say, and a run that is stopped and resumed
// ends where one that was not does.

#include "run_lab.h"

#include "core/base/random.h"
#include "core/labs/eie/eie_trainer.h"
#include "core/labs/lab_columns.h"
#include "core/labs/lab_record.h"
#include "core/labs/lab_text.h"
#include "core/learn/checkpoint.h"
#include "core/scaling/scale_method.h"
#include "core/theory/entropy_scale.h"
#include "core/theory/expected_row.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace attnscope;

namespace {

bool sameCells(const std::vector<LabRow>& a, const std::vector<LabRow>& b)
{
    return std::ranges::equal(a, b, [](const LabRow& left, const LabRow& right) { return left.cells == right.cells; });
}

/// Of 16384 rows of N keys at 1/sqrt d, in double precision: logits x_j |q| / sqrt d of standard normal q (d) and x
/// (N).
double meanEntropyOf(Stream stream, const EieSettings& settings)
{
    constexpr std::uint64_t rows = 16384;
    const Random random(settings.seed, stream);
    double mean = 0;
    for (std::uint64_t row = 0; row < rows; ++row) {
        double square = 0, total = 0, weighted = 0;
        for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(settings.d); ++i)
            square += std::pow(random.normal(2 * row, i), 2);
        for (std::uint64_t j = 0; j < static_cast<std::uint64_t>(settings.nTrain); ++j) {
            const double z = std::sqrt(square / settings.d) * random.normal(2 * row + 1, j);
            total += std::exp(z);
            weighted += z * std::exp(z);
        }
        mean += (std::log(total) - weighted / total) / rows;
    }
    return mean;
}

}  // namespace

class TestLabs : public QObject {
    Q_OBJECT
private slots:
    void everyLabExplainsItself();
    void textsComeApartAndTogether();
    void whatCanBeTickedIsUnderstood_data();
    void whatCanBeTickedIsUnderstood();
    void theLetterOfThePaperLearnsNothing();
    void surfaceIsTheExactEntropy_data();
    void surfaceIsTheExactEntropy();
    void gaussNodes();
    void monteCarloAgreesWithExact();
    void networkFileGivesTheTrainersScale();
    void shippedNetworksHoldTheEntropy_data();
    void shippedNetworksHoldTheEntropy();
    void networksLearnAndAreTestedWithNormalisers_data();
    void networksLearnAndAreTestedWithNormalisers();
    void aFactorOnVanillaIsAMethod_data();
    void aFactorOnVanillaIsAMethod();
    void chartsHaveTheirColumns_data();
    void chartsHaveTheirColumns();
    void errorsSayThatTheyAreRelative();
    void recordComesBack();
    void damagedRecordsAreRefused();
    void recordsThatDoNotRead_data();
    void recordsThatDoNotRead();
    void enormousRecordsAreNotRead();
    void resumedIsTheSame_data();
    void resumedIsTheSame();
    void checkpointOfAnotherTrainingIsRefused();
};

/// What a form writes for ticks that were not touched is the text itself.
void TestLabs::textsComeApartAndTogether()
{
    for (const Lab& lab : labs()) {
        std::vector<std::string> parts = textPartsOf(lab, lab.textByDefault);
        QVERIFY2(parts.size() == std::max<std::size_t>(1, lab.textParts.size()), lab.id.c_str());
        for (std::size_t i = 0; i < lab.textParts.size(); ++i)
            if (!lab.textParts[i].rows.empty())
                parts[i] = joinedEntries(entriesOfPart(parts[i]));
        QCOMPARE(joinedParts(lab, parts), lab.textByDefault);
    }
    const Lab& routing = **findRow(labs(), "routing", "lab");
    QCOMPARE(textPartsOf(routing, "log_n"), (std::vector<std::string>{"log_n", "", "", ""}));
    QCOMPARE(joinedParts(routing, {"log_n", "", "a b.safetensors", ""}), std::string("log_n | | a b.safetensors |"));
    QVERIFY(checkPart(routing, routing.textParts.front(), "log_n; ssmax"));
    QCOMPARE(checkPart(routing, routing.textParts.front(), "a|b").error().kind, ErrorKind::InvalidArgument);
    QCOMPARE(entriesOfPart(" log_n ;; ssmax:s=0.4 "), (std::vector<std::string>{"log_n", "ssmax:s=0.4"}));
    const Lab& retrieval = **findRow(labs(), "max-retrieval", "lab");  // whose entries hold bars
    QCOMPARE(textPartsOf(retrieval, "vanilla|adaptive; log_n @ vanilla|entmax15"),
             (std::vector<std::string>{"vanilla|adaptive; log_n", "vanilla|entmax15"}));
    QVERIFY(checkPart(retrieval, retrieval.textParts.front(), "a|b"));
    QCOMPARE(checkPart(retrieval, retrieval.textParts.front(), "a@b").error().kind, ErrorKind::InvalidArgument);
}

void TestLabs::whatCanBeTickedIsUnderstood_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<int>("part");
    for (const Lab& lab : labs())
        for (std::size_t part = 0; part < lab.textParts.size(); ++part)
            if (!lab.textParts[part].rows.empty())
                QTest::addRow("%s, %s", lab.id.c_str(), lab.textParts[part].name.c_str())
                    << QString::fromStdString(lab.id) << int(part);
}

/// The lab itself reads all that its form offers: a run that is stopped before it begins names nothing wrong.
void TestLabs::whatCanBeTickedIsUnderstood()
{
    QFETCH(QString, lab);
    QFETCH(int, part);
    const Lab& row = **findRow(labs(), lab.toStdString(), "lab");
    std::stop_source stop;
    stop.request_stop();
    std::vector<std::string> parts = textPartsOf(row, row.textByDefault);
    for (const Entry& offered : row.textParts[static_cast<std::size_t>(part)].rows) {
        QVERIFY(!offered.label.empty());
        parts[static_cast<std::size_t>(part)] = offered.id;
        Choice choice{row.id, {}, joinedParts(row, parts)};
        if (const Parameter* text = parameterOf(row, "megabytes"))  // no longer than need be
            choice.values["megabytes"] = text->minimum;
        if (row.textParts[static_cast<std::size_t>(part)].name == "train")
            choice.values["steps"] = 1;
        const Result<LabResult> result = runLab({.choice = choice}, stop.get_token());
        QVERIFY2(!result, offered.id.c_str());
        QVERIFY2(result.error().kind == ErrorKind::Cancelled ||
                     result.error().kind == ErrorKind::Undefined,  // it has no value at the defaults' sizes
                 (offered.id + ": " + result.error().message).c_str());
    }
}

void TestLabs::everyLabExplainsItself()
{
    std::set<std::string> ids;
    for (const Lab& lab : labs()) {
        QVERIFY(ids.insert(lab.id).second);
        QVERIFY2(!lab.label.empty() && !lab.source.empty() && lab.about.size() > 40 && !lab.main.empty() &&
                     !lab.textKey.empty(),
                 lab.id.c_str());
        for (const Parameter& p : lab.parameters)
            QVERIFY2(p.help.size() > 10 && p.minimum <= p.byDefault && p.byDefault <= p.maximum,
                     (lab.id + " " + p.id).c_str());
        for (const Preset& preset : lab.presets) {
            const Result<Choice> choice = parseChoice(std::string_view(preset.text), labs(), "lab");
            QVERIFY2(choice && validate(lab, *choice), preset.text.c_str());
        }
    }
    QCOMPARE(runLab({.choice = {"nothing", {}, {}}}).error().kind, ErrorKind::UnknownName);
}

/// The preset that follows the paper's Algorithm 2 to the letter says what comes of it: lambda = 1/sqrt d + eps (n -
/// N).
void TestLabs::theLetterOfThePaperLearnsNothing()
{
    const auto eie = std::ranges::find(labs(), std::string("eie"), &Lab::id);
    const auto preset = std::ranges::find_if(eie->presets, [](const Preset& one) {
        return one.label.find("learns nothing, λ = 1/√d + ε (n − N)") != std::string::npos;
    });
    QVERIFY(preset != eie->presets.end());
    Choice choice = choose(preset->text);
    choice.text = "16:100:1600";
    const double epsilon = std::ranges::find(eie->parameters, std::string("epsilon"), &Parameter::id)->byDefault;
    const std::vector<LabRow> lines = tableOf(runOrFail({.choice = choice}), "lambda");
    QVERIFY(lines.size() > 3);
    for (const LabRow& line : lines) {
        const double n = line.number("n"), learned = line.number("learned");
        const double says = 0.25 + epsilon * (n - 100);
        QVERIFY2(std::abs(learned - says) < 0.01 * says,
                 qPrintable(QString("n = %1: %2, not %3").arg(n).arg(learned).arg(says)));
    }
}

void TestLabs::surfaceIsTheExactEntropy_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("nMin");
    QTest::addColumn<double>("nMax");
    QTest::addRow("EIE, d 16") << 16 << 100.0 << 1600.0;
    QTest::addRow("EIE, d 32") << 32 << 120.0 << 1920.0;
    QTest::addRow("long") << 64 << 512.0 << 131072.0;
}

void TestLabs::surfaceIsTheExactEntropy()
{
    QFETCH(int, d);
    QFETCH(double, nMin);
    QFETCH(double, nMax);
    const Result<EntropySurface> surface = EntropySurface::make(d, nMin, nMax);
    QVERIFY(surface);
    const LogitDensity density = *logitDensity("gaussian", d);
    for (const double n : {nMin, std::sqrt(nMin * nMax), nMax})
        for (const double spread : {0.1, 0.7, 1.0, 2.0, 4.0, 9.0}) {
            const double lambda = spread / std::sqrt(d), h = 1e-4 * lambda;
            const EntropySurface::Values values =
                surface->at(Eigen::ArrayXd::Constant(1, n), Eigen::ArrayXd::Constant(1, lambda));
            const double slope =
                (expectedEntropy(density, n, lambda + h) - expectedEntropy(density, n, lambda - h)) / (2 * h);
            QVERIFY(std::abs(values.entropy[0] - expectedEntropy(density, n, lambda)) < 1e-7);
            QVERIFY(std::abs(values.slope[0] - slope) < 1e-4 * std::abs(slope) + 1e-5);
        }
}

/// Five points are exact up to degree 9, and not at 10.
void TestLabs::gaussNodes()
{
    for (int degree = 0; degree <= 10; ++degree) {
        double sum = 0;
        for (std::size_t i = 0; i < 5; ++i)
            sum += fivePointGauss().weight[i] * std::pow(fivePointGauss().node[i], degree);
        const double integral = degree % 2 ? 0 : 2.0 / (degree + 1);
        QCOMPARE(std::abs(sum - integral) < 1e-14, degree < 10);
    }
}

/// Trained for a few epochs either way from the same start, the two losses tell the same story.
void TestLabs::monteCarloAgreesWithExact()
{
    EieSettings settings{.d = 16, .nTrain = 20, .nMax = 80, .rows = 64, .batch = 64, .steps = 5};
    Result<EieTrainer> exact = EieTrainer::make(settings);
    settings.monteCarlo = true;
    Result<EieTrainer> drawn = EieTrainer::make(settings);
    QVERIFY(exact && drawn);
    const double before = *exact->epoch(), beforeDrawn = *drawn->epoch();
    QVERIFY(std::abs(before / beforeDrawn - 1) < 0.1);
    for (int i = 0; i < 20; ++i) {
        QVERIFY(exact->epoch());
        QVERIFY(drawn->epoch());
    }
    // what is aimed at is the entropy of rows of its own: near the exact one, of 16384 rows with a spread below 1 nat,
    // and not that of the rows which training draws first
    QVERIFY(std::abs(exact->target() - drawn->target()) < 5.0 / 128);
    QVERIFY(std::abs(meanEntropyOf(Stream::Target, settings) - drawn->target()) < 1e-4);
    QVERIFY(std::abs(meanEntropyOf(Stream::Logits, settings) - drawn->target()) > 1e-4);
    QVERIFY(*exact->epoch() < before / 2);
    QVERIFY(std::abs(exact->lambda({60})[0] / drawn->lambda({60})[0] - 1) < 0.05);
}

void TestLabs::networkFileGivesTheTrainersScale()
{
    for (const EieNetwork::Variable variable : {EieNetwork::Variable::Log, EieNetwork::Variable::Length}) {
        Result<EieTrainer> trainer =
            EieTrainer::make({.d = 8, .nTrain = 4, .nMax = 9, .variable = variable, .batch = 16, .steps = 3});
        QVERIFY(trainer);
        QVERIFY(trainer->epoch());
        QTemporaryDir folder;
        const std::string path = folder.filePath("net.safetensors").toStdString();
        QVERIFY(learn::saveModel(path, trainer->weights(), trainer->metadata()));
        const Result<TensorFile> file = TensorFile::open(path);
        QVERIFY(file);
        const Result<EieNetwork> network = EieNetwork::read(*file);
        QVERIFY(network);
        QCOMPARE(network->d(), 8);
        QCOMPARE(network->nMax(), 9.0);
        for (const double n : {4.0, 5.5, 9.0})
            QVERIFY(std::abs(network->lambda(n) / trainer->lambda({n})[0] - 1) < 1e-5);
        // and the scale method reads it
        const auto scale = bindScale({"eie", {}, path});
        QVERIFY(scale);
        QVERIFY(std::abs(*(*scale)(lastRowOf(7, 4, 8)) - network->lambda(7) * std::sqrt(8.0)) < 1e-12);
    }
}

void TestLabs::shippedNetworksHoldTheEntropy_data()
{
    QTest::addColumn<int>("d");
    QTest::addColumn<double>("N");
    QTest::addRow("d 16") << 16 << 100.0;
    QTest::addRow("d 32") << 32 << 120.0;
}

void TestLabs::shippedNetworksHoldTheEntropy()
{
    QFETCH(int, d);
    QFETCH(double, N);
    const auto scale = bindScale({"eie", {}, {}});
    QVERIFY(scale);
    const LogitDensity density = *logitDensity("gaussian", d);
    const auto at = [&](double n, int size) { return (*scale)(lastRowOf(n, N, size)); };
    for (double n = N; n <= 16 * N; n *= 1.17) {
        const double exact = *entropyInvariantScale(density, n, N) * std::sqrt(d);
        QVERIFY2(std::abs(*at(n, d) / exact - 1) < 0.005, qPrintable(QString::number(n)));
    }
    QCOMPARE(*at(N / 2, d), 1.0);
    QCOMPARE(at(16 * N + 1, d).error().kind, ErrorKind::Undefined);
    QCOMPARE(at(N, 64).error().kind, ErrorKind::Undefined);
}

void TestLabs::resumedIsTheSame_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<QString>("table");
    QTest::addRow("eie") << "eie:epochs=5,steps=2,batch=16,\"4:10:20\""
                         << "lambda";
    QTest::addRow("max-retrieval")
        << "max-retrieval:steps=450,batch=4,width=8,seeds=2,sets=16,most_items=32,\"vanilla; vanilla|refit\""
        << "table1";
    QTest::addRow("max-retrieval, heads that learn with something")
        << "max-retrieval:steps=150,batch=4,width=8,sets=16,most_items=32,\"vanilla @ vanilla|adaptive\""
        << "learned";
    QTest::addRow("routing") << "routing:steps=40,warmup=5,length=6,batch=4,tours=3,width=8,inner=8,heads=2,layers=1,"
                                "sets=4,most=2,\"vanilla; softmax_plus\""
                             << "quality";
    QTest::addRow("packing") << "packing:networks=2,steps=20,warmup=5,length=5,batch=4,packings=3,width=8,inner=8,"
                                "heads=2,layers=1,sets=4,most=2,\"vanilla; softmax_plus\""
                             << "quality";
    QTest::addRow("routing vehicles") << "routing:vehicles=1,networks=2,steps=20,warmup=5,length=5,batch=4,tours=3,"
                                         "width=8,inner=8,heads=2,layers=1,sets=4,most=2,\"vanilla; softmax_plus\""
                                      << "quality";
}

void TestLabs::resumedIsTheSame()
{
    QFETCH(QString, lab);
    QFETCH(QString, table);
    const Choice choice = choose(lab.toStdString());
    const LabResult whole = runOrFail({.choice = choice});
    QVERIFY(
        sameCells(tableOf(whole, table.toStdString()), tableOf(runOrFail({.choice = choice}), table.toStdString())));

    QTemporaryDir folder;
    const LabRun run{.choice = choice, .folder = folder.path().toStdString(), .resume = true};
    std::stop_source stop;
    const Result<LabResult> stopped = runLab(run, stop.get_token(), [&](const LabUpdate&) { stop.request_stop(); });
    QVERIFY(!stopped);
    QCOMPARE(stopped.error().kind, ErrorKind::Cancelled);
    double first = -1;
    const LabResult resumed =
        runOrFail(run, [&](const LabUpdate& update) { first = first < 0 ? update.fraction : first; });
    QVERIFY(first > 0);
    QVERIFY(sameCells(tableOf(whole, table.toStdString()), tableOf(resumed, table.toStdString())));
    QVERIFY(sameCells(tableOf(whole, "training"), tableOf(resumed, "training")));
    const std::size_t networks = lab.contains(u'@') || lab.contains(QLatin1String("networks=2")) ? 2 : 1,
                      tensors = lab.contains(QLatin1String("retrieval")) ? 1 : 0;
    QCOMPARE(resumed.files.size(), whole.files.size() + networks + tensors);
}

void TestLabs::checkpointOfAnotherTrainingIsRefused()
{
    QTemporaryDir folder;
    const std::string path = folder.path().toStdString();
    runOrFail({.choice = choose("eie:epochs=1,steps=1,batch=8,\"4:10:20\""), .folder = path});
    const Result<LabResult> other =
        runLab({.choice = choose("eie:epochs=2,steps=1,batch=8,seed=9,\"4:10:20\""), .folder = path, .resume = true});
    QVERIFY(!other);
    QCOMPARE(other.error().kind, ErrorKind::InvalidArgument);
    QVERIFY2(other.error().message.find("seed") != std::string::npos, other.error().message.c_str());
}

void TestLabs::networksLearnAndAreTestedWithNormalisers_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<QString>("text");
    QTest::addRow("masked-lm") << "masked-lm:steps=4,length=32,layers=1,width=16,inner=16,heads=2,vocabulary=300,"
                                  "megabytes=0.05,tokens=128,most=2"
                               << "adaptive; vanilla | | | vanilla; adaptive";
    QTest::addRow("causal-lm") << "causal-lm:steps=4,length=32,layers=1,width=16,inner=16,heads=2,key_heads=1,"
                                  "vocabulary=300,megabytes=0.05,windows=2,most=2"
                               << "adaptive; vanilla";
    QTest::addRow("recall") << "recall:steps=4,layers=1,width=16,inner=16,sequences=4,most=2,qualified=0"
                            << "adaptive; vanilla | rope | vanilla; adaptive";
    QTest::addRow("algorithms") << "algorithms:steps=4,layers=1,width=16,inner=16,heads=2,problems=2,most=1"
                                << "adaptive; vanilla | vanilla; adaptive | minimum";
}

/// The adaptive temperature is below 1 wherever it acts, so that it takes entropy away.
void TestLabs::networksLearnAndAreTestedWithNormalisers()
{
    QFETCH(QString, lab);
    QFETCH(QString, text);
    const LabResult result = runOrFail({choose(lab, text)});
    std::map<std::pair<std::string, double>, std::map<std::string, double>> entropies;  // of trained and n, by method
    for (const LabRow& row : tableOf(result, "quality"))
        entropies[{row.word("trained"), row.number("n")}][row.word("method")] = row.number("entropy_mean");
    const std::size_t trained = text.count("adaptive");  // once to test and, where it trains, once more
    std::set<std::string> kinds;
    for (const auto& [place, byMethod] : entropies) {
        kinds.insert(place.first);
        QVERIFY(byMethod.at("vanilla") > 0.5);  // where it acts
        QVERIFY2(byMethod.at("adaptive") < byMethod.at("vanilla"), place.first.c_str());
    }
    QCOMPARE(kinds.size(), trained);
}

void TestLabs::aFactorOnVanillaIsAMethod_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addColumn<QString>("rest");
    QTest::addColumn<QString>("table");
    QTest::addColumn<QStringList>("columns");
    const QStringList ofLanguage{"nll", "accuracy", "change", "p"};
    QTest::addRow("masked-lm") << "masked-lm:steps=4,length=32,layers=1,width=16,inner=16,heads=2,vocabulary=300,"
                                  "megabytes=0.05,tokens=128,most=2"
                               << ""
                               << "quality" << ofLanguage;
    QTest::addRow("causal-lm") << "causal-lm:steps=4,length=32,layers=1,width=16,inner=16,heads=2,key_heads=1,"
                                  "vocabulary=300,megabytes=0.05,windows=2,most=2"
                               << ""
                               << "quality" << ofLanguage;
    QTest::addRow("recall") << "recall:steps=4,layers=1,width=16,inner=16,sequences=4,most=2,qualified=0"
                            << " | rope"
                            << "quality" << ofLanguage;
    QTest::addRow("algorithms") << "algorithms:steps=4,layers=1,width=16,inner=16,heads=2,problems=4,most=1"
                                << " | vanilla | minimum"
                                << "quality" << ofLanguage;
    QTest::addRow("routing") << "routing:steps=0,sets=4,most=1"
                             << " | encoder"
                             << "quality" << QStringList{"length", "where", "change", "p"};
    QTest::addRow("packing") << "packing:steps=0,sets=4,most=1"
                             << " | encoder"
                             << "quality" << QStringList{"load_rate", "where", "change", "p"};
    QTest::addRow("max-retrieval") << "max-retrieval:seeds=4,sets=32,most_items=64"
                                   << ""
                                   << "table1" << QStringList{"accuracy", "p_value", "multiplier", "published"};
}

/// vanilla:alpha=2 multiplies every logit by 2, as the expression does, and is held against vanilla like it; vanilla
/// alone is the reference, wherever the list names the two.
void TestLabs::aFactorOnVanillaIsAMethod()
{
    QFETCH(QString, lab);
    QFETCH(QString, rest);
    QFETCH(QString, table);
    QFETCH(QStringList, columns);
    const LabResult result = runOrFail({choose(lab, "vanilla:alpha=2; custom:\"2\"; vanilla; vanilla:alpha=3" + rest)});
    std::map<std::tuple<double, std::string>, std::map<std::string, LabRow>> rows;  // of n and bin, by method
    for (const LabRow& row : tableOf(result, table.toStdString())) {
        if (row.find("bin") && row.word("bin").empty())
            continue;
        const double n = row.find("n") ? row.number("n") : row.number("items");
        const auto bin = row.find("bin") ? row.word("bin") : std::string();
        rows[{n, bin}].try_emplace(row.word("method"), row);
    }
    QVERIFY(!rows.empty());
    int differ = 0;
    for (const auto& [of, byMethod] : rows) {
        const LabRow &factor = byMethod.at("vanilla:alpha=2"), &written = byMethod.at("custom:\"2\""),
                     &vanilla = byMethod.at("vanilla");
        for (const QString& name : columns) {
            const std::string column = name.toStdString();
            QVERIFY2(factor.find(column) && *factor.find(column) == *written.find(column), qPrintable(name));
        }
        const std::string change = vanilla.find("change") ? "change" : "p_value";
        QVERIFY(std::isnan(vanilla.number(change)));
        const std::string value = columns.front().toStdString();
        if (change == "change") {
            QVERIFY(std::isfinite(factor.number(change)) &&
                    std::isfinite(byMethod.at("vanilla:alpha=3").number(change)));
            QCOMPARE(factor.number(value) == vanilla.number(value), factor.number(change) == 0);
        }
        differ += factor.number(value) != vanilla.number(value);
    }
    QVERIFY(differ > 0);
}

void TestLabs::chartsHaveTheirColumns_data()
{
    QTest::addColumn<QString>("lab");
    QTest::addRow("eie") << "eie:epochs=2,steps=2,batch=16,\"4:10:20\"";
    QTest::addRow("max-retrieval")
        << "max-retrieval:steps=200,batch=8,width=16,seeds=2,sets=256,most_items=64,\"vanilla; vanilla|refit @ log_n\"";
    QTest::addRow("packing") << "packing:steps=3,length=5,batch=4,packings=3,width=8,inner=8,heads=2,layers=1,sets=4,"
                                "most=2,\"vanilla; softmax_plus\"";
    QTest::addRow("routing") << "routing:steps=3,length=5,batch=4,tours=3,width=8,inner=8,heads=2,layers=1,sets=4,most="
                                "2,\"vanilla; softmax_plus\"";
    QTest::addRow("algorithms") << "algorithms:steps=2,layers=1,width=8,inner=8,heads=1,batch=5,problems=2";
    QTest::addRow("recall")
        << "recall:steps=2,layers=1,width=8,inner=8,heads=1,batch=2,length=16,pairs=2,sequences=2,most=2,qualified=0";
}

/// Every line of every chart finds its columns and its group in the rows of a run.
void TestLabs::chartsHaveTheirColumns()
{
    QFETCH(QString, lab);
    const Choice choice = choose(lab.toStdString());
    const LabResult result = runOrFail({.choice = choice});
    const Lab& row = **findRow(labs(), choice.id, "lab");
    QVERIFY(!row.charts.empty());
    for (const LabChart& chart : row.charts)
        for (const LabLine& line : chart.lines) {
            const std::vector<LabRow> rows = tableOf(result, line.table);
            QVERIFY2(!rows.empty(), line.table.c_str());
            for (const std::string& column : {line.x, line.y})
                QVERIFY2(rows[0].find(column), (line.table + "." + column).c_str());
            QVERIFY2(chart.group.empty() || rows[0].find(chart.group), (line.table + "." + chart.group).c_str());
        }
}

/// What a finished and what a stopped run leave in the folder.
/// Errors of a scale are shares of it, and their headings say so.
void TestLabs::errorsSayThatTheyAreRelative()
{
    const Lab& eie = **findRow(labs(), "eie", "lab");
    for (const auto& [table, column] :
         {std::pair("lambda", "error"), std::pair("summary", "worst_error"), std::pair("training", "worst_error")})
        QVERIFY2(
            QString::fromStdString(labColumn("eie", table, column).heading).contains("relative", Qt::CaseInsensitive),
            table);
    for (const LabChart& chart : eie.charts)
        for (const LabLine& line : chart.lines)
            QVERIFY(line.y != "worst_error" || QString::fromStdString(chart.title).contains("relative"));
}

void TestLabs::recordComesBack()
{
    QTemporaryDir folder;
    LabRun run{.choice = choose("eie:epochs=4,steps=2,batch=16,\"4:10:20\""), .folder = folder.path().toStdString()};
    std::stop_source stop;
    QVERIFY(!runLab(run, stop.get_token(), [&](const LabUpdate&) { stop.request_stop(); }));
    const Result<LabRecord> stopped = readRecord(run.folder);
    QVERIFY(stopped);
    QVERIFY(!stopped->finished && stopped->fraction > 0 && stopped->fraction < 1);
    QVERIFY(std::ranges::any_of(stopped->rows, [](const LabRow& row) { return row.table == "curve"; }));

    run.resume = true;
    const LabResult result = runOrFail(run);
    const Result<LabRecord> record = readRecord(run.folder);
    QVERIFY2(record, record ? "" : record.error().message.c_str());
    QVERIFY(record->finished && record->choice == run.choice);
    for (const char* table : {"training", "curve", "lambda"})
        QVERIFY(sameCells(tableOf(result, table), tableOf({record->rows, {}}, table)));
    QCOMPARE(record->rows.back().table, std::string("lambda"));
    QCOMPARE(record->files.size(), std::size_t{1});
    QVERIFY(record->files[0].scenario && record->files[0].scenario == result.files[0].scenario);
    QVERIFY(std::ifstream(record->files[0].path).good());
}

/// A digit that changes anywhere in a record, be it a number that a table or a scoreboard would show, is found; but for
/// one so far behind the point that the number is the same.
void TestLabs::damagedRecordsAreRefused()
{
    QTemporaryDir folder;
    runOrFail({.choice = choose("eie:epochs=2,steps=1,batch=8,\"4:10:20\""), .folder = folder.path().toStdString()});
    const std::string path = folder.filePath(QStringLiteral("run.json")).toStdString();
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    const std::string whole = text.str();
    const auto original = readRecord(folder.path().toStdString());
    QVERIFY(original.has_value());
    int digits = 0, found = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        if (whole[at] >= '2' && whole[at] <= '8' && ++digits % 40 == 0) {
            std::string damaged = whole;
            ++damaged[at];
            std::ofstream(path, std::ios::trunc) << damaged;
            const auto record = readRecord(folder.path().toStdString());
            found += record ? recordText(*record, "") == recordText(*original, "")
                            : record.error().kind == ErrorKind::DataError &&
                                  record.error().message.find("run.json") != std::string::npos;
        }
    QVERIFY(digits > 400);
    QCOMPARE(found, digits / 40);
    std::ofstream(path, std::ios::trunc) << whole;
    QVERIFY(readRecord(folder.path().toStdString()).has_value());
}

void TestLabs::recordsThatDoNotRead_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    const QString head =
        R"({"schema": "attnscope_lab/1", "lab": "eie", "stage": "", "fraction": 1, "finished": true, )";
    QTest::addRow("no JSON") << "nonsense" << static_cast<int>(ErrorKind::InvalidHeader);
    QTest::addRow("of the future") << R"({"schema": "attnscope_lab/2"})" << static_cast<int>(ErrorKind::UnknownFormat);
    QTest::addRow("another lab") << R"({"schema": "attnscope_lab/1", "lab": "tea"})"
                                 << static_cast<int>(ErrorKind::DataError);
    QTest::addRow("fields absent") << R"({"schema": "attnscope_lab/1", "lab": "eie"})"
                                   << static_cast<int>(ErrorKind::DataError);
    QTest::addRow("too few cells")
        << head + R"("tables": {"a": {"columns": ["x", "y"], "rows": [[1]]}}, "pictures": [], "files": []})"
        << static_cast<int>(ErrorKind::DataError);
    QTest::addRow("a cell that is a list")
        << head + R"("tables": {"a": {"columns": ["x"], "rows": [[[1]]]}}, "pictures": [], "files": []})"
        << static_cast<int>(ErrorKind::DataError);
    QTest::addRow("a picture of a million million pixels, said to be")
        << head +
               R"("tables": {}, "files": [], "pictures": [{"id": "", "title": "", "row_label": "", "column_label": "", "values": [[)" +
               QString("1,").repeated(999999) + "1]" + QString(",[]").repeated(999999) + "]}]}"
        << static_cast<int>(ErrorKind::DataError);
    QTest::addRow("a ragged picture")
        << head +
               R"("tables": {}, "files": [], "pictures": [{"id": "", "title": "", "row_label": "", "column_label": "", "values": [[1, 2], [3]]}]})"
        << static_cast<int>(ErrorKind::DataError);
}

void TestLabs::recordsThatDoNotRead()
{
    QFETCH(QString, text);
    QFETCH(int, kind);
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("run.json")).toStdString();
    std::ofstream(path) << text.toStdString();
    const Result<LabRecord> record = readRecord(folder.path().toStdString());
    QVERIFY(!record);
    QCOMPARE(static_cast<int>(record.error().kind), kind);
    QVERIFY(record.error().message.find("run.json") != std::string::npos);
}

/// 5 GB of which the disk holds nothing: looked at by its size alone.
void TestLabs::enormousRecordsAreNotRead()
{
    QTemporaryDir folder;
    const std::string path = folder.filePath(QStringLiteral("run.json")).toStdString();
    std::ofstream(path) << "{}";
    std::error_code noRoom;
    std::filesystem::resize_file(path, 5'000'000'000, noRoom);
    if (noRoom)
        QSKIP("the file system takes no file of 5 GB");
    const Result<LabRecord> record = readRecord(folder.path().toStdString());
    QVERIFY(!record);
    QCOMPARE(QString::fromStdString(record.error().message),
             QString::fromStdString(path) + ": 5000000000 bytes, more than the 67108864 allowed here; no lab writes so "
                                            "much: move it elsewhere and run the lab again");
}

QTEST_GUILESS_MAIN(TestLabs)
#include "test_labs.moc"
