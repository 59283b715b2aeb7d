// The table of scale methods. A row is its name, formula, source, parameters and one function; its test is one block of
// tests/scaling/golden.py. Parameters that several rows share (alpha, row, floor, heads, clamp_at_one) are applied by
// bindScale and appear in no function here.

#include "core/base/parameter.h"
#include "core/base/text.h"
#include "core/scaling/eie_network.h"
#include "core/scaling/entropy_exact.h"
#include "core/scaling/expression.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace attnscope {

namespace {

Parameter clampAtOne()
{
    return toggle(
        "clamp_at_one", "never below 1", false,
        "Holds the multiplier at 1 for sequences shorter than in training, so that short inputs are not flattened.");
}

tl::unexpected<Error> undefined(std::string reason) { return failure(ErrorKind::Undefined, std::move(reason)); }

Result<double> overLogOfTrainingLength(double value, double N)
{
    if (N <= 1)
        return undefined("undefined for N = 1, where ln N is 0");
    return value / std::log(N);
}

Result<Multiplier> vanilla(const Parameters&)
{
    return [](double, const ScaleContext&) { return 1.0; };
}

Result<Multiplier> logN(const Parameters&)
{
    return [](double n, const ScaleContext&) { return std::log(n); };
}

Result<Multiplier> suKappa(const Parameters& parameters)
{
    return [kappa = parameters["kappa"]](double n, const ScaleContext& c) {
        return kappa * std::log(n) / std::sqrt(static_cast<double>(c.d));
    };
}

Result<Multiplier> softmaxPlus(const Parameters& parameters)
{
    return [given = parameters.given("B")](double n, const ScaleContext& c) -> Result<double> {
        const double base = given.value_or(c.nTrain);
        if (base <= 1)
            return undefined("undefined for B = 1, where ln B is 0");
        return std::log(n) / std::log(base);
    };
}

Result<Multiplier> rowLog(const Parameters&)
{
    return [](double n, const ScaleContext& c) { return overLogOfTrainingLength(std::log(n), c.nTrain); };
}

/// 1 - e^(2 eps/d) n^(-2/d), exact for large d too: at most 0 where n <= e^eps.
double infoScaleTerm(double n, double eps, double d) { return -std::expm1(2 / d * (eps - std::log(n))); }

Result<Multiplier> infoScale(const Parameters& parameters)
{
    return [eps = parameters["eps"]](double n, const ScaleContext& c) -> Result<double> {
        const double d = c.d;
        const double here = infoScaleTerm(n, eps, d), reference = infoScaleTerm(c.nTrain, eps, d);
        const std::string least = "e^ε = " + formatNumber(std::exp(eps), 4);
        if (reference <= 0)
            return undefined("undefined where N is not above " + least + " (N = " + formatNumber(c.nTrain, 6) + ")");
        if (here < 0)
            return undefined("undefined below n = " + least + " (n = " + formatNumber(n, 6) + ")");
        return std::sqrt(here / reference);
    };
}

Result<Multiplier> yarn(const Parameters&)
{
    return [](double n, const ScaleContext& c) {
        const double factor = 1 + 0.1 * std::log(std::max(n / c.nTrain, 1.0));
        return factor * factor;
    };
}

Result<Multiplier> longRope(const Parameters&)
{
    return [](double n, const ScaleContext& c) -> Result<double> {
        if (n <= c.nTrain)
            return 1.0;
        return overLogOfTrainingLength(std::log(n / c.nTrain), c.nTrain).map([](double excess) { return 1 + excess; });
    };
}

Result<Multiplier> scalableSoftmax(const Parameters& parameters)
{
    return [s = parameters["s"]](double n, const ScaleContext&) { return s * std::log(n); };
}

Result<Multiplier> llama4(const Parameters& parameters)
{
    return
        [scale = parameters["attn_scale"], given = parameters.given("floor_scale")](double n, const ScaleContext& c) {
            return 1 + scale * std::log1p(std::floor(n / given.value_or(c.nTrain)));
        };
}

Result<Multiplier> logPower(const Parameters& parameters)
{
    return [delta = parameters["delta"], beta = parameters["beta"], gamma = parameters["gamma"]](
               double n, const ScaleContext&) { return delta + beta * std::pow(std::log(n), gamma); };
}

Result<Multiplier> entropyMeanField(const Parameters&)
{
    return [](double n, const ScaleContext& c) { return std::sqrt(std::max(0.0, 1 + 2 * std::log(n / c.nTrain))); };
}

Result<Multiplier> entropyMeasured(const Parameters&)
{
    return [](double n, const ScaleContext& c) -> Result<double> {
        if (!c.measured)
            return undefined(
                "needs queries and keys to measure; it has a value where a source or tensors are looked at");
        return c.measured(n);
    };
}

/// lambda sqrt d; at most N keys get what training gave them.
Result<double> eieMultiplier(const EieNetwork& network, double n, int d)
{
    if (d != network.d())
        return undefined(fmt::format("the network was trained for d = {}, not {}", network.d(), d));
    if (n > network.nMax())
        return undefined("the network was trained up to n = " + formatNumber(network.nMax()) +
                         " (n = " + formatNumber(n, 6) + ")");
    return n <= network.nTrain() ? 1.0 : network.lambda(n) * std::sqrt(static_cast<double>(d));
}

/// Laws whose entropy a method keeps.
std::string gaussian(const Parameters&) { return "gaussian"; }
std::string lawOfText(const Parameters& parameters) { return parameters.text(); }

std::string eieFile(const Parameters& parameters) { return parameters.text() == "shipped" ? "" : parameters.text(); }

/// The network of this d and N, or the first of this d.
const EieNetwork* shippedFor(const ScaleContext& c)
{
    const auto& all = EieNetwork::shipped();
    const auto exact = std::ranges::find_if(
        all, [&](const EieNetwork& network) { return network.d() == c.d && network.nTrain() == c.nTrain; });
    const auto found = exact != all.end() ? exact : std::ranges::find(all, c.d, &EieNetwork::d);
    return found == all.end() ? nullptr : &*found;
}

double eieTrainLength(const Parameters& parameters, const ScaleContext& c)
{
    if (const std::string file = eieFile(parameters); !file.empty())
        return eieNetworkOf(file).map([](const auto& network) { return network->nTrain(); }).value_or(0);
    const EieNetwork* network = shippedFor(c);
    return network ? network->nTrain() : 0;
}

Result<Multiplier> eie(const Parameters& parameters)
{
    if (const std::string file = eieFile(parameters); !file.empty())
        return eieNetworkOf(file).map([](const std::shared_ptr<const EieNetwork>& network) -> Multiplier {
            return [network](double n, const ScaleContext& c) { return eieMultiplier(*network, n, c.d); };
        });
    return [](double n, const ScaleContext& c) -> Result<double> {
        if (const EieNetwork* network = shippedFor(c))
            return eieMultiplier(*network, n, c.d);
        std::set<int> sizes;
        for (const EieNetwork& network : EieNetwork::shipped())
            sizes.insert(network.d());
        return undefined(fmt::format("networks come for d = {}, not {}; train one with: attnscope lab eie",
                                     joined(sizes, " and "), c.d));
    };
}

Result<Multiplier> entropyExactOf(const Parameters& parameters) { return entropyExact(parameters.text()); }

Result<Multiplier> custom(const Parameters& parameters)
{
    return Expression::compile(parameters.text()).map([](const Expression& expression) -> Multiplier {
        return [expression](double n, const ScaleContext& c) -> Result<double> {
            const double m = expression(n, c.nTrain, c.d, c.position);
            if (expression.usesPosition() && !std::isfinite(m))
                return undefined(std::string(std::isnan(m) ? "undefined" : "infinite") +
                                 " at n = " + formatNumber(n, 6) + ", i = " + formatNumber(c.position, 6));
            return m;
        };
    });
}

std::vector<ScaleMethod> withCommonParameters(std::vector<ScaleMethod> rows)
{
    for (ScaleMethod& row : rows) {
        row.parameters.push_back(sharedByAll(
            real("alpha", "α", 1, -100, 100, "A factor on the multiplier, by which layers or heads may differ.")));
        if (row.counts != Counts::Nothing)
            row.parameters.push_back(
                sharedByAll(toggle("row", "count this row's keys", row.counts == Counts::Row,
                                   "On: n is the number of keys that this row sees (i + 1 under a causal mask), so "
                                   "every row has a scale of its own. "
                                   "Off: n is the length of the sequence, the same for all rows.")));
    }
    return rows;
}

// clang-format off
const std::vector<ScaleMethod>& table()
{
    static const std::vector<ScaleMethod> rows = withCommonParameters({
        {{"vanilla", "Vanilla", "1", "Vaswani et al. 2017, section 3.2.1",
          "Logits are divided by √d and nothing else. √d keeps their variance at 1 for any head size, but with ever more keys the weights "
          "disperse: entropy grows like ln n.", {}, {}, {}, {}},
         Counts::Nothing, 0, vanilla},

        {{"log_n", "Log n", "ln {n}", "Chiang & Cholak 2022",
          "The logits grow with ln n: a key that leads every other by 1 or more keeps over half of the weight however many there are. Leading their "
          "mean is not enough: the largest of ever more random logits outgrow any fixed gap. Sharper than vanilla from 3 keys on, so a model has to be "
          "trained with it.", {}, {}, {}, {}},
         Counts::Keys, 3, logN},

        {{"su_kappa", "Su κ", "{kappa} · ln {n} / √{d}", "Su 2021; EIE's baseline ln n / d",
          "The scale λ = κ ln n / d that Su derives for q and k on a sphere, where a line through the entropy asks for κ = 1/0.24. At d = 64 that κ lets the "
          "entropy grow by about half a nat from 64 to 32 768 keys; κ = 1 lets it grow by more than 5. Su leaves κ open, and with N = 512 turns it into ln n / ln 512.",
          {real("kappa", "κ", 1, 0, 1000, "The constant of λ = κ ln n / d; ln 512 in the denominator, as in Softmax Plus, means κ = √d / ln 512.")},
          {{"EIE's baseline ln n / d", "su_kappa", "EIE, the compared method \"ln n / d\""},
           {"Su's estimate, κ = 1/0.24", "su_kappa:kappa=4.166666666666667", "Su 2021, from ln n − 0.24 λ d = 0"}}, {}, {}},
         Counts::Keys, 8, suKappa},

        {{"softmax_plus", "Softmax Plus", "ln {n} / ln {B}", "Su 2021 \"Attention-E\"; Su 2023",
          "Scales by the logarithm of the length, normalised to 1 at n = B: sharper on longer inputs, flatter on shorter ones. The simplest "
          "length-aware scale, and one that can be switched on in a model trained without it.",
          {followingN(real("B", "B", 512, 2, 1e12, "The length at which the multiplier is 1: the length the model was trained at, N, unless a number is given.")),
           real("floor", "least n", 1, 1, 1e6, "n is taken to be at least this, so that very short inputs are not flattened to nothing."), clampAtOne()},
          {{"as in the paper", "softmax_plus", "Su 2021, Attention-E"},
           {"as in bert4keras", "softmax_plus:B=512,floor=16", "bert4keras, attention scale: ln max(n, 16) / ln 512"},
           {"each row its own n", "softmax_plus:row=1", "Su 2021, for decoders"}}, {}, {}},
         Counts::Keys, 1, softmaxPlus},

        {{"infoscale", "InfoScale", "√((1 − e^(2·{eps}/{d})·{n}^(−2/{d})) / (1 − e^(2·{eps}/{d})·{N}^(−2/{d})))", "Li et al. 2025, eq. 15",
          "Solves a Taylor form of the entropy for the scale that keeps it, with ε the information that stays. With ε = 0 and a large d it is close to "
          "√(ln n / ln N), so it grows more slowly than ln n / ln N, and it never exceeds 1/√(1 − N^(−2/d)).",
          {real("eps", "ε", 0, 0, 20, "The entropy that is to be kept, in nats. The paper uses 0. Below n = e^ε the method has no value."),
           whole("heads", "heads in d", 1, 1, 1024, "1: d is the size of one head, as in the paper. A model's number of heads: d is its total width, as in some code; the curve gets closer to √(ln n / ln N)."),
           clampAtOne()},
          {{"as in the paper: d of one head", "infoscale", "Li et al. 2025, eq. 15"},
           {"d = total width (8 heads)", "infoscale:heads=8", "public implementations that read d_model"},
           {"never below 1", "infoscale:clamp_at_one=1", "public implementations that scale only beyond N"},
           {"each row its own n", "infoscale:row=1", "public implementations that count the positions up to the query"}}, {}, {}},
         Counts::Keys, 2, infoScale},

        {{"yarn", "YaRN temperature", "(1 + 0.1 · ln max({n}/{N}, 1))²", "Peng et al. 2023, eq. 22",
          "YaRN multiplies both q and k by 0.1 ln(n/N) + 1 beyond the training length, so the logits get its square. It was fitted to "
          "perplexity, not derived.", {}, {}, {}, {}},
         Counts::Keys, 5, yarn},

        {{"longrope", "LongRoPE temperature", "1 + ln max({n}/{N}, 1) / ln {N}", "Ding et al. 2024, as in transformers",
          "The attention factor of LongRoPE: √(1 + ln(n/N)/ln N) on q and on k beyond the training length. The logits then get exactly "
          "ln n / ln N, held at 1 below N.", {}, {}, {}, {}},
         Counts::Keys, 6, longRope},

        {{"row_log", "Row log", "ln {n} / ln {N}", "Su 2021, decoder form; ReRoPE; Qwen log-n attention",
          "The causal form of the log rule: each row counts the keys that it sees itself, so early rows are flat and late rows sharp. "
          "Public decoders use it with the multiplier held at 1 up to the training length.",
          {clampAtOne()},
          {{"as in the paper", "row_log", "Su 2021"}, {"as in ReRoPE and Qwen", "row_log:clamp_at_one=1", "ReRoPE and Qwen: max(1, ln n / ln N)"}}, {}, {}},
         Counts::Row, 9, rowLog},

        {{"ssmax", "Scalable Softmax", "{s} · ln {n}", "Nakanishi 2025, Scalable-Softmax",
          "Softmax with base n^s in place of e. s is learned per head; training finds about 0.43. A key whose logit is 1/s or more above every other's "
          "keeps over half of the weight at any length. That far above their mean is not enough: the largest of ever more random logits outgrow any fixed gap.",
          {real("s", "s", 0.43, -10, 10, "The learned strength of one head; around 0.43 after training. 1 is Log n.")},
          {{"as in the paper: n of the row", "ssmax", "Nakanishi 2025"}, {"one n for all rows", "ssmax:row=0", "implementations that take the length of the sequence"}}, {}, {}},
         Counts::Row, 7, scalableSoftmax},

        {{"llama4", "Llama 4 temperature", "1 + {attn_scale} · ln(1 + ⌊{n}/{floor_scale}⌋)", "Llama 4, attention temperature tuning of its NoPE layers",
          "A staircase: nothing changes below a block of tokens, N of them unless a number is given, then the scale grows with the logarithm of 1 + the number of whole blocks in n. "
          "n is i + 1 under a causal mask, as in Llama 4; Ministral 3 takes i, so that its steps come a row later.",
          {followingN(real("floor_scale", "block", 8192, 1, 1e9, "Tokens a step, within which the scale is constant: the length the model was trained at, N, unless a number is given.")),
           real("attn_scale", "step", 0.1, 0, 10, "How much a factor e in length adds.")},
          {{"blocks of N", "llama4", "floor_scale = original_max_position_embeddings"},
           {"as in Llama 4", "llama4:floor_scale=8192", "Llama 4, floor_scale 8192"}}, {}, {}},
         Counts::Row, 10, llama4},

        {{"log_power", "Log power", "{delta} + {beta} · (ln {n})^{gamma}", "the form of ASEntmax 2025",
          "A family that holds many of the others: an offset, a strength and a power of ln n. Adaptive-scalable entmax predicts strength and power for every token and head, under 1.5-entmax; here they are numbers. "
          "Power 1 is the log rule; power 1/2 grows as the mean-field law does.",
          {real("delta", "δ", 1, -100, 100, "The multiplier at n = 1 (for positive powers)."),
           real("beta", "β", 0.5, -100, 100, "The strength of the growth."),
           real("gamma", "γ", 1, -4, 4, "The power of ln n: 1 grows like the logarithm, 1/2 like its root; negative powers have no value at n = 1.")}, {}, {}, {}},
         Counts::Row, 11, logPower},

        {{"eie", "EIE, learned", "√{d} λ({n}; θ)", "EIE, eqs. 9-13",
          "A small network trained to hold the expected entropy of N tokens up to 16 N: λ(n) = 1/√d plus the integral of a positive slope. With "
          "the program come those of the paper, d = 16 (N = 100, to 1600) and d = 32 (N = 120, to 1920), and d = 16 for N = 20 (to 320) and N = 256 (to 4096), which are "
          "taken where N is theirs; a file trained by the lab can be given in their place. N is the network's own, and up to N the multiplier is 1.", {}, {}, "network", "shipped"},
         Counts::Keys, 12, eie, eieTrainLength, false, false, eieFile, gaussian},

        {{"entropy_exact", "Entropy, exact", "root of E H({n}, m/(τ√{d})) − E H({N}, 1/(τ√{d}))", "the exact solution of EIE's eq. 7 and Su 2021's aim",
          "The scale that keeps the expected entropy of N keys at n keys, solved exactly for random queries and keys: what the closed forms that aim at "
          "the entropy approximate. Where n keys cannot hold that much entropy it has no value.", {},
          {{"Gaussian q and k", "entropy_exact", "EIE, section 4.1"}, {"on a sphere", "entropy_exact:sphere", "Su 2021; Li et al. 2025"}}, "source", "gaussian"},
         Counts::Keys, 4, entropyExactOf, nullptr, true, false, nullptr, lawOfText},

        {{"entropy_mean_field", "Entropy, mean field", "√max(0, 1 + 2 ln({n}/{N}))", "mean-field solution of E H(n, λ) = E H(N, 1/√d)",
          "The scale that keeps the expected entropy of Gaussian attention in the mean-field approximation H = ln n − m²/2. It has a closed "
          "form and no constant to choose. It asks for too little, the more so the smaller N is: for N = 16 at n = 4096 it has m = 3.48 where 4.72 keeps the entropy.", {clampAtOne()}, {}, {}, {}},
         Counts::Keys, 13, entropyMeanField, nullptr, false, false, nullptr, gaussian},

        {{"entropy_measured", "Entropy, measured", "root of H(m, {n}) − H(1, {N})", "solved on the queries and keys that are looked at",
          "The multiplier that brings the mean entropy of the rows that count, of these very queries and keys, at n back to what it was at N tokens. No model of the "
          "logits is assumed: this is what a length-invariant scale would have to be for this head. Within a model every head has its own, measured on "
          "windows of the text that is run, layer after layer.", {}, {}, {}, {}},
         Counts::Keys, 14, entropyMeasured, nullptr, true, true},

        {{"custom", "Custom", "an expression of n, N, d, i", "yours",
          "Any arithmetic of n (keys counted), N (training length), d (head size) and i (the row, from 0). log is natural; "
          "min, max, sqrt, exp, floor and a ? b : c are there.", {}, {}, "expression", "log(n)/log(N)"},
         Counts::Keys, 15, custom, nullptr, false, false, nullptr, nullptr, true},
    });
    return rows;
}
// clang-format on

}  // namespace

std::span<const ScaleMethod> scaleMethods() { return table(); }

}  // namespace attnscope
