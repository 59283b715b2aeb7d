#pragma once
// What a person asks of one instance routed twice, with the scale that its network was trained with and with another
// (core/labs/routing/redecoding.h): what the Tours page shows, sessions keep and figures of tours say.

#include "core/scaling/scale_method.h"

#include <cstdint>
#include <string>

namespace attnscope {

struct RedecodingRequest {
    static constexpr std::int64_t mostCities = 1600, mostTrained = 10'000;

    std::string model = {};        ///< a file; empty: the network that comes with the program,
    bool vehicles = false;         ///< for vehicles or for cities,
    std::int64_t learned = 20;     ///< which learned among so many
    std::int64_t trainLength = 0;  ///< N; 0: what the network says
    std::string instances = {};    ///< a file of them; empty: they are drawn
    std::int64_t size = 100;       ///< n, cities or customers
    std::int64_t number = 0;       ///< of the instance, as the lab's tests count them, or the file
    Choice method{"softmax_plus", {}, {}};
    std::string where = "both";  ///< whereOf()
    bool operator==(const RedecodingRequest&) const = default;
};

/// An ObjectReader's, or an ObjectWriter's of a const request.
template <class Fields, class Request>
void redecodingFields(Fields& fields, Request& request)
{
    fields.text("model", request.model);
    fields.boolean("vehicles", request.vehicles);
    fields.number("learned", request.learned, 1, 1e5);
    fields.number("n_train", request.trainLength, 0, RedecodingRequest::mostTrained);
    fields.text("instances", request.instances);
    fields.number("size", request.size, 2, RedecodingRequest::mostCities);
    fields.number("number", request.number, 0, 1e9);
    fields.choice("method", request.method, scaleMethods(), "scale method");
    fields.text("where", request.where);
}

}  // namespace attnscope
