#include "core/model/policy.h"

#include "core/attention/engine.h"
#include "core/attention/engine_support.h"
#include "core/attention/masks.h"
#include "core/attention/positions.h"
#include "core/model/architecture.h"
#include "core/tensor/tensor_file.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace attnscope {

namespace {

/// The published model: what layers do that the policy leaves alone.
const Policy published;

/// A parameter that the row has and nobody has set.
void fill(Choice& choice, const Position& row, std::string_view parameter, double value)
{
    if (parameterOf(row, parameter))
        choice.values.emplace(parameter, value);
}

}  // namespace

Result<std::vector<std::int64_t>> keysOfRows(const Choice& maskChoice, std::int64_t n)
{
    const auto mask = TRY(checkedMask(maskChoice));
    const Parameters parameters(*mask, maskChoice);
    std::vector<std::int64_t> rowKeys;
    for (std::int64_t i = 0; i < n; ++i)
        rowKeys.push_back(mask->visible(i, n, parameters).count());
    return rowKeys;
}

std::int64_t mostKeysSeen(const Architecture& architecture, std::int64_t n)
{
    std::int64_t most = 0;
    const Choice* before = nullptr;
    for (const LayerSpec& spec : architecture.specs) {
        if (before && *before == spec.mask)
            continue;
        before = &spec.mask;
        if (const auto rowKeys = keysOfRows(spec.mask, n); rowKeys && !rowKeys->empty())
            most = std::max(most, std::ranges::max(*rowKeys));
    }
    return most > 0 ? most : n;
}

double heldDistance(const Position& row, double trained)
{
    const double published = parameterOf(row, "w")->byDefault;
    return trained >= 1 ? std::min(published, std::round(trained)) : published;
}

Result<LayerRule> resolveLayer(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n)
{
    LayerRule rule;
    const LayerSpec& layerSpec = architecture.specs.at(static_cast<size_t>(layer));
    const Choice position = TRY(positionOf(policy, architecture, layer, n));
    rule.spec = {.kernel = policy.kernel,
                 .position = position,
                 .mask = policy.mask.value_or(layerSpec.mask),
                 .normaliser = policy.normaliser.value_or(AttentionSpec{}.normaliser),
                 .softCap = layerSpec.logitCap};
    if (!policy.normaliser) {
        rule.sinks = layerSpec.sinks;
    } else if (takesSinksOfFile(*policy.normaliser)) {
        rule.sinks = TRY(readHeadTable(policy.normaliser->text, architecture)).at(static_cast<size_t>(layer));
        rule.spec.normaliser = AttentionSpec{}.normaliser;
        for (const double sink : rule.sinks)
            TRY(findNormaliser(sinkOf(sink)));  // of a logit that it takes
    }
    const bool ownStays = keepsOwnTemperature(policy.method);
    const Choice& method = ownStays ? layerSpec.method : policy.method;
    const double own = (ownStays ? factorOf(policy.method) : 1) * layerSpec.logitFactor;
    const auto rowKeys = TRY(keysOfRows(rule.spec.mask, n));
    ScaleContext context{.keys = static_cast<double>(unmaskedKeys(rule.spec.mask, n)),
                         .nTrain = trainLengthOf(policy, architecture),
                         .d = architecture.headSize};  // tau is a factor on top of what the method keeps at 1
    const bool byHead = policy.headMultipliers && isMeasured(policy.method);
    const bool eachItsOwn = byHead || !policy.factors.empty();
    for (int head = 0; head < (eachItsOwn ? architecture.heads : 1); ++head) {
        const double factor =
            policy.factors.empty() ? 1 : policy.factors.at(static_cast<size_t>(layer)).at(static_cast<size_t>(head));
        if (byHead)
            context.measured = [&](double keys) { return policy.headMultipliers->at(layer, head, keys); };
        const auto multipliers = TRY(rowMultipliers(method, context, rowKeys));
        std::vector<double>& scale = rule.scales.emplace_back();
        for (const double m : multipliers)
            scale.push_back(scaleOf(factor * m * own, policy.temperature));
    }
    return rule;
}

