#include "core/attention/positions.h"

#include "core/base/parameter.h"
#include "core/base/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <numbers>

namespace attnscope {

namespace {

std::vector<double> geometric(int d, double base)
{
    std::vector<double> theta(static_cast<size_t>(d / 2));
    for (size_t p = 0; p < theta.size(); ++p)
        theta[p] = std::pow(base, -2.0 * static_cast<double>(p) / d);
    return theta;
}

std::vector<double> rope(int d, const Parameters& parameters) { return geometric(d, parameters["base"]); }

std::vector<double> interpolated(int d, const Parameters& parameters)
{
    std::vector<double> theta = rope(d, parameters);
    for (double& angle : theta)
        angle /= parameters["s"];
    return theta;
}

/// With d = 2 there is one frequency, 1, for any base.
std::vector<double> ntk(int d, const Parameters& parameters)
{
    const double base = parameters["base"];
    return geometric(d, d > 2 ? base * std::pow(parameters["s"], d / (d - 2.0)) : base);
}

/// 1 for pairs that turn often within the training length (kept), 0 for those that turn less than beta_slow times
/// (interpolated). The paper is linear in the number of turns, its code in the index of the pair.
double keptPart(int pair, double theta, int d, const Parameters& parameters)
{
    const double fast = parameters["beta_fast"], slow = std::min(parameters["beta_slow"], fast),
                 base = parameters["base"];
    const double turnsOfUnit = parameters["N"] / (2 * std::numbers::pi);
    if (!parameters.on("by_index"))
        return fast > slow ? std::clamp((turnsOfUnit * theta - slow) / (fast - slow), 0.0, 1.0)
                           : (turnsOfUnit * theta >= fast ? 1.0 : 0.0);
    const auto indexWith = [&](double turns) { return d * std::log(turnsOfUnit / turns) / (2 * std::log(base)); };
    const bool rounded = parameters.on("rounded");
    const double first = indexWith(fast), last = indexWith(slow);
    const double low = std::max(rounded ? std::floor(first) : first, 0.0);
    const double high = std::min(rounded ? std::ceil(last) : last, d - 1.0);
    return 1 - std::clamp((pair - low) / std::max(high - low, 0.001), 0.0, 1.0);
}

std::vector<double> byParts(int d, const Parameters& parameters)
{
    std::vector<double> theta = rope(d, parameters);
    for (size_t p = 0; p < theta.size(); ++p) {
        const double kept = keptPart(static_cast<int>(p), theta[p], d, parameters);
        theta[p] *= kept + (1 - kept) / parameters["s"];
    }
    return theta;
}

/// The numbers of a text with commas between; nothing where one is no number above 0.
std::optional<std::vector<double>> divisorsOf(const std::string& text)
{
    std::vector<double> all;
    for (const std::string_view part : split(text, ',')) {
        const auto number = numberFrom<double>(trimmed(part));
        if (!number || !(*number > 0) || !std::isfinite(*number))
            return std::nullopt;
        all.push_back(*number);
    }
    return all;
}

Result<void> checkDivisors(const std::string& text)
{
    if (text.empty() || divisorsOf(text))
        return {};
    return failure(ErrorKind::InvalidArgument,
                   "long_rope: '{}' are no numbers above 0; give one for each pair, as long_rope:1,2.5,4.4",
                   text.substr(0, 40));
}

/// Pairs beyond the list are divided as its last one.
std::vector<double> divided(int d, const Parameters& parameters)
{
    std::vector<double> theta = rope(d, parameters);
    const std::vector<double> divisors = divisorsOf(parameters.text()).value_or(std::vector{1.0});
    for (size_t p = 0; p < theta.size(); ++p)
        theta[p] /= divisors[std::min(p, divisors.size() - 1)];
    return theta;
}

/// 2^(-max h/P), h = 1..P, of as many heads as are a power of two P; the heads beyond it have every second slope of
/// 2 P, as in the authors' code (and BLOOM and MPT).
double alibiSlope(int head, int headCount, const Parameters& parameters)
{
    if (const double given = parameters["slope"]; given > 0)
        return given;
    const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(headCount, 1))));
    const double most = parameters["max"];
    return head < power ? std::exp2(-most * (head + 1) / power)
                        : std::exp2(-most / 2 * (2 * (head - power) + 1) / power);
}

Parameter base()
{
    return real("base", "base", 10000, 1.0001, 1e12, "The slowest pair turns once in 2π·base^(1 − 2/d) tokens.");
}

