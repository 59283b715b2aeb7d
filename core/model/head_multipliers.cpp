#include "core/model/head_multipliers.h"

#include "core/attention/engines.h"
#include "core/model/evaluation.h"
#include "core/model/sequence.h"
#include "core/rows/entropy_root.h"
#include "core/rows/rows.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace attnscope {

namespace {

/// Runs windows of n tokens under a policy, and measures each layer before it attends.
class Measurement {
public:
    Measurement(const Model& model, const Policy& policy, std::int64_t n, const MeasureRequest& request,
                const Engine& engine)
        : m_model(model), m_policy(policy), m_plain(withoutMethod(policy)), m_n(n), m_last(request.last),
          m_request(request), m_engine(engine)
    {
        m_trained = static_cast<std::int64_t>(std::llround(trainLengthOf(policy, model.architecture)));
        m_rowwise = model.architecture.causal && countsOf(policy.method).value_or(Counts::Keys) == Counts::Row;
        if (m_rowwise)  // rows with about as many keys as each other
            m_last = std::max<std::int64_t>(1, std::min(m_last > 0 ? m_last : m_trained, m_trained / 4));
    }

    /// Errors: those of Sequence::append.
    Result<HeadMultipliers> operator()(std::span<const Window> windows)
    {
        const Architecture& a = m_model.architecture;
        HeadMultipliers sum{.trainLength = trainLengthOf(m_policy, a), .keys = {}, .values = {}};
        if (m_rowwise)  // half octaves on the way to n
            for (double keys = sum.trainLength * std::numbers::sqrt2; keys < 0.9 * static_cast<double>(m_n);
                 keys *= std::numbers::sqrt2)
                sum.keys.push_back(std::round(keys));
        sum.keys.push_back(static_cast<double>(m_n));
        sum.values.assign(static_cast<size_t>(a.layers),
                          std::vector(static_cast<size_t>(a.heads), std::vector(sum.keys.size(), 0.0)));
        sum.without.assign(static_cast<size_t>(a.layers), std::vector(static_cast<size_t>(a.heads), false));
        for (const Window& window : windows) {
            const auto targets = TRY(entropies(window, m_trained));
            const auto found = TRY(multipliers(window, targets, sum));
            sum.without = found.without;
            sum.why = found.why;
            for (size_t layer = 0; layer < sum.values.size(); ++layer)
                for (size_t head = 0; head < sum.values[layer].size(); ++head)
                    for (size_t k = 0; k < sum.keys.size(); ++k)
                        sum.values[layer][head][k] +=
                            found.values[layer][head][k] / static_cast<double>(windows.size());
        }
        return sum;
    }

private:
    Result<void> run(const Window& window, ResolvedPolicy policy,
                     const std::function<Result<void>(const LayerHeads&)>& observe) const
    {
        const auto n = static_cast<size_t>(policy.length);
        Sequence sequence(
            m_model, std::move(policy),
            {.remember = false,
             .places = {window.places.begin(),
                        window.places.begin() + static_cast<std::ptrdiff_t>(std::min(n, window.places.size()))},
             .engine = m_request.engine,
             .observe = observe,
             .stop = m_request.stop});
        TRY(sequence.append(std::span(window.inputs).first(n)));
        return {};
    }

    Result<std::vector<AttentionHead>> prepared(const LayerHeads& layer, AttentionSpec spec) const
    {
        HeadSet heads = layer.heads;
        if (!layer.places.empty())
            TRY(turnTo(layer.places, heads, spec));
        return prepareHeads(std::move(heads), spec);
    }

    /// The mean entropy of head `index`'s last rows that see `keys` keys, which the rule's scale times m multiplies.
    Result<double> entropy(const AttentionHead& head, const LayerRule& rule, size_t index, std::int64_t keys,
                           double m) const
    {
        const std::int64_t first = keys - countedOf(m_model.architecture, keys, m_last);
        const std::span<const double> scale = rule.scale(index);
        std::vector<double> factors(scale.begin() + first, scale.begin() + keys);
        for (double& factor : factors)
            factor *= m;
        return summariesOf(head, rule.normaliser(index), m_engine, keys, first, std::move(factors), m_request.stop)
            .map([](const std::vector<RowSummary>& rows) { return entropyMean(rows).mean; });
    }

    /// Of the first n tokens, without the method.
    Result<HeadValues> entropies(const Window& window, std::int64_t n) const
    {
        const ResolvedPolicy plain =
            TRY(resolve(withDocuments(m_plain, m_model.architecture, window.inputs), m_model.architecture, n));
        HeadValues all;
        const auto observe = [&](const LayerHeads& layer) -> Result<void> {
            const LayerRule& rule = *plain.layers[static_cast<size_t>(layer.layer)];
            const auto heads = TRY(prepared(layer, rule.spec));
            std::vector<double>& here = all.emplace_back();
            for (const AttentionHead& head : heads) {
                const double mean = TRY(entropy(head, rule, here.size(), n, 1));
                here.push_back(mean);
            }
            return {};
        };
        return run(window, plain, observe).map([&] { return all; });
    }

