#include "core/model/probes.h"

#include "core/base/each.h"
#include "core/base/random.h"
#include "core/model/model.h"
#include "core/model/text_tokens.h"
#include "core/statistics/exact_tests.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr std::array<std::string_view, 16> keyWords{"Mia",   "Ann", "Tom",  "Ben", "Lily", "Jack", "Nora", "Paul",
                                                    "Clara", "Sam", "Emma", "Leo", "Ada",  "Max",  "Eva",  "Otto"};
constexpr std::array<std::string_view, 16> valueWords{"Wolf",  "Star", "Moon", "Bear", "Fox",  "River",
                                                      "Stone", "Rose", "Gold", "Snow", "King", "Bread",
                                                      "Ship",  "Tree", "Bell", "Lamp"};
constexpr std::array<std::string_view, 16> fillerWords{"and", "the", "of", "to", "in",  "it", "is", "was",
                                                       "on",  "at",  "by", "as", "but", "so", "or", "for"};
static_assert(keyWords.size() == mostNeedleKeys && valueWords.size() >= keyWords.size());
constexpr std::uint64_t columnsOfWords = 1 << 20;  ///< of draws; those of tokens come first

/// `count` different places of 0 .. bound - 1.
std::vector<std::size_t> differentPlaces(const Random& random, std::uint64_t row, std::uint64_t column,
                                         std::size_t count, std::size_t bound)
{
    std::vector<std::size_t> all(bound);
    for (std::size_t i = 0; i < bound; ++i)
        all[i] = i;
    for (std::size_t i = 0; i < count; ++i) {
        const double u = random.uniform(row, column + i);
        std::swap(all[i],
                  all[i + std::min(bound - i - 1, static_cast<std::size_t>(u * static_cast<double>(bound - i)))]);
    }
    all.resize(count);
    return all;
}

std::string filled(std::string words, std::string_view key, std::string_view value)
{
    for (const auto& [name, with] :
         {std::pair{std::string_view("{key}"), key}, std::pair{std::string_view("{value}"), value}})
        for (std::size_t at = words.find(name); at != words.npos; at = words.find(name, at + with.size()))
            words.replace(at, name.size(), with);
    return words;
}

/// Repeated tokens have one place.
std::vector<double> depthsOf(const ProbeRequest& request)
{
    return request.task == ProbeTask::Needle ? request.depths : std::vector<double>{0.0};
}

Result<void> checkCausal(const Architecture& architecture)
{
    return architecture.causal ? Result<void>()
                               : failure(ErrorKind::InvalidArgument,
                                         "probes ask for what follows, and this model finds hidden tokens; take a "
                                         "model that predicts the next one");
}

Result<void> checkWords(const NeedleWords& words)
{
    if (words.told.find("{key}") == std::string::npos || words.told.find("{value}") == std::string::npos ||
        words.asked.find("{key}") == std::string::npos)
        return failure(ErrorKind::InvalidArgument,
                       "what is told needs {key} and {value}, as \"The secret word of {key} is {value}.\", and what "
                       "asks for it {key}");
    return {};
}

}  // namespace

NeedleWords needleWordsFor(const Model& model, bool generatedText)
{
    if (model.says == TrainedToSay::Values)
        return needleOfPairs();
    return generatedText ? needleOfStories() : NeedleWords{};
}

std::span<const std::string_view> needleKeys() { return keyWords; }
std::span<const std::string_view> needleValues() { return valueWords; }
std::span<const std::string_view> needleFillers() { return fillerWords; }

NeedleWords needleOfPairs() { return {" {key} {value}", " {key}"}; }
NeedleWords needleOfStories() { return {" People called {key} {value}.", " Good day, {key}"}; }

std::int64_t fillerTokens(const ProbeRequest& request)
{
    return request.lengths.empty() ? 0 : (request.samples + 1) * std::ranges::max(request.lengths);
}