Parameter interleaved()
{
    return toggle("interleaved", "neighbouring pairs", true,
                  "On: coordinates (0, 1), (2, 3), ... turn together, as in the paper. Off: (0, d/2), (1, d/2 + 1), "
                  "..., as in transformers and GPT-NeoX.");
}

Parameter turned()
{
    return whole("dims", "coordinates turned", 0, 0, 1e6,
                 "How many of a head's coordinates turn, the first ones; the rest carry no position. 0: all of them. "
                 "GPT-NeoX turns a quarter.");
}

/// "m" of a row that has it.
Parameter attentionFactor(std::string help, double least = 1e-3)
{
    return real("m", "m", 1, least, 1e3, std::move(help));
}

/// 1 + 0.1 ln s where YaRN's m is 0                                                   (Peng et al. 2023, eq. 22)
double attentionFactorOf(const Position& row, const Parameters& parameters)
{
    const double m = parameterOf(row, "m") ? parameters["m"] : 1;
    return m > 0 ? m : 1 + 0.1 * std::log(parameters["s"]);
}

Parameter factor(std::string help) { return real("s", "s", 4, 1, 1e6, std::move(help)); }

std::vector<Preset> pairings(const std::string& id)
{
    return {{"neighbouring pairs (RoFormer, Llama's own code)", id, "Su et al. 2021"},
            {"half-split pairs (transformers, GPT-NeoX)", id + ":interleaved=0", "transformers, rotate_half"}};
}

/// Turns pair (a, b) of a row by the angle of `turn`.
struct PairColumns {
    Eigen::Index pairs;
    Pairing pairing;
    void turn(float* row, Eigen::Index p, std::complex<double> by) const
    {
        float& a = row[pairing == Pairing::Interleaved ? 2 * p : p];
        float& b = row[pairing == Pairing::Interleaved ? 2 * p + 1 : p + pairs];
        const double x = static_cast<double>(a), y = static_cast<double>(b);
        a = static_cast<float>(x * by.real() - y * by.imag());
        b = static_cast<float>(x * by.imag() + y * by.real());
    }
};

}  // namespace

