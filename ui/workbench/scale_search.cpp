#include "ui/workbench/scale_search.h"

#include "core/model/generated_text.h"
#include "core/model/study.h"
#include "core/tuning/head_look.h"
#include "ui/job/pace.h"

#include <algorithm>
#include <chrono>

namespace attnscope {

namespace {

constexpr std::chrono::milliseconds betweenNews{50};  // a window of a small model takes less than a frame

ScaleNews failed(const Error& error)
{
    ScaleNews news;
    news.error = QString::fromStdString(error.message);
    return news;
}

}  // namespace

const LossTable& KnownLosses::of(const std::shared_ptr<const Model>& model, const std::string& search)
{
    if (m_model.lock() != model || m_search != search)
        m_table.clear();
    m_model = model;
    m_search = search;
    return m_table;
}

Result<std::vector<int>> tokensOf(const ScaleKey& key)
{
    if (key.ids)
        return *key.ids;
    return madeTokens(*key.model, key.made, (key.request.n + 1) * (key.windows.fitting + key.windows.verdict));
}

std::optional<ScaleNews> searched(const ScaleKey& key, KnownLosses& known, const std::stop_token& stop,
                                  const std::function<void(ScaleNews)>& publish)
{
    const Architecture& architecture = key.model->architecture;
    const auto ids = tokensOf(key);
    if (!ids)
        return failed(ids.error());
    const auto problem = problemOf(*key.model, *ids, key.request, key.windows, stop);
    if (!problem)
        return failed(problem.error());

    ScaleNews news;
    news.theory = theoryAt({key.request.n, static_cast<double>(architecture.trainLength)}, architecture.headSize, {});
    TuneWatch watch{.known = known.of(key.model, searchOf(*key.model, *ids, key.request, key.windows)), .stop = stop};
    watch.onLoss = [&](const std::string& window, const WindowLoss& loss) { known.add(window, loss); };
    RunningPace pace;
    auto told = std::chrono::steady_clock::now() - betweenNews;
    watch.progress = [&](const TuneProgress& progress) {
        const auto now = std::chrono::steady_clock::now();
        if (now - told < betweenNews)
            return;
        told = now;
        news.tried.assign(progress.tried.begin(), progress.tried.end());
        news.fraction = progress.fraction;
        news.gain = progress.asItIs - progress.best;
        news.stage = QString::fromStdString(progress.stage);
        news.left = pace.left(progress.fraction);
        news.best = QString::fromStdString(progress.setting);
        publish(news);
    };
    auto report = tune(*problem, key.request, watch);
    if (stop.stop_requested())
        return {};
    if (!report)
        return failed(report.error());
    news.tried = report->tried;
    news.theory = report->theory;
    news.fraction = 1;
    news.exports = exportsOf(*key.model, *problem, *report);
    news.report = std::make_shared<const TuneReport>(std::move(*report));
    return stop.stop_requested() ? std::nullopt : std::optional(std::move(news));
}

std::int64_t usualTuneLength(std::int64_t shown, std::int64_t trainLength, std::int64_t tokens)
{
    if (shown > trainLength)
        return shown;
    const std::int64_t wished = 4 * std::max<std::int64_t>(trainLength, 2);
    return tokens > 0 ? std::max<std::int64_t>(2, std::min(wished, tokens / 3 - 1)) : wished;
}

}  // namespace attnscope
