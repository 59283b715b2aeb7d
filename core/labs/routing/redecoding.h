#pragma once
// One instance routed twice by one network, with the scale that it was trained with and with another: what a person
// sees who changes the scale and watches the tour. A network and the first of the two tours are kept from question to
// question, so that a new scale costs one run of the network.

#include "core/base/file_stamp.h"
#include "core/document/redecoding_request.h"
#include "core/labs/routing/routing_evaluation.h"
#include "core/labs/routing/routing_instances.h"
#include "core/labs/routing/tour_step.h"

namespace attnscope {

struct Redecoded {
    struct Side {
        double length = 0, encoderEntropy = 0, decoderEntropy = 0;  ///< entropies: means over layers, heads, rows; nats
    };
    /// Where N is from: the network says it, the request does, or neither; then it is that of the smallest instances of
    /// the file, and of drawn ones 100, as the networks have that Kool et al. published.
    enum class Trained { Said, Given, Supposed };

    std::int64_t n = 0, trainLength = 0;
    Trained trained = Trained::Said;
    Index layers = 0;  ///< of the network's encoder
    Side vanilla = {}, scaled = {};
    double multiplier = 1;  ///< of a row that sees all n; of entropy_measured the mean over the encoder's heads
    std::size_t edges = 0, differing = 0;  ///< of the scaled tour
    LabTours tours = {};
    std::vector<Matrix> glimpses = {};  ///< of each panel, as stepOf() takes them
};

/// How far the longest of the tours goes: its choices.
Index choicesOf(const Redecoded& found);
/// Of the tours side by side, each a step.
std::vector<TourStep> stepsOf(const Redecoded& found, Index choice);

/// Not for several threads at once.
class Redecoder {
public:
    /// Errors: those of opening the model, the instances and of running it, InvalidArgument (the file has no such
    /// instance), Undefined where the method has no value at this n, Cancelled.
    Result<Redecoded> operator()(const RedecodingRequest& request, std::stop_token stop);
    /// The request with a size that the file of instances has, the nearest one, and a number that it has of it; of
    /// drawn ones as it is.
    Result<RedecodingRequest> nearest(RedecodingRequest request);
    /// Of the file of instances of the last request, how many there are of each size; none of drawn ones.
    std::map<std::int64_t, std::int64_t> counts() const;

private:
    Result<void> open(const RedecodingRequest& request);
    Result<RoutingInstance> instanceOf(const RedecodingRequest& request, std::int64_t learned) const;
    std::pair<std::int64_t, Redecoded::Trained> trainedAt(const RedecodingRequest& request) const;
    Result<void> measure(std::stop_token stop);
    Result<Solved<Tour>> route(const ScalePolicy& policy, std::stop_token stop) const;

    std::optional<RedecodingRequest> m_opened;  ///< what the network and the file are of
    FileStamp m_modelStamp, m_instancesStamp;   ///< when they were read
    std::optional<AttentionModel> m_model;
    std::map<std::int64_t, std::vector<RoutingInstance>> m_read;  ///< of the file, by size
    std::int64_t m_learned = 0;
    HeadValues m_entropies;  ///< at N, for entropy_measured; empty: not measured yet
    RoutingInstance m_instance;
    std::optional<Solved<Tour>> m_vanilla;  ///< of the instance
    std::int64_t m_size = 0, m_number = 0;
};

}  // namespace attnscope