// clang-format off
std::span<const Position> positions()
{
    static const std::vector<Position> rows{
        {{"none", "None", "z", "NoPE", "Nothing depends on where a token stands: permuting the keys permutes the weights.", {}, {}, {}, {}}},
        {{"rope", "RoPE", "θ_p = {base}^(−2p/{d})", "Su et al. 2021, RoFormer",
          "Each pair of coordinates turns by an angle proportional to the position, fast pairs for near distances, slow pairs for far ones; "
          "of the places only i − j enters the score.",
          {base(), interleaved(), turned()}, pairings("rope"), {}, {}}, rope},
        {{"pi", "Position interpolation", "θ_p / {s}", "Chen et al. 2023",
          "All positions are divided by s, so s times the training length fits into the angles seen in training; near tokens get harder to "
          "tell apart.",
          {factor("How many times longer than in training."), base(), interleaved(), turned()}, pairings("pi"), {}, {}}, interpolated},
        {{"ntk", "NTK-aware RoPE", "({base}·{s}^({d}/({d}−2)))^(−2p/{d})", "bloc97 2023",
          "A larger base: the slowest pair is slowed by exactly s, the fastest stays as it is, so near tokens stay apart.",
          {factor("How many times longer than in training."), base(), interleaved(), turned()}, pairings("ntk"), {}, {}}, ntk, nullptr, nullptr, nullptr, {}, nullptr,
         [](int d) { return std::string(d < 4 ? "below head size 4: there is one pair, and its frequency is 1 for any base" : ""); }},
        {{"yarn_rope", "YaRN (by parts)", "θ_p (γ_p + (1 − γ_p)/{s})", "Peng et al. 2023, eq. 17-19",
          "Pairs that turn often within the training length are kept (γ = 1), those that turn less than once are divided by s (γ = 0), and "
          "those between get a blend. YaRN's temperature is a scale method of its own.",
          {factor("How many times longer than in training."), followingN(whole("N", "N", 512, 1, 1e9, "The training length, in which turns are counted; the setting's, unless a number is given.")),
           real("beta_fast", "β fast", 32, 0.001, 1e6, "Pairs with more turns than this are kept."),
           real("beta_slow", "β slow", 1, 0.001, 1e6, "Pairs with fewer turns than this are divided by s."),
           toggle("by_index", "linear in the index", false, "Off: the blend is linear in the number of turns, as in the paper. On: linear in the index of the pair, as in the authors' code and transformers."),
           toggle("rounded", "ramp at whole indices", true, "Of the ramp in the index: its ends are rounded outwards to whole pairs, as in the authors' code. Off: they are not, as in gpt-oss."),
           attentionFactor("The attention factor of models that were trained with YaRN: what turns of q and of k is multiplied by it, so scores by its square. 0: YaRN's own, 1 + 0.1 ln s. 1: none, and the temperature is left to a scale method.", 0),
           base(), interleaved(), turned()},
          {{"as in the paper", "yarn_rope", "Peng et al. 2023, eq. 18"},
           {"as in the authors' code and transformers", "yarn_rope:by_index=1,interleaved=0", "YaRN repository, transformers"},
           {"so, with its temperature on queries and keys", "yarn_rope:by_index=1,interleaved=0,m=0", "YaRN repository, transformers"}}, {}, {}}, byParts},
        {{"long_rope", "RoPE, divided", "θ_p / λ_p", "Ding et al. 2024",
          "Each pair is slowed by a number of its own: in LongRoPE found by a search on the model that is to be stretched, in Llama 3 worked out of its wavelength. Models that were trained so name them; without any it is RoPE.",
          {attentionFactor("What turns of q and of k is multiplied by it, so scores by its square: √(1 + ln s / ln N) in models trained for s N tokens."),
           base(), interleaved(), turned()}, {}, "numbers, one a pair (pairs beyond them: the last): 1,2.5,4.4", "1"}, divided, nullptr, nullptr, nullptr, {}, nullptr, nullptr, checkDivisors},
        {{"rerope", "ReRoPE", "RoPE at min(|i − j|, {w})", "Su 2023, ReRoPE",
          "Rotary positions whose relative distance is held at w: no angle beyond those of w tokens ever appears, however long the input.",
          {whole("w", "w", 128, 1, 1e9, "The largest distance; beyond it all keys seem equally far. In a model without a number of its own: at most the N that the model was trained at."), base(), interleaved(), turned()}, pairings("rerope"), {}, {}}, rope,
         [](const Parameters& parameters) { return static_cast<std::int64_t>(parameters["w"]); }},
        {{"alibi", "ALiBi", "z − {slope} |i − j|", "Press et al. 2022",
          "A penalty proportional to the distance, after the scale and the soft-cap: each head forgets at a rate of its own, 2^(−max·h/H) for head h = 1..H; where H is no power of two, heads beyond the power below have every second rate of the next, as in the authors' code.",
          {real("slope", "slope", 0, 0, 100, "Nats lost per token of distance. 0: the head's own."),
           real("max", "max", 8, 0, 1000, "Of H heads, a power of two, the last loses 2^(−max) nats a token, the first 2^(−max/H). 8 in the paper; MPT's alibi_bias_max, 16 in StoryWriter.")}, {}, {}, {}}, nullptr, nullptr, alibiSlope,
         nullptr, "keys after the query lose slope times their distance too"},
        {{"t5", "T5 buckets", "z + b[bucket(i − j)]", "Raffel et al. 2020, T5, section 2.1",
          "A learned number for each bucket of distances: half of the buckets are one token wide, the others as wide as logarithms are, and all that lies beyond the "
          "last shares it. The numbers come from a model's file; without one, those of the closed form −r ln(1 + nearest distance of the bucket) show the stairs.",
          {whole("buckets", "buckets", 32, 2, 4096, "How many numbers a head has."),
           real("longest", "longest", 128, 1, 1e9, "The distance at which the last bucket begins, about."),
           toggle("causal", "only back", true, "On: all buckets are for keys before the query, as in a decoder. Off: half of them are for keys after it, as in an encoder."),
           real("decay", "r", 1, 0, 100, "Of the closed form: nats lost whenever 1 + distance grows e-fold. A file has numbers of its own.")},
          {{"a decoder's", "t5", "transformers, T5Attention"}, {"an encoder's", "t5:causal=0", "transformers, T5Attention"}}, "safetensors file with relative_attention_bias.weight", closedForm, true},
         nullptr, nullptr, nullptr, t5Bias, {}, learnedBiasFile},
        {{"kerple_log", "Kerple, logarithm", "z − {r1} ln(1 + {r2} |i − j|)", "Chi et al. 2022, Kerple",
          "A penalty that grows with the logarithm of the distance: a key's weight falls like a power of it, so that far keys keep more than under ALiBi. "
          "Both numbers are learned, a pair a head; these defaults are none of a model's.",
          {real("r1", "r₁", 1, 0, 100, "Nats lost whenever 1 + r₂ distance grows e-fold: the power with which weights fall."),
           real("r2", "r₂", 1, 0, 1e6, "How soon the fall begins: within about 1/r₂ tokens nothing happens.")}, {}, {}, {}},
         nullptr, nullptr, nullptr, kerpleLog, "keys after the query lose as much as those before it"},
        {{"kerple_power", "Kerple, power", "z − {r1} |i − j|^{r2}", "Chi et al. 2022, Kerple",
          "A penalty that grows like a power of the distance; power 1 is ALiBi, lower ones forgive what is far. Both numbers are learned, a pair a head; "
          "these defaults are none of a model's.",
          {real("r1", "r₁", 1, 0, 100, "Nats lost at a distance of one token."), real("r2", "r₂", 0.5, 0.001, 2, "The power: 1 is ALiBi's straight line.")}, {}, {}, {}},
         nullptr, nullptr, nullptr, kerplePower, "keys after the query lose as much as those before it"},
        {{"fire", "FIRE", "z + f(ψ(|i − j|) / ψ(max({L}, i))), ψ(x) = ln(1 + {c} x)", "Li et al. 2024, FIRE",
          "The distance as a part of the longest one that the query can see: however long the input, f meets nothing beyond 1. f is a small network and comes from a "
          "model's file, with c and L; without one f is the straight line f(u) = −drop · u, and the farthest key always loses the same.",
          {real("drop", "drop", 4, 0, 1000, "Of the straight line: nats that the farthest key loses. A file has a network instead."),
           real("c", "c", 0.1, 1e-9, 1e6, "How much nearer keys are told apart than far ones. A file has its own; training begins with 0.1."),
           real("L", "L", 512, 1, 1e9, "Queries before this position are measured as if they stood there. A file has its own; training begins with 512.")},
          {}, "safetensors file with mlp.0, mlp.2, c, init_L, L_multiplier", closedForm, true},
         nullptr, nullptr, nullptr, fireBias, "keys after the query lose as much as those before it", learnedBiasFile},
    };
    return rows;
}
// clang-format on

