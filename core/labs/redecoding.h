#pragma once
// One instance routed twice by one network, with the scale that it was trained with and with another: what a person sees who changes the
// scale and watches the tour. A network and the first of the two tours are kept from question to question, so that a new scale costs one
// run of the network.

#include "core/labs/routing_evaluation.h"
#include "core/labs/tour_step.h"

namespace attnscope {

struct RedecodingRequest {
    std::string model = {};         ///< a file; empty: the network that comes with the program,
    bool vehicles = false;          ///< for vehicles or for cities,
    std::int64_t learned = 20;      ///< which learned among so many
    std::int64_t size = 100;        ///< n, cities or customers
    std::int64_t number = 0;        ///< of the instance, as the lab's tests count them
    Choice method{"softmax_plus", {}, {}};
    std::string where = std::string(placesOfScale().front());  ///< whereOf()
    bool operator==(const RedecodingRequest&) const = default;
};

struct Redecoded {
    struct Side {
        double length = 0, encoderEntropy = 0, decoderEntropy = 0;  ///< entropies: means over layers, heads, rows; nats
    };
    std::int64_t n = 0, trainLength = 0;
    Index layers = 0;               ///< of the network's encoder
    Side vanilla = {}, scaled = {};
    double multiplier = 1;          ///< of a row that sees all n; of entropy_measured the mean over the encoder's heads
    std::size_t edges = 0, differing = 0;  ///< of the scaled tour
    LabTours tours = {};
    std::vector<Matrix> glimpses = {};     ///< of each panel, as stepOf() takes them
};

/// How far the longest of the tours goes: its choices.
Index choicesOf(const Redecoded& found);
/// Of the tours side by side, each a step.
std::vector<TourStep> stepsOf(const Redecoded& found, Index choice);

/// Not for several threads at once.
class Redecoder {
public:
    /// Errors: those of opening the model and of running it, Undefined where the method has no value at this n.
    Result<Redecoded> operator()(const RedecodingRequest& request, std::stop_token stop);

private:
    Result<void> open(const RedecodingRequest& request);
    Result<void> measure(std::stop_token stop);
    Result<Solved<Tour>> route(const ScalePolicy& policy, std::stop_token stop) const;

    std::optional<RedecodingRequest> m_known;   ///< what the members below belong to
    std::optional<AttentionModel> m_model;
    RoutingInstance m_instance;
    std::optional<Solved<Tour>> m_vanilla;
    HeadValues m_entropies;                    ///< at N, for entropy_measured; empty: not measured yet
};

}  // namespace attnscope
