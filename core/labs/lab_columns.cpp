#include "core/labs/lab_columns.h"

#include "core/attention/normaliser.h"
#include "core/base/text.h"

#include <algorithm>
#include <string_view>

namespace attnscope {

namespace {

using std::string_view;

bool isOneOf(string_view word, std::initializer_list<string_view> words)
{
    return std::ranges::find(words, word) != words.end();
}

/// Shares of one in the files; other labs and tables have theirs in per cent.
bool isShare(string_view lab, string_view table, string_view column)
{
    if (!isOneOf(lab, {"causal-lm", "masked-lm", "recall", "algorithms"}))
        return false;
    if (isOneOf(table, {"quality", "seeds"}))
        return isOneOf(column, {"accuracy", "accuracy_stderr", "accuracy_change", "recall", "token_accuracy"});
    if (isOneOf(table, {"recall", "distance"}))
        return isOneOf(column, {"recall", "stderr"});
    return lab == "algorithms" && table == "accuracy" &&
           !isOneOf(column, {"seed", "trained", "n", "n_over_train", "method", "policy", "entropy_mean"});
}

struct Heading {
    string_view column, words;
    string_view lab = {}, table = {};  ///< empty: any
};

/// The first that fits.
constexpr Heading headings[] = {
    {"n_over_train", "n / N"},
    {"where", "Acts in"},
    {"nll", "Loss (nats)"},
    {"loss", "Loss (nats²)", "eie"},
    {"loss", "Loss (nats)"},
    {"accuracy", "Exact (%)", "algorithms"},
    {"accuracy", "Found (%)"},
    {"accuracy_stderr", "± exact", "algorithms"},
    {"accuracy_stderr", "± found"},
    {"accuracy_change", "Δ exact (points)", "algorithms"},
    {"accuracy_change", "Δ found (points)"},
    {"accuracy_p", "p of exact", "algorithms"},
    {"accuracy_p", "p of found"},
    {"recall", "Recalled (%)"},
    {"percent", "All found (%)"},
    {"window", "Seeing N (%)", "recall"},
    {"guessed", "Guessed (%)"},
    {"far_accuracy", "Far found (%)"},
    {"token_accuracy", "Words right (%)"},
    {"tokens", "Words asked"},
    {"mean", "All tasks (%)", "algorithms"},
    {"stderr", "±"},
    {"trained", "Trained with"},
    {"entropy_mean", "Entropy (nats)"},
    {"entropy", "Entropy (nats)"},
    {"entropy_encoder", "Encoder (nats)"},
    {"entropy_decoder", "Glimpse (nats)"},
    {"entropy_afterwards", "Entropy later (nats)"},
    {"entropy_learned", "Learned (nats)"},
    {"entropy_exact", "Exact (nats)"},
    {"entropy_target", "Wanted (nats)"},
    {"entropy_published", "Published (nats)"},
    {"change", "Change (%)", "routing"},
    {"change", "Change (points)", "packing"},
    {"change", "Change (nats)"},
    {"p_value", "p"},
    {"p_volume", "p, by volume"},
    {"p_random", "p, at random"},
    {"published", "Published (%)", "max-retrieval", "table1"},
    {"largest_weight", "Largest weight"},
    {"ranked_first", "Ranked first (%)"},
    {"resolvable", "Resolved (%)"},
    {"afterwards", "Given later (%)"},
    {"afterwards_stderr", "± later"},
    {"gain", "Gain (points)"},
    {"error", "Relative error", "eie"},
    {"worst_error", "Worst relative error", "eie"},
    {"gap_improved", "Over 2-opt (%)"},
    {"gap_nearest", "Over nearest (%)"},
    {"load_rate", "Load rate (%)"},
    {"best", "Best (%)", "packing"},
    {"volume_order", "By volume (%)"},
    {"random_order", "At random (%)"},
    {"above_volume", "Over volume (points)"},
    {"above_random", "Over random (points)"},
};

}  // namespace

bool scalesByRow(string_view method)
{
    const std::size_t bar = method.find('|');
    if (bar == method.npos)
        return false;
    const string_view name = trimmed(method.substr(bar + 1));
    const auto choice = parseChoice(name, normalisers(), "normaliser");
    if (!choice)
        return name == "refit";  // the adaptive temperature, as it was fitted to a lab's head
    const auto row = findRow(normalisers(), choice->id, "normaliser");
    return row && (*row)->softmaxForm && (*row)->softmaxForm->beta;
}

LabColumn labColumn(string_view lab, string_view table, string_view column)
{
    const bool isDifference = isOneOf(
        column, {"change", "accuracy_change", "gain", "above_volume", "above_random", "gap_improved", "gap_nearest"});
    LabColumn shown{{}, isShare(lab, table, column) ? 100.0 : 1.0, isDifference};
    const auto fits = [&](const Heading& heading) {
        return heading.column == column && (heading.lab.empty() || heading.lab == lab) &&
               (heading.table.empty() || heading.table == table);
    };
    if (const auto* found = std::ranges::find_if(headings, fits); found != std::ranges::end(headings))
        shown.heading = found->words;
    return shown;
}

}  // namespace attnscope
