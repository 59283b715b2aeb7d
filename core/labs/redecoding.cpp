#include "core/labs/redecoding.h"

#include "core/labs/policy_networks.h"
#include "core/labs/routing_instances.h"
#include "core/model/policy.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>

namespace attnscope {

namespace {

Redecoded::Side sideOf(const RoutingInstance& instance, const Solved<Tour>& run)
{
    return {lengthOf(instance, run.solutions.front().front()), meanOfLayers(run.encoder.entropies), sampleMean(run.decoderEntropies).mean};
}

/// "Softmax Plus", with its parameters where they are not the usual ones.
std::string titleOf(const Choice& method) { return describeChoice(scaleMethods(), method); }

}  // namespace

Index choicesOf(const Redecoded& found)
{
    Index most = 0;
    for (const Matrix& glimpses : found.glimpses)
        most = std::max(most, glimpses.rows());
    return most;
}

std::vector<TourStep> stepsOf(const Redecoded& found, Index choice)
{
    std::vector<TourStep> steps;
    for (std::size_t panel = 0; panel < found.glimpses.size(); ++panel)
        steps.push_back(stepOf(found.tours.panels[panel], found.glimpses[panel], choice));
    return steps;
}

Result<void> Redecoder::open(const RedecodingRequest& request)
{
    const bool sameModel = m_known && m_known->model == request.model && m_known->vehicles == request.vehicles && m_known->learned == request.learned;
    const bool sameInstance = sameModel && m_known->size == request.size && m_known->number == request.number;
    if (sameInstance)
        return {};
    if (!sameModel || (!m_model->trainLength && m_known->size != request.size))  // whose N is the size
        m_entropies.clear();
    m_known.reset();
    m_vanilla.reset();
    if (!sameModel)
        m_model = TRY(request.model.empty() ? shippedRouting(request.vehicles, request.learned) : openAttentionModel(request.model));
    const std::int64_t learned = m_model->trainLength.value_or(request.size);
    m_instance = drawInstance({.depot = m_model->hasDepot, .size = request.size, .capacity = usualCapacity(learned)}, request.number);
    m_known = request;
    return {};
}

Result<Solved<Tour>> Redecoder::route(const ScalePolicy& policy, std::stop_token stop) const
{
    return runRouting(*m_model, std::span(&m_instance, 1), {.policy = policy, .entropies = true, .glimpses = true, .stop = std::move(stop)});
}

/// Without a scale, of instances of N.
Result<void> Redecoder::measure(std::stop_token stop)
{
    constexpr std::int64_t instances = 32;  // as many as the lab routing measures by default
    const std::int64_t learned = m_model->trainLength.value_or(m_known->size);
    std::vector<RoutingInstance> drawn;
    for (std::int64_t number = 0; number < instances; ++number)
        drawn.push_back(drawInstance({.depot = m_model->hasDepot, .size = learned, .capacity = usualCapacity(learned)}, number));
    auto run = TRY(runRouting(*m_model, drawn, {.policy = {}, .entropies = true, .stop = std::move(stop)}));
    m_entropies = std::move(run.encoder.entropies);
    return {};
}

Result<Redecoded> Redecoder::operator()(const RedecodingRequest& request, std::stop_token stop)
{
    TRY(open(request));
    // a file that does not say its N is taken to have learned at this n
    const std::int64_t learned = m_model->trainLength.value_or(request.size);
    const ScalePolicy vanilla{.trainLength = static_cast<double>(learned)};
    ScalePolicy policy = vanilla;
    policy.method = request.method;
    actIn(policy, request.where);
    if (policy.layer && *policy.layer >= std::ssize(m_model->layers))
        return failure(ErrorKind::InvalidArgument, "the network has no " + request.where + "; choose another place for the scale to act in");
    const bool measured = isMeasured(policy.method) && policy.encoder;
    if (measured) {
        TRY(m_entropies.empty() ? measure(stop) : Result<void>());
        policy.entropies = m_entropies;
    }
    const ScaleContext context{.keys = static_cast<double>(request.size), .nTrain = policy.trainLength, .d = static_cast<int>(m_model->headSize()), .measured = {}};
    const std::int64_t keys[] = {request.size};
    const auto multiplier = measured ? std::vector{1.0} : TRY(rowMultipliers(policy.method, context, keys));
    if (!m_vanilla)
        m_vanilla = TRY(route(vanilla, stop));
    const auto run = TRY(route(policy, std::move(stop)));

    const double m = measured ? meanOfLayers(run.encoder.multipliers) : multiplier.front();
    Redecoded found{.n = request.size, .trainLength = learned, .layers = std::ssize(m_model->layers), .vanilla = sideOf(m_instance, *m_vanilla), .scaled = sideOf(m_instance, run), .multiplier = m};
    found.tours = sideBySide("redecoded", "n = " + std::to_string(request.size) + ", trained at " + std::to_string(learned), m_instance,
                             {{titleOf(vanilla.method) + ", " + formatNumber(found.vanilla.length, 4), m_vanilla->solutions.front().front()},
                              {titleOf(policy.method) + " in " + whereOf(policy) + ", " + formatNumber(found.scaled.length, 4), run.solutions.front().front()}});
    found.glimpses = {m_vanilla->glimpses.front(), run.glimpses.front()};
    const std::vector<LabTours::Edge>& edges = found.tours.panels.back().edges;
    found.edges = edges.size();
    found.differing = static_cast<std::size_t>(std::ranges::count(edges, true, &LabTours::Edge::differs));
    return found;
}

}  // namespace attnscope
