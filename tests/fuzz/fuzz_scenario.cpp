// Scenarios as JSON: the part of sessions and recipes that somebody else may have written. What is accepted survives
// being written and read.
#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"

#include <cstdint>
#include <cstdlib>

using namespace attnscope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto json = parseJson({reinterpret_cast<const char*>(data), size}, "scenario");
    if (!json) {
        if (json.error().message.empty())
            std::abort();
        return 0;
    }
    const auto scenario = scenarioFromJson(*json);
    if (!scenario) {
        if (scenario.error().message.empty())
            std::abort();
        return 0;
    }
    const auto text =
        parseJson(toJson(*scenario).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), "again");
    if (!text)
        std::abort();
    const auto again = scenarioFromJson(*text);
    if (!again || !(*again == *scenario))
        std::abort();
    return 0;
}
