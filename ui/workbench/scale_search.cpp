#include "ui/workbench/scale_search.h"

#include "core/model/generated_text.h"
#include "core/model/study.h"
#include "core/tuning/head_look.h"
#include "ui/job/pace.h"

#include <algorithm>

namespace attnscope {

Result<std::vector<int>> tokensOf(const ScaleKey& key)
{
    if (key.ids)
        return *key.ids;
    return madeTokens(*key.model, key.made, (key.request.n + 1) * (key.windows.fitting + key.windows.verdict));
}

namespace {

/// A window that is known is not run, whoever asks; `runs`: others are.
void rememberLosses(TuneProblem& problem, KnownLosses& known, bool runs)
{
    const auto notKnown = [] { return failure(ErrorKind::Cancelled, "nothing is run"); };
    problem.loss = [&known, runs, notKnown, run = std::move(problem.loss)](const Policy& policy, std::int64_t length,
                                                                           std::int64_t start) -> Result<WindowLoss> {
        const std::string key = lossKey(length, start, keyOf(policy));
        if (const WindowLoss* loss = known.find(key); loss && !loss->undefined)
            return *loss;
        if (!runs)
            return notKnown();
        auto loss = run(policy, length, start);
        if (loss)
            known.add(key, *loss);
        return loss;
    };
    if (runs)
        return;
    problem.heads = [notKnown]() -> Result<HeadLook> { return notKnown(); };
    if (problem.slopes)
        problem.slopes = [notKnown](const Policy&, std::int64_t, std::int64_t) -> Result<WindowLoss> {
            return notKnown();
        };
}

void take(const TuneProgress& progress, ScaleNews& news)
{
    news.tried.assign(progress.tried.begin(), progress.tried.end());
    news.fraction = progress.fraction;
    news.gain = progress.asItIs - progress.best;
    news.stage = QString::fromStdString(progress.stage);
    news.best = QString::fromStdString(progress.setting);
}

/// The report with what others are told of it.
void finish(const ScaleKey& key, const TuneProblem& problem, TuneReport report, ScaleNews& news)
{
    news.tried = report.tried;
    news.theory = report.theory;
    news.fraction = 1;
    news.exports = exportsOf(*key.model, problem, report);
    news.report = std::make_shared<const TuneReport>(std::move(report));
}

ScaleNews begun(const ScaleKey& key)
{
    const Architecture& architecture = key.model->architecture;
    ScaleNews news;
    news.theory = theoryAt({key.request.n, static_cast<double>(architecture.trainLength)}, architecture.headSize, {});
    return news;
}

}  // namespace

std::optional<ScaleNews> searched(const ScaleKey& key, KnownLosses& known, const std::stop_token& stop,
                                  const std::function<void(ScaleNews)>& publish)
{
    const auto ids = tokensOf(key);
    if (!ids)
        return failedWith<ScaleNews>(ids.error());
    auto problem = problemOf(*key.model, *ids, key.request, key.windows, stop);
    if (!problem)
        return failedWith<ScaleNews>(problem.error());
    TuneWatch watch{.known = known.of(key.model, *ids, key.request, key.windows, key.files), .stop = stop};
    rememberLosses(*problem, known, true);
    watch.onLoss = [&](const std::string& window, const WindowLoss& loss) { known.add(window, loss); };
    ScaleNews news = begun(key);
    RunningPace pace;
    watch.progress = [&](const TuneProgress& progress) {
        if (!pace.hasNews())
            return;
        take(progress, news);
        news.left = pace.left(progress.fraction);
        publish(news);
    };
    auto report = tune(*problem, key.request, watch);
    if (report)
        finish(key, *problem, std::move(*report), news);
    known.write();
    if (stop.stop_requested())
        return {};
    return report ? std::move(news) : failedWith<ScaleNews>(report.error());
}

std::optional<ScaleNews> recalled(const ScaleKey& key, KnownLosses& known, const std::stop_token& stop)
{
    if (!known.keepsAny())
        return {};
    const auto ids = tokensOf(key);
    if (!ids || stop.stop_requested())
        return {};
    TuneWatch watch{.known = known.of(key.model, *ids, key.request, key.windows, key.files), .stop = stop};
    if (known.isEmpty())
        return {};
    auto problem = problemOf(*key.model, *ids, key.request, key.windows, stop);
    if (!problem)
        return {};
    rememberLosses(*problem, known, false);
    ScaleNews news = begun(key);
    watch.progress = [&](const TuneProgress& progress) { take(progress, news); };
    auto report = tune(*problem, key.request, watch);
    if (report)
        finish(key, *problem, std::move(*report), news);
    return stop.stop_requested() || news.tried.empty() ? std::nullopt : std::optional(std::move(news));
}

std::int64_t usualTuneLength(std::int64_t shown, std::int64_t trainLength, std::int64_t tokens,
                             std::int64_t learnedPositions)
{
    if (shown > trainLength)
        return shown;
    std::int64_t wished = 4 * std::max<std::int64_t>(trainLength, 2);
    if (learnedPositions > 0)
        wished = std::min(wished, learnedPositions);
    return tokens > 0 ? std::max<std::int64_t>(2, std::min(wished, tokens / 3 - 1)) : wished;
}

}  // namespace attnscope
