#include "core/analysis/analysis.h"

#include "core/analysis/curve_sample.h"
#include "core/analysis/mean_of_heads.h"
#include "core/analysis/method_notes.h"
#include "core/analysis/stages.h"
#include "core/attention/engines.h"
#include "core/base/thrown.h"
#include "core/scaling/scale_method.h"
#include "core/tensor/token_labels.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <new>

#include <unistd.h>

namespace attnscope {

namespace {

constexpr std::int64_t mostKeysInMemory = std::int64_t{1} << 22, mostKeysInTheory = 1'000'000'000'000;

tl::unexpected<Error> bad(std::string message) { return failure(ErrorKind::InvalidArgument, std::move(message)); }

/// Queries and keys that a machine cannot hold end the program, since memory is promised before it is there.
Result<void> checkMemory(const Scenario& scenario)
{
    if (scenario.ofTheory() || scenario.ofFile())
        return {};
    const double gigabyte = 1e9, have = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                                        static_cast<double>(::sysconf(_SC_PAGESIZE)) / gigabyte;
    const auto need = [&](std::int64_t n) {
        return 2 * 2 * 4 * static_cast<double>(n) * scenario.d / gigabyte;
    };  // float32 q and k, the source's and a head's
    const auto tooMuch = [&](const char* what, std::int64_t n) {
        return bad(fmt::format("{}{} with d = {} needs {} GB for queries and keys, more than half of this machine's {} "
                               "GB; choose a smaller one, or the source 'theory'",
                               what, n, scenario.d, formatNumber(need(n), 3), formatNumber(have, 3)));
    };
    if (need(scenario.n) > have / 2)
        return tooMuch("n = ", scenario.n);
    if (need(scenario.view.curveLast) > have / 2)
        return tooMuch("the curve's last length ", scenario.view.curveLast);
    return {};
}

Result<void> checkCurve(const Scenario& scenario)
{
    const View& view = scenario.view;
    const std::int64_t most = scenario.ofTheory() || scenario.ofFile() ? mostKeysInTheory : mostKeysInMemory;
    if (view.curveFirst < 1 || view.curveLast < 1)
        return bad(
            fmt::format("the curve's lengths must be at least 1, not {}", std::min(view.curveFirst, view.curveLast)));
    if (view.curveLast > most)
        return bad(fmt::format("the curve's last length must be at most {}, not {}{}", most, view.curveLast,
                               most == mostKeysInMemory ? "; choose the source 'theory', which goes to 1e12" : ""));
    if (view.curvePoints < 0 || view.curveRows < 1)
        return bad("a curve needs at least one row at each length");
    return {};
}

Result<void> check(const Scenario& scenario)
{
    const std::int64_t most = scenario.ofTheory() ? mostKeysInTheory : mostKeysInMemory;
    if (scenario.n < 1)
        return bad(fmt::format("n must be at least 1, not {}", scenario.n));
    if (scenario.n > most)
        return bad(fmt::format(
            "n must be at most {}, not {}{}", most, scenario.n,
            most == mostKeysInMemory
                ? ": it is too long for queries and keys in memory; choose the source 'theory', which goes to 1e12"
                : ""));
    if (scenario.d < 1 || scenario.d > largestHeadSize)
        return bad(fmt::format("d must be from 1 to {}, not {}", largestHeadSize, scenario.d));
    if (!(scenario.temperature > 0) || !std::isfinite(scenario.temperature))
        return bad("the temperature must be above 0");
    if (!(scenario.nTrain >= 1) || !(scenario.nTrain <= 1e12))
        return bad("N must be from 1 to 1e12");
    if (scenario.methods.empty())
        return bad("no scale method is ticked; tick one");
    return checkCurve(scenario).and_then([&] { return checkMemory(scenario); });
}

/// Heads that there are, in order; a mean of one is that head.
void settleHeads(TensorSelection& tensors, int count)
{
    std::erase_if(tensors.mean, [&](int head) { return head < 0 || head >= count; });
    std::sort(tensors.mean.begin(), tensors.mean.end());
    tensors.mean.erase(std::unique(tensors.mean.begin(), tensors.mean.end()), tensors.mean.end());
    if (tensors.mean.size() == 1)
        tensors.head = tensors.mean.front();
    if (tensors.mean.size() < 2)
        tensors.mean.clear();
    tensors.head = std::clamp(tensors.head, 0, count - 1);
}

std::int64_t queriesAt(const Source& source, const Scenario& scenario)
{
    return queriesWithin(source.heads.queryCount(), source.heads.keyCount(), scenario.attention.mask, scenario.n);
}

/// n, the region and the chosen row as they can be had.
void settle(Scenario& scenario, const Source& source)
{
    if (source.heads.headCount() == 0)
        return;
    scenario.n = scenario.ofFile() ? source.heads.keyCount() : std::min(scenario.n, source.heads.keyCount());
    if (source.heads.kind == HeadSet::Kind::QueryKey)
        scenario.d = source.heads.headSize();
    const std::int64_t queries = queriesAt(source, scenario);
    Region& region = scenario.view.region;
    if (region == Region{})
        region = {0, queries, 0, scenario.n};
    const auto clip = [](std::int64_t& begin, std::int64_t& end, std::int64_t extent) {
        begin = std::clamp<std::int64_t>(begin, 0, extent - 1);
        end = std::clamp<std::int64_t>(end, begin + 1, extent);
    };
    clip(region.rowBegin, region.rowEnd, queries);
    clip(region.columnBegin, region.columnEnd, scenario.n);
    scenario.view.pixels = std::clamp(scenario.view.pixels, 1, 4096);
    scenario.view.row = scenario.view.row < 0 ? queries - 1 : std::min(scenario.view.row, queries - 1);
    settleHeads(scenario.tensors, source.heads.headCount());
}

Curve curveOf(const Scenario& scenario, const MethodCurves& curves, const BoundMeasure& measure)
{
    Curve curve;
    for (size_t l = 0; l < curves.lengths.size(); ++l)
        if (const RowMean mean = finiteMean(curves.rows[l], measure); mean.count > 0)
            curve.push_back(pointOf(curves.lengths[l], mean, looksAtSomeRows(scenario, curves.lengths[l])));
    return curve;
}

MeanCurves meansOf(const Scenario& scenario, const MethodCurves& curves, const BoundMeasure& measure)
{
    const auto bound = [](const char* id, std::map<std::string, double, std::less<>> values) {
        return *bindMeasure({id, std::move(values), {}});
    };
    const auto against = [&](const BoundMeasure& value) { return curveOf(scenario, curves, value); };
    return {.measured = against(measure),
            .largest = against(bound("max_weight", {})),
            .top4 = against(bound("top_mass", {{"k", 4}})),
            .top16 = against(bound("top_mass", {{"k", 16}})),
            .needle = curves.needle,
            .entropy = against(bound("shannon", {}))};
}

/// What is known before anything is computed.
Analysis begin(const Stage& stage, const Source& source)
{
    Analysis analysis;
    analysis.scenario = stage.scenario;
    analysis.queryCount = queriesAt(source, stage.scenario);
    analysis.keyCount = std::min(stage.scenario.n, source.heads.keyCount());
    analysis.headCount = std::max(1, source.heads.headCount());
    analysis.tokens = source.heads.tokens;
    analysis.queryTokens = !source.heads.queryTokens.empty() ? source.heads.queryTokens
                           : analysis.queryCount == analysis.keyCount || !looksAhead(stage.scenario.attention.mask)
                               ? lastLabels(analysis.tokens, analysis.queryCount)
                               : std::vector<std::string>();
    analysis.needleKey = source.needleKey < analysis.keyCount ? source.needleKey : -1;
    analysis.theory = source.density ? source.density->label : "";
    analysis.notes = source.notes;
    const Scenario& scenario = analysis.scenario;
    const std::optional<Choice> law =
        source.density && !scenario.ofFile() ? std::optional(source.density->choice) : std::nullopt;
    for (std::string& note : methodNotes(
             scenario.attention, scenario.methods, source.heads.headCount() > 0 ? analysis.keyCount : scenario.n,
             law ? describeChoice(logitDensities(), *law) : describeChoice(sourceEntries(), scenario.source), law))
        analysis.notes.push_back(std::move(note));
    analysis.engine = stage.engine.id;
    analysis.methods.resize(stage.scenario.methods.size());
    for (size_t m = 0; m < analysis.methods.size(); ++m)
        describe(analysis.methods[m], stage.scenario, stage.scenario.methods[m], nullptr);
    return analysis;
}

/// Of rows of many tokens a curve looks at some; at n the picture has the mean over all that count.
void putAtN(Curve& curve, double n, const RowMean& mean)
{
    if (mean.count == 0 || curve.empty() || n < curve.front().n || n > curve.back().n)
        return;
    const auto at = std::ranges::lower_bound(curve, n, {}, &CurvePoint::n);
    const CurvePoint point = pointOf(n, mean);
    if (at->n == n)
        *at = point;
    else
        curve.insert(at, point);
}

/// Curves of every method, over the rows of all heads that are looked at. A preview has those that are known: a curve
/// does not depend on n.
Result<void> addCurves(const Stage& stage, Analysis& analysis)
{
    const std::vector<Choice>& methods = stage.scenario.methods;
    std::vector<std::vector<Shared<MethodCurves>>> byMethod(methods.size());
    std::vector<MeansKey> keys(methods.size(), MeansKey{{}, stage.scenario.view.measure});
    for (const int head : headsOf(stage.scenario.tensors)) {
        Stage ofHead = stage;  // the theory beside reads the stage
        ofHead.scenario.tensors.head = head;
        if (stage.scenario.view.preview && !knowsCurves(ofHead)) {
            analysis.curvesCome = true;
            return {};
        }
        const auto curves = TRY(curveStage(ofHead));
        for (size_t m = 0; m < methods.size(); ++m) {
            byMethod[m].push_back(curves[m]);
            keys[m].heads.push_back(curveKey(ofHead.scenario, methods[m]));
        }
    }
    for (size_t m = 0; m < methods.size(); ++m) {
        const auto& heads = byMethod[m];
        const auto means = TRY(stage.cache.meanCurves.get(keys[m], [&]() -> Result<MeanCurves> {
            return meansOf(stage.scenario, heads.size() == 1 ? *heads.front() : joinedCurves(heads), stage.measure);
        }));
        MethodAnalysis& method = analysis.methods[m];
        method.measured = means->measured;
        method.largest = means->largest;
        method.top4 = means->top4;
        method.top16 = means->top16;
        method.needle = means->needle;
        Curve entropy = means->entropy;
        if (!stage.scenario.view.preview) {
            const double n = static_cast<double>(stage.scenario.n);
            putAtN(method.measured, n, method.measure);
            putAtN(method.largest, n, method.largestWeight);
            putAtN(method.top4, n, method.top4Mass);
            putAtN(entropy, n, method.entropy);
        }
        if (method.entropyAtTrained)
            method.keeps = reachOf(entropy, stage.scenario.nTrain, *method.entropyAtTrained, keptShare);
    }
    return {};
}

void addTheory(Analysis& analysis, const Theory& theory)
{
    analysis.theoryComes = false;
    analysis.theory = theory.law;
    analysis.theoryLacks = theory.lacks;
    analysis.theoryKeepsEntropy = theory.keepsEntropy;
    if (!theory.note.empty())
        analysis.notes.push_back(theory.note);
    for (size_t m = 0; m < theory.methods.size(); ++m) {
        MethodAnalysis& method = analysis.methods[m];
        method.exact = theory.methods[m]->measure;
        method.exactNeedle = theory.methods[m]->needle;
        const Curve& entropy = theory.methods[m]->entropy;  // no chart's measure has a say
        if (!analysis.scenario.ofFile() && theory.entropyAtTrained && !entropy.empty())
            method.keeps = reachOf(entropy, analysis.scenario.nTrain, *theory.entropyAtTrained, keptShare);
    }
    for (size_t m = 0; m < theory.expected.size(); ++m)
        analysis.methods[m].expected = theory.expected[m];
    if (theory.methods.empty())
        return;
    analysis.approximations = theory.methods.front()->approximations;
    analysis.exactSphere = theory.methods.front()->sphere;
}

Result<Analysis> analyseInMemory(const Scenario& asked, std::stop_token stop, AnalysisCache& cache,
                                 const std::function<void(double)>& progress,
                                 const std::function<void(const Analysis&)>& early)
{
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    const auto sinceStart = [start] { return std::chrono::duration<double, std::milli>(Clock::now() - start).count(); };
    TRY(check(asked));
    const Engine* engine = TRY(chooseEngine(asked.engine));
    const BoundMeasure measure = TRY(bindMeasure(asked.view.measure));

    cache.forgetChangedFiles(asked);
    Stage stage{
        .scenario = asked, .stop = stop, .cache = cache, .engine = *engine, .measure = measure, .progress = progress};
    const auto source = TRY(sourceStage(stage));
    settle(stage.scenario, *source);
    stage.scenario.attention = trainedAt(std::move(stage.scenario.attention), stage.scenario.nTrain);

    std::future<Result<Theory>> theory =
        std::async(std::launch::async, [&stage, &source] { return theoryStage(stage, *source); });
    Analysis analysis = begin(stage, *source);
    if (source->heads.headCount() > 0)
        TRY(addPictures(stage, analysis, source));
    TRY(addCurves(stage, analysis));
    analysis.theoryComes = !analysis.theory.empty();
    analysis.milliseconds = sinceStart();
    if (early && analysis.keyCount > 0 && !stage.stopped() &&
        theory.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
        early(analysis);
    addTheory(analysis, TRY(theory.get()));
    if (stage.stopped())
        return stopped();
    analysis.milliseconds = sinceStart();
    return analysis;
}

}  // namespace

Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop)
{
    AnalysisCache cache;
    return analyse(scenario, stop, cache);
}

Result<Analysis> analyse(const Scenario& scenario, std::stop_token stop, AnalysisCache& cache,
                         const std::function<void(double)>& progress, const std::function<void(const Analysis&)>& early)
try {
    return analyseInMemory(scenario, stop, cache, progress, early);
} catch (const std::bad_alloc&) {
    cache.clear();
    return failure(ErrorKind::Unavailable,
                   "there is not enough memory for n = {} and d = {}; choose a smaller n, or the source 'theory'",
                   scenario.n, scenario.d);
} catch (const std::exception&) {  // a thread that cannot be started
    return tl::unexpected<Error>(thrownError());
}

Result<Analysis> analyseWhatCan(const Scenario& scenario, std::stop_token stop, AnalysisCache& cache,
                                const std::function<void(double)>& progress,
                                const std::function<void(const Analysis&)>& early)
{
    auto all = analyse(scenario, stop, cache, progress, early);
    if (all || all.error().kind == ErrorKind::Cancelled)
        return all;
    Scenario ready = scenario;
    std::vector<std::string> faults;  // of each method; empty: it has none
    for (const Choice& method : scenario.methods) {
        const auto bound = bindScale(method);
        faults.push_back(bound ? std::string() : bound.error().message);
    }
    std::erase_if(ready.methods, [](const Choice& method) { return !bindScale(method); });
    if (ready.methods.empty() || ready.methods.size() == scenario.methods.size())
        return all;
    const auto withFaults = [&](Analysis analysis) {
        for (std::size_t m = 0; m < faults.size(); ++m) {
            if (faults[m].empty())
                continue;
            const auto place = static_cast<std::ptrdiff_t>(m);
            MethodAnalysis& absent = *analysis.methods.emplace(analysis.methods.begin() + place);
            absent.method = scenario.methods[m];
            absent.label = describeChoice(scaleMethods(), absent.method);
            absent.absent = faults[m];
        }
        analysis.scenario.methods = scenario.methods;
        return analysis;
    };
    const std::function<void(const Analysis&)> earlyWithFaults = [&](const Analysis& some) { early(withFaults(some)); };
    return analyse(ready, stop, cache, progress, early ? earlyWithFaults : nullptr).map(withFaults);
}

const MethodAnalysis* firstPresent(const Analysis& analysis)
{
    const auto found =
        std::ranges::find_if(analysis.methods, [](const MethodAnalysis& of) { return of.absent.empty(); });
    return found == analysis.methods.end() ? nullptr : &*found;
}

}  // namespace attnscope
