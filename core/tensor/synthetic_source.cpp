#include "core/tensor/synthetic_source.h"

#include "core/base/parallel.h"
#include "core/base/random.h"
#include "core/theory/logit_density.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace attnscope {

namespace {

using Kind = Parameter::Kind;
using Index = std::int64_t;

constexpr Index mostLogits = Index(1) << 24;
constexpr Index rowsATask = 64;

/// Rows first .. first + rows - 1 of an endless matrix of independent normals.
Matrix normals(const Random& random, Index first, Index rows, Index columns)
{
    Matrix out(rows, columns);
    forEachInParallel(rows, rowsATask, [&](Index r) {
        random.normals(static_cast<std::uint64_t>(first + r),
                       std::span<float>(out.row(r).data(), static_cast<size_t>(columns)));
    });
    return out;
}

HeadSet oneHead(Matrix query, Matrix key)
{
    HeadSet heads;
    heads.queries.push_back(std::move(query));
    heads.keys.push_back(std::move(key));
    return heads;
}

HeadSet gaussian(const Parameters&, const SyntheticShape& shape)
{
    return oneHead(normals({shape.seed, Stream::Queries}, shape.first, shape.queries, shape.d),
                   normals({shape.seed, Stream::Keys}, shape.first, shape.keys, shape.d));
}

void toRadius(Matrix& rows, double radius)
{
    for (Index r = 0; r < rows.rows(); ++r)
        rows.row(r) *= static_cast<float>(radius / rows.row(r).norm());
}

HeadSet sphere(const Parameters& parameters, const SyntheticShape& shape)
{
    HeadSet heads = gaussian(parameters, shape);
    toRadius(heads.queries[0], std::sqrt(shape.d));
    toRadius(heads.keys[0], std::sqrt(shape.d));
    return heads;
}

/// The last component is kept for the match: 1 in every query, 0 in every key but one, whose logit it sets to the gap.
HeadSet needle(const Parameters& parameters, const SyntheticShape& shape)
{
    HeadSet heads = gaussian(parameters, shape);
    const Index at = static_cast<Index>(parameters["key"]) - shape.first, last = shape.d - 1;
    heads.queries[0].col(last).setOnes();
    heads.keys[0].col(last).setZero();
    if (at >= 0 && at < shape.keys) {
        heads.keys[0].row(at).setZero();
        heads.keys[0](at, last) = static_cast<float>(parameters["gap"] * std::sqrt(shape.d));
    }
    return heads;
}

/// q.k / sqrt(d) of two unit-amplitude features is multiplied by `logit` when both carry the factor this returns.
double amplitude(double logit, double squaredNorm, int d) { return std::sqrt(logit * std::sqrt(d) / squaredNorm); }

/// Which topic each token belongs to: it changes with probability 1 / length at every token.
std::vector<Index> topics(Index tokens, double length, Index count, std::uint64_t seed)
{
    const Random random(seed, Stream::Structure);
    std::vector<Index> topic(static_cast<size_t>(tokens));
    Index now = 0;
    for (Index t = 0; t < tokens; ++t) {
        if (t == 0 || random.uniform(1, static_cast<std::uint64_t>(t)) * length < 1)
            now = static_cast<Index>(random.uniform(2, static_cast<std::uint64_t>(t)) * static_cast<double>(count));
        topic[static_cast<size_t>(t)] = now;
    }
    return topic;
}

/// Position by pairs (cos w t, sin w t) with Cauchy frequencies: E q.k ~ exp(-|i - j| / width). Topics: a shared random
/// vector. Sink: key 0 lies along the mean query.
HeadSet local(const Parameters& parameters, const SyntheticShape& shape)
{
    HeadSet heads = gaussian(parameters, shape);
    const int d = shape.d, pairs = d / 2;
    const Random structure(shape.seed, Stream::Structure);
    Eigen::ArrayXd turnsAToken(pairs);  // a Cauchy frequency a pair: the mean of cos(frequency t) is e^(-|t| / width)
    for (int p = 0; p < pairs; ++p)
        turnsAToken(p) = std::tan(std::numbers::pi * (structure.uniform(0, static_cast<std::uint64_t>(p)) - 0.5)) /
                         parameters["width"] / (2 * std::numbers::pi);
    const double positionFactor = pairs ? amplitude(parameters["local"], pairs, d) : 0;

    const Index topicCount = static_cast<Index>(parameters["topics"]);
    const std::vector<Index> topic =
        topics(shape.first + std::max(shape.keys, shape.queries), parameters["length"], topicCount, shape.seed);
    Matrix topicVector = normals({shape.seed, Stream::Structure}, 16, topicCount + 1, d);
    toRadius(topicVector, 1);
    const double topicFactor = amplitude(parameters["topic"], 1, d), sinkFactor = amplitude(parameters["sink"], 1, d);
    const auto sinkVector = topicVector.row(topicCount);

    const auto shapeRow = [&](auto row, Index token) {
        row *= static_cast<float>(parameters["noise"]);
        // Whole turns are taken off in double precision, so that float32 is enough for the rest however far the token.
        const Eigen::ArrayXd turns = turnsAToken * static_cast<double>(token);
        const Eigen::ArrayXf angle = ((turns - turns.floor()) * (2 * std::numbers::pi)).cast<float>();
        const Eigen::ArrayXf even = static_cast<float>(positionFactor) * angle.cos(),
                             odd = static_cast<float>(positionFactor) * angle.sin();
        for (int p = 0; p < pairs; ++p) {
            row(2 * p) += even(p);
            row(2 * p + 1) += odd(p);
        }
        row += static_cast<float>(topicFactor) * topicVector.row(topic[static_cast<size_t>(token)]);
    };
    forEachInParallel(shape.queries, rowsATask, [&](Index i) {
        shapeRow(heads.queries[0].row(i), shape.first + i);
        heads.queries[0].row(i) += static_cast<float>(sinkFactor) * sinkVector;
    });
    forEachInParallel(shape.keys, rowsATask, [&](Index j) { shapeRow(heads.keys[0].row(j), shape.first + j); });
    if (shape.first == 0 && shape.keys > 0)
        heads.keys[0].row(0) += static_cast<float>(sinkFactor) * sinkVector;
    return heads;
}

/// Token t is word floor(V u_t); every word has one query and one key.
HeadSet vocabulary(const Parameters& parameters, const SyntheticShape& shape)
{
    const Index wordCount = static_cast<Index>(parameters["V"]);
    const HeadSet word =
        gaussian(parameters, {.queries = wordCount, .keys = wordCount, .d = shape.d, .seed = shape.seed});
    const Random random(shape.seed, Stream::Structure);
    const auto pick = [&](Index token) {
        return static_cast<Index>(random.uniform(3, static_cast<std::uint64_t>(token)) *
                                  static_cast<double>(wordCount));
    };
    Matrix query(shape.queries, shape.d), key(shape.keys, shape.d);
    for (Index i = 0; i < shape.queries; ++i)
        query.row(i) = word.queries[0].row(pick(shape.first + i));
    for (Index j = 0; j < shape.keys; ++j)
        key.row(j) = word.keys[0].row(pick(shape.first + j));
    return oneHead(std::move(query), std::move(key));
}

/// A fraction `tightness` of a token's variance is its cluster's centre, shared by query and key.
HeadSet clustered(const Parameters& parameters, const SyntheticShape& shape)
{
    HeadSet heads = gaussian(parameters, shape);
    const Index count = static_cast<Index>(parameters["clusters"]);
    const Matrix centre = normals({shape.seed, Stream::Structure}, 16, count, shape.d);
    const Random random(shape.seed, Stream::Structure);
    const double shared = std::sqrt(parameters["tightness"]), own = std::sqrt(1 - parameters["tightness"]);
    const auto shapeRow = [&](auto row, Index token) {
        const Index cluster =
            static_cast<Index>(random.uniform(4, static_cast<std::uint64_t>(token)) * static_cast<double>(count));
        row = static_cast<float>(own) * row + static_cast<float>(shared) * centre.row(cluster);
    };
    for (Index i = 0; i < shape.queries; ++i)
        shapeRow(heads.queries[0].row(i), shape.first + i);
    for (Index j = 0; j < shape.keys; ++j)
        shapeRow(heads.keys[0].row(j), shape.first + j);
    return heads;
}

/// W_Q and W_K with entries N(0, 1 / D): q and k then have unit variance a component.
ProjectedTokens projectedTokens(const Parameters& parameters, const SyntheticShape& shape)
{
    const Index model = static_cast<Index>(parameters["D"]);
    const float factor = 1 / std::sqrt(static_cast<float>(model));
    const Random random(shape.seed, Stream::Weights);
    return {.tokens = normals({shape.seed, Stream::Keys}, 0, shape.first + std::max(shape.keys, shape.queries), model),
            .queryWeights = factor * normals(random, 0, model, shape.d),
            .keyWeights = factor * normals(random, model, model, shape.d)};
}

HeadSet dependent(const Parameters& parameters, const SyntheticShape& shape)
{
    const ProjectedTokens made = projectedTokens(parameters, shape);
    return oneHead(made.tokens.middleRows(shape.first, shape.queries) * made.queryWeights,
                   made.tokens.middleRows(shape.first, shape.keys) * made.keyWeights);
}

/// Logits from a density, row by row.
HeadSet drawn(const LogitDensity& density, const SyntheticShape& shape)
{
    HeadSet heads;
    heads.kind = HeadSet::Kind::Logits;
    Matrix& matrix = heads.queries.emplace_back(shape.queries, shape.keys);
    const Random keys(shape.seed, Stream::Logits), lengths(shape.seed, Stream::Queries);
    forEachInParallel(shape.queries, rowsATask, [&](Index i) {
        const auto row = static_cast<std::uint64_t>(shape.first + i);
        std::vector<double> x(static_cast<size_t>(shape.keys));
        density.law.draw(keys, row, x);
        const double r = density.drawR(lengths, row);
        for (Index j = 0; j < shape.keys; ++j)
            matrix(i, j) = static_cast<float>(r * x[static_cast<size_t>(j)]);
    });
    return heads;
}

/// A density of core/theory as a source: the same id, words and parameters.
SyntheticSource sourceOf(std::string_view id)
{
    const Entry& entry = **findRow(logitDensities(), id, "logit density");
    return {entry, nullptr, [](const Choice& choice) { return choice; }, nullptr, nullptr, false, true};
}

}  // namespace

