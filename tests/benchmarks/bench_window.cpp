// How the window feels. openWindow: from nothing but an application to the window painted (first) and to its first
// pictures painted (exact). stage: onto the stage and back, in time of the window's own thread. dragLength: from a
// change of one number to views that show it, painted. Every row drags the length n around a value, a step at a time,
// and reports the median and the 95th percentile of
//   first    the first picture of the new value (a sampled preview above 1 024 keys),
//   exact    the exact picture, where the hand rests on the value,
//   gui      the time that the window's own thread works for the first picture.
//
//   QT_QPA_PLATFORM=offscreen build/dev/bin/bench_window
#include "ui/window/main_window.h"
#include "ui/window/presentation.h"
#include "ui/widgets/theme.h"
#include "ui/window/window_app.h"
#include "ui/window/workspaces.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <vector>

using namespace attnscope;

namespace {

double threadMilliseconds()
{
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) * 1e-6;
}

double percentile(std::vector<double> values, double share)
{
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(share * double(values.size())))];
}

void waitFor(const std::function<bool()>& ready)
{
    while (!ready())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);  // with a time limit it would spin
}

/// Replots wait for the event loop, and paint events for them.
void paint()
{
    for (int turn = 0; turn < 3; ++turn)
        QCoreApplication::processEvents();
}

struct Step {
    double first = 0, exact = 0, gui = 0;  ///< milliseconds
};

Step moveTo(MainWindow& window, std::int64_t n, bool untilExact)
{
    QElapsedTimer timer;
    timer.start();
    const double before = threadMilliseconds();
    window.document().edit(QStringLiteral("Length n"), [n](Scenario& scenario) { scenario.n = n; });
    const auto shows = [&](bool exact) {
        const AnalysisPtr& now = window.analyser().current();
        return now && now->scenario.n == n && (!exact || now->sampledRows.empty());
    };
    waitFor([&] { return shows(false); });
    paint();
    Step step;
    step.gui = threadMilliseconds() - before;
    step.first = double(timer.nsecsElapsed()) * 1e-6;
    if (untilExact) {
        waitFor([&] { return shows(true); });
        paint();
        step.exact = double(timer.nsecsElapsed()) * 1e-6;
    }
    return step;
}

void openWindow(benchmark::State& state)
{
    auto& application = *qApp;
    std::vector<double> painted, pictures;
    for (auto _ : state) {
        application.setStyleSheet({});
        QElapsedTimer timer;
        timer.start();
        applyColours(application, ThemeChoice::Light);
        Workbench bench(firstScenario());
        MainWindow window(bench);
        applyTheme(application, ThemeChoice::Light);
        window.resize(1600, 1000);
        window.resetLayout();
        window.show();
        paint();
        painted.push_back(double(timer.nsecsElapsed()) * 1e-6);
        waitFor([&] { return window.analyser().current() && window.analyser().isSettled(); });
        paint();
        pictures.push_back(double(timer.nsecsElapsed()) * 1e-6);
        state.SetIterationTime(painted.back() * 1e-3);
    }
    state.counters["first_p50_ms"] = percentile(painted, 0.5);
    state.counters["exact_p50_ms"] = percentile(pictures, 0.5);
}

/// As it stands once its first pictures are exact.
void open(MainWindow& window)
{
    window.resize(1600, 1000);
    window.resetLayout();
    window.show();
    waitFor([&] { return window.analyser().current() && window.analyser().isSettled(); });
}

void dragLength(benchmark::State& state)
{
    const std::int64_t middle = state.range(0);
    const bool untilExact = state.range(1) != 0;
    Workbench bench(firstScenario());
    MainWindow window(bench);
    open(window);
    moveTo(window, middle, true);
    paint();

    std::vector<double> first, exact, gui;
    std::int64_t k = 0;
    for (auto _ : state) {
        ++k;
        const Step step =
            moveTo(window, middle + (k % 2 ? k : -k) * std::max<std::int64_t>(1, middle / 512), untilExact);
        first.push_back(step.first);
        exact.push_back(step.exact);
        gui.push_back(step.gui);
        state.SetIterationTime((untilExact ? step.exact : step.first) * 1e-3);
    }
    state.counters["first_p50_ms"] = percentile(first, 0.5);
    state.counters["first_p95_ms"] = percentile(first, 0.95);
    state.counters["gui_p50_ms"] = percentile(gui, 0.5);
    state.counters["gui_p95_ms"] = percentile(gui, 0.95);
    if (untilExact) {
        state.counters["exact_p50_ms"] = percentile(exact, 0.5);
        state.counters["exact_p95_ms"] = percentile(exact, 0.95);
    }
}

void stage(benchmark::State& state)
{
    Workbench bench(firstScenario());
    MainWindow window(bench);
    open(window);
    for (const auto& one : workspaces())  // each makes its page when it is first seen
        window.setWorkspace(QString::fromStdString(one.id));
    window.setWorkspace(QString::fromStdString(workspaces().front().id));
    paint();
    std::vector<double> enters, leaves;
    for (auto _ : state) {
        for (const bool on : {true, false}) {
            const double before = threadMilliseconds();
            window.presentation().setOn(on);
            paint();
            (on ? enters : leaves).push_back(threadMilliseconds() - before);
        }
        state.SetIterationTime((enters.back() + leaves.back()) * 1e-3);
    }
    state.counters["enter_gui_p50_ms"] = percentile(enters, 0.5);
    state.counters["leave_gui_p50_ms"] = percentile(leaves, 0.5);
}

}  // namespace

BENCHMARK(openWindow)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);
BENCHMARK(dragLength)
    ->ArgNames({"n", "exact"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(60)
    ->Args({256, 0})
    ->Args({1024, 0})
    ->Args({8192, 0});
BENCHMARK(dragLength)
    ->ArgNames({"n", "exact"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(15)
    ->Args({8192, 1});
BENCHMARK(dragLength)
    ->ArgNames({"n", "exact"})
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(25)
    ->Args({131072, 0});
BENCHMARK(stage)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(5);

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    QCoreApplication::setOrganizationName(QStringLiteral("attnscope-test"));
    applyTheme(application, ThemeChoice::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
