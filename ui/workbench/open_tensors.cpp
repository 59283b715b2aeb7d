#include "ui/workbench/open_tensors.h"

#include "core/attention/suggested_view.h"
#include "core/model/shipped_heads.h"
#include "ui/plot/qt_text.h"
#include "ui/plot/ticks.h"

#include <QFile>
#include <QRegularExpression>

#include <algorithm>

namespace attnscope {

namespace {

TensorSelection selectionOf(const OfferedFile& file, const HeadCandidate& candidate)
{
    return {.path = file.file.path(),
            .query = candidate.query,
            .key = candidate.key,
            .layout = candidate.layout,
            .holds = candidate.holds,
            .batch = candidate.batch,
            .headCount = candidate.headCount};
}

/// Weights that are finished, or logits of sinks that the file brings: no other source has them.
bool isNormalisedAsItsFile(const Scenario& scenario)
{
    const Choice& normaliser = scenario.attention.normaliser;
    return scenario.ofFile() && (normaliser.id == "as_given" || !normaliser.text.empty());
}

/// Where a curve to so many tokens begins.
std::int64_t firstOfCurve(std::int64_t tokens)
{
    return std::min(tokens, std::clamp<std::int64_t>(tokens / 32, 2, 16));
}

/// The lengths and the part that is shown, for tensors of these sizes.
void fitView(Scenario& scenario, const HeadSizes& sizes, bool sameFile)
{
    scenario.n = sameFile ? std::min(scenario.n, sizes.keys) : sizes.keys;
    if (sizes.headSize > 0)
        scenario.d = sizes.headSize;
    scenario.view.row = -1;
    scenario.view.region = {};
    scenario.view.curveFirst = firstOfCurve(sizes.keys);
    scenario.view.curveLast = std::max(sizes.keys, scenario.view.curveFirst);
}

}  // namespace

bool canBeHeads(const TensorInfo& tensor)
{
    return !tensor.unreadable && tensor.shape.size() >= 2 && tensor.shape.size() <= 5 && tensor.elementCount() > 0;
}

std::vector<FileStamp> stampsOfTensors(const std::string& path)
{
    std::vector<FileStamp> stamps;
    if (namesShippedHeads(path) || !stampOf(path).exists)
        return stamps;
    for (const std::string& file : filesOfHeads(path))
        stamps.push_back(stampOf(file));
    return stamps;
}

Result<OfferedFile> offersOf(const std::string& path)
{
    std::vector<FileStamp> asRead = stampsOfTensors(path);
    auto opened = TRY(openHeadSource(path));
    OfferedFile out{std::move(opened), {}, std::move(asRead), {}};
    if (!namesShippedHeads(path))
        out.run = numberedFiles(path);
    for (const HeadCandidate& candidate : findCandidates(out.file))
        if (const auto sizes = sizesOf(out.file, selectionOf(out, candidate)))
            out.offers.push_back({candidate, *sizes});
    const auto tensors = out.file.tensors();
    const bool none = std::none_of(tensors.begin(), tensors.end(), canBeHeads);
    if (const Error* unreadable = out.file.firstUnreadable(); unreadable && none)
        return tl::unexpected<Error>(*unreadable);
    if (none)
        return failure(
            ErrorKind::DataError,
            path + ": none of its " + std::to_string(tensors.size()) +
                " tensors has the shape of queries and keys, such as (heads, tokens, dim); save them with 2 to 4 axes");
    return out;
}

QString labelInWords(const std::string& label)
{
    static const QRegularExpression layer(u"^layer[._-]?(\\d+)(?=$|,)"_s);
    return text(label).replace(layer, u"layer \\1"_s);
}

int placeInRun(const OfferedFile& file)
{
    const auto found = std::ranges::find(file.run, file.file.path(), &NumberedFile::path);
    return found == file.run.end() ? -1 : static_cast<int>(found - file.run.begin());
}

Scenario inRun(Scenario now, const OfferedFile& file, int by)
{
    if (const int place = placeInRun(file); place >= 0 && now.tensors.path == file.file.path())
        now.tensors.path =
            file.run[static_cast<std::size_t>(std::clamp(place + by, 0, static_cast<int>(file.run.size()) - 1))].path;
    return now;
}

int offerOf(const OfferedFile& file, const TensorSelection& selection)
{
    // of a tensor that stacks layers the last that begins before the element
    const auto found = std::find_if(file.offers.rbegin(), file.offers.rend(), [&](const TensorOffer& offer) {
        return offer.candidate.query == selection.query && offer.candidate.key == selection.key &&
               offer.candidate.holds == selection.holds && offer.candidate.batch <= selection.batch;
    });
    return static_cast<int>(file.offers.rend() - found) - 1;
}

Scenario scenarioFor(Scenario base, const OfferedFile& file, std::size_t index)
{
    TensorSelection selection = selectionOf(file, file.offers[index].candidate);
    if (base.ofFile() && base.tensors.path == selection.path) {
        selection.head = base.tensors.head;
        selection.mean = base.tensors.mean;
    }
    return scenarioFor(base, file, selection).value_or(base);  // an offer's sizes are known to be right
}

Result<Scenario> scenarioFor(Scenario base, const OfferedFile& file, const TensorSelection& asked)
{
    const auto full = TRY(resolveSelection(file.file, asked));
    const auto sizes = TRY(sizesOf(file.file, full));
    const bool sameFile = base.ofFile() && base.tensors.path == full.path;
    const HeadFacts facts = factsOf(file.file, full);
    const HeadFacts before = sameFile ? factsOf(file.file, base.tensors.query) : HeadFacts{};
    const bool rotationChanges = sameFile && before.rotated != facts.rotated;
    // another layer of a model may see and do something else
    const bool layerChanges =
        !facts.position.empty() && (before.position != facts.position || before.mask != facts.mask ||
                                    before.softCap != facts.softCap || before.sinks.empty() != facts.sinks.empty());
    const AttentionSpec suggested = suggestedAttention(facts, sizes);
    const bool wasItsFiles = isNormalisedAsItsFile(base);
    base.source = {"tensors", {}, {}};
    base.tensors = full;
    base.tensors.head = std::clamp<int>(full.head, 0, static_cast<int>(sizes.heads) - 1);
    std::erase_if(base.tensors.mean, [&](int head) { return head >= sizes.heads; });
    fitView(base, sizes, sameFile);
    if (!sameFile) {
        base.temperature = 1;  // the head as it is
        base.nTrain = suggestedTrainLength(facts, sizes);
        base.attention.mask = suggested.mask;
        if (full.holds == "weights" || wasItsFiles)
            base.attention.normaliser = suggested.normaliser;
    }
    if (layerChanges) {
        base.attention.mask = suggested.mask;
        base.attention.normaliser = suggested.normaliser;
        base.attention.softCap = suggested.softCap;
    }
    if (!sameFile || rotationChanges || layerChanges)
        base.attention.position = suggested.position;
    return base;
}

Scenario refitted(Scenario now, const OfferedFile& before, const OfferedFile& after)
{
    const auto full = resolveSelection(after.file, now.tensors);
    const auto sizes = full ? sizesOf(after.file, *full) : tl::unexpected(full.error());
    if (!sizes && !after.offers.empty()) {  // fewer layers: the nearest
        const int last = static_cast<int>(after.offers.size()) - 1;
        return scenarioFor(now, after, static_cast<std::size_t>(std::clamp(offerOf(before, now.tensors), 0, last)));
    }
    if (!sizes)
        return now;
    const std::int64_t had = resolveSelection(before.file, now.tensors)
                                 .and_then([&](const TensorSelection& was) { return sizesOf(before.file, was); })
                                 .value_or(HeadSizes{})
                                 .keys;
    const auto within = [&](std::int64_t tokens) {
        return tokens == had ? sizes->keys : std::min(tokens, sizes->keys);
    };
    const auto trained = [&](const OfferedFile& file) {
        return suggestedTrainLength(factsOf(file.file, now.tensors.query), *sizes);
    };
    if (now.nTrain == trained(before))
        now.nTrain = trained(after);
    now.tensors = *full;
    now.tensors.head = std::clamp<int>(now.tensors.head, 0, static_cast<int>(sizes->heads) - 1);
    std::erase_if(now.tensors.mean, [&](int head) { return head >= sizes->heads; });
    now.n = within(now.n);
    if (sizes->headSize > 0)
        now.d = sizes->headSize;
    now.view.curveLast = within(now.view.curveLast);
    now.view.curveFirst = std::min(now.view.curveFirst, firstOfCurve(now.view.curveLast));
    if (now.view.row >= sizes->queries)
        now.view.row = -1;
    if (now.view.region.rowEnd > sizes->queries || now.view.region.columnEnd > sizes->keys)
        now.view.region = {};
    return now;
}

std::optional<BeyondTrained> beyondTrained(const Scenario& now, std::int64_t tokens)
{
    const auto twice = static_cast<std::int64_t>(2 * now.nTrain);
    if (double(now.n) > now.nTrain)
        return {};
    if (tokens == 0)
        return BeyondTrained{twice, now.nTrain};
    if (double(tokens) > now.nTrain)
        return BeyondTrained{std::min(tokens, twice), now.nTrain};
    return tokens >= 4 ? std::optional(BeyondTrained{tokens, double(tokens / 2)}) : std::nullopt;
}

std::pair<QString, QString> offerOf(const BeyondTrained& beyond, const Scenario& now)
{
    if (beyond.nTrain != now.nTrain)
        return {u"Try N = %1"_s.arg(lengthText(beyond.nTrain)),
                u"The file goes no further than N: with half of its tokens as N one sees what disperses towards all of "
                "them"_s};
    return {u"Try n = %1"_s.arg(lengthText(double(beyond.n))),
            u"At n = N everything keeps its entropy with m = 1; beyond it one sees what disperses"_s};
}

bool isFileMissing(const Scenario& scenario)
{
    const std::string& path = scenario.tensors.path;
    return scenario.ofFile() && !path.empty() && !namesShippedHeads(path) && !QFile::exists(text(path));
}

Scenario withSource(Scenario base, const Choice& source)
{
    const View usual;
    if (isNormalisedAsItsFile(base))
        base.attention.normaliser = {"softmax", {}, {}};
    base.source = source;
    base.view.row = -1;
    base.view.region = {};
    base.view.curveFirst = usual.curveFirst;
    base.view.curveLast = base.ofTheory() ? 1'000'000'000 : usual.curveLast;
    if (!base.ofTheory())
        base.n = std::min<std::int64_t>(base.n, 1 << 20);
    return base;
}

}  // namespace attnscope
