#include "core/attention/normaliser.h"
#include "core/attention/sparse_normalisers.h"
#include "core/base/parameter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// What every solve asks first. Logits of -inf, and those that are no number, are masked keys.
struct Scan {
    double largest = -infinity;
    double visible = 0;   ///< keys above -inf
    double infinite = 0;  ///< keys at +inf

    explicit Scan(std::span<const double> logits)
    {
        for (const double x : logits) {
            if (!(x > -infinity))
                continue;
            visible += 1;
            infinite += x == infinity ? 1 : 0;
            largest = std::max(largest, x);
        }
    }
};

/// All of the mass on the +inf keys: an infinite factor stands for the limit, the shift for how many share it.
NormaliserState hardMaximum(double sharing) { return {infinity, std::log(sharing)}; }

double hardWeight(double logit, const NormaliserState& state) { return logit == infinity ? std::exp(-state.shift) : 0; }

/// A row without visible keys: every weight is 0.
constexpr NormaliserState nothing{1, infinity};

/// Wraps a solve for finite rows.
template <NormaliserState (*finite)(std::span<const double>, const Scan&, const Parameters&)>
NormaliserState solve(std::span<const double> logits, const Parameters& parameters)
{
    const Scan scan(logits);
    if (scan.visible == 0)
        return nothing;
    return scan.infinite > 0 ? hardMaximum(scan.infinite) : finite(logits, scan, parameters);
}

template <double (*finite)(double, const NormaliserState&)>
double weight(double logit, const NormaliserState& state, const Parameters&)
{
    return std::isinf(state.scale) ? hardWeight(logit, state) : finite(logit, state);
}

/// Softmax of the scaled logits: ln sum exp(scale (x - largest)), so at least 0.
NormaliserState softmaxAt(std::span<const double> logits, double scale, double largest)
{
    double sum = 0;
    for (const double x : logits)
        if (x > -infinity)
            sum += std::exp(scale * (x - largest));
    return {scale, std::log(sum), largest};
}

NormaliserState softmax(std::span<const double> logits, const Scan& scan, const Parameters&)
{
    return softmaxAt(logits, 1, scan.largest);
}

double exponential(double logit, const NormaliserState& state)
{
    return std::exp(state.scale * (logit - state.origin) - state.shift);
}

double exponent(double logit, const NormaliserState& state, const Parameters&)
{
    if (std::isinf(state.scale))
        return logit == infinity ? -state.shift : -infinity;
    return state.scale * (logit - state.origin) - state.shift;
}

/// -sum p ln(p + eps) of softmax, as the published code has it.
double entropyWithEps(std::span<const double> logits, const NormaliserState& softmax, double eps)
{
    double entropy = 0;
    for (const double x : logits)
        if (x > -infinity) {
            const double p = exponential(x, softmax);
            entropy -= p > 0 ? p * std::log(p + eps) : 0;
        }
    return entropy;
}

/// The polynomial at H, and its derivative there (Horner's rule).
std::pair<double, double> adaptivePolynomial(double entropy, const Parameters& parameters)
{
    std::array<double, 5> coefficients{parameters["c4"], parameters["c3"], parameters["c2"], parameters["c1"],
                                       parameters["c0"]};
    if (parameters.on("lowest_first"))
        std::ranges::reverse(coefficients);
    double value = 0, slope = 0;
    for (const double c : coefficients) {
        slope = slope * entropy + value;
        value = value * entropy + c;
    }
    return {value, slope};
}

double adaptiveBeta(double entropy, const Parameters& parameters)
{
    return entropy > parameters["threshold"] ? std::max(adaptivePolynomial(entropy, parameters).first, 1.0) : 1;
}

double adaptiveSlope(double entropy, const Parameters& parameters)
{
    const auto [value, slope] = adaptivePolynomial(entropy, parameters);
    return entropy > parameters["threshold"] && value > 1 ? slope : 0;
}

void adaptiveRowGradient(std::span<const double> logits, std::span<const double> weights, std::span<double> gradient,
                         const Parameters& parameters)
{
    adaptiveGradient(logits, weights, gradient, parameters["eps"], adaptiveBeta, adaptiveSlope, parameters);
}

