#include "core/tuning/verdict.h"

#include "core/base/each.h"
#include "core/base/measured_text.h"
#include "core/base/text.h"
#include "core/model/evaluation.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

double meanOf(const std::vector<WindowLoss>& windows) { return sampleMean(each(windows, &WindowLoss::loss)).mean; }

Comparison compare(std::string_view what, std::string_view against, std::int64_t n,
                   const std::vector<WindowLoss>& windows, const std::vector<WindowLoss>& others)
{
    const std::vector<double> one = each(windows, &WindowLoss::loss), other = each(others, &WindowLoss::loss);
    std::vector<double> differences;
    for (std::size_t w = 0; w < one.size(); ++w)
        differences.push_back(one[w] - other[w]);
    Comparison comparison{.what = std::string(what),
                          .against = std::string(against),
                          .n = n,
                          .difference = sampleMean(differences),
                          .p = pairedTTest(one, other),
                          .holm = {}};
    const double half = halfInterval(comparison.difference).value_or(std::nan(""));
    comparison.low = comparison.difference.mean - half;
    comparison.high = comparison.difference.mean + half;
    return comparison;
}

/// Holm 1979, over all comparisons that are tests.
void adjust(std::vector<Comparison>& comparisons)
{
    std::vector<double> p;
    for (const Comparison& comparison : comparisons)
        if (comparison.p)
            p.push_back(*comparison.p);
    const std::vector<double> adjusted = holm(p);
    std::size_t next = 0;
    for (Comparison& comparison : comparisons)
        if (comparison.p)
            comparison.holm = adjusted[next++];
}

bool isLower(const Comparison* comparison)
{
    return comparison && comparison->holm && *comparison->holm < verdictLevel && comparison->difference.mean < 0;
}
bool isHigher(const Comparison* comparison)
{
    return comparison && comparison->holm && *comparison->holm < verdictLevel && comparison->difference.mean > 0;
}

/// By the tests of all comparisons that were made.
void decide(TuneReport& report)
{
    adjust(report.comparisons);
    const auto at = [&](std::string_view what, std::string_view against) {
        return findComparison(report, what, against, report.at.n);
    };
    const bool tunedHelps = isLower(at(comparedTuned, comparedAsItIs)),
               publishedHelps = isLower(at(comparedPublished, comparedAsItIs));
    report.helps = !report.worseThanChance && (tunedHelps || publishedHelps);
    report.tunedIsBest =
        report.helps && tunedHelps && !(publishedHelps && isHigher(at(comparedTuned, comparedPublished)));
}

/// Places of windows: the mean over windows of tuned less as it is.
std::vector<PlaceGain> gainsByPlace(std::int64_t n, double trainLength, const std::vector<WindowLoss>& tuned,
                                    const std::vector<WindowLoss>& asItIs)
{
    std::vector<PlaceGain> all;
    std::int64_t first = 0;
    const std::vector<std::int64_t> ends = placeRanges(n, trainLength);
    for (std::size_t range = 0; range < ends.size(); ++range) {
        std::vector<double> differences;
        for (std::size_t w = 0; w < tuned.size(); ++w)
            if (range < tuned[w].places.size() && range < asItIs[w].places.size())
                if (const double difference = tuned[w].places[range] - asItIs[w].places[range];
                    std::isfinite(difference))
                    differences.push_back(difference);
        if (!differences.empty())
            all.push_back({first, ends[range] - 1, sampleMean(differences)});
        first = ends[range];
    }
    return all;
}

std::string nats(double value) { return formatNumber(std::abs(value), 3); }

/// With a minus that is one: "−0.042".
std::string withMinus(double value) { return (value < 0 ? "\u2212" : "") + nats(value); }