Result<std::vector<double>> rowMultipliers(const Choice& method, ScaleContext context,
                                           std::span<const std::int64_t> rowKeys)
{
    const auto scale = TRY(bindScale(method));
    const auto counts = TRY(countsOf(method));
    const bool byPlace = usesPosition(method);
    std::unordered_map<std::int64_t, double> known;
    std::vector<double> all;
    for (const std::int64_t keys : rowKeys) {
        const std::int64_t key = counts == Counts::Row ? keys : 0;
        if (const auto found = known.find(key); found != known.end() && !byPlace) {
            all.push_back(found->second);
            continue;
        }
        context.rowKeys = static_cast<double>(keys);
        context.position = static_cast<double>(all.size());
        const Result<double> m = scale(context);
        if (!m)
            return failure(m.error().kind, method.id + " at n = " +
                                               formatNumber(counts == Counts::Row ? context.rowKeys : context.keys) +
                                               ": " + m.error().message);
        all.push_back(known[key] = *m);
    }
    return all;
}

bool holdsIn(const Policy& policy, int layer)
{
    return policy.layers.empty() || std::find(policy.layers.begin(), policy.layers.end(), layer) != policy.layers.end();
}

Result<std::optional<Choice>> parsePositions(std::string_view text)
{
    if (text == ownPositions)
        return std::nullopt;
    const auto choice = parseChoice(text, positions(), "position");
    if (!choice && choice.error().kind == ErrorKind::UnknownName)
        return failure(ErrorKind::UnknownName, "{}; or {}, the model's", choice.error().message, ownPositions);
    return choice.map([](const Choice& known) { return std::optional(known); });
}

Policy withDocuments(Policy policy, const Architecture& architecture, std::span<const int> inputs)
{
    const auto row = policy.mask ? findRow(masks(), policy.mask->id, "mask") : nullptr;
    const std::optional<int> start = architecture.beginToken ? architecture.beginToken : architecture.betweenDocuments;
    if (!row || !*row || !(*row)->withDocuments || !start)
        return policy;
    std::vector<std::int64_t> starts;
    for (size_t t = 0; t < inputs.size(); ++t)
        if (t == 0 || inputs[t] == *start)
            starts.push_back(static_cast<std::int64_t>(t));
    policy.mask = (*row)->withDocuments(*policy.mask, starts);
    return policy;
}

Policy withoutMethod(Policy policy)
{
    policy.method = published.method;
    policy.headMultipliers = nullptr;
    return policy;
}

double trainLengthOf(const Policy& policy, const Architecture& architecture)
{
    return policy.trainLength > 0 ? policy.trainLength : static_cast<double>(architecture.trainLength);
}

namespace {

/// As the layer was trained, at this length.
Choice ownPosition(const OwnPosition& own, double trained, std::int64_t n)
{
    const double times = static_cast<double>(n) / trained;
    if (times <= 1)
        return own.choice;
    if (own.beyond)
        return *own.beyond;
    Choice choice = own.choice;
    if (own.dynamic > 0) {
        choice.id = "ntk";
        choice.values["s"] = own.dynamic * times - (own.dynamic - 1);
    }
    return choice;
}

}  // namespace

Result<Choice> positionOf(const Policy& policy, const Architecture& architecture, int layer, std::int64_t n)
{
    const OwnPosition& own = architecture.specs.at(static_cast<size_t>(layer)).position;
    if (!policy.position)
        return ownPosition(own, static_cast<double>(architecture.trainLength), n);
    if (!hasPositions(own.choice) && hasPositions(architecture.position()))
        return own.choice;
    Choice choice = *policy.position;
    const auto row = TRY(findRow(positions(), choice.id, "position"));
    const double trained = trainLengthOf(policy, architecture);
    fill(choice, *row, "s", std::max(1.0, static_cast<double>(n) / trained));
    fill(choice, *row, "N", std::max(1.0, std::round(trained)));
    if (row->distanceCap)
        fill(choice, *row, "w", heldDistance(*row, trained));
    for (const char* name : {"base", "interleaved", "dims"})
        if (const auto found = own.choice.values.find(name); found != own.choice.values.end())
            fill(choice, *row, name, found->second);
    if (const auto dims = choice.values.find("dims");
        dims != choice.values.end() && dims->second > architecture.headSize)
        return failure(ErrorKind::InvalidArgument, "{} is to turn {} coordinates (dims), and the model's heads have {}",
                       choice.id, formatNumber(dims->second), architecture.headSize);
    return validate(*row, choice).map([&] { return choice; });
}