    /// Of this window, for the numbers of keys that `like` has.
    Result<HeadMultipliers> multipliers(const Window& window, const HeadValues& targets,
                                        const HeadMultipliers& like) const
    {
        const Architecture& a = m_model.architecture;
        const ResolvedPolicy plain = TRY(resolve(withDocuments(m_plain, a, window.inputs), a, m_n));
        const auto found = std::make_shared<HeadMultipliers>(like);
        Policy measured = withDocuments(m_policy, a, window.inputs);
        measured.headMultipliers = found;
        ResolvedPolicy inForce = plain;
        std::vector<std::shared_ptr<LayerRule>> rules;  // each is complete before its layer attends
        for (auto& rule : inForce.layers)
            rule = rules.emplace_back(std::make_shared<LayerRule>(*rule));
        const auto observe = [&](const LayerHeads& layer) -> Result<void> {
            if (!holdsIn(m_policy, layer.layer))
                return {};
            const auto l = static_cast<size_t>(layer.layer);
            const LayerRule& rule = *plain.layers[l];
            const auto heads = TRY(prepared(layer, rule.spec));
            for (size_t h = 0; h < heads.size(); ++h)
                for (size_t k = 0; k < found->keys.size(); ++k) {
                    const auto keys = static_cast<std::int64_t>(found->keys[k]);
                    const EntropyRoot root =
                        TRY(entropyRoot(targets[l][h], [&](double m) { return entropy(heads[h], rule, h, keys, m); }));
                    found->values[l][h][k] = root.multiplier.value_or(1);
                    if (root.multiplier)
                        continue;
                    found->without[l][h] = true;
                    if (found->why.empty())
                        found->why =
                            fmt::format("layer {}, head {}, where no multiplier {}", l, h, root.why(targets[l][h]));
                }
            return resolveLayer(measured, a, layer.layer, m_n).map([&](LayerRule made) {
                *rules[l] = std::move(made);
            });
        };
        return run(window, std::move(inForce), observe).map([&] { return *found; });
    }

    const Model& m_model;
    const Policy& m_policy;
    Policy m_plain;
    std::int64_t m_n, m_trained = 1, m_last;
    bool m_rowwise = false;  ///< each row has the multiplier of the keys that it sees
    const MeasureRequest& m_request;
    const Engine& m_engine;
};

}  // namespace

double HeadMultipliers::at(int layer, int head, double keysSeen) const
{
    if (keysSeen <= trainLength || keys.empty())
        return 1;
    const std::vector<double>& known = values[static_cast<size_t>(layer)][static_cast<size_t>(head)];
    double below = trainLength, value = 1;
    for (size_t k = 0; k < keys.size(); below = keys[k], value = known[k], ++k)
        if (keysSeen <= keys[k])
            return value + (known[k] - value) * std::log(keysSeen / below) / std::log(keys[k] / below);
    return value;
}

std::string HeadMultipliers::note() const
{
    std::ptrdiff_t count = 0, all = 0;
    for (const std::vector<bool>& layer : without) {
        count += std::ranges::count(layer, true);
        all += std::ssize(layer);
    }
    if (count == 0)
        return {};
    return fmt::format("{} of {}{} no multiplier that keeps {} entropy and {} with m = 1; the first: {}", count, all,
                       count == 1 ? " heads has" : " heads have", count == 1 ? "its" : "their",
                       count == 1 ? "runs" : "run", why);
}

Policy toBeMeasured(Policy policy, const Architecture& architecture)
{
    if (isMeasured(policy.method))
        policy.headMultipliers = std::make_shared<const HeadMultipliers>(
            HeadMultipliers{.trainLength = trainLengthOf(policy, architecture), .keys = {}, .values = {}});
    return policy;
}

Result<Policy> withMeasuredHeads(const Model& model, Policy policy, std::span<const int> ids, std::int64_t n,
                                 const MeasureRequest& request)
{
    if (!isMeasured(policy.method))
        return policy;
    if (static_cast<double>(n) <= trainLengthOf(policy, model.architecture))
        return toBeMeasured(std::move(policy), model.architecture);
    const Engine* engine = TRY(chooseEngine(request.engine));
    const auto starts = TRY(spreadWindows(model.architecture, ids, n, request.windows));
    std::vector<Window> windows;
    for (const std::int64_t start : starts)
        windows.push_back(TRY(windowOf(model.architecture, ids, start, n)));
    return Measurement(model, policy, n, request, *engine)(windows).map([&](HeadMultipliers measured) {
        policy.headMultipliers = std::make_shared<const HeadMultipliers>(std::move(measured));
        return policy;
    });
}

}  // namespace attnscope
