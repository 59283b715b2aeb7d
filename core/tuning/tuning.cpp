#include "core/tuning/tuning.h"

#include "core/base/text.h"
#include "core/tuning/head_look.h"
#include "core/tuning/search.h"
#include "core/tuning/verdict.h"

#include <algorithm>

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
    for (const std::string& id : request.rules)
        if (const ScaleRule* rule = TRY(findRow(scaleRules(), id, "rule"));
            rule->ofRatio && static_cast<double>(at.n) <= at.trainLength)
            return failure(ErrorKind::InvalidArgument,
                           "the rule {} changes nothing up to N = {}; n must be above it, not {}", id,
                           formatNumber(at.trainLength), at.n);
    const std::vector<std::string> schemes = tunedSchemes();
    for (const std::string& id : request.schemes)
        if (std::ranges::find(schemes, id) == schemes.end())
            return failure(ErrorKind::UnknownName, "positions that can be searched are {}, not '{}'",
                           joined(schemes, ", "), id);
    if ((request.over == TuneOver::Positions || request.over == TuneOver::Both) && !turns(problem.architecture))
        return failure(ErrorKind::InvalidArgument,
                       "this model's positions do not turn its queries and keys, so that none of {} means anything to "
                       "it; search over scale, layers or heads",
                       joined(schemes, ", "));
    return {};
}

/// The verdict's runs of every window: three settings at n, two of them at two shorter lengths.
constexpr std::size_t mostJudged = 7;

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

/// Everything on the fitting windows. Once time is up, what was found so far stays.
Result<void> fit(Search& search, Losses& losses, const Setting& asItIs, TuneReport& report)
{
    const auto unlessOutOfTime = [&](const auto& result) -> Result<void> {
        if (!result && !losses.outOfTime())
            return tl::unexpected(result.error());
        return {};
    };
    report.published = {.setting = asItIs};
    const auto published = bestPublished(search);
    TRY(unlessOutOfTime(published));
    if (published)
        report.published = *published;
    if (!losses.outOfTime())
        TRY(unlessOutOfTime(searched(search, asItIs, report)));
    if (search.request().gradients && report.heads.empty() && !losses.outOfTime())
        TRY(unlessOutOfTime(gradientsOf(search, asItIs, false, report)));
    report.tuned = search.best();
    report.atEdge = search.isAtEdge(report.tuned);
    report.outOfTime = losses.outOfTime();
    return {};
}

}  // namespace

std::size_t windowsOfSearch(const TuneRequest& request, std::size_t fitting, std::size_t verdict)
{
    const std::size_t all = fitting, few = Search::few(all);
    const std::size_t line = 7 * few + 9 * all, published = 16 * few + 2 * (16 * few + all);
    const bool positionsToo = request.over == TuneOver::Positions || request.over == TuneOver::Both;
    return published * (positionsToo ? 2 : 1) + line * request.rules.size() +
           (positionsToo ? 3 * 25 * few + 2 * line : 0) + (request.over == TuneOver::Both ? 25 * few + 4 * line : 0) +
           mostJudged * verdict;
}

Result<TuneReport> tune(const TuneProblem& problem, const TuneRequest& request, const TuneWatch& watch)
{
    const double trainLength =
        request.trainLength > 0 ? request.trainLength : static_cast<double>(problem.architecture.trainLength);
    TuneReport report{.at = {request.n, trainLength},
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
    TRY(search.loss(asItIs, search.all()));
    losses.allow(request.budget, static_cast<double>(mostJudged * problem.verdict.size()));
    TRY(fit(search, losses, asItIs, report));
    losses.allow(0, 0);
    report.tried = search.tried();
    search.say("the verdict");
    TRY(judge(problem, losses, asItIs, report));
    std::optional<HeadLook> look;
    if (problem.heads)
        look = TRY(problem.heads());
    report.theory = theoryAt(report.at, problem.architecture.headSize, look);
    addHeads(look, report);
    report.answer = answerOf(report);
    return report;
}

}  // namespace attnscope