Result<ProbeWindow> repeatedIn(const Architecture& architecture, std::int64_t n, std::uint64_t seed,
                               std::int64_t sample)
{
    TRY(checkCausal(architecture));
    const std::int64_t begin = architecture.beginToken ? 1 : 0, copy = (n - begin) / 2;
    if (copy < 2)
        return failure(ErrorKind::InvalidArgument, "repeated tokens need a length of 5 or more, not {}", n);
    const std::vector<int> ids =
        repeatedTokens(architecture, copy, n - begin, seed, static_cast<std::uint64_t>(sample));
    ProbeWindow probe;
    std::vector<int>& inputs = probe.window.inputs;
    if (begin > 0)
        inputs.push_back(*architecture.beginToken);
    inputs.insert(inputs.end(), ids.begin(), ids.end());
    probe.window.targets.assign(inputs.size(), -1);
    for (std::size_t t = 0; t + 1 < inputs.size(); ++t)
        probe.window.targets[t] = inputs[t + 1];
    probe.answer = begin + copy;  // what follows the second copy's first token
    probe.count = copy - 1;
    return probe;
}

Result<ProbeWindow> needleIn(const Model& model, std::span<const int> text, const ProbeRequest& request, std::int64_t n,
                             double depth, std::int64_t sample)
{
    TRY(checkCausal(model.architecture));
    TRY(checkWords(request.words));
    if (!model.tokenizer)
        return failure(ErrorKind::Unavailable, model.withoutTokenizer);
    if (request.keys < 1 || static_cast<std::size_t>(request.keys) > keyWords.size())
        return failure(ErrorKind::InvalidArgument, "a needle has 1 to {} keys", keyWords.size());
    const Random random(request.seed, Stream::Sampling);
    const auto row = static_cast<std::uint64_t>(sample), count = static_cast<std::uint64_t>(request.keys);
    const auto keys = differentPlaces(random, row, columnsOfWords, count, keyWords.size()),
               values = differentPlaces(random, row, columnsOfWords + 64, count, valueWords.size());
    std::vector<std::vector<int>> told;
    for (std::size_t i = 0; i < keys.size(); ++i)
        told.push_back(
            TRY(model.tokenizer->encode(filled(request.words.told, keyWords[keys[i]], valueWords[values[i]]))));
    const std::string question = filled(request.words.asked, keyWords[keys[0]], {}), answer(valueWords[values[0]]);
    const std::vector<int> asked = TRY(model.tokenizer->encode(question)),
                           whole = TRY(model.tokenizer->encode(question + " " + answer));
    // the answer's tokens are what the whole has more: a question's last token that takes a part of the answer is its
    // part too
    const auto same = static_cast<std::int64_t>(std::ranges::mismatch(asked, whole).in2 - whole.begin());
    const auto answers = std::ssize(whole) - same;
    std::int64_t needles = 0;
    for (const std::vector<int>& ids : told)
        needles += std::ssize(ids);
    const std::int64_t begin = model.architecture.beginToken ? 1 : 0,
                       filler = n - begin - needles - (std::ssize(whole) - 1);
    if (same < 1 || answers < 1 || filler < 1)
        return failure(ErrorKind::InvalidArgument,
                       "a needle and its question leave no room among {} tokens; take a longer n", n);
    if (filler > std::ssize(text))
        return failure(ErrorKind::InvalidArgument, "the text has {} tokens, and {} are to fill {}; give a longer text",
                       text.size(), filler, n);
    // a share of n tokens a sample, and one for what is measured, whatever other lengths are asked for; of a text too
    // short for that its shares, and of one shorter still anywhere
    text = text.first(static_cast<std::size_t>(std::min<std::int64_t>(std::ssize(text), (request.samples + 1) * n)));
    const std::int64_t share = std::ssize(text) / (request.samples + 1);
    const bool shares = share < filler || sample > request.samples;
    const std::int64_t room = shares ? std::ssize(text) : share;
    const auto from =
        (shares ? 0 : sample * share) +
        static_cast<std::int64_t>(random.uniform(row, columnsOfWords + 128) * static_cast<double>(room - filler + 1));
    // places of the needles in the filler: the one asked for at its depth, the others evenly
    std::vector<std::pair<std::int64_t, std::size_t>> places{
        {static_cast<std::int64_t>(std::llround(depth * static_cast<double>(filler))), 0}};
    for (std::size_t i = 1; i < told.size(); ++i)
        places.emplace_back(
            filler * static_cast<std::int64_t>(2 * i - 1) / static_cast<std::int64_t>(2 * (told.size() - 1)), i);
    std::ranges::stable_sort(places, {}, &std::pair<std::int64_t, std::size_t>::first);
    ProbeWindow probe{.window = {}, .sharesText = shares};
    std::vector<int>& inputs = probe.window.inputs;
    if (begin > 0)
        inputs.push_back(*model.architecture.beginToken);
    std::int64_t at = 0;
    for (const auto& [place, which] : places) {
        inputs.insert(inputs.end(), text.begin() + from + at, text.begin() + from + place);
        inputs.insert(inputs.end(), told[which].begin(), told[which].end());
        at = place;
    }
    inputs.insert(inputs.end(), text.begin() + from + at, text.begin() + from + filler);
    inputs.insert(inputs.end(), whole.begin(), whole.end() - 1);
    probe.window.targets.assign(inputs.size(), -1);
    probe.answer = std::ssize(inputs) - answers;
    probe.count = answers;
    for (std::int64_t i = 0; i < answers; ++i)
        probe.window.targets[static_cast<std::size_t>(probe.answer + i)] = whole[static_cast<std::size_t>(same + i)];
    return probe;
}

