#include "core/labs/recall/recall_sequences.h"

#include "core/base/random.h"
#include "core/model/probes.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <string_view>

namespace attnscope {

namespace {

constexpr std::int64_t shortest = 8;

/// The random numbers of one sequence, or of one step.
class RecallDraw {
public:
    RecallDraw(std::uint64_t seed, Stream stream, std::uint64_t number) : m_random(seed, stream), m_number(number) {}
    double uniform() { return m_random.uniform(m_number, m_next++); }
    std::int64_t below(std::int64_t bound)
    {
        return std::min(bound - 1, static_cast<std::int64_t>(uniform() * static_cast<double>(bound)));
    }
    /// `count` different ones of 0 .. bound - 1, in no order.
    std::vector<std::int64_t> different(std::int64_t count, std::int64_t bound)
    {
        std::vector<std::int64_t> all(static_cast<std::size_t>(bound));
        std::iota(all.begin(), all.end(), 0);
        for (std::int64_t i = 0; i < count; ++i)
            std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(i + below(bound - i))]);
        all.resize(static_cast<std::size_t>(count));
        return all;
    }

private:
    Random m_random;
    std::uint64_t m_number, m_next = 0;
};

/// One of the free slots, by the power law; any of them after too many that were taken.
std::size_t drawSlot(RecallDraw& draw, std::vector<bool>& taken, double power)
{
    const auto slots = static_cast<double>(taken.size());
    constexpr int tries = 200;
    for (int i = 0;; ++i) {
        const double u = i < tries ? std::pow(draw.uniform(), 1 / power) : draw.uniform();
        const std::size_t slot = std::min(taken.size() - 1, static_cast<std::size_t>(u * slots));
        if (!taken[slot]) {
            taken[slot] = true;
            return slot;
        }
    }
}

/// From some places on positions are higher, so that the last one lies anywhere from n to reach, all octaves alike.
void jump(std::vector<int>& positions, const RecallSettings& settings, double reachInN, RecallDraw& draw)
{
    const auto n = std::ssize(positions);
    const double reach = reachInN * static_cast<double>(settings.length);
    const double end = static_cast<double>(n) * std::pow(std::max(1.0, reach / static_cast<double>(n)), draw.uniform());
    std::vector<double> parts;
    for (std::int64_t i = 0; i <= settings.skips; ++i)
        parts.push_back(-std::log(draw.uniform()));
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    for (std::int64_t i = 0; i < settings.skips; ++i) {
        const std::int64_t from = 2 * (1 + draw.below(std::max<std::int64_t>(1, n / 2 - 1)));
        const auto by = static_cast<int>(parts[static_cast<std::size_t>(i)] / sum * (end - static_cast<double>(n)));
        for (std::int64_t t = from; t < n; ++t)
            positions[static_cast<std::size_t>(t)] += by;
    }
}

/// Puts a sequence's pairs, and the places where they are asked for, among its fillers.
class Telling {
public:
    Telling(const RecallSettings& settings, const RecallStage& stage, RecallDraw& draw, RecallSequence& made)
        : m_settings(settings), m_stage(stage), m_draw(draw), m_made(made),
          m_keys(draw.different(stage.pairs, stage.keys)), m_told(m_keys.size())
    {
    }

    /// All pairs at the beginning; their keys are asked for at even places.
    void first()
    {
        const std::size_t pairs = m_keys.size();
        for (std::size_t pair = 0; pair < pairs; ++pair)
            tell(pair, 2 * pair);
        std::vector<bool> taken((m_made.inputs.size() - 2 * pairs) / 2, false);
        for (std::size_t pair = 0; pair < pairs; ++pair)
            ask(pair, 2 * pairs + 2 * drawSlot(m_draw, taken, m_settings.power));
        for (std::size_t slot = 0; m_stage.again > 0 && slot < taken.size(); ++slot)
            if (!taken[slot] && m_draw.uniform() < m_stage.again)
                ask(static_cast<std::size_t>(m_draw.below(m_stage.pairs)), 2 * pairs + 2 * slot);
    }

