// entropy: the expected entropy (or another measure) of a row over n keys, exactly, by the papers' approximations, or
// by sampling, for scale methods or at a given lambda.

#include "app/commands/command_table.h"
#include "app/commands/head_input.h"
#include "app/commands/options.h"
#include "core/analysis/method_notes.h"
#include "core/analysis/monte_carlo.h"
#include "core/attention/normaliser.h"
#include "core/base/each.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/measures.h"
#include "core/theory/approximations.h"
#include "core/theory/expected_row.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace attnscope {

namespace {

struct EntropySettings {
    std::vector<Choice> methods;
    std::vector<std::int64_t> lengths;
    int d = 64;
    double nTrain = usualTrainLength;
    double temperature = 1;
    Choice source{"gaussian", {}, {}};
    std::string estimator = "exact";
    std::optional<double> lambda;
    Choice measure{"shannon", {}, {}};
    Choice normaliser{"softmax", {}, {}};
    int rows = 4096;
    std::uint64_t seed = 1;
    std::optional<Format> format;
    Options ofDraws, ofMethods;
    const CLI::Option* temperatureGiven = nullptr;
};

/// What an estimator says at one length.
struct Estimate {
    std::optional<double> value;
    std::optional<double> standardError;
    std::string note;
};
using Estimates = Result<std::vector<Estimate>>;
using Estimator = Estimates (*)(const EntropySettings&, const LogitDensity&, const std::vector<double>& n,
                                const std::vector<double>& lambda);

Estimates exactly(const EntropySettings& settings, const LogitDensity& density, const std::vector<double>& n,
                  const std::vector<double>& lambda)
{
    if (isOfNeedle(settings.measure) && !density.needle)
        return failure(ErrorKind::InvalidArgument,
                       "--measure needle: the source {} has no needle; take --source needle:gap=6", settings.source.id);
    const double largest = largestMultiplier / std::sqrt(settings.d);
    if (const auto beyond = std::ranges::find_if(lambda, [&](double scale) { return !(std::abs(scale) <= largest); });
        beyond != lambda.end() && !settings.lambda)
        return failure(ErrorKind::InvalidArgument,
                       "--temperature {} makes the scale lambda {} at n = {}, and the exact expectation is known up to "
                       "{} at d = {}; take a higher temperature, or --estimator monte-carlo",
                       formatNumber(settings.temperature), formatNumber(*beyond),
                       formatNumber(n[static_cast<size_t>(beyond - lambda.begin())]), formatNumber(largest),
                       settings.d);
    return expectedCurve(settings.measure, density, n, lambda).map([](const std::vector<double>& values) {
        std::vector<Estimate> out;
        for (const double value : values)
            out.push_back(std::isnan(value) ? Estimate{{}, {}, "a row of one key has none"} : Estimate{value, {}, {}});
        return out;
    });
}

Estimates approximately(const EntropySettings& settings, const LogitDensity& density, const std::vector<double>& n,
                        const std::vector<double>& lambda)
{
    const Approximation* form = TRY(findRow(approximations(), settings.estimator, "estimator"));
    std::vector<Estimate> out;
    for (size_t i = 0; i < n.size(); ++i) {
        const std::optional<double> value = form->entropy(density, n[i], lambda[i]);
        constexpr double rounding = 1e-12;
        if (!value)
            out.push_back({{}, {}, "the form '" + form->label + "' says nothing about this source"});
        else if (!std::isfinite(*value))
            out.push_back({{}, {}, "the form '" + form->label + "' diverges here; its range: " + form->range});
        else if (*value < -rounding || *value > std::log(n[i]) + rounding)
            out.push_back({*value,
                           {},
                           fmt::format("an entropy lies from 0 to ln n = {}; outside its range: {}",
                                       formatNumber(std::log(n[i]), 3), form->range)});
        else
            out.push_back({*value, {}, {}});
    }
    return out;
}

/// Why the error of a mean is not to be relied on; empty: nothing speaks against it.
std::string ofFewRows(const DrawnMean& mean)
{
    if (!mean.ofFew() || mean.mean == 0)
        return {};
    return fmt::format(
        "{} of {} rows carry this mean (effective number, (\u03A3x)\u00B2/\u03A3x\u00B2): its error counts no "
        "rarer ones and is too small if there are any; take more rows, or --estimator exact",
        formatNumber(mean.effective, 2), mean.count);
}

/// Every call draws the same x (the seed says which), so methods differ by less than their standard errors say.
Estimates bySampling(const EntropySettings& settings, const LogitDensity& density, const std::vector<double>& n,
                     const std::vector<double>& lambda)
{
    const std::vector<std::int64_t> lengths(n.begin(), n.end());
    const MonteCarloRequest request{.density = density,
                                    .n = lengths,
                                    .lambda = {lambda},
                                    .normaliser = settings.normaliser,
                                    .measure = settings.measure,
                                    .rows = settings.rows,
                                    .seed = settings.seed};
    return monteCarlo(request, {}).map([](const std::vector<std::vector<DrawnMean>>& means) {
        std::vector<Estimate> out;
        for (const DrawnMean& mean : means.front())
            out.push_back(mean.count > 0 ? Estimate{mean.mean, mean.standardError, ofFewRows(mean)}
                                         : Estimate{{}, {}, "no row has a value"});
        return out;
    });
}

/// A measure of rows, or an expectation that only theory names.
Result<Choice> measureOfARow(const std::string& text)
{
    const Result<Choice> measure = parseChoice(text, measures(), "measure");
    if (measure)
        return measure;
    const Result<Choice> expectation = parseChoice(text, expectedMeasures(), "measure");
    return expectation ? expectation : measure;
}

struct EstimatorRow {
    std::string id;
    Estimator find;
    bool softmaxAlone = false, shannonAlone = false;  ///< what it knows of normalisers and of measures
    bool expectedAlone = false;                       ///< of measures those whose expectation is known exactly
};

const std::vector<EstimatorRow>& estimators()
{
    static const std::vector<EstimatorRow> rows = [] {
        std::vector<EstimatorRow> all{{"exact", exactly, true, false, true}, {"monte-carlo", bySampling, false, false}};
        for (const Approximation& form : approximations())
            all.push_back({form.id, approximately, true, true});
        return all;
    }();
    return rows;
}

/// For what the row does not know: the first that does.
Result<Estimator> estimatorFor(const EntropySettings& settings)
{
    const EstimatorRow* row = TRY(findRow(std::span(estimators()), settings.estimator, "estimator"));
    const auto instead = [&](const char* known, const Choice& asked, bool EstimatorRow::*alone) {
        return failure(ErrorKind::InvalidArgument, "--estimator {} knows only {}; for '{}' take --estimator {}",
                       row->id, known, asked.id, std::ranges::find(estimators(), false, alone)->id);
    };
    if (row->softmaxAlone && !isSoftmax(settings.normaliser))
        return instead("the softmax", settings.normaliser, &EstimatorRow::softmaxAlone);
    if (row->shannonAlone && !isShannon(settings.measure))
        return instead("the Shannon entropy", settings.measure, &EstimatorRow::shannonAlone);
    if (row->expectedAlone && !findRow(expectedMeasures(), settings.measure.id, "measure"))
        return instead("measures whose expectation is known exactly", settings.measure, &EstimatorRow::expectedAlone);
    return row->find;
}

/// lambda = m / (tau sqrt d) at every length, or why there is none.
std::vector<Result<double>> scalesOf(const EntropySettings& settings,
                                     const std::function<Result<double>(const ScaleContext&)>& scale)
{
    std::vector<Result<double>> out;
    for (const std::int64_t n : settings.lengths)
        out.push_back(scale(lastRowOf(static_cast<double>(n), settings.nTrain, settings.d, settings.temperature))
                          .map([&](double m) { return m / (settings.temperature * std::sqrt(settings.d)); }));
    return out;
}

/// What is asked of one method, or of the given lambda: a scale for each length.
struct Asked {
    Cell method;
    std::vector<Result<double>> scales;
};

Result<std::vector<Asked>> askedOf(const EntropySettings& settings)
{
    if (settings.lambda)
        return std::vector{Asked{Cell{}, std::vector<Result<double>>(settings.lengths.size(), *settings.lambda)}};
    const std::vector<Choice> methods =
        settings.methods.empty() ? std::vector{Choice{"vanilla", {}, {}}} : settings.methods;
    std::vector<Asked> asked;
    for (const Choice& method : methods) {
        const auto scale = TRY(bindScale(method));
        asked.push_back({formatChoice(method), scalesOf(settings, scale)});
        for (const Result<double>& one : asked.back().scales)
            if (!one && one.error().kind != ErrorKind::Undefined)
                return tl::unexpected(one.error());
    }
    return asked;
}

/// An approximation of another law than the one that is looked at.
std::vector<std::string> approximationNotes(const EntropySettings& settings, const LogitDensity& density)
{
    const auto form = findRow(approximations(), settings.estimator, "estimator");
    if (!form || !(*form)->ofSphere || isSphere(density) || density.needle || !density.law.symmetric)
        return {};
    const LogitDensity sphere = sphereLike(density);
    return {fmt::format("{} is of {}, and these are {}: what it approximates is --estimator exact --source {}",
                        settings.estimator, sphere.label, density.label, sphere.choice.id)};
}

/// All methods in one call of the estimator: they share random numbers, or tables of theory.
Estimates estimate(const EntropySettings& settings, const LogitDensity& density, Estimator estimator,
                   const std::vector<Asked>& asked)
{
    std::vector<double> n, lambda;
    for (const Asked& one : asked)
        for (size_t i = 0; i < one.scales.size(); ++i)
            if (one.scales[i]) {
                n.push_back(static_cast<double>(settings.lengths[i]));
                lambda.push_back(*one.scales[i]);
            }
    return n.empty() ? Estimates(std::vector<Estimate>{}) : estimator(settings, density, n, lambda);
}

Result<void> runEntropy(const EntropySettings& settings, const Console& console)
{
    if (settings.estimator != "monte-carlo")
        TRY(unused(settings.ofDraws, "--estimator " + settings.estimator + " draws nothing"));
    if (settings.lambda && !settings.methods.empty())
        return failure(ErrorKind::InvalidArgument, "--lambda gives the scale, and so does --method; take one of them");
    if (settings.lambda)
        TRY(unused(settings.ofMethods, "--lambda is the whole factor on q.k"));
    if (settings.lambda && settings.temperatureGiven->count() > 0)
        return failure(ErrorKind::InvalidArgument, "--lambda is the whole factor on q.k, so --temperature has no part "
                                                   "in it; divide lambda by the temperature instead");
    const LogitDensity density = TRY(logitDensity(settings.source, settings.d));
    const Estimator estimator = TRY(estimatorFor(settings));
    const std::vector<Asked> asked = TRY(askedOf(settings));
    const Estimates estimates = estimate(settings, density, estimator, asked);
    if (!estimates)
        return tl::unexpected(estimates.error());

    ResultWriter writer(console.out, formatFor(settings.format, console),
                        {"method", "n", "d", neverInTable("n_train"), "lambda", "estimator", "measure", "value",
                         ifAny("stderr"), ifAny("note")});
    auto next = estimates->begin();
    for (const Asked& one : asked)
        for (size_t i = 0; i < one.scales.size(); ++i) {
            const Result<double>& scale = one.scales[i];
            const Estimate estimate = scale ? *next++ : Estimate{{}, {}, scale.error().message};
            writer.add({one.method, settings.lengths[i], std::int64_t{settings.d},
                        static_cast<std::int64_t>(settings.nTrain), cellOf(scale), settings.estimator,
                        formatChoice(settings.measure), cellOf(estimate.value), cellOf(estimate.standardError),
                        textCell(estimate.note)});
        }
    writer.finish();
    writeNotes(console, approximationNotes(settings, density));
    writeNotes(console, lawNotes(settings.methods, describeChoice(logitDensities(), density.choice), density.choice));
    return {};
}

}  // namespace