ProbeScore scoreOf(const ProbeWindow& probe, std::span<const Prediction> predictions, ProbeTask task)
{
    const auto answers =
        predictions.subspan(static_cast<std::size_t>(probe.answer), static_cast<std::size_t>(probe.count));
    ProbeScore score{.loss = 0, .right = task == ProbeTask::Needle ? 1.0 : 0.0, .firstLoss = 0};
    for (const Prediction& prediction : answers) {
        score.loss += prediction.loss;
        if (task == ProbeTask::Needle)
            score.right *= prediction.right;
        else
            score.right += prediction.right;
    }
    if (task == ProbeTask::Needle) {
        score.firstLoss = std::numeric_limits<double>::quiet_NaN();
        return score;
    }
    const auto count = static_cast<double>(probe.count);
    for (std::int64_t i = 0; i < probe.count; ++i)  // a copy is one longer than what is asked of it
        score.firstLoss += predictions[static_cast<std::size_t>(probe.answer + i - probe.count - 1)].loss / count;
    score.loss /= count;
    score.right /= count;
    score.asked = count;
    return score;
}

Result<std::vector<ProbeCell>> runProbe(const Model& model, std::span<const int> text, const ProbeRequest& request,
                                        const std::function<void(double)>& progress, std::stop_token stop,
                                        const std::function<void(const ProbeCell&)>& found)
{
    const bool needle = request.task == ProbeTask::Needle;
    const std::vector<double> depths = depthsOf(request);
    double work = 0, done = 0;
    for (const std::int64_t n : request.lengths)
        work += workOf(model, n) * static_cast<double>(depths.size() * request.policies.size()) * request.samples;
    std::vector<ProbeCell> cells;
    for (const std::int64_t n : request.lengths)
        for (const double depth : depths) {
            const auto windowOfSample = [&](int sample) {
                return needle ? needleIn(model, text, request, n, depth, sample)
                              : repeatedIn(model.architecture, n, request.seed, sample);
            };
            std::vector<ProbeWindow> windows;
            for (int sample = 0; sample < request.samples; ++sample)
                windows.push_back(TRY(windowOfSample(sample)));
            for (std::size_t policy = 0; policy < request.policies.size(); ++policy) {
                ProbeCell cell{.n = n, .depth = depth, .policy = policy, .sharesText = windows.front().sharesText};
                Policy inForce = request.policies[policy];
                if (isMeasured(inForce.method)) {
                    std::vector<int> ids = TRY(windowOfSample(request.samples)).window.inputs;
                    if (model.architecture.beginToken)  // which windowOf() puts there
                        ids.erase(ids.begin());
                    ids.push_back(ids.back());  // a target of the last row, which nothing is asked of
                    inForce = TRY(withMeasuredHeads(model, std::move(inForce), ids, n,
                                                    {.windows = 1, .engine = request.engine, .stop = stop}));
                }
                for (const ProbeWindow& probe : windows) {
                    const auto result = runWindow(model, probe.window,
                                                  {.policy = inForce,
                                                   .last = 0,
                                                   .everyPrediction = true,
                                                   .engine = request.engine,
                                                   .stop = stop});
                    if (!result && result.error().kind != ErrorKind::Undefined)
                        return tl::unexpected(result.error());
                    if (!result) {
                        cell.absent = result.error().message;
                        break;
                    }
                    cell.scores.push_back(scoreOf(probe, result->predictions, request.task));
                    done += workOf(model, n);
                    if (progress)
                        progress(done / work);
                }
                if (found)
                    found(cell);
                cells.push_back(std::move(cell));
            }
        }
    return cells;
}

