#include "core/tuning/tuning.h"

#include "core/base/text.h"
#include "core/tuning/head_look.h"
#include "core/tuning/search.h"
#include "core/tuning/verdict.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

Result<void> check(const TuneProblem& problem, const TuneRequest& request, const TunedAt& at)
{
    if (at.n < 2)
        return failure(ErrorKind::InvalidArgument, "n must be at least 2");
    if (problem.fitting.empty() || problem.verdict.size() < 2)
        return failure(ErrorKind::InvalidArgument,
                       "a search needs a window to fit on and two for the verdict; give a longer text, or a smaller n");
    if (request.rules.empty())
        return failure(ErrorKind::InvalidArgument, "a search needs a rule; constant is one");
    std::string ofSequence;  // the rule that was asked for
    for (const std::string& id : request.rules) {
        const ScaleRule* rule = TRY(findRow(scaleRules(), id, "rule"));
        const std::int64_t keys = rule->byRow ? at.mostKeys() : at.n;
        if (rule->ofRatio && static_cast<double>(keys) <= at.trainLength)
            return failure(ErrorKind::InvalidArgument, "the rule {} changes nothing up to N = {}; {} above it, not {}",
                           id, formatNumber(at.trainLength), keys < at.n ? "keys that a row sees must be" : "n must be",
                           keys);
        if (!rule->byRow && !ofSequence.empty() && ofSequence != id)
            return failure(ErrorKind::InvalidArgument,
                           "{} and {} are the same multiplier at n, so that no search tells which is better; name one "
                           "of them",
                           ofSequence, id);
        if (!rule->byRow)
            ofSequence = id;
    }
    if (request.over == TuneOver::Both && request.rules.size() > 1)
        return failure(ErrorKind::InvalidArgument, "over both there is one rule, not {}", request.rules.size());
    if (!request.schemes.empty() && !searchesPositions(request.over))
        return failure(ErrorKind::InvalidArgument,
                       "schemes of positions are searched over positions or both, not over {}",
                       tuneOverWords[static_cast<std::size_t>(request.over)]);
    const std::vector<std::string> schemes = tunedSchemes();
    for (const std::string& id : request.schemes)
        if (std::ranges::find(schemes, id) == schemes.end())
            return failure(ErrorKind::UnknownName, "positions that can be searched are {}, not '{}'",
                           joined(schemes, ", "), id);
    if (searchesPositions(request.over) && !turns(problem.architecture))
        return failure(ErrorKind::InvalidArgument,
                       "this model's positions do not turn its queries and keys, so that none of {} means anything to "
                       "it; search over scale, layers or heads",
                       joined(schemes, ", "));
    return {};
}

/// The verdict's runs of every window: three settings at n and at two shorter lengths.
constexpr std::size_t mostJudged = 9;

Result<Setting> searched(Search& search, const Setting& asItIs, TuneReport& report)
{
    const TuneOver over = search.request().over;
    switch (over) {
    case TuneOver::Scale:
        return searchScale(search, asItIs);
    case TuneOver::Positions:
        return searchPositions(search, asItIs);
    case TuneOver::Both:
        return searchBoth(search, asItIs, report.surface);
    case TuneOver::Layers:
    case TuneOver::Heads:
        break;
    }
    const Setting scaled = TRY(searchScale(search, asItIs));
    return searchFactors(search, scaled, over == TuneOver::Layers, report);
}

/// The best of the published ones that were run on all windows; the model as it is where there is none.
TriedSetting publishedSoFar(const Search& search, const Setting& asItIs)
{
    TriedSetting best{.setting = asItIs, .loss = withoutValue};
    for (const TriedSetting& one : search.tried())
        if (!one.published.empty() && one.windows == search.all() && one.loss < best.loss)
            best = one;
    return best;
}

/// Everything on the fitting windows. Once time is up, what was found so far stays.
Result<void> fit(Search& search, Losses& losses, const Setting& asItIs, TuneReport& report)
{
    const auto unlessOutOfTime = [&](const auto& result) -> Result<void> {
        if (!result && !losses.outOfTime())
            return tl::unexpected(result.error());
        return {};
    };
    const auto published = bestPublished(search);
    TRY(unlessOutOfTime(published));
    report.published = published ? *published : publishedSoFar(search, asItIs);
    if (!losses.outOfTime())
        TRY(unlessOutOfTime(searched(search, asItIs, report)));
    report.outOfTime = losses.outOfTime();
    if (search.request().gradients && report.heads.empty() && !losses.outOfTime())
        TRY(unlessOutOfTime(gradientsOf(search, asItIs, false, report)));
    report.tuned = search.best();
    report.atEdge = search.isAtEdge(report.tuned);
    return {};
}

}  // namespace

std::size_t windowsOfSearch(const TuneRequest& request, std::size_t fitting, std::size_t verdict)
{
    const std::size_t all = fitting, few = Search::few(all);
    const std::size_t line = 7 * few + 9 * all, published = 16 * few + 2 * (16 * few + all);
    const bool positionsToo = searchesPositions(request.over);
    return published * (positionsToo ? 2 : 1) + line * request.rules.size() +
           (positionsToo ? 3 * 25 * few + 2 * line : 0) + (request.over == TuneOver::Both ? 25 * few + 4 * line : 0) +
           mostJudged * verdict;
}

Result<TuneReport> tune(const TuneProblem& problem, const TuneRequest& request, const TuneWatch& watch)
{
    const double trainLength =
        request.trainLength > 0 ? request.trainLength : static_cast<double>(problem.architecture.trainLength);
    TuneReport report{.at = tunedAt(problem.architecture, request.n, trainLength),
                      .tuned = {},
                      .published = {},
                      .tried = {},
                      .comparisons = {},
                      .places = {},
                      .theory = {},
                      .heads = {},
                      .gainAndMeasured = {},
                      .gainAndDispersal = {},
                      .fitting = problem.fitting.size(),
                      .verdict = problem.verdict.size(),
                      .answer = {}};
    TRY(check(problem, request, report.at));
    const Setting asItIs = untuned(request.trainLength);
    Losses losses(problem, watch);
    Search search(problem, request, watch, losses, report.at);
    search.say("the model as it is");
    search.expect(windowsOfSearch(request, search.all(), problem.verdict.size()));
    if (!std::isfinite(TRY(search.loss(asItIs, search.all()))))
        return failure(
            ErrorKind::Undefined,
            "the model as it is has no value at n = {}; if that is of a file of an earlier search, start anew "
            "without it",
            request.n);
    losses.allow(request.budget, static_cast<double>(mostJudged * problem.verdict.size()));
    TRY(fit(search, losses, asItIs, report));
    losses.allow(0, 0);
    report.tried = search.tried();
    search.say("the verdict");
    TRY(judge(problem, losses, asItIs, report));
    const std::optional<HeadLook> look = TRY(losses.heads());
    report.theory = theoryAt(report.at, problem.architecture.headSize, look);
    addHeads(look, report);
    report.answer = answerOf(report);
    return report;
}

}  // namespace attnscope