NormaliserState adaptive(std::span<const double> logits, const Scan& scan, const Parameters& parameters)
{
    const double entropy = entropyWithEps(logits, softmaxAt(logits, 1, scan.largest), parameters["eps"]);
    return softmaxAt(logits, adaptiveBeta(entropy, parameters), scan.largest);
}

/// ln(e^s + sum e^x).
NormaliserState softmaxBeside(std::span<const double> logits, double largest, double sink)
{
    NormaliserState state = softmaxAt(logits, 1, largest);
    const double logZ = state.shift, silent = sink - largest;
    state.shift = std::max(logZ, silent) + std::log1p(std::exp(-std::abs(logZ - silent)));
    return state;
}

NormaliserState softmax1(std::span<const double> logits, const Scan& scan, const Parameters&)
{
    return softmaxBeside(logits, scan.largest, 0);
}

NormaliserState withSink(std::span<const double> logits, const Scan& scan, const Parameters& parameters)
{
    return softmaxBeside(logits, scan.largest, parameters["s"]);
}

NormaliserState sparsemax(std::span<const double> logits, const Scan&, const Parameters&)
{
    return solveSparsemax(logits);
}
NormaliserState entmax15(std::span<const double> logits, const Scan&, const Parameters&)
{
    return solveEntmax15(logits);
}
NormaliserState entmax(std::span<const double> logits, const Scan&, const Parameters& parameters)
{
    return solveEntmax(logits, parameters["alpha"]);
}

/// {.., ln of how many share the weight, the least logit that does}. Logits that are the largest but for rounding are
/// as large, so that engines which add in another order agree.
NormaliserState hardmax(std::span<const double> logits, const Scan& scan, const Parameters&)
{
    constexpr double rounding = 1e-9;
    const double least = scan.largest - rounding * std::max(1.0, std::abs(scan.largest));
    return {1, std::log(static_cast<double>(std::ranges::count_if(logits, [&](double x) { return x >= least; }))),
            least};
}

double hardmaxWeight(double logit, const NormaliserState& state)
{
    return logit >= state.origin ? std::exp(-state.shift) : 0;
}

NormaliserState sigmoidState(std::span<const double> logits, const Parameters& parameters)
{
    const Scan scan(logits);
    const double keys = parameters["keys"] > 0 ? parameters["keys"] : scan.visible;
    return scan.visible == 0 ? nothing : NormaliserState{1, std::log(keys) - parameters["b"]};
}

double logistic(double logit, const NormaliserState& state, const Parameters&)
{
    return 1 / (1 + std::exp(state.shift - logit));
}

double logLogistic(double logit, const NormaliserState& state, const Parameters&)
{
    const double x = logit - state.shift;
    return std::min(x, 0.0) - std::log1p(std::exp(-std::abs(x)));
}

/// ln(sum |e^x - 1| + eps), with e^max(x, 0) taken out.
NormaliserState softpick(std::span<const double> logits, const Scan& scan, const Parameters& parameters)
{
    const double m = std::max(scan.largest, 0.0);
    double sum = parameters["eps"] * std::exp(-m);
    for (const double x : logits)
        if (x > -infinity)
            sum += x < 30 ? std::exp(-m) * std::abs(std::expm1(x)) : std::exp(x - m) - std::exp(-m);
    return {1, std::log(sum), m};
}

double softpickWeight(double logit, const NormaliserState& state)
{
    if (logit <= 0)
        return 0;
    const double one = std::exp(-state.origin - state.shift);  // e^0 among the weights
    return logit > 30 ? std::exp(logit - state.origin - state.shift) - one : std::expm1(logit) * one;
}

/// e^x, which double precision holds for x below 700, and sums of.
NormaliserState asGiven(std::span<const double>, const Scan&, const Parameters&) { return {}; }

double logAsGiven(double logit, const NormaliserState& state, const Parameters& parameters)
{
    constexpr double largest = 600;
    return exponent(std::isinf(state.scale) ? logit : std::min(logit, largest), state, parameters);
}

double weightAsGiven(double logit, const NormaliserState& state, const Parameters& parameters)
{
    return std::exp(logAsGiven(logit, state, parameters));
}

/// relu(x)^2 / n = relu(x / sqrt n)^2.
NormaliserState squaredRelu(std::span<const double>, const Scan& scan, const Parameters&)
{
    return {1 / std::sqrt(scan.visible), 0};
}

double squaredReluWeight(double logit, const NormaliserState& state)
{
    const double positive = std::max(state.scale * logit, 0.0);
    return positive * positive;
}