    /// Twice as many blocks of two tokens as pairs, at any places that leave them apart; of the two that are a pair's
    /// the earlier one tells it and the later one asks for it.
    void anywhere()
    {
        const std::int64_t n = std::ssize(m_made.inputs), blocks = 2 * m_stage.pairs;
        std::vector<std::int64_t> places = m_draw.different(blocks, n - blocks),
                                  owners = m_draw.different(blocks, blocks);
        std::ranges::sort(places);
        std::vector<bool> taken(m_made.inputs.size(), false), isTold(m_keys.size(), false);
        std::vector<std::pair<std::size_t, std::size_t>> tellings;  // place, pair
        for (std::int64_t block = 0; block < blocks; ++block) {
            const auto at = static_cast<std::size_t>(places[static_cast<std::size_t>(block)] + block);
            const auto pair = static_cast<std::size_t>(owners[static_cast<std::size_t>(block)] / 2);
            if (isTold[pair])
                ask(pair, at);
            else {
                tell(pair, at);
                tellings.emplace_back(at, pair);
            }
            isTold[pair] = true;
            taken[at] = taken[at + 1] = true;
        }
        for (std::size_t at = tellings[0].first + 2; m_stage.again > 0 && at + 1 < taken.size(); ++at)
            if (!taken[at] && !taken[at + 1]) {
                if (m_draw.uniform() < m_stage.again) {
                    const auto later = std::ranges::find_if(tellings, [at](const auto& one) { return one.first > at; });
                    ask(tellings[static_cast<std::size_t>(m_draw.below(later - tellings.begin()))].second, at);
                }
                ++at;
            }
    }

private:
    void tell(std::size_t pair, std::size_t at)
    {
        m_told[pair] = at + 1;
        m_made.inputs[at] = static_cast<int>(m_keys[pair]);
        m_made.inputs[at + 1] = static_cast<int>(m_settings.keys + m_draw.below(m_stage.values));
        if (m_stage.namesKeys)
            m_made.targets[at + 1] = m_made.inputs[at];
    }

    void ask(std::size_t pair, std::size_t at)
    {
        m_made.inputs[at] = static_cast<int>(m_keys[pair]);
        m_made.targets[at] = m_made.inputs[m_told[pair]];
        m_made.distances[at] = static_cast<std::int64_t>(at - m_told[pair]);
    }

    const RecallSettings& m_settings;
    const RecallStage& m_stage;
    RecallDraw& m_draw;
    RecallSequence& m_made;
    std::vector<std::int64_t> m_keys;
    std::vector<std::size_t> m_told;  ///< where a pair's value stands
};

/// Words, all different while there are enough; `block` of them, from any place on, come again at the end, and each of
/// those asks for the next. Where values ask for the key before them, so do the words that come first.
void copy(const RecallSettings& settings, const RecallStage& stage, RecallDraw& draw, RecallSequence& made)
{
    const std::int64_t n = std::ssize(made.inputs), first = n - stage.block;
    std::vector<std::int64_t> words(static_cast<std::size_t>(first));
    if (first <= settings.words())
        words = draw.different(first, settings.words());
    else
        for (std::int64_t& word : words)
            word = draw.below(settings.words());
    const std::int64_t back = first - draw.below(first - stage.block + 1);  // from a word that comes again to its first
    for (std::int64_t t = 0; t < n; ++t) {
        const auto at = static_cast<std::size_t>(t);
        made.inputs[at] = static_cast<int>(words[static_cast<std::size_t>(t < first ? t : t - back)]);
        if (t > 0 && t < first && stage.namesKeys)
            made.targets[at] = made.inputs[at - 1];
        if (t > first) {
            made.targets[at - 1] = made.inputs[at];
            made.distances[at - 1] = back - 1;  // from there to where the next word was told
        }
    }
}

/// Of `told` values one is right, and any other that is the same word.
double rightByGuess(std::int64_t told, std::int64_t values)
{
    const double right = 1 / static_cast<double>(told);
    return right + (1 - right) / static_cast<double>(values);
}

