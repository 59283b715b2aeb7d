#include "core/labs/language/language_network.h"

#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/labs/lab_parameters.h"
#include "core/labs/lab_text.h"
#include "core/scaling/scale_method.h"

#include <algorithm>

namespace attnscope {

namespace {

bool isNormaliser(const std::string& id) { return findRow(normalisers(), id, "normaliser").has_value(); }

Result<const Entry*> attentionEntry(std::string_view id)
{
    if (const auto method = findRow(scaleMethods(), id, "scale method"))
        return *method;
    if (const auto normaliser = findRow(normalisers(), id, "normaliser"))
        return *normaliser;
    return failure(ErrorKind::UnknownName, "unknown scale method or normaliser '{}'; known: {}, {}", id,
                   joined(scaleMethods(), ", ", &ScaleMethod::id), joined(normalisers(), ", ", &Normaliser::id));
}

/// Masks of a width w: rows that see no more than so many keys, and a few first ones.
std::vector<Mask> windows()
{
    std::vector<Mask> rows;
    std::ranges::copy_if(masks(), std::back_inserter(rows), [](const Mask& mask) { return parameterOf(mask, "w"); });
    return rows;
}

/// A window for networks that are causal, or see both sides.
Result<Placement> windowPlacement(const Mask& row, Choice mask, bool causal)
{
    if (!causal && parameterOf(row, "causal"))
        mask.values.emplace("causal", 0);
    if (looksAhead(mask) == causal)
        return failure(ErrorKind::InvalidArgument, "'{}' looks {}", formatChoice(mask),
                       causal ? "ahead, and these networks look back alone; leave causal at 1"
                              : "back alone, and these networks see both sides; name a window that does, like "
                                "window:w=16");
    return Placement{{}, std::move(mask)};
}

/// One of positions(), or a window.
Result<Placement> parsePlacement(const std::string& text, bool causal)
{
    const std::vector<Mask> all = windows();
    const Mask* window = nullptr;
    const auto choice = parseChoiceText(text, [&](std::string_view id) -> Result<const Entry*> {
        if (const auto found = std::ranges::find(all, id, &Mask::id); found != all.end())
            return window = &*found;
        if (const auto position = findRow(positions(), id, "position"))
            return *position;
        return failure(ErrorKind::UnknownName, "unknown position '{}'; known: {}, and windows in their place: {}", id,
                       joined(positions(), ", ", &Position::id), joined(all, ", ", &Mask::id));
    });
    return choice.and_then([&](const Choice& known) -> Result<Placement> {
        return window ? windowPlacement(*window, known, causal) : Placement{known, {}};
    });
}

/// beta of the registry with its slope.
Result<learn::InverseTemperature> inverseTemperature(const Choice& choice)
{
    const Normaliser& row = **findRow(normalisers(), choice.id, "normaliser");
    if (isSoftmax(choice))
        return learn::InverseTemperature();
    if (!row.softmaxForm || !row.softmaxForm->beta || row.softmaxForm->silentLogit)
        return failure(ErrorKind::InvalidArgument,
                       "networks learn with softmax, a scale method or the adaptive temperature, and {} is none of "
                       "these; name it among the methods to test, and train with another",
                       choice.id);
    learn::InverseTemperature temperature([&row, choice](double entropy) {
        const Parameters parameters(row, choice);
        return learn::Jet{row.softmaxForm->beta(entropy, parameters), row.softmaxForm->slope(entropy, parameters)};
    });
    temperature.eps = row.softmaxForm->eps(Parameters(row, choice));
    return temperature;
}

}  // namespace

Result<std::vector<Choice>> parseAttentions(const std::string& text)
{
    return choicesOf(text, [](const std::string& part) { return parseChoiceText(part, attentionEntry); });
}

std::vector<Entry> attentionRows(bool training)
{
    std::vector<Entry> rows = training ? trainingMethods() : entriesIn(scaleMethods());
    for (const Normaliser& row : normalisers())
        if (const Choice choice{row.id, {}, {}}; !isSoftmax(choice) && (!training || inverseTemperature(choice)))
            rows.push_back(row);
    return rows;
}

Policy attentionPolicy(const Choice& choice)
{
    Policy policy;
    if (isNormaliser(choice.id))
        policy.normaliser = choice;
    else
        policy.method = choice;
    return policy;
}

const Choice& attentionOf(const Policy& policy) { return policy.normaliser ? *policy.normaliser : policy.method; }

bool isVanillaPolicy(const Policy& policy) { return isVanilla(attentionOf(policy)) && !policy.mask; }

LabPart positionsPart(bool causal)
{
    LabPart part{"positions", entriesIn(positions())};
    for (Entry& row : part.rows)
        if (!row.parameters.empty())
            row.about +=
                " What is left at its default is the network's: base, pairs; schemes that stretch take s = n/N, "
                "at least 1.";
    for (const Mask& window : windows()) {
        if (!windowPlacement(window, {window.id, {}, {}}, causal))
            continue;
        Entry row = window;
        row.about += " Positions are the network's own.";
        part.rows.push_back(std::move(row));
    }
    return part;
}

Result<LlamaText> parseLlamaText(const Lab& lab, const std::string& text, bool causal)
{
    const std::vector<std::string> parts = TRY(readParts(lab, text));
    LlamaText read;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const std::string& id = lab.textParts[part].name;
        if (id == "methods")
            read.methods = TRY(parseAttentions(parts[part]));
        else if (id == "train")
            read.trained = TRY(parseAttentions(parts[part]));
        else if (id == "positions") {
            for (const std::string& one : partsOf(parts[part], ';'))
                if (!one.empty())
                    read.positions.push_back(TRY(parsePlacement(one, causal)));
        } else
            read.others[id] = parts[part];
    }
    if (read.methods.empty())
        return failure(ErrorKind::InvalidArgument, "name at least one scale method or normaliser to test, like \"{}\"",
                       lab.textByDefault);
    if (read.trained.empty())
        read.trained.push_back({std::string(vanillaId), {}, {}});
    if (read.positions.empty())
        read.positions.emplace_back();
    return read;
}