/// "0.042 nats (95 % interval of the change: −0.053 to −0.031, Holm's p = 0.0003)": the size of the difference, and
/// its interval as in tables, where a loss that gets lower changes by less than 0. The interval is of this difference
/// alone, the p of all that were tested: where the first leaves 0 out and the second is not small, that is why.
std::string measured(const Comparison& comparison)
{
    std::vector<std::string> known;
    if (std::isfinite(comparison.low) && std::isfinite(comparison.high))
        known.push_back("95 % interval of the change: " + withMinus(comparison.low) + " to " +
                        withMinus(comparison.high));
    if (comparison.holm)
        known.push_back("Holm's p = " + formatNumber(*comparison.holm, 2));
    return nats(comparison.difference.mean) + " nats" + (known.empty() ? "" : " (" + joined(known, ", ") + ")");
}

/// Mean gain of a token in windows of n tokens, up to N and beyond, nats. Nothing where the places do not say it.
struct GainsOfTokens {
    double upTo = 0, beyond = 0;
};
std::optional<GainsOfTokens> gainsAroundTraining(const TuneReport& report)
{
    if (!report.causal)  // hidden tokens alone count: of places as wide there are not as many
        return {};
    GainsOfTokens gains;
    double within = 0, behind = 0;
    for (const PlaceGain& place : report.places) {
        const double tokens = static_cast<double>(place.last - place.first + 1);
        const bool isBeyond = static_cast<double>(place.first) >= report.at.trainLength;
        (isBeyond ? gains.beyond : gains.upTo) -= place.difference.mean * tokens;
        (isBeyond ? behind : within) += tokens;
    }
    if (!(within > 0) || !(behind > 0))
        return {};
    return GainsOfTokens{gains.upTo / within, gains.beyond / behind};
}

/// "; of a window's tokens those up to N gain 0.05 nats each, those beyond lose 0.01"
std::string byPlace(const TuneReport& report)
{
    const auto gains = gainsAroundTraining(report);
    if (!gains)
        return {};
    const auto said = [](double gain) { return (gain < 0 ? " lose " : " gain ") + nats(gain); };
    return "; of a window's tokens those up to N" + said(gains->upTo) + " nats each, those beyond" +
           said(gains->beyond);
}

/// Against the published one that was best on the fitting windows, the only one that is judged.
std::string besidePublished(const Comparison& between, const Comparison& published, const std::string& name)
{
    if (published.difference.mean >= 0)
        return "; the published one that did best in the search, " + name + ", " + lossChangeInWords(published);
    if (isLower(&between))
        return " and by " + measured(between) + " against the published one that did best in the search, " + name;
    return "; against the published one that did best in the search, " + name + ", no change is seen: it " +
           lossChangeInWords(between);
}

std::string atEdge(const TuneReport& report)
{
    return report.atEdge ? ", at the edge of what was searched (the best may lie beyond)" : "";
}

/// What `what` changes in shorter windows.
std::string costs(const TuneReport& report, std::string_view what)
{
    std::string text;
    for (const Comparison& at : report.comparisons) {
        if (at.what != what || at.n == report.at.n)
            continue;
        text += fmt::format("; in windows of {}{}", lengthInWords(static_cast<double>(at.n)),
                            static_cast<double>(at.n) == report.at.trainLength ? " = N" : "");
        if (!at.holm)
            text += " it changes nothing";
        else if (*at.holm >= verdictLevel)
            text += " no change is seen: it " + lossChangeInWords(at);
        else
            text += at.difference.mean > 0 ? " it costs " + measured(at) : " it gains " + measured(at);
    }
    return text;
}

}  // namespace

std::string lossChangeInWords(const Comparison& comparison)
{
    if (comparison.low == 0 && comparison.high == 0)
        return "changes nothing";
    return (comparison.difference.mean < 0 ? "lowers the loss by " : "raises the loss by ") + measured(comparison);
}

const Comparison* findComparison(const TuneReport& report, std::string_view what, std::string_view against,
                                 std::int64_t n)
{
    const auto found = std::ranges::find_if(report.comparisons, [&](const Comparison& one) {
        return one.what == what && one.against == against && one.n == n;
    });
    return found == report.comparisons.end() ? nullptr : &*found;
}