/// In the mean over the questions of Telling::anywhere: the 2 D blocks come in any order, all alike. After t tellings
/// and a questions the next block is a question with chance (t - a) / (2 D - t - a), that of the pairs told and not
/// asked.
double guessedAnywhere(std::int64_t pairs, std::int64_t values)
{
    const auto size = static_cast<std::size_t>(pairs) + 1;
    std::vector chance(size + 1, std::vector(size + 1, 0.0));  // of t and a
    chance[0][0] = 1;
    double right = 0;
    for (std::size_t told = 0; told < size; ++told)
        for (std::size_t asked = 0; asked <= told && told + asked < 2 * size - 2; ++asked) {
            const double here = chance[told][asked], question = static_cast<double>(told - asked) /
                                                                static_cast<double>(2 * size - 2 - told - asked);
            if (question > 0)
                right += here * question * rightByGuess(static_cast<std::int64_t>(told), values);
            chance[told][asked + 1] += here * question;
            chance[told + 1][asked] += here * (1 - question);
        }
    return right / static_cast<double>(pairs);
}

/// RecallSequence::guesses.
std::vector<double> guessesOf(const RecallSettings& settings, const RecallStage& stage, const RecallSequence& made,
                              bool copied)
{
    std::vector<double> guesses(made.inputs.size(), 0.0);
    std::int64_t told = 0;
    for (std::size_t t = 0; t < guesses.size(); ++t) {
        told += made.inputs[t] >= settings.keys && made.inputs[t] < settings.keys + settings.values;
        if (made.distances[t] > 0)
            guesses[t] = copied ? 1 / static_cast<double>(settings.words()) : rightByGuess(told, stage.values);
    }
    return guesses;
}

/// From first to last, evenly on the logarithm; a little more, so that whole numbers stay what they are.
double between(double first, double last, double share) { return first * std::pow(last / first, share) + 1e-9; }

}  // namespace

RecallSettings recallSettings(const Parameters& run, std::uint64_t seed)
{
    const auto whole = [&](const char* name) { return static_cast<std::int64_t>(run[name]); };
    return {.length = whole("length"),
            .pairs = whole("pairs"),
            .keys = whole("keys"),
            .values = whole("values"),
            .fillers = whole("fillers"),
            .power = run["power"],
            .scattered = run["scattered"],
            .copied = run["copied"],
            .skips = whole("skips"),
            .reach = run["reach"],
            .seed = seed};
}

RecallStage testStage(const RecallSettings& settings, std::int64_t n)
{
    return {.length = n,
            .pairs = std::min(settings.pairs, n / 4),
            .keys = settings.keys,
            .values = settings.values,
            .scattered = settings.scattered,
            .copied = settings.copied,
            .block = n / 2};
}

RecallStage trainingStage(const RecallSettings& settings, double grown, std::array<double, 3> draws)
{
    const auto length = static_cast<double>(settings.length);
    const double longest = between(std::min(16.0, length), length, grown);
    const bool whole = grown >= 1 && draws[0] >= 0.5;
    const double share = grown >= 1 ? 2 * draws[0] : draws[0];  // used below one half alone where all has grown
    const auto n = static_cast<std::int64_t>(between(static_cast<double>(shortest), longest, share) / 2) * 2;
    RecallStage stage = testStage(settings, whole ? settings.length : n);
    if (draws[1] >= 0.5)
        stage.pairs -=
            std::min(stage.pairs - 1, static_cast<std::int64_t>((2 * draws[1] - 1) * static_cast<double>(stage.pairs)));
    stage.block = std::max<std::int64_t>(2, std::llround(static_cast<double>(stage.block) * std::pow(4.0, -draws[1])));
    stage.again = draws[2];
    stage.namesKeys = grown < 1;
    constexpr double halfGrown = 0.5;
    const double harder = std::clamp((grown - halfGrown) / (1 - halfGrown), 0.0, 1.0);
    stage.scattered *= harder;
    if (settings.skips > 0)
        stage.reach = std::pow(settings.reach, harder);
    return stage;
}