Command entropyCommand()
{
    return commandWith<EntropySettings>(
        "entropy", "The expected entropy of a row against n: exact, approximate or sampled",
        {"entropy --method vanilla infoscale softmax_plus --n 16:1e9:40",
         "entropy --lambda 0.125 --n 1024 --source sphere --estimator laplace",
         "entropy --method ssmax --n 64,1024 --normaliser entmax15 --estimator monte-carlo --rows 10000",
         "entropy --source uniform:-2,2 --measure renyi:2 --n 64:65536:x4"},
        [](CLI::App& app, EntropySettings& settings) {
            addMethods(app, settings.methods)->default_str("vanilla");
            addLengths(app, settings.lengths)->required();
            addHeadSize(app, settings.d);
            settings.ofMethods = {addTrainLength(app, settings.nTrain)};
            addDensity(app, settings.source);
            addWord(app, "--estimator", settings.estimator, eachOnce(estimators(), &EstimatorRow::id),
                    "How the expectation is found");
            addOption(
                app, "--lambda", "NUMBER", settings.lambda,
                [](const std::string& text) { return readNumber(text, {.minimum = 0, .maximum = 1e6}); },
                "The factor on q.k, in place of a method");
            addOption(app, "--measure", "CHOICE", settings.measure, measureOfARow,
                      "What to expect of a row: an id of `attnscope measures`, or needle, free_energy, mean_logit",
                      "shannon");
            settings.temperatureGiven = addTemperature(app, settings.temperature);
            addChoice(app, "--normaliser", settings.normaliser, normalisers(), "normaliser",
                      "How logits become weights (monte-carlo only)");
            settings.ofDraws = {addNumber(app, "--rows", settings.rows, {.minimum = 1, .maximum = 1e8, .whole = true},
                                          "Rows to draw (monte-carlo only)"),
                                addSeed(app, settings.seed)->description("Seed of the draws (monte-carlo only)")};
            addFormat(app, settings.format);
        },
        runEntropy);
}

}  // namespace attnscope
