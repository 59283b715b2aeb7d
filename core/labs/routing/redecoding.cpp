#include "core/labs/routing/redecoding.h"

#include "core/labs/policies/policy_networks.h"
#include "core/model/policy.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <utility>

namespace attnscope {

namespace {

Redecoded::Side sideOf(const RoutingInstance& instance, const Solved<Tour>& run)
{
    return {lengthOf(instance, run.solutions.front().front()), meanOfLayers(run.encoder.entropies),
            sampleMean(run.decoderEntropies).mean};
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
    const FileStamp model = stampOf(request.model), instances = stampOf(request.instances);
    const bool sameModel = m_opened && m_opened->model == request.model && m_modelStamp == model &&
                           m_opened->vehicles == request.vehicles && m_opened->learned == request.learned;
    if (sameModel && m_opened->instances == request.instances && m_instancesStamp == instances)
        return {};
    m_opened.reset();
    m_vanilla.reset();
    m_read.clear();
    m_entropies.clear();
    if (!sameModel) {
        m_model = TRY(request.model.empty() ? shippedRouting(request.vehicles, request.learned)
                                            : openAttentionModel(request.model));
    }
    if (!request.instances.empty()) {
        constexpr std::int64_t most = RedecodingRequest::mostCities;
        m_read = TRY(readInstances(request.instances, m_model->hasDepot));
        std::erase_if(m_read, [](const auto& sized) { return sized.first < 2 || sized.first > most; });
        if (m_read.empty())
            return failure(ErrorKind::InvalidArgument, "{} has no instances of 2 to {}; choose another file",
                           request.instances, most);
    }
    m_opened = request;
    m_modelStamp = model;
    m_instancesStamp = instances;
    return {};
}

std::map<std::int64_t, std::int64_t> Redecoder::counts() const
{
    std::map<std::int64_t, std::int64_t> counts;
    for (const auto& [size, instances] : m_read)
        counts[size] = std::ssize(instances);
    return counts;
}

Result<RedecodingRequest> Redecoder::nearest(RedecodingRequest request)
{
    TRY(open(request));
    if (m_read.empty())
        return request;
    const auto distance = [size = request.size](const auto& sized) { return std::abs(sized.first - size); };
    const auto& [size, instances] = *std::ranges::min_element(m_read, {}, distance);
    request.size = size;
    request.number = std::min<std::int64_t>(request.number, std::ssize(instances) - 1);
    return request;
}

Result<RoutingInstance> Redecoder::instanceOf(const RedecodingRequest& request, std::int64_t learned) const
{
    if (request.instances.empty())
        return drawInstance({.depot = m_model->hasDepot, .size = request.size, .capacity = usualCapacity(learned)},
                            request.number);
    const auto sized = m_read.find(request.size);
    if (sized == m_read.end()) {
        std::string sizes;
        for (const auto& [size, instances] : m_read)
            sizes += (sizes.empty() ? "" : ", ") + std::to_string(size);
        return failure(ErrorKind::InvalidArgument, "{} has no instance of {}; set size to one of {}", request.instances,
                       request.size, sizes);
    }
    if (request.number >= std::ssize(sized->second))
        return failure(ErrorKind::InvalidArgument, "{} has {} instances of {}; set number below that, the first is 0",
                       request.instances, sized->second.size(), request.size);
    return sized->second[static_cast<std::size_t>(request.number)];
}

std::pair<std::int64_t, Redecoded::Trained> Redecoder::trainedAt(const RedecodingRequest& request) const
{
    constexpr std::int64_t published = 100;  // Kool et al. 2019
    using Trained = Redecoded::Trained;
    if (request.trainLength > 0)
        return {request.trainLength, m_model->trainLength == request.trainLength ? Trained::Said : Trained::Given};
    if (m_model->trainLength)
        return {*m_model->trainLength, Trained::Said};
    return {m_read.empty() ? published : m_read.begin()->first, Trained::Supposed};
}

Result<Solved<Tour>> Redecoder::route(const ScalePolicy& policy, std::stop_token stop) const
{
    return runRouting(*m_model, std::span(&m_instance, 1),
                      {.policy = policy, .entropies = true, .glimpses = true, .stop = std::move(stop)});
}

/// Without a scale, of instances of N: those of the file where it has any of that size, else drawn ones.
Result<void> Redecoder::measure(std::stop_token stop)
{
    constexpr auto most = static_cast<std::int64_t>(measuredInstances);
    const auto read = m_read.find(m_learned);
    const bool drawn = read == m_read.end();
    std::vector<RoutingInstance> ofN;
    for (std::int64_t number = 0; number < (drawn ? most : std::min(most, std::ssize(read->second))); ++number)
        ofN.push_back(
            drawn ? drawInstance({.depot = m_model->hasDepot, .size = m_learned, .capacity = usualCapacity(m_learned)},
                                 number)
                  : read->second[static_cast<std::size_t>(number)]);
    auto run = TRY(runRouting(*m_model, ofN, {.policy = {}, .entropies = true, .stop = std::move(stop)}));
    m_entropies = std::move(run.encoder.entropies);
    return {};
}

Result<Redecoded> Redecoder::operator()(const RedecodingRequest& request, std::stop_token stop)
{
    TRY(open(request));
    const auto [learned, trained] = trainedAt(request);
    const bool sameN = std::exchange(m_learned, learned) == learned;
    if (!sameN)
        m_entropies.clear();
    if (!m_vanilla || m_size != request.size || m_number != request.number ||
        (m_model->hasDepot && !sameN)) {  // a vehicle's capacity is that of N
        m_vanilla.reset();
        m_instance = TRY(instanceOf(request, learned));
        m_size = request.size;
        m_number = request.number;
    }
    const ScalePolicy vanilla{.trainLength = static_cast<double>(learned)};
    ScalePolicy policy = vanilla;
    policy.method = request.method;
    actIn(policy, request.where);
    if (policy.layer && *policy.layer >= std::ssize(m_model->layers))
        return failure(ErrorKind::InvalidArgument,
                       "the network has no {}; choose another place for the scale to act in", request.where);
    const bool measured = isMeasured(policy.method) && policy.encoder;
    if (measured) {
        TRY(m_entropies.empty() ? measure(stop) : Result<void>());
        policy.entropies = m_entropies;
    }
    const ScaleContext context{.keys = static_cast<double>(request.size),
                               .nTrain = policy.trainLength,
                               .d = static_cast<int>(m_model->headSize())};
    const std::int64_t keys[] = {request.size};
    const auto multiplier = measured ? std::vector{1.0} : TRY(rowMultipliers(policy.method, context, keys));
    if (!m_vanilla)
        m_vanilla = TRY(route(vanilla, stop));
    const auto run = TRY(route(policy, std::move(stop)));

    const double m = measured ? meanOfLayers(run.encoder.multipliers) : multiplier.front();
    Redecoded found{.n = request.size,
                    .trainLength = learned,
                    .trained = trained,
                    .layers = std::ssize(m_model->layers),
                    .vanilla = sideOf(m_instance, *m_vanilla),
                    .scaled = sideOf(m_instance, run),
                    .multiplier = m};
    const std::string where = request.where == "both" ? "" : " in " + request.where;
    const char* ofN = trained == Redecoded::Trained::Said ? ", trained at " : ", N taken to be ";
    found.tours = sideBySide(
        "redecoded", "n = " + std::to_string(request.size) + ofN + std::to_string(learned), m_instance,
        {{titleOf(vanilla.method) + ", " + tourLength(found.vanilla.length), m_vanilla->solutions.front().front()},
         {titleOf(policy.method) + where + ", " + tourLength(found.scaled.length), run.solutions.front().front()}});
    found.glimpses = {m_vanilla->glimpses.front(), run.glimpses.front()};
    const std::vector<LabTours::Edge>& edges = found.tours.panels.back().edges;
    found.edges = edges.size();
    found.differing = static_cast<std::size_t>(std::ranges::count(edges, true, &LabTours::Edge::differs));
    return found;
}

}  // namespace attnscope