constexpr std::string_view noFile = "none";

std::vector<Parameter> adaptiveParameters()
{
    const auto coefficient = [](std::string power, double value) {
        return real("c" + power, "c" + power, value, -1000, 1000,
                    "Coefficient of H^" + power + " in the polynomial that gives β; refit coefficients go here.");
    };
    return {coefficient("4", -0.037),
            coefficient("3", 0.481),
            coefficient("2", -2.3),
            coefficient("1", 4.917),
            coefficient("0", -1.791),
            real("threshold", "H₀", 0.5, 0, 100,
                 "Rows of no more entropy than this are left alone: they are sharp already."),
            toggle("lowest_first", "lowest power first", false,
                   "Reads the coefficients in the reverse order, as one public implementation does: at H = 2.5 the "
                   "polynomial is then negative, so β = 1 and nothing happens."),
            real("eps", "ε", 1e-9, 0, 1e-3, "Added inside the logarithm of the entropy, as in the paper's code.")};
}

}  // namespace

// clang-format off
std::span<const Normaliser> normalisers()
{
    static const std::vector<Normaliser> rows{
        {{"softmax", "Softmax", "e^z / Σ e^z", "Vaswani et al. 2017",
          "Every visible key gets some weight, and the row sums to 1: with bounded logits and ever more keys, every weight must go to 0.", {}, {}, {}, {}},
         true, solve<softmax>, weight<exponential>, softmaxGradient, exponent, SoftmaxForm{}},

        {{"adaptive", "Adaptive temperature", "softmax(β z), β = max({c4} H⁴ + {c3} H³ + {c2} H² + {c1} H + {c0}, 1) if H > {threshold}", "Veličković et al. 2024, section 3",
          "Sharpens a row by its own entropy H with a fitted polynomial, and never raises the entropy. The polynomial is above 1 from H ≈ 0.85 to "
          "H ≈ 5.94 alone, so rows of more than about 380 effective tokens, and of fewer than about 2.3, are left alone.",
          adaptiveParameters(),
          {{"as in the paper: highest power first", "adaptive", "Veličković et al. 2024, figure 5"},
           {"lowest power first (a public implementation)", "adaptive:lowest_first=1", "the same coefficients, read in the other order"}}, {}, {}},
         true, solve<adaptive>, weight<exponential>, adaptiveRowGradient, exponent, SoftmaxForm{.beta = adaptiveBeta, .slope = adaptiveSlope, .eps = [](const Parameters& parameters) { return parameters["eps"]; }}},

        {{"softmax1", "Softmax one", "e^z / (1 + Σ e^z)", "Miller 2023, \"Attention is off by one\"",
          "A silent extra key with logit 0: a head with nothing to say can give its weight away, and the row sums to less than 1.", {}, {}, {}, {}},
         false, solve<softmax1>, weight<exponential>, softmaxGradient, exponent, SoftmaxForm{.silentLogit = [](const Parameters&) { return 0.0; }}},

        {{"sink", "Softmax with a sink", "e^z / (e^{s} + Σ e^z)", "learned sinks, as in gpt-oss 2025",
          "A silent extra key with logit s, which models learn per head in place of parking weight on the first token.",
          {real("s", "s", 1, -1000, 1000, "The logit of the sink. 0 is Softmax one; very negative is softmax.")}, {},
          "file of a model's sinks: .npy, .npz or .safetensors with one tensor, a logit for each (layer, head), or for each (head) of every layer alike, in place of s", std::string(noFile), true},
         false, solve<withSink>, weight<exponential>, softmaxGradient, exponent, SoftmaxForm{.silentLogit = [](const Parameters& parameters) { return parameters["s"]; }}},

        {{"sparsemax", "Sparsemax", "[z − τ]₊, Σ = 1", "Martins & Astudillo 2016",
          "The point of the simplex nearest to the logits: keys more than 1 below the best get exactly nothing, so weight need not disperse.", {}, {}, {}, {}},
         true, solve<sparsemax>, weight<entmaxWeight>, sparsemaxGradient},

        {{"entmax15", "Entmax 1.5", "[z/2 − τ]₊², Σ = 1", "Peters, Niculae & Martins 2019",
          "Half way between softmax and sparsemax: smooth where keys enter, exactly zero for keys more than 2 below the best.", {}, {}, {}, {}},
         true, solve<entmax15>, weight<entmaxWeight>, entmax15Gradient},

        {{"entmax", "Entmax α", "[({alpha} − 1) z − τ]₊^(1/({alpha} − 1)), Σ = 1", "Peters, Niculae & Martins 2019",
          "One family from softmax (α → 1) through entmax 1.5 to sparsemax (α = 2) and beyond; the threshold is found by bisection.",
          {real("alpha", "α", 1.25, 1.01, 10, "Larger is sparser: keys more than 1/(α − 1) below the best get nothing.")}, {}, {}, {}},
         true, solve<entmax>, weight<entmaxWeight>, entmaxGradient, nullptr, std::nullopt, [](const Parameters& parameters) { return parameters["alpha"] > 2; }},

        {{"hardmax", "Hardmax", "1 / k where z is the largest, of k keys; else 0", "Veličković et al. 2024, the limit θ → 0",
          "Hard attention, the limit of softmax as the temperature goes to 0: all weight on the largest logit, so that nothing can disperse, however many keys there are. "
          "No scale changes it, and nothing learns through it.", {}, {}, {}, {}},
         true, solve<hardmax>, weight<hardmaxWeight>, hardmaxGradient, nullptr, std::nullopt, [](const Parameters&) { return true; }},

        {{"sigmoid", "Sigmoid", "1 / (1 + e^−(z + {b} − ln n))", "Ramapuram et al. 2024",
          "Each key is judged by itself. The offset −ln n keeps the total mass near that of softmax for small logits; rows do not sum to 1.",
          {real("b", "b", 0, -1000, 1000, "Added to the offset −ln n."),
           whole("keys", "n of the offset", 0, 0, 1e12, "0: the keys that a row sees. A number: the same for every row, as in the authors' code, which takes the length of the sequence.")},
          {{"as in the paper's text: each row's own n", "sigmoid", "Ramapuram et al. 2024"},
           {"as in the authors' code: one n, here 2 048", "sigmoid:keys=2048", "apple/ml-sigmoid-attention"}}, {}, {}},
         false, sigmoidState, logistic, sigmoidGradient, logLogistic},

        {{"softpick", "Softpick", "relu(e^z − 1) / (Σ |e^z − 1| + ε)", "Zuhri et al. 2025",
          "Keys with a negative logit get exactly nothing but still count below the line, so a row can sum to less than 1 or to nothing: no sink is needed.",
          {real("eps", "ε", 1e-6, 0, 1, "Keeps the quotient defined where all logits are 0.")}, {}, {}, {}},
         false, solve<softpick>, weight<softpickWeight>, softpickGradient},

        {{"relu2", "Squared ReLU", "relu(z)² / n", "Wortsman et al. 2023; So et al. 2021",
          "No exponential at all: weights grow with the square of the logit, divided by the number of keys. Rows do not sum to 1.", {}, {}, {}, {}},
         false, solve<squaredRelu>, weight<squaredReluWeight>, squaredReluGradient},

        {{"as_given", "As given", "e^z", "none: what has been normalised already",
          "The exponential alone. Finished weights, whose logarithms are the logits, come back as they are, whatever their rows sum to: "
          "those of sinks, of sigmoid or softpick attention, of dropout. Logits above 600 count as 600.", {}, {}, {}, {}},
         false, solve<asGiven>, weightAsGiven, exponentialGradient, logAsGiven, std::nullopt, [](const Parameters&) { return true; }},
    };
    return rows;
}
// clang-format on

bool isSoftmax(const Choice& normaliser) { return normaliser.id == "softmax"; }

bool hasSoftmaxForm(const Choice& normaliser)
{
    const auto row = findRow(normalisers(), normaliser.id, "normaliser");
    return row && (*row)->softmaxForm;
}

bool isAdaptiveAsPublished(const Choice& normaliser)
{
    return normaliser.id == "adaptive" && std::ranges::all_of(normaliser.values, [](const auto& value) {
               return value.first == "threshold" || value.first == "eps";
           });
}

Choice sinkOf(double logit) { return {"sink", {{"s", logit}}, {}}; }

bool takesSinksOfFile(const Choice& normaliser)
{
    return normaliser.id == "sink" && !normaliser.text.empty() && normaliser.text != noFile;
}

}  // namespace attnscope
