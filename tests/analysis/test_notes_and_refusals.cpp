// What an analysis says: notes on combinations, which engine computed, why a scenario is refused or stopped.

#include "small_scenario.h"

#include "core/analysis/analysis_cache.h"
#include "core/attention/engines.h"
#include "core/analysis/source.h"
#include "core/scaling/scale_method.h"
#include "core/theory/expected_row.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

using namespace attnscope;

class TestNotesAndRefusals : public QObject {
    Q_OBJECT
private slots:
    void notesExplainCombinations_data();
    void notesExplainCombinations();
    void whatDoesNotKeepTheEntropySaysSo_data();
    void whatDoesNotKeepTheEntropySaysSo();
    void aNoteNamesMethodsWithTheirParameters();
    void everyRowThatIsLeftAloneIsExplained_data();
    void everyRowThatIsLeftAloneIsExplained();
    void aNegativeMultiplierIsSaid();
    void openglSaysWhatItHandsOver();
    void wrongScenariosAreRefused_data();
    void wrongScenariosAreRefused();
    void tooLargeForMemoryIsAnError();
    void measuresWithoutExactCurveSaySo();
    void aMethodThatIsNotReadyTakesNoOtherAway();
    void stops();
};

void TestNotesAndRefusals::notesExplainCombinations_data()
{
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("normaliser");
    QTest::addColumn<QString>("about");  // empty: nothing to say
    QTest::addRow("plain") << "log_n"
                           << "causal"
                           << "softmax"
                           << "";
    QTest::addRow("a window's keys") << "log_n"
                                     << "window"
                                     << "softmax"
                                     << "the last row sees 64 of them under Sliding window";
    QTest::addRow("a window's rows") << "ssmax"
                                     << "window"
                                     << "softmax"
                                     << "";
    QTest::addRow("padding does not count") << "log_n"
                                            << "padding"
                                            << "softmax"
                                            << "";
    QTest::addRow("solved for softmax") << "entropy_mean_field"
                                        << "causal"
                                        << "sparsemax"
                                        << "with Sparsemax the entropy need not be kept";
    QTest::addRow("adaptive") << "vanilla"
                              << "causal"
                              << "adaptive"
                              << "of 96 rows of Vanilla as they are: ";
    QTest::addRow("mass") << "vanilla"
                          << "causal"
                          << "softmax1"
                          << "total mass under Vanilla is 0.";
}

void TestNotesAndRefusals::notesExplainCombinations()
{
    QFETCH(QString, method);
    QFETCH(QString, mask);
    QFETCH(QString, normaliser);
    QFETCH(QString, about);
    Scenario scenario = small();
    scenario.methods = {{method.toStdString(), {}, {}}};
    scenario.attention.mask.id = mask.toStdString();
    scenario.attention.normaliser.id = normaliser.toStdString();
    QStringList notes;
    for (const std::string& note : analysed(scenario).notes) {
        QVERIFY2(!note.ends_with('.'), note.c_str());  // they are joined
        notes << QString::fromStdString(note);
    }
    QCOMPARE(notes.isEmpty(), about.isEmpty());
    QVERIFY2(notes.join('|').contains(about), qPrintable(notes.join('|')));
}

void TestNotesAndRefusals::whatDoesNotKeepTheEntropySaysSo_data()
{
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("method");
    for (const char* source : {"gaussian", "sphere", "needle", "needle:gap=8", "uniform", "finite", "power_series",
                               "theory", "theory:sphere=1"})
        for (const char* method : {"entropy_exact", "entropy_exact:sphere", "entropy_exact:needle",
                                   "entropy_exact:\"needle:gap=8\"", "entropy_exact:\"uniform:-2,2\""})
            QTest::addRow("%s, %s", method, source) << source << method;
}