std::string biasFileOf(const Choice& choice)
{
    const auto row = findRow(positions(), choice.id, "position");
    return row && (*row)->file ? (*row)->file(Parameters(**row, choice)) : "";
}

int turnedCoordinates(int d, const Parameters& parameters)
{
    const int asked = static_cast<int>(parameters["dims"]);
    return asked > 0 ? std::min(asked, d) : d;
}

void rotate(Matrix& rows, std::span<const std::int64_t> position, std::span<const double> frequencies, Pairing pairing,
            double factor)
{
    // A step of one token is one complex product; the angle is taken afresh every 64 rows, so errors never build up.
    const PairColumns columns{static_cast<Eigen::Index>(frequencies.size()), pairing};
    std::vector<std::complex<double>> turns(frequencies.size()), steps(frequencies.size());
    for (size_t p = 0; p < steps.size(); ++p)
        steps[p] = std::polar(1.0, frequencies[p]);
    for (Eigen::Index r = 0; r < rows.rows(); ++r) {
        const std::int64_t t = position[static_cast<size_t>(r)];
        const bool afresh = r % 64 == 0 || t != position[static_cast<size_t>(r) - 1] + 1;
        for (size_t p = 0; p < turns.size(); ++p) {
            turns[p] = afresh ? std::polar(1.0, static_cast<double>(t) * frequencies[p]) : turns[p] * steps[p];
            columns.turn(rows.row(r).data(), static_cast<Eigen::Index>(p), turns[p] * factor);
        }
    }
}

void rotateAll(Matrix& rows, std::int64_t position, std::span<const double> frequencies, Pairing pairing, double factor)
{
    const PairColumns columns{static_cast<Eigen::Index>(frequencies.size()), pairing};
    for (size_t p = 0; p < frequencies.size(); ++p) {
        const std::complex<double> turn = factor * std::polar(1.0, static_cast<double>(position) * frequencies[p]);
        for (Eigen::Index r = 0; r < rows.rows(); ++r)
            columns.turn(rows.row(r).data(), static_cast<Eigen::Index>(p), turn);
    }
}

Rotation rotationOf(const Position& row, const Choice& choice, int d)
{
    const Parameters parameters(row, choice);
    return {row.frequencies(turnedCoordinates(d, parameters), parameters),
            parameters.on("interleaved") ? Pairing::Interleaved : Pairing::Halves, attentionFactorOf(row, parameters)};
}

bool hasPositions(const Choice& position) { return position.id != "none"; }

bool isRope(const Choice& position) { return position.id == "rope"; }

}  // namespace attnscope
