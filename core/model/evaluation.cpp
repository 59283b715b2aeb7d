#include "core/model/evaluation.h"

#include "core/attention/engines.h"
#include "core/base/measured_text.h"
#include "core/base/random.h"
#include "core/base/text.h"
#include "core/model/sequence.h"
#include "core/rows/rows.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

/// Ids of the text that a window of n takes: up to its last target.
std::int64_t idsOf(const Architecture& architecture, std::int64_t n) { return firstTarget(architecture, n); }

constexpr std::uint64_t seedOfHidden = 0;

/// Hides tokens of the window that begins at `start`, one at least.
void hide(Window& window, std::int64_t start, int maskToken)
{
    window.targets.assign(window.inputs.size(), -1);
    bool any = false;
    for (std::size_t t = 0; t < window.inputs.size(); ++t)
        if (isHidden(seedOfHidden, start + static_cast<std::int64_t>(t), hiddenShare) ||
            (!any && t + 1 == window.inputs.size())) {
            window.targets[t] = std::exchange(window.inputs[t], maskToken);
            any = true;
        }
}

tl::unexpected<Error> tooShort(const Architecture& architecture, std::span<const int> ids, std::int64_t start,
                               std::int64_t n)
{
    return failure(ErrorKind::InvalidArgument,
                   "a window of n = {} tokens from token {} on needs {} tokens, and the text has {}; give a longer "
                   "text, smaller lengths or other windows",
                   n, start, start + idsOf(architecture, n), ids.size());
}

/// Of one layer, head by head.
struct LayerNumbers {
    std::vector<double> entropies;
    std::vector<HeadRoles> roles;
};

/// Of its last `counted` rows; with the ids of the window their roles too.
Result<LayerNumbers> numbersOf(const LayerHeads& layer, const LayerRule& rule, std::int64_t counted,
                               std::span<const int> ids, const Engine& engine, const std::stop_token& stop)
{
    HeadSet tail;
    for (const Matrix& query : layer.heads.queries)
        tail.queries.push_back(query.bottomRows(counted));
    tail.keys = layer.heads.keys;
    const std::int64_t n = tail.keyCount();
    AttentionSpec spec = rule.spec;
    if (!layer.places.empty())
        TRY(turnTo(layer.places, tail, spec));
    const std::vector<AttentionHead> heads = TRY(prepareHeads(std::move(tail), spec));
    LayerNumbers numbers;
    for (const AttentionHead& head : heads) {
        const std::size_t which = numbers.entropies.size();
        const std::span<const double> scale =
            rule.scale(which).subspan(static_cast<std::size_t>(n - counted), static_cast<std::size_t>(counted));
        const Choice normaliser = rule.normaliser(which);
        const auto rows = TRY(summariesOf(head, normaliser, engine, n, 0, {scale.begin(), scale.end()}, stop));
        numbers.entropies.push_back(entropyMean(rows).mean);
        if (!ids.empty())
            numbers.roles.push_back(TRY(rolesOf(head, normaliser, rows, scale, 0, ids)));
    }
    return numbers;
}

}  // namespace

std::int64_t firstTarget(const Architecture& architecture, std::int64_t start)
{
    return start + (architecture.beginToken || !architecture.causal ? 0 : 1);
}

Result<Window> windowOf(const Architecture& architecture, std::span<const int> ids, std::int64_t start, std::int64_t n)
{
    if (start < 0 || n < 1 || start + idsOf(architecture, n) > static_cast<std::int64_t>(ids.size()))
        return tooShort(architecture, ids, start, n);
    const auto from = ids.begin() + start;
    Window window;
    if (architecture.maskToken) {
        window.inputs.assign(from, from + n);
        hide(window, start, *architecture.maskToken);
    } else if (architecture.causal && architecture.beginToken) {
        window.inputs = {*architecture.beginToken};
        window.inputs.insert(window.inputs.end(), from, from + (n - 1));
    } else {
        window.inputs.assign(from, from + n);
    }
    if (!architecture.causal && !architecture.maskToken)
        window.targets.assign(window.inputs.size(), -1);  // it says no tokens
    else if (!architecture.maskToken)
        window.targets.assign(ids.begin() + firstTarget(architecture, start),
                              ids.begin() + firstTarget(architecture, start + n));
    return window;
}

Result<std::vector<std::int64_t>> spreadWindows(const Architecture& architecture, std::span<const int> ids,
                                                std::int64_t n, int most)
{
    const std::int64_t length = idsOf(architecture, n), total = static_cast<std::int64_t>(ids.size());
    if (total < length)
        return tooShort(architecture, ids, 0, n);
    const std::int64_t count = std::clamp<std::int64_t>(total / length, 1, most);
    std::vector<std::int64_t> starts(static_cast<size_t>(count), 0);
    for (std::int64_t w = 1; w < count; ++w)
        starts[static_cast<size_t>(w)] = w * (total - length) / (count - 1);
    return starts;
}