Result<void> judge(const TuneProblem& problem, Losses& losses, const Setting& asItIs, TuneReport& report)
{
    const TunedAt& at = report.at;
    const auto windows = [&](const Setting& setting, std::int64_t length) {
        return losses.windows(policyAt(setting, at, length), length, problem.verdict);
    };
    const auto own = TRY(windows(asItIs, at.n)), tuned = TRY(windows(report.tuned, at.n)),
               published = TRY(windows(report.published.setting, at.n));
    for (const auto& [what, all] : {std::pair("the model as it is", &own), std::pair("what was found", &tuned)})
        if (all->empty())
            return failure(ErrorKind::Undefined,
                           "{} has no value on a window of the verdict at n = {}, so that there is nothing to judge; "
                           "if that is of a file of an earlier search, start anew without it",
                           what, at.n);
    const bool isOther = !(report.tuned == asItIs),
               isKnown = !published.empty() && !(report.published.setting == asItIs);
    if (isOther)
        report.comparisons.push_back(compare(comparedTuned, comparedAsItIs, at.n, tuned, own));
    if (isOther && isKnown)
        report.comparisons.push_back(compare(comparedTuned, comparedPublished, at.n, tuned, published));
    if (isKnown)
        report.comparisons.push_back(compare(comparedPublished, comparedAsItIs, at.n, published, own));
    const auto addShorter = [&](std::string_view what, const Setting& setting) -> Result<void> {
        const auto train = static_cast<std::int64_t>(std::llround(at.trainLength));
        for (const std::int64_t length : {train, train / 2}) {
            if (length >= at.n || length < 2)
                continue;
            const auto here = TRY(windows(setting, length)), there = TRY(windows(asItIs, length));
            if (!here.empty() && !there.empty())
                report.comparisons.push_back(compare(what, comparedAsItIs, length, here, there));
        }
        return {};
    };
    if (isOther)
        TRY(addShorter(comparedTuned, report.tuned));
    report.places = gainsByPlace(at.n, at.trainLength, tuned, own);
    report.asItIsLoss = meanOf(own);
    report.bestLoss = report.asItIsLoss;
    for (const auto& other : {tuned, published})
        if (!other.empty())
            report.bestLoss = std::min(report.bestLoss, meanOf(other));
    report.vocabulary = problem.architecture.vocabulary;
    report.causal = problem.architecture.causal;
    report.worseThanChance = predictsWorseThanChance(report.bestLoss, report.vocabulary);
    decide(report);
    if (report.helps && !report.tunedIsBest) {
        TRY(addShorter(comparedPublished, report.published.setting));
        decide(report);
    }
    return {};
}

std::string withoutHelp(const TuneReport& report)
{
    return report.worseThanChance ? "No scale is recommended"
           : report.outOfTime     ? "The time was up before the search was over"
                                  : "Nothing is shown to help here";
}

std::string answerOf(const TuneReport& report)
{
    const std::int64_t n = report.at.n;
    const std::string length = "n = " + lengthInWords(static_cast<double>(n));
    const Comparison *tuned = findComparison(report, comparedTuned, comparedAsItIs, n),
                     *published = findComparison(report, comparedPublished, comparedAsItIs, n),
                     *between = findComparison(report, comparedTuned, comparedPublished, n);
    const std::string name = report.published.published;
    const std::string unfinished =
        report.outOfTime ? "; the time was up before the search was over, and a longer one may find better" : "";
    if (report.worseThanChance)
        return "At " + length + " this model predicts this text " +
               worseThanChance(report.asItIsLoss, report.bestLoss, report.vocabulary) +
               ": no scale is recommended; give it a text of the kind that it was trained on" + unfinished;
    if (!report.helps && report.outOfTime && !tuned && !published)
        return withoutHelp(report) + ": at " + length +
               " nothing had run on all fitting windows but the model as it is, so nothing is known of the others; "
               "give it more time";
    if (!report.helps) {
        std::string text = withoutHelp(report) + ": at " + length + " ";
        text += tuned ? "the best of the search, " + describe(report.tuned, report.at) + atEdge(report) + ", " +
                            lossChangeInWords(*tuned)
                      : "nothing that was searched predicts the fitting windows better than the model as it is";
        if (published)
            text +=
                ", and the published one that did best in the search, " + name + ", " + lossChangeInWords(*published);
        return text;
    }
    if (!report.tunedIsBest) {
        std::string text = "At " + length + " use " + name + ", as it is published: it " +
                           lossChangeInWords(*published) + " against the model as it is";
        if (tuned)
            text += "; the best of the search, " + describe(report.tuned, report.at) + ", " + lossChangeInWords(*tuned);
        return text + costs(report, comparedPublished) + unfinished;
    }
    std::string text = "At " + length + " use " + describe(report.tuned, report.at) + atEdge(report) + ": it " +
                       lossChangeInWords(*tuned) + " against the model as it is";
    if (between && published)
        text += besidePublished(*between, *published, name);
    return text + byPlace(report) + costs(report, comparedTuned) + unfinished;
}