Result<TrainingAttention> trainingAttention(const Choice& choice, const learn::LlamaShape& network, std::int64_t length)
{
    if (isVanilla(choice))
        return TrainingAttention{};
    if (isNormaliser(choice.id))
        return inverseTemperature(choice).map([](learn::InverseTemperature beta) {
            return TrainingAttention{{}, {}, std::move(beta)};
        });
    Architecture shape;
    shape.layers = 1;
    shape.headSize = static_cast<int>(network.headSize());
    shape.causal = network.causal;
    shape.specs = {{.position = {{"rope", {}, {}}, {}, 0}, .mask = {network.causal ? "causal" : "full", {}, {}}}};
    shape.trainLength = length;
    const auto multipliers = [policy = attentionPolicy(choice), shape](std::int64_t n) {
        return resolve(policy, shape, n).map([](const ResolvedPolicy& resolved) {
            const std::vector<double>& scale = resolved.layers.front()->scales.front();
            return std::vector<float>(scale.begin(), scale.end());
        });
    };
    return multipliers(length).map([&](std::vector<float> longest) {
        return TrainingAttention{
            std::move(longest), [=](std::int64_t n) { return multipliers(n).value_or(std::vector<float>()); }, {}};
    });
}

std::string trainedSuffix(const std::vector<Choice>& trained, const Choice& choice)
{
    if (isVanilla(choice))
        return {};
    const auto before = std::count_if(trained.begin(), std::ranges::find(trained, choice),
                                      [&](const Choice& other) { return other.id == choice.id && !isVanilla(other); });
    return "_" + choice.id + (before > 0 ? "_" + std::to_string(before + 1) : "");
}

Result<Model> NetworkStore::keep(learn::Llama& network, const std::string& folder, const std::string& name,
                                 const learn::LlamaFolder& about)
{
    const std::string path = TRY(m_store.pathOf(folder, name));
    TRY(learn::saveLlama(path, network, about));
    return openModel(path);
}

}  // namespace attnscope