std::string positionsShown(const std::optional<Choice>& position, const Architecture& architecture, std::int64_t n)
{
    if (position)
        return formatChoice(*position);
    return architecture.learnedPositions > 0
               ? "learned"
               : formatChoice(
                     ownPosition(architecture.ownPosition(), static_cast<double>(architecture.trainLength), n));
}

Result<ResolvedPolicy> resolve(const Policy& policy, const Architecture& architecture, std::int64_t n)
{
    if (!(policy.temperature > 0) || !std::isfinite(policy.temperature))
        return failure(ErrorKind::InvalidArgument, "the temperature must be a number above 0");
    for (const int layer : policy.layers)
        TRY(checkLayer(architecture, layer));
    ResolvedPolicy resolved{
        .layers = {}, .learnedPositions = architecture.learnedPositions > 0 && !policy.position, .length = n};
    if (resolved.learnedPositions && n > architecture.learnedPositions)
        return failure(ErrorKind::InvalidArgument,
                       "the model has {} learned positions, fewer than n = {}; choose smaller lengths, or positions of "
                       "another kind",
                       architecture.learnedPositions, n);
    std::vector<std::pair<const LayerSpec*, std::shared_ptr<const LayerRule>>> untouched,
        touched;  // by spec, where layers have no numbers of their own
    for (int layer = 0; layer < architecture.layers; ++layer) {
        const bool holds = holdsIn(policy, layer);
        const LayerSpec* spec = &architecture.specs.at(static_cast<size_t>(layer));
        auto& known = holds ? touched : untouched;
        auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) { return *entry.first == *spec; });
        if (found == known.end() || (holds && (policy.headMultipliers || !policy.factors.empty()))) {
            LayerRule rule = TRY(resolveLayer(holds ? policy : published, architecture, layer, n));
            known.emplace_back(spec, std::make_shared<const LayerRule>(std::move(rule)));
            found = std::prev(known.end());
        }
        resolved.layers.push_back(found->second);
    }
    return resolved;
}

Result<std::vector<std::vector<double>>> readHeadTable(const std::string& path, const Architecture& architecture)
{
    const TensorFile file = TRY(TensorFile::open(path));
    if (const Error* unreadable = file.firstUnreadable())
        return tl::unexpected(*unreadable);
    if (file.tensors().size() != 1)
        return failure(ErrorKind::InvalidArgument, "{} holds {} tensors; a table of a number a head is a file with one",
                       path, file.tensors().size());
    const TensorInfo& tensor = file.tensors().front();
    const std::vector<std::int64_t> all{architecture.layers, architecture.heads}, alike{architecture.heads};
    if (tensor.shape != all && tensor.shape != alike)
        return failure(ErrorKind::BadShape,
                       "{}: a number for each head of this model has the shape {}, or {} for all layers alike, not {}",
                       path, describeShape(all), describeShape(alike), describeShape(tensor.shape));
    const std::vector<double> values = TRY(file.read<double>(tensor));
    std::vector<std::vector<double>> table;
    for (size_t layer = 0; layer < static_cast<size_t>(architecture.layers); ++layer) {
        std::vector<double>& heads = table.emplace_back();
        for (size_t head = 0; head < static_cast<size_t>(architecture.heads); ++head) {
            heads.push_back(values[(tensor.shape == all ? layer * static_cast<size_t>(architecture.heads) : 0) + head]);
            if (!std::isfinite(heads.back()))
                return failure(ErrorKind::InvalidArgument, "{}: the number of layer {}, head {} is not finite", path,
                               layer, head);
        }
    }
    return table;
}

}  // namespace attnscope