std::span<const SyntheticSource> syntheticSources()
{
    static const std::vector<SyntheticSource> rows{
        {{.id = "local",
          .label = "Local structure",
          .formula = "{local} e^(−|i − j| / {width}) + topics + sink + noise",
          .source = "Attnscope",
          .about = "Looks as trained heads do: neighbours attend to each other, tokens of one topic attend to each "
                   "other, and "
                   "everybody attends a little to the first token.",
          .parameters =
              {{"local", "local", 5, 0, 40, Kind::Real, "Logit between a query and the key at its own position."},
               {"width", "width", 12, 0.5, 1e4, Kind::Real, "Distance in tokens over which that logit falls by e."},
               {"topic", "topic", 4, 0, 40, Kind::Real, "Logit between tokens of one topic."},
               {"topics", "topics", 5, 1, 1000, Kind::Integer, "How many topics there are."},
               {"length", "topic length", 60, 1, 1e6, Kind::Real, "Mean number of tokens before the topic changes."},
               {"sink", "sink", 4.5, 0, 40, Kind::Real, "Logit of the first key for every query."},
               {"noise", "noise", 0.8, 0, 10, Kind::Real,
                "Standard deviation of what is random in each component of q and k."}}},
         local,
         nullptr,
         nullptr,
         nullptr,
         true},
        {{.id = "gaussian",
          .label = "Gaussian",
          .formula = "q, k ~ N(0, I)",
          .source = "EIE, eq. 6",
          .about = "Independent standard normal queries and keys: the assumption of the theory, so "
                   "its curves are exact here."},
         gaussian,
         [](const Choice&) {
             return Choice{"gaussian", {}, {}};
         }},
        {{.id = "sphere",
          .label = "Sphere",
          .formula = "q, k uniform on |x| = √d",
          .source = "Su 2021; Li et al. 2025, section 3",
          .about = "Directions are uniform and lengths are √d, as after a layer norm: a logit is √d cos θ."},
         sphere,
         [](const Choice&) {
             return Choice{"sphere", {}, {}};
         }},
        {{.id = "needle",
          .label = "Needle",
          .formula = "one key at logit {gap}, the others Gaussian",
          .source = "Attnscope; retrieval as in Veličković et al. 2024",
          .about = "One key matches every query; all others are noise. How much weight does it keep as n grows?",
          .parameters = {{"gap", "gap", 6, -50, 50, Kind::Real,
                          "Logit of the matching key; the others' have mean 0 and variance about 1."},
                         {"key", "key", 7, 0, 1e6, Kind::Integer, "Index of the matching key, from 0."}}},
         needle,
         [](const Choice& choice) {  // what is not the density's, the key, stays behind
             const auto gap = choice.values.find("gap");
             return Choice{
                 "needle", gap == choice.values.end() ? decltype(choice.values){} : decltype(choice.values){*gap}, {}};
         },
         [](const Parameters& parameters) { return static_cast<Index>(parameters["key"]); }},
        {{.id = "dependent",
          .label = "Dependent q and k",
          .formula = "q = x W_Q, k = x W_K, x of size {D}",
          .source = "EIE, eq. 21",
          .about = "Queries and keys are two projections of the same tokens, as in a real layer.",
          .parameters = {{"D", "D", 128, 1, 4096, Kind::Integer, "Width of the model that the projections read."}}},
         dependent,
         nullptr,
         nullptr,
         projectedTokens},
        {{.id = "clustered",
          .label = "Clustered",
          .formula = "one of {clusters} centres, share {tightness} of the variance",
          .source = "Attnscope",
          .about = "Tokens fall into clusters; a query and a key of the same cluster share a centre.",
          .parameters = {{"clusters", "C", 8, 1, 1000, Kind::Integer, "How many clusters there are."},
                         {"tightness", "t", 0.5, 0, 1, Kind::Real,
                          "Share of a component's variance that comes from the cluster's centre."}}},
         clustered},
        {{.id = "vocabulary",
          .label = "Finite vocabulary",
          .formula = "tokens drawn from {V} words",
          .source = "Veličković et al. 2024, section 3",
          .about = "Every token is one of finitely many words, so logits are bounded: the setting of the dispersion "
                   "theorem.",
          .parameters = {{"V", "V", 32, 1, 100000, Kind::Integer,
                          "Number of words; each has one random query and one random key."}}},
         vocabulary},
        sourceOf("uniform"),
        sourceOf("finite"),
        sourceOf("power_series"),
    };
    return rows;
}

Result<HeadSet> generate(const Choice& choice, const SyntheticShape& shape)
{
    const SyntheticSource* row = TRY(findRow(syntheticSources(), choice.id, "source"));
    TRY(validate(*row, choice));
    if (row->finishedLogits && shape.queries * shape.keys > mostLogits)
        return failure(ErrorKind::InvalidArgument,
                       "the source '{}' makes each logit by itself and stops at {} of them; choose n up to 4096, or "
                       "the source 'gaussian'",
                       choice.id, formatNumber(mostLogits));
    auto made = row->finishedLogits ? logitDensity(row->density(choice), shape.d).map([&](const LogitDensity& density) {
        return drawn(density, shape);
    })
                                    : Result<HeadSet>(row->generate(Parameters(*row, choice), shape));
    if (made)
        made->hasOrder = row->hasOrder;
    return made;
}

}  // namespace attnscope