std::string recallTokenizer(const RecallSettings& settings)
{
    nlohmann::json words = nlohmann::json::object();
    const auto add = [&words](std::span<const std::string_view> names, std::int64_t count) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
            const std::size_t round = i / names.size();
            words[std::string(names[i % names.size()]) + (round > 0 ? std::to_string(round + 1) : "")] = words.size();
        }
    };
    add(needleKeys(), settings.keys);
    add(needleValues(), settings.values);
    add(needleFillers(), settings.fillers);
    return nlohmann::json{{"version", "1.0"},
                          {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
                          {"model", {{"type", "WordLevel"}, {"vocab", words}, {"unk_token", ""}}}}
        .dump(1);
}

RecallSequence recallSequence(const RecallSettings& settings, const RecallStage& stage, std::uint64_t number)
{
    RecallDraw draw(settings.seed, Stream::Sampling, number);
    const auto n = static_cast<std::size_t>(stage.length);
    RecallSequence made{
        std::vector<int>(n), std::vector<int>(n, -1), std::vector<int>(n), std::vector<std::int64_t>(n, 0), {}};
    for (int& token : made.inputs)
        token = static_cast<int>(settings.keys + settings.values + draw.below(settings.fillers));
    const bool copied = stage.copied > 0 && draw.uniform() < stage.copied;
    if (copied) {
        copy(settings, stage, draw, made);
    } else {
        const bool scattered = stage.scattered > 0 && draw.uniform() < stage.scattered;
        Telling telling(settings, stage, draw, made);
        scattered ? telling.anywhere() : telling.first();
    }
    made.guesses = guessesOf(settings, stage, made, copied);
    std::iota(made.positions.begin(), made.positions.end(), 0);
    if (stage.reach > 1)
        jump(made.positions, settings, stage.reach, draw);
    return made;
}

Window windowOf(const RecallSequence& sequence) { return {sequence.inputs, sequence.targets}; }

BatchSource recallBatches(const RecallSettings& settings, std::int64_t tokens, std::int64_t steps, double share)
{
    return [=](std::uint64_t step) {
        const double grown =
            std::min(1.0, static_cast<double>(step) / std::max(1.0, share * static_cast<double>(steps)));
        RecallDraw ofStep(settings.seed, Stream::Other, step);
        const double ofLength = ofStep.uniform();
        const std::int64_t n = trainingStage(settings, grown, {ofLength, 0, 0}).length;
        const std::int64_t count = std::max<std::int64_t>(1, tokens / n);
        LanguageBatch batch{.inputs = {}, .targets = {}, .positions = {}, .sequences = count};
        for (std::int64_t i = 0; i < count; ++i) {
            const double ofPairs = ofStep.uniform(), ofAgain = ofStep.uniform();
            const RecallStage stage = trainingStage(settings, grown, {ofLength, ofPairs, ofAgain});
            const RecallSequence sequence = recallSequence(
                settings, stage, step * static_cast<std::uint64_t>(tokens) + static_cast<std::uint64_t>(i));
            batch.inputs.insert(batch.inputs.end(), sequence.inputs.begin(), sequence.inputs.end());
            batch.targets.insert(batch.targets.end(), sequence.targets.begin(), sequence.targets.end());
            batch.positions.insert(batch.positions.end(), sequence.positions.begin(), sequence.positions.end());
        }
        return batch;
    };
}

double guessedShare(const RecallSettings& settings, std::int64_t n)
{
    const RecallStage stage = testStage(settings, n);
    const double first = rightByGuess(stage.pairs, stage.values), anywhere = guessedAnywhere(stage.pairs, stage.values);
    const double ofPairs = first + stage.scattered * (anywhere - first);
    const double answers = (1 - stage.copied) * static_cast<double>(stage.pairs),
                 ofCopies = stage.copied * static_cast<double>(stage.block - 1);
    return (answers * ofPairs + ofCopies / static_cast<double>(settings.words())) / (answers + ofCopies);
}

}  // namespace attnscope
