#include "core/analysis/source.h"

#include "core/analysis/length_statistics.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/model/shipped_heads.h"
#include "core/statistics/matrices.h"
#include "core/tensor/copy_rows.h"
#include "core/tensor/synthetic_source.h"

#include <algorithm>

namespace attnscope {

namespace {

Entry plain(const SyntheticSource& source) { return source; }

std::optional<LogitDensity> densityOf(const Choice& choice, int d)
{
    return logitDensity(choice, d)
        .map([](LogitDensity density) { return std::optional(std::move(density)); })
        .value_or(std::nullopt);
}

void truncate(HeadSet& heads, std::int64_t keys, const Choice& mask)
{
    if (keys >= heads.keyCount())
        return;
    const std::int64_t kept = queriesWithin(heads.queryCount(), heads.keyCount(), mask, keys);
    for (Matrix& query : heads.queries)
        query = heads.kind == HeadSet::Kind::QueryKey ? Matrix(query.topRows(kept))
                                                      : Matrix(query.topLeftCorner(kept, keys));
    for (Matrix& key : heads.keys)
        key = Matrix(key.topRows(keys));
    heads.tokens.resize(std::min(heads.tokens.size(), static_cast<size_t>(keys)));
    heads.queryTokens.resize(std::min(heads.queryTokens.size(), static_cast<size_t>(kept)));
}

Result<Source> fromFile(const Scenario& scenario, std::int64_t keys)
{
    if (scenario.tensors.path.empty())
        return failure(ErrorKind::InvalidArgument,
                       "no file of tensors is open; open one, or choose a synthetic source");
    const TensorFile file = TRY(openHeadSource(scenario.tensors.path));
    return sourceOf(TRY(loadHeads(file, scenario.tensors)), keys, scenario.attention.mask);
}

Result<Source> fromSynthetic(const Scenario& scenario, std::int64_t keys, std::int64_t queries)
{
    const SyntheticSource* row = TRY(findRow(syntheticSources(), scenario.source.id, "source"));
    HeadSet heads =
        TRY(generate(scenario.source, {.queries = queries, .keys = keys, .d = scenario.d, .seed = scenario.seed}));
    Source source;
    source.heads = std::move(heads);
    const Parameters parameters(*row, scenario.source);
    if (row->needleKey)
        source.needleKey = row->needleKey(parameters);
    if (row->projections) {
        const ProjectedTokens made =
            row->projections(parameters, {.queries = queries, .keys = keys, .d = scenario.d, .seed = scenario.seed});
        source.projections = Projections{largestSingularValue(made.queryWeights), largestSingularValue(made.keyWeights),
                                         made.tokens.rowwise().norm().maxCoeff()};
    }
    if (row->density)
        source.density = densityOf(row->density(scenario.source), scenario.d);
    return source;
}

}  // namespace

std::span<const Entry> sourceEntries()
{
    static const std::vector<Entry> entries = [] {
        std::vector<Entry> rows;
        std::transform(syntheticSources().begin(), syntheticSources().end(), std::back_inserter(rows), plain);
        rows.push_back({.id = sourceOfFiles,
                        .label = "Opened tensors",
                        .formula = "q, k from a file",
                        .source = "the file",
                        .about = "Queries and keys of a trained model, from a .safetensors, .npy or .npz file."});
        rows.push_back({.id = sourceOfTheory,
                        .label = "Exact theory only",
                        .formula = "expectations over Gaussian q and k",
                        .source = "Attnscope, core/theory/expected_row.h",
                        .about = "No queries and keys at all: exact expectations, at any n up to 10¹².",
                        .parameters = {{"sphere", "on the sphere", 0, 0, 1, Parameter::Kind::Switch,
                                        "Uniform directions of length √d in place of Gaussian components."}}});
        return rows;
    }();
    return entries;
}

std::vector<std::string> filesOf(const Scenario& scenario)
{
    std::vector<std::string> paths;
    if (scenario.ofFile())
        paths = filesOfHeads(scenario.tensors.path);
    for (const Choice& method : scenario.methods)
        if (std::string path = fileOf(method); !path.empty())
            paths.push_back(std::move(path));
    if (std::string path = biasFileOf(scenario.attention.position); !path.empty())
        paths.push_back(std::move(path));
    return paths;
}

Source sourceOf(HeadSet heads, std::int64_t keys, const Choice& mask)
{
    Source source;
    source.heads = std::move(heads);
    const std::int64_t queries = source.heads.queryCount(), all = source.heads.keyCount();
    if (queriesWithin(queries, all, mask, keys) == 0) {
        keys = all - queries + 1;
        source.notes.push_back(
            fmt::format("the queries are the last {} of the {} tokens: the first {} are the fewest with one of them",
                        queries, all, keys));
    }
    truncate(source.heads, keys, mask);
    if (source.heads.kind == HeadSet::Kind::QueryKey)
        source.density = densityOf({"gaussian", {}, {}}, source.heads.headSize());
    return source;
}

Result<Source> openSource(const Scenario& scenario, std::int64_t keys, std::int64_t queries)
{
    if (scenario.ofFile())
        return fromFile(scenario, keys);
    if (scenario.ofTheory()) {
        const Result<const Entry*> entry = findRow(sourceEntries(), scenario.source.id, "source");
        TRY(validate(**entry, scenario.source));
        const bool sphere = Parameters(**entry, scenario.source).on("sphere");
        Source source;
        source.density = densityOf({sphere ? "sphere" : "gaussian", {}, {}}, scenario.d);
        return source;
    }
    return fromSynthetic(scenario, keys, queries);
}

bool beginsLongerOnes(const Scenario& scenario)
{
    const Result<const SyntheticSource*> row = findRow(syntheticSources(), scenario.source.id, "source");
    return row && !(*row)->finishedLogits && !(*row)->projections;
}

Result<Source> lengthened(const Source& source, const Scenario& scenario, std::int64_t n)
{
    const std::int64_t has = source.heads.keyCount();
    const HeadSet more = TRY(generate(
        scenario.source, {.queries = n - has, .keys = n - has, .d = scenario.d, .seed = scenario.seed, .first = has}));
    Source longer{.heads = {},
                  .needleKey = source.needleKey,
                  .density = source.density,
                  .projections = source.projections,
                  .notes = source.notes};
    longer.heads.hasOrder = source.heads.hasOrder;
    longer.heads.queries = {stacked(source.heads.query(0), more.query(0))};
    longer.heads.keys = {stacked(source.heads.key(0), more.key(0))};
    return longer;
}

}  // namespace attnscope
