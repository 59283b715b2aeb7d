#include "core/labs/causal_lm_evaluation.h"

#include "core/attention/positions.h"
#include "core/labs/lab_support.h"
#include "core/labs/max_retrieval_evaluation.h"
#include "core/scaling/scale_method.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

Result<CausalLmText> parseCausalLmText(const std::string& text)
{
    std::vector<std::string> parts = partsOf(text, '|');
    if (parts.size() > 3)
        return failure(ErrorKind::InvalidArgument, "'" + text + "' has more than three parts; write METHODS | POSITIONS | FILE, the first two with semicolons between their entries");
    parts.resize(3);
    CausalLmText read;
    auto methods = choicesOf(parts[0], scaleMethods(), "scale method");
    auto positionsAsked = choicesOf(parts[1], positions(), "position");
    if (!methods)
        return tl::unexpected(methods.error());
    if (!positionsAsked)
        return tl::unexpected(positionsAsked.error());
    read.methods = std::move(*methods);
    read.positions = std::move(*positionsAsked);
    read.file = parts[2];
    if (read.methods.empty())
        return failure(ErrorKind::InvalidArgument, "name at least one scale method to test, like \"vanilla; infoscale:row=1 | rope; yarn_rope\"");
    return read;
}

Result<std::optional<std::vector<PolicyScore>>> scorePolicy(const Model& model, const Policy& policy, const LanguageCorpus& corpus, const CausalLmTest& test, std::stop_token stop)
{
    const std::int64_t n = test.length, counted = countedOf(n, test.last);
    if (const auto resolved = resolve(policy, model.architecture, n); !resolved) {
        if (resolved.error().kind == ErrorKind::Undefined)
            return std::optional<std::vector<PolicyScore>>();
        return tl::unexpected(resolved.error());
    }
    const auto starts = spreadWindows(model.architecture, corpus.test, n, static_cast<int>(test.windows));
    if (!starts)
        return tl::unexpected(starts.error());
    std::vector<PolicyScore> scores;
    for (const std::int64_t start : *starts) {
        const auto window = windowOf(model.architecture, corpus.test, start, n);
        if (!window)
            return tl::unexpected(window.error());
        const auto result = runWindow(model, *window, {.policy = policy, .pictures = {policy}, .last = test.last, .engine = "auto", .observe = {}, .progress = {}, .stop = stop});
        if (!result)
            return tl::unexpected(result.error());
        const Quality quality = qualityOf(std::span(&*result, 1), 0);
        PolicyScore score{.loss = quality.loss, .accuracy = quality.accuracy, .entropy = quality.entropy};
        // the prediction of place t of the window is of the text's token start + t, or one later without a begin token
        const std::int64_t origin = start + (model.architecture.beginToken ? 0 : 1);
        for (const LanguageCorpus::Recall& recall : corpus.recalls) {
            const std::int64_t place = recall.token - origin - (n - counted);
            if (place < 0 || place >= counted || recall.told < start)
                continue;
            ++score.asked;
            score.recalled += result->predictions[static_cast<std::size_t>(place)].right;
        }
        scores.push_back(score);
    }
    return std::optional(std::move(scores));
}

LabCells qualityCells(std::int64_t seed, const Model& model, const Policy& policy, const CausalLmTest& test, const std::optional<std::vector<PolicyScore>>& scores,
                      const std::vector<PolicyScore>* vanilla)
{
    const std::string method = formatChoice(policy.method), position = formatChoice(policy.position.value_or(Choice{model.architecture.position.id, {}, {}}));
    LabCells cells{{"seed", seed}, {"n", test.length}, {"n_over_train", static_cast<double>(test.length) / static_cast<double>(model.architecture.trainLength)},
                   {"method", method}, {"positions", position}, {"policy", position + ", " + method}};
    const auto add = [&](const char* column, std::optional<double> value) {
        cells.emplace_back(column, std::monostate());
        if (value)
            cells.back().second = *value;
    };
    if (!scores || scores->empty()) {
        for (const char* column : {"nll", "perplexity", "accuracy", "stderr", "recall", "asked", "entropy_mean", "change", "p", "windows"})
            add(column, {});
        return cells;
    }
    std::vector<double> losses, theirs;
    PolicyScore sum;
    for (const PolicyScore& score : *scores) {
        losses.push_back(score.loss);
        sum.accuracy += score.accuracy;
        sum.entropy += score.entropy;
        sum.asked += score.asked;
        sum.recalled += score.recalled;
    }
    if (vanilla)
        for (const PolicyScore& score : *vanilla)
            theirs.push_back(score.loss);
    const double count = static_cast<double>(scores->size());
    const MeanOfWindows loss = meanOfWindows(losses);
    const bool compared = vanilla && policy.method.id != "vanilla";
    add("nll", loss.mean);
    add("perplexity", std::exp(loss.mean));
    add("accuracy", sum.accuracy / count);
    add("stderr", loss.standardError);
    add("recall", sum.asked > 0 ? std::optional(static_cast<double>(sum.recalled) / static_cast<double>(sum.asked)) : std::nullopt);
    cells.emplace_back("asked", sum.asked);
    add("entropy_mean", sum.entropy / count);
    add("change", compared ? std::optional(loss.mean - meanOfWindows(theirs).mean) : std::nullopt);
    add("p", compared && losses.size() > 1 ? std::optional(pairedTTest(losses, theirs)) : std::nullopt);
    cells.emplace_back("windows", static_cast<std::int64_t>(scores->size()));
    return cells;
}

}  // namespace attnscope