/// Whether theory expects the entropy of N at n is what decides.
void TestNotesAndRefusals::whatDoesNotKeepTheEntropySaysSo()
{
    QFETCH(QString, source);
    QFETCH(QString, method);
    Scenario scenario = small();
    scenario.source = *parseChoice(source.toStdString(), sourceEntries(), "source");
    scenario.methods = {*parseChoice(method.toStdString(), scaleMethods(), "scale method")};
    scenario.nTrain = 24;
    scenario.view.curvePoints = 0;  // theory of the curves has no part in it
    const QString law = source == "theory" ? "gaussian" : source == "theory:sphere=1" ? "sphere" : source;
    const auto density = logitDensity(law.toStdString(), scenario.d);
    const auto scale = bindScale(scenario.methods[0]);
    QVERIFY(density && scale);
    const Result<double> m = (*scale)(lastRowOf(96, 24, scenario.d));
    QVERIFY(m.has_value());
    const double kept = expectedEntropy(*density, 24, 1 / std::sqrt(scenario.d)),
                 is = expectedEntropy(*density, 96, *m / std::sqrt(scenario.d));
    const std::vector<std::string> notes = analysed(scenario).notes;
    QCOMPARE(notes.size(), std::size_t(std::abs(is - kept) > 1e-6 ? 1 : 0));
    if (notes.empty())
        return;
    QVERIFY2(notes[0].find("the entropy need not be kept") != std::string::npos, notes[0].c_str());
    // the method that it offers in place of this one does keep it, where there is a multiplier that does
    const size_t from = notes[0].find("entropy_exact:"), to = notes[0].find(" is solved for these");
    QVERIFY2(from < to && to != std::string::npos, notes[0].c_str());
    const auto instead = bindScale(*parseChoice(notes[0].substr(from, to - from), scaleMethods(), "scale method"));
    QVERIFY(instead.has_value());
    const Result<double> offered = (*instead)(lastRowOf(96, 24, scenario.d));
    QCOMPARE(offered.has_value(), !law.startsWith("finite") && !law.startsWith("power"));  // ever more of the largest
    if (offered)
        QVERIFY(std::abs(expectedEntropy(*density, 96, *offered / std::sqrt(scenario.d)) - kept) < 1e-6);
}

void TestNotesAndRefusals::aNoteNamesMethodsWithTheirParameters()
{
    const auto notesOf = [](const char* source, const char* kernel) {
        Scenario scenario = small(source);
        scenario.attention.kernel.id = kernel;
        scenario.methods = {{"entropy_exact", {}, {}}, {"entropy_mean_field", {}, {}}, {"entropy_exact", {}, "sphere"}};
        return analysed(scenario).notes;
    };
    QCOMPARE(notesOf("gaussian", "cosine"),
             (std::vector<std::string>{
                 "Entropy, exact and Entropy, mean field: solved for softmax over logits of the law Gaussian q and k, "
                 "so with Cosine (CosScale) the entropy need not be kept",
                 "Entropy, exact (sphere): solved for softmax over logits of the law Unit directions, so with Cosine "
                 "(CosScale) the entropy need not be kept"}));
    QCOMPARE(notesOf("sphere", "dot"),
             std::vector<std::string>{
                 "Entropy, exact and Entropy, mean field: solved for softmax over logits of the law Gaussian q and k, "
                 "so with Unit directions the entropy need not be kept; entropy_exact:\"sphere\" is solved for these"});
    // no law is known of these
    QCOMPARE(notesOf("local", "dot").size(), std::size_t(2));
    QVERIFY(notesOf("local", "dot")[0].ends_with("with Local structure the entropy need not be kept"));
}

void TestNotesAndRefusals::everyRowThatIsLeftAloneIsExplained_data()
{
    QTest::addColumn<double>("temperature");
    QTest::addColumn<int>("n");
    QTest::addRow("sharp") << 0.08 << 512;  // the case of most rows between the threshold and the lower root
    QTest::addRow("warm") << 0.2 << 512;
    QTest::addRow("flat") << 1.0 << 1024;
    QTest::addRow("between") << 1.0 << 640;
}

/// A row's entropy under plain softmax, and the roots 0.8486 and 5.9445 of the polynomial, decide which count it is in.
void TestNotesAndRefusals::everyRowThatIsLeftAloneIsExplained()
{
    QFETCH(double, temperature);
    QFETCH(int, n);
    Scenario scenario = small();
    scenario.n = n;
    scenario.d = 256;
    scenario.temperature = temperature;
    scenario.attention.mask.id = "full";
    scenario.methods = {{"vanilla", {}, {}}};
    const Analysis plain = analysed(scenario);
    int sharp = 0, held = 0;
    for (const RowSummary& row : plain.methods[0].rows) {
        sharp += row.entropy <= 0.5 ? 1 : 0;
        held += row.entropy > 0.5 && (row.entropy < 0.8486 || row.entropy > 5.9445) ? 1 : 0;
    }
    scenario.attention.normaliser.id = "adaptive";
    std::string expected =
        fmt::format("Adaptive temperature leaves {} of {} rows of Vanilla as they are: ", sharp + held, n);
    if (sharp > 0)
        expected += fmt::format("{} have an entropy of 0.5 nats or less", sharp) + (held > 0 ? "; " : "");
    if (held > 0)
        expected += fmt::format("for {} the polynomial is 1 or less, as it is below 0.85 nats and from 5.94 on", held);
    const std::vector<std::string> notes = analysed(scenario).notes;
    QCOMPARE(notes, sharp + held > 0 ? std::vector{expected} : std::vector<std::string>{});
    QVERIFY(temperature > 0.1 || (sharp > 0 && held > 0));
}