namespace {

ProbeMeans meansOfSamples(const ProbeCell& cell, const ProbeCell* against)
{
    const std::vector<double> losses = each(cell.scores, &ProbeScore::loss),
                              rights = each(cell.scores, &ProbeScore::right);
    ProbeMeans means{.loss = sampleMean(losses),
                     .right = sampleMean(rights),
                     .firstLoss = sampleMean(each(cell.scores, &ProbeScore::firstLoss)),
                     .lossChange = sampleMean({}),
                     .rightChange = sampleMean({})};
    if (!against || against->scores.size() != cell.scores.size() || cell.scores.empty())
        return means;
    const auto change = [&](const std::vector<double>& mine, const std::vector<double>& theirs) {
        std::vector<double> differences;
        for (std::size_t i = 0; i < mine.size(); ++i)
            differences.push_back(mine[i] - theirs[i]);
        return sampleMean(differences);
    };
    const std::vector<double> theirLosses = each(against->scores, &ProbeScore::loss),
                              theirRights = each(against->scores, &ProbeScore::right);
    means.lossChange = change(losses, theirLosses);
    means.rightChange = change(rights, theirRights);
    means.lossP = pairedTTest(losses, theirLosses);
    means.rightP = pairedTTest(rights, theirRights);
    return means;
}

}  // namespace

ProbeMeans meansOf(const ProbeCell& cell, const ProbeCell* against)
{
    ProbeMeans means = meansOfSamples(cell, against);
    means.right.standardError = errorOfShare(means.right);
    if (cell.sharesText) {
        for (SampleMean* mean : {&means.loss, &means.right, &means.firstLoss, &means.lossChange, &means.rightChange})
            mean->standardError.reset();
        means.lossP.reset();
        means.rightP.reset();
    }
    return means;
}

std::optional<std::size_t> comparedWith(std::size_t policy, std::size_t methods)
{
    if (policy == 0 || methods == 0)
        return {};
    return policy % methods > 0 ? policy - policy % methods : 0;
}

const ProbeCell* cellOf(std::span<const ProbeCell> cells, std::int64_t n, double depth, std::size_t policy)
{
    const auto cell = std::ranges::find_if(cells, [&](const ProbeCell& one) {
        return one.n == n && one.depth == depth && one.policy == policy && !one.scores.empty();
    });
    return cell == cells.end() ? nullptr : &*cell;
}

const ProbeCell* referenceOf(const ProbeCell& cell, std::span<const ProbeCell> cells, std::size_t methods)
{
    const auto other = comparedWith(cell.policy, methods);
    return other ? cellOf(cells, cell.n, cell.depth, *other) : nullptr;
}

ProbeCell overDepths(std::span<const ProbeCell> cells, const ProbeRequest& request, std::int64_t n, std::size_t policy)
{
    const std::vector<double> depths = depthsOf(request);
    const auto share = 1 / static_cast<double>(depths.size());
    ProbeCell all{.n = n, .depth = 0, .policy = policy, .scores = {}, .absent = {}};
    std::vector<ProbeScore> means(static_cast<std::size_t>(request.samples), ProbeScore{});
    for (const double depth : depths) {
        const ProbeCell* cell = cellOf(cells, n, depth, policy);
        if (!cell || cell->scores.size() != means.size())
            return all;
        all.sharesText = cell->sharesText;
        for (std::size_t sample = 0; sample < means.size(); ++sample) {
            means[sample].loss += share * cell->scores[sample].loss;
            means[sample].right += share * cell->scores[sample].right;
            means[sample].firstLoss += share * cell->scores[sample].firstLoss;
        }
    }
    all.scores = std::move(means);
    return all;
}

}  // namespace attnscope