bool isHidden(std::uint64_t seed, std::int64_t place, double share)
{
    return Random(seed, Stream::Structure).uniform(static_cast<std::uint64_t>(place), 0) < share;
}

std::int64_t countedOf(const Architecture& architecture, std::int64_t n, std::int64_t last)
{
    return last == 0 || !architecture.causal ? n : std::min(last, std::max<std::int64_t>(1, n / 2));
}

bool predictsWorseThanChance(double leastLoss, int vocabulary)
{
    return vocabulary > 1 && leastLoss >= std::log(vocabulary);
}

std::string worseThanChance(double loss, double leastLoss, int vocabulary)
{
    return fmt::format("worse than chance (loss {} nats{}, equal odds of its {} tokens are {})", formatNumber(loss, 3),
                       leastLoss < loss ? ", " + formatNumber(leastLoss, 3) + " with the best that was tried" : "",
                       lengthInWords(vocabulary), formatNumber(std::log(vocabulary), 3));
}

double workOf(const Model& model, std::int64_t n)
{
    const Architecture& a = model.architecture;
    const double tokens = static_cast<double>(n), tables = a.tiedEmbeddings ? 1 : 2;  // of words, looked up in
    const double matrices =
        std::max(0.0, static_cast<double>(model.parameters) - tables * a.vocabulary * static_cast<double>(a.width));
    return tokens * matrices + tokens * tokens / 2 * a.layers * a.heads * (a.headSize + a.valueSize);
}

Result<WindowResult> runWindow(const Model& model, const Window& window, const WindowRequest& request)
{
    const auto n = static_cast<std::int64_t>(window.inputs.size());
    const std::int64_t counted = countedOf(model.architecture, n, request.last);
    const Engine* engine = TRY(chooseEngine(request.engine));
    std::vector<ResolvedPolicy> pictures;
    const std::int64_t length = std::max(n, request.length);
    for (const Policy& picture : request.pictures)
        pictures.push_back(
            TRY(resolve(withDocuments(picture, model.architecture, window.inputs), model.architecture, length)));
    ResolvedPolicy inForce =
        TRY(resolve(withDocuments(request.policy, model.architecture, window.inputs), model.architecture, length));

    WindowResult result;
    result.entropies.resize(pictures.size());
    result.roles.resize(pictures.size());
    const auto observe = [&](const LayerHeads& layer) -> Result<void> {
        for (size_t p = 0; p < pictures.size(); ++p) {
            LayerNumbers numbers = TRY(numbersOf(
                layer, *pictures[p].layers[static_cast<size_t>(layer.layer)], counted,
                request.roles ? std::span<const int>(window.inputs) : std::span<const int>{}, *engine, request.stop));
            result.entropies[p].push_back(std::move(numbers.entropies));
            result.roles[p].push_back(std::move(numbers.roles));
        }
        return request.observe ? request.observe(layer) : Result<void>{};
    };
    Sequence sequence(model, std::move(inForce),
                      {.remember = false,
                       .places = window.places,
                       .engine = request.engine,
                       .observe = observe,
                       .progress = request.progress,
                       .stop = request.stop});
    const Matrix stream = TRY(sequence.append(window.inputs));
    const std::int64_t predicted = request.everyPrediction ? n : counted;
    return predict(model, stream.bottomRows(predicted), std::span(window.targets).last(static_cast<size_t>(predicted)),
                   request.stop)
        .map([&](std::vector<Prediction> predictions) {
            result.predictions = std::move(predictions);
            return result;
        });
}

MeanPrediction meanOf(std::span<const Prediction> predictions)
{
    MeanPrediction mean;
    for (const Prediction& prediction : predictions)
        if (prediction.asked) {
            mean.loss += prediction.loss;
            mean.accuracy += prediction.right;
            ++mean.asked;
        }
    mean.loss /= static_cast<double>(mean.asked);
    mean.accuracy /= static_cast<double>(mean.asked);
    return mean;
}

Quality qualityOf(std::span<const WindowQuality> windows)
{
    Quality quality;
    std::vector<double> losses;
    double heads = 0;
    for (const WindowQuality& window : windows) {
        losses.push_back(window.loss);
        quality.accuracy += window.accuracy / static_cast<double>(windows.size());
        if (!window.entropies)
            continue;
        for (const std::vector<double>& layer : *window.entropies)
            for (const double entropy : layer)
                if (std::isfinite(entropy)) {  // a head none of whose rows gives any weight has none
                    quality.entropy += entropy;
                    ++heads;
                }
    }
    quality.entropy /= heads;
    const SampleMean loss = sampleMean(losses);
    quality.loss = loss.mean;
    quality.standardError = loss.standardError;
    return quality;
}

Quality qualityOf(std::span<const WindowResult> windows, size_t picture)
{
    std::vector<WindowQuality> each;
    for (const WindowResult& window : windows) {
        const MeanPrediction mean = meanOf(window.predictions);
        each.push_back({mean.loss, mean.accuracy, &window.entropies[picture]});
    }
    return qualityOf(each);
}

}  // namespace attnscope
