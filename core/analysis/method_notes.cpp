#include "core/analysis/method_notes.h"

#include "core/attention/kernels.h"
#include "core/attention/masks.h"
#include "core/attention/normaliser.h"
#include "core/attention/positions.h"
#include "core/base/text.h"
#include "core/scaling/scale_method.h"
#include "core/theory/logit_density.h"

#include <algorithm>
#include <iterator>

namespace attnscope {

namespace {

/// "A", "A and B", "A, B (row) and C": those methods that `wanted` picks, each as it is shown everywhere.
template <class Wanted>
std::string listOf(std::span<const Choice> methods, Wanted wanted)
{
    std::vector<std::string> labels;
    for (const Choice& method : methods)
        if (wanted(method))
            labels.push_back(describeChoice(scaleMethods(), method));
    std::string list;
    for (size_t at = 0; at < labels.size(); ++at)
        list += (at == 0 ? "" : at + 1 == labels.size() ? " and " : ", ") + labels[at];
    return list;
}

/// Keys that the last of so many tokens sees.
std::int64_t seenByLast(const Choice& mask, std::int64_t keys)
{
    const Result<const Mask*> row = findRow(masks(), mask.id, "mask");
    return row ? (*row)->visible(keys - 1, keys, Parameters(**row, mask)).count() : keys;
}

/// What stands between the products q.k and a softmax of them; empty: nothing.
std::string whatIsNoSoftmaxOfProducts(const AttentionSpec& spec)
{
    if (!isSoftmax(spec.normaliser))
        return describeChoice(normalisers(), spec.normaliser);
    if (!isDotProduct(spec.kernel))
        return describeChoice(kernels(), spec.kernel);
    const Result<const Position*> position = findRow(positions(), spec.position.id, "position");
    if (position && (*position)->hasBias())
        return describeChoice(positions(), spec.position);
    return spec.softCap > 0 ? "a soft-cap" : "";
}

/// Of a temperature that hangs on the row's entropy; empty: it acts on every row, or there is none. A row that it
/// leaves alone keeps its entropy, so its summary says why.
std::string whereItDoesNotAct(const Normaliser& row, const Choice& choice, const std::string& method,
                              std::span<const RowSummary> rows, std::int64_t counted)
{
    if (!row.softmaxForm || !row.softmaxForm->beta)
        return {};
    const double threshold = Parameters(row, choice)["threshold"];
    std::int64_t sharp = 0, held = 0;
    for (const RowSummary& summary : rows)
        if (summary.visible > 0 && summary.beta == 1)
            ++(summary.entropy > threshold ? held : sharp);
    std::vector<std::string> why;
    if (sharp > 0)
        why.push_back(fmt::format("{} have an entropy of {} nats or less", sharp, formatNumber(threshold)));
    if (held > 0)
        why.push_back(fmt::format("for {} the polynomial is 1 or less{}", held,
                                  isAdaptiveAsPublished(choice) ? ", as it is below 0.85 nats and from 5.94 on" : ""));
    return why.empty() ? ""
                       : fmt::format("{} leaves {} of {} rows of {} as they are: {}", row.label, sharp + held, counted,
                                     method, joined(why, "; "));
}

}  // namespace

std::vector<std::string> lawNotes(std::span<const Choice> methods, const std::string& rows,
                                  const std::optional<Choice>& law)
{
    std::vector<Choice> kept;  // in the order of the methods, each once
    for (const Choice& method : methods)
        if (const auto one = lawKeptBy(method); one && one != law && std::ranges::find(kept, *one) == kept.end())
            kept.push_back(*one);
    std::vector<std::string> notes;
    for (const Choice& one : kept) {
        const auto isOfIt = [&](const Choice& method) { return lawKeptBy(method) == one; };
        const auto solver = std::ranges::find_if(
            methods, [&](const Choice& method) { return isOfIt(method) && method.id == "entropy_exact"; });
        std::string instead;
        if (law && solver != methods.end())
            instead = "; " + formatChoice({solver->id, solver->values, formatChoice(*law)}) + " is solved for these";
        notes.push_back(fmt::format("{}: solved for softmax over logits of the law {}, so with {} the entropy need "
                                    "not be kept{}",
                                    listOf(methods, isOfIt), describeChoice(logitDensities(), one), rows, instead));
    }
    return notes;
}

std::vector<std::string> methodNotes(const AttentionSpec& spec, std::span<const Choice> methods, std::int64_t keys,
                                     const std::string& rows, const std::optional<Choice>& law)
{
    std::vector<std::string> notes;
    const std::int64_t counted = unmaskedKeys(spec.mask, keys), seen = seenByLast(spec.mask, keys);
    const std::string ofSequence = listOf(
        methods, [](const Choice& method) { return countsOf(method).value_or(Counts::Nothing) == Counts::Keys; });
    if (seen < counted && !ofSequence.empty())
        notes.push_back(fmt::format("{}: counted are the {} keys of the sequence, but the last row sees {} of them "
                                    "under {}; with row=1 a method counts what its row sees",
                                    ofSequence, counted, seen, describeChoice(masks(), spec.mask)));
    const std::string between = whatIsNoSoftmaxOfProducts(spec);
    std::ranges::copy(between.empty() ? lawNotes(methods, rows, law) : lawNotes(methods, between, std::nullopt),
                      std::back_inserter(notes));
    return notes;
}

std::vector<std::string> scaleNotes(const std::string& method, std::span<const double> scale)
{
    const auto negative = std::ranges::count_if(scale, [](double m) { return m < 0; });
    if (negative == 0)
        return {};
    return {fmt::format("{}: m is negative for {} of {} rows: there the smallest logit has the largest weight", method,
                        negative, scale.size())};
}

std::vector<std::string> rowNotes(const Choice& normaliser, const std::string& method, std::span<const RowSummary> rows)
{
    std::vector<std::string> notes;
    const Result<const Normaliser*> row = findRow(normalisers(), normaliser.id, "normaliser");
    std::int64_t counted = 0;
    double mass = 0;
    for (const RowSummary& summary : rows) {
        counted += summary.visible > 0 ? 1 : 0;
        mass += summary.mass;
    }
    if (!row || counted == 0)
        return notes;
    if (std::string idle = whereItDoesNotAct(**row, normaliser, method, rows, counted); !idle.empty())
        notes.push_back(std::move(idle));
    if (!(*row)->sumsToOne)
        notes.push_back((*row)->label + ": rows need not sum to 1; their total mass under " + method + " is " +
                        formatNumber(mass / static_cast<double>(counted), 4) +
                        " on average, and statistics are of the rows renormalised to 1");
    return notes;
}

}  // namespace attnscope