namespace {

std::string judgedWindows(const TuneReport& report)
{
    return report.verdict == 1 ? "the 1 judged window" : fmt::format("the {} judged windows", report.verdict);
}

std::string useInShort(const std::string& what, const TuneReport& report, const Comparison& gain)
{
    const SampleMean& difference = gain.difference;
    const double error = difference.standardError.value_or(0);
    const bool known = error > 0 && std::isfinite(error);
    return fmt::format("At n = {} use {}: on {} the loss is {} nats lower{}",
                       lengthInWords(static_cast<double>(report.at.n)), what, judgedWindows(report),
                       known ? formatMeasured(-difference.mean, error) : formatNumber(-difference.mean, 3),
                       known ? " (standard error " + formatMeasured(error, error) + ")" : std::string());
}

}  // namespace

std::string judgedInShort(const Comparison& comparison)
{
    if (!comparison.holm)
        return comparison.difference.mean == 0 ? "no change" : "untested";
    return *comparison.holm >= verdictLevel ? "no change seen" : comparison.difference.mean < 0 ? "gains" : "costs";
}

ShortAnswer shortAnswerOf(const TuneReport& report)
{
    const std::int64_t n = report.at.n;
    const Comparison *tuned = findComparison(report, comparedTuned, comparedAsItIs, n),
                     *published = findComparison(report, comparedPublished, comparedAsItIs, n);
    ShortAnswer answer;
    std::vector<ShortAnswer::Fact>& facts = answer.facts;
    if (report.helps) {
        answer.use = useInShort(report.tunedIsBest ? describe(report.tuned, report.at) + atEdge(report)
                                                   : report.published.published + ", as it is published",
                                report, report.tunedIsBest ? *tuned : *published);
        if (const auto gains = report.tunedIsBest ? gainsAroundTraining(report) : std::nullopt) {
            const auto said = [](double change) {
                return nats(change) + " nats a token " + (change < 0 ? "lost" : "gained");
            };
            facts.push_back({"Where in a judged window",
                             said(gains->upTo) + " up to N, " + said(gains->beyond) + " beyond, on average"});
        }
    } else {
        answer.use = withoutHelp(report) + " at n = " + lengthInWords(static_cast<double>(n));
        if (report.worseThanChance) {
            facts.push_back({"Why", "the model predicts this text " +
                                        worseThanChance(report.asItIsLoss, report.bestLoss, report.vocabulary)});
            facts.push_back({"What would tell", "a text of the kind that it was trained on"});
        } else if (tuned && report.atEdge) {
            facts.push_back({"Best of the search", describe(report.tuned, report.at) + atEdge(report)});
        } else if (!tuned) {
            facts.push_back(
                {"Best of the search", report.outOfTime && !published
                                           ? "nothing but the model as it is ran on all fitting windows"
                                           : "nothing of it predicts the fitting windows better than the model "
                                             "as it is"});
        }
    }
    if (report.outOfTime)
        facts.push_back({"Time was up", report.helps || tuned || published
                                            ? "before the search was over: a longer one may find better"
                                            : "nothing is known of the others: give it more time"});
    return answer;
}

}  // namespace attnscope