void TestNotesAndRefusals::aNegativeMultiplierIsSaid()
{
    Scenario scenario = small();
    scenario.attention.mask.id = "full";
    scenario.methods = {{"custom", {}, "log(n/1000)"}};  // of 96 keys
    const std::vector<std::string> notes = analysed(scenario).notes;
    QCOMPARE(notes.size(), std::size_t(1));
    QVERIFY2(notes[0].find("m is negative for 96 of 96 rows") != std::string::npos, notes[0].c_str());
}

void TestNotesAndRefusals::openglSaysWhatItHandsOver()
{
    // With or without a graphics device the numbers are the processor's within the engine's tolerance; what the device
    // did not compute is noted, and then the engine that is named is the one that did.
    const std::string processor = processorEngine().id;
    const bool hasDevice = (*findRow(engines(), "opengl", "engine"))->unavailable().empty();
    for (const char* normaliser : {"softmax", "sparsemax"}) {
        Scenario scenario = small();
        scenario.attention.normaliser.id = normaliser;
        const Analysis plain = analysed(scenario);
        scenario.engine = "opengl";
        const Analysis given = analysed(scenario);
        const bool onDevice = hasDevice && scenario.attention.normaliser.id == "softmax";
        QCOMPARE(given.engine, onDevice ? "opengl" : processor);
        QCOMPARE(given.notes.size(), plain.notes.size() + (onDevice ? 0 : 1));
        if (!onDevice)
            QVERIFY(given.notes.back().find("OpenGL") != std::string::npos);
        QVERIFY(std::abs(given.methods[0].entropy.mean - plain.methods[0].entropy.mean) < 1e-4);
        for (size_t pixel = 0; pixel < plain.methods[0].map.values.size(); ++pixel)
            QVERIFY(std::abs(given.methods[0].map.values[pixel] - plain.methods[0].map.values[pixel]) < 1e-4f);
    }
}

void TestNotesAndRefusals::wrongScenariosAreRefused_data()
{
    QTest::addColumn<int>("which");
    QTest::addColumn<QString>("says");
    QTest::addRow("n = 0") << 0 << "n must be at least 1";
    QTest::addRow("n too long for memory") << 1 << "choose the source 'theory'";
    QTest::addRow("temperature 0") << 2 << "temperature must be above 0";
    QTest::addRow("unknown source") << 3 << "unknown source";
    QTest::addRow("unknown engine") << 4 << "unknown engine";
    QTest::addRow("unknown method") << 5 << "unknown scale method";
    QTest::addRow("no method") << 6 << "tick one";
    QTest::addRow("no file") << 7 << "open one";
    QTest::addRow("a matrix of single logits too large") << 8 << "choose n up to 4096";
    QTest::addRow("unknown measure") << 9 << "unknown measure";
    QTest::addRow("a curve too long for memory")
        << 10 << "the curve's last length must be at most 4194304, not 1000000000000";
    QTest::addRow("a curve too long for theory") << 11 << "the curve's last length must be at most 1000000000000";
    QTest::addRow("a curve from nowhere") << 12 << "the curve's lengths must be at least 1";
    QTest::addRow("more than the machine has") << 13 << "GB for queries and keys";
    QTest::addRow("n too long for theory") << 14 << "n must be at most 1000000000000";
}

void TestNotesAndRefusals::wrongScenariosAreRefused()
{
    QFETCH(int, which);
    QFETCH(QString, says);
    Scenario scenario = small();
    switch (which) {
    case 0:
        scenario.n = 0;
        break;
    case 1:
        scenario.n = std::int64_t(1) << 40;
        break;
    case 2:
        scenario.temperature = 0;
        break;
    case 3:
        scenario.source.id = "nosuch";
        break;
    case 4:
        scenario.engine = "nosuch";
        break;
    case 5:
        scenario.methods = {{"nosuch", {}, {}}};
        break;
    case 6:
        scenario.methods.clear();
        break;
    case 7:
        scenario.source.id = "tensors";
        break;
    case 8:
        scenario.source.id = "uniform";
        scenario.n = 5000;
        break;
    case 9:
        scenario.view.measure.id = "nosuch";
        break;
    case 10:
        scenario.view.curveLast = 1'000'000'000'000;
        break;
    case 11:
        scenario.source.id = "theory";
        scenario.view.curveLast = 1'000'000'000'001;
        break;
    case 12:
        scenario.view.curveFirst = 0;
        break;
    case 13:
        scenario.n = std::int64_t(1) << 22;
        scenario.d = 4096;
        break;  // 275 GB
    case 14:
        scenario.source.id = "theory";
        scenario.n = 1'000'000'000'001;
        break;
    }
    if (which == 13 &&
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE)) > 500e9)
        QSKIP("this machine can hold them");
    const Result<Analysis> result = analyse(scenario, {});
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains(says), result.error().message.c_str());
}

void TestNotesAndRefusals::tooLargeForMemoryIsAnError()
{
    rlimit before{};
    getrlimit(RLIMIT_AS, &before);
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlimit less{pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + (rlim_t(256) << 20),
                      before.rlim_max};  // 256 MB more than now
#ifdef ATTNSCOPE_SANITISED
    QSKIP("a sanitiser needs all of the address space, so it cannot be limited here");
#endif
    setrlimit(RLIMIT_AS, &less);
    Scenario scenario = small();
    scenario.n = std::int64_t(1) << 20;
    scenario.d = 128;  // 512 MB of keys
    const Result<Analysis> result = analyse(scenario, {});
    setrlimit(RLIMIT_AS, &before);
    QVERIFY(!result);
    QVERIFY2(QString::fromStdString(result.error().message).contains("not enough memory"),
             result.error().message.c_str());
}

/// Orders for which the measure is defined and its expectation is not computed; a measure without any expectation needs
/// no note.
void TestNotesAndRefusals::measuresWithoutExactCurveSaySo()
{
    const auto noteOf = [](const char* id, std::map<std::string, double, std::less<>> values) {
        Scenario scenario = small();
        scenario.view.measure = {id, std::move(values), {}};
        const Analysis analysis = analysed(scenario);
        QStringList notes;
        for (const std::string& note : analysis.notes)
            if (note.find("no exact curve") != std::string::npos)
                notes << QString::fromStdString(note);
        return std::pair(analysis.methods[0].exact.empty(), notes.join('|'));
    };
    QCOMPARE(noteOf("tsallis", {{"q", 0.1}}),
             std::pair(true, QStringLiteral("there is no exact curve: tsallis: q must be from 0.25 to 64, not 0.1")));
    QCOMPARE(noteOf("tsallis", {{"q", 3}}), std::pair(false, QString()));
    QCOMPARE(noteOf("mean_distance", {}), std::pair(true, QString()));
}

/// Wherever it stands: a formula that is being typed, a file that is not there. The others have the numbers that they
/// have without it.
void TestNotesAndRefusals::aMethodThatIsNotReadyTakesNoOtherAway()
{
    AnalysisCache cache;
    Scenario scenario = small();
    scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
    const Analysis without = analysed(scenario);
    for (const Choice& unready : {Choice{"custom", {}, "log(n)/lug(N"}, Choice{"network", {}, "/nowhere/lambda.json"}})
        for (std::size_t place = 0; place <= 2; ++place) {
            scenario.methods = {{"vanilla", {}, {}}, {"infoscale", {}, {}}};
            scenario.methods.insert(scenario.methods.begin() + static_cast<std::ptrdiff_t>(place), unready);
            QVERIFY(!analyse(scenario, {}, cache));
            const Result<Analysis> some = analyseWhatCan(scenario, {}, cache);
            QVERIFY(some && some->scenario.methods == scenario.methods && some->methods.size() == 3);
            const MethodAnalysis& absent = some->methods[place];
            QVERIFY(absent.method == unready && !absent.label.empty() && absent.map.values.empty());
            QVERIFY2(!absent.absent.empty() && absent.absent == bindScale(unready).error().message,
                     absent.absent.c_str());
            for (std::size_t m = 0, at = 0; m < 3; ++m)
                if (m != place) {
                    QCOMPARE(some->methods[m].method.id, without.methods[at].method.id);
                    QCOMPARE(some->methods[m].entropy.mean, without.methods[at].entropy.mean);
                    QCOMPARE(some->methods[m].exact.size(), without.methods[at++].exact.size());
                }
            QCOMPARE(firstPresent(*some)->method.id, std::string("vanilla"));
        }
    scenario.methods = {{"custom", {}, "n +"}};
    QVERIFY(!analyseWhatCan(scenario, {}, cache));
    scenario.methods.push_back({"vanilla", {}, {}});
    scenario.n = 0;  // not the formula alone
    const Result<Analysis> none = analyseWhatCan(scenario, {}, cache);
    QVERIFY(!none && QString::fromStdString(none.error().message).contains("n must be"));
}

void TestNotesAndRefusals::stops()
{
    Scenario scenario = small();
    scenario.n = 4096;
    std::stop_source stop;
    stop.request_stop();
    const Result<Analysis> result = analyse(scenario, stop.get_token());
    QVERIFY(!result);
    QVERIFY(result.error().kind == ErrorKind::Cancelled);
}

QTEST_APPLESS_MAIN(TestNotesAndRefusals)
#include "test_notes_and_refusals.moc"
