#include "core/tuning/loss_table.h"

#include "core/base/json_reader.h"
#include "core/base/json_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace attnscope {

namespace {

constexpr const char* schema = "attnscope-tune/1";

/// Of every layer a list of numbers, one a head, null for what is none.
bool readSlopes(const nlohmann::json& layers, HeadValues& slopes)
{
    for (const nlohmann::json& layer : layers) {
        if (!layer.is_array())
            return false;
        std::vector<double>& heads = slopes.emplace_back();
        for (const nlohmann::json& one : layer) {
            if (!one.is_number() && !one.is_null())
                return false;
            heads.push_back(one.is_number() ? one.get<double>() : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return layers.is_array() && !slopes.empty();
}

/// [loss, place, place, ...], null for what is no number; {"loss": loss, "slopes": [[...], ...]}.
Result<WindowLoss> readWindow(const nlohmann::json& list, const std::string& path)
{
    WindowLoss window;
    if (list.is_object() && list.size() == 2 && list.contains("loss") && list["loss"].is_number() &&
        list.contains("slopes") && readSlopes(list["slopes"], window.slopes)) {
        window.loss = list["loss"];
        return window;
    }
    if (list.is_null()) {
        window.undefined = true;
        return window;
    }
    if (!list.is_array() || list.empty() || !list.front().is_number())
        return failure(ErrorKind::InvalidArgument,
                       path + ": a loss in it is no list of numbers; start anew without it");
    window.loss = list.front();
    for (std::size_t i = 1; i < list.size(); ++i)
        window.places.push_back(list[i].is_number() ? list[i].get<double>() : std::numeric_limits<double>::quiet_NaN());
    return window;
}

}  // namespace

std::string lossKey(std::int64_t length, std::int64_t start, const std::string& policyKey)
{
    return fmt::format("{} {} {}", length, start, policyKey);
}

std::string slopeKey(std::int64_t length, std::int64_t start, const std::string& policyKey)
{
    return "slopes " + lossKey(length, start, policyKey);
}

std::vector<std::int64_t> placeRanges(std::int64_t n, double trainLength)
{
    constexpr int ranges = 8;
    const double shortest = std::min(8.0, static_cast<double>(n));
    std::vector<std::int64_t> ends;
    for (int k = 0; k <= ranges; ++k)
        ends.push_back(std::llround(shortest * std::pow(static_cast<double>(n) / shortest, double{1} * k / ranges)));
    if (trainLength < static_cast<double>(n))
        ends.push_back(std::llround(trainLength));
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    return ends;
}

std::string writeLosses(const LossTable& table, const std::string& request)
{
    nlohmann::json losses = nlohmann::json::object();
    for (const auto& [key, window] : table) {
        nlohmann::json list;
        if (!window.slopes.empty()) {
            list = nlohmann::json{{"loss", window.loss}, {"slopes", window.slopes}};
        } else if (!window.undefined) {
            list.push_back(window.loss);
            for (const double place : window.places)
                list.push_back(std::isfinite(place) ? nlohmann::json(place) : nlohmann::json());
        }
        losses[key] = std::move(list);
    }
    return jsonText(nlohmann::json{{"schema", schema}, {"request", request}, {"losses", std::move(losses)}}, 0) + '\n';
}

Result<LossTable> readLosses(std::string_view text, const std::string& path, const std::string& request)
{
    const nlohmann::json json = TRY(parseJson(text, path));
    ObjectReader reader(json, path);
    std::string found, of;
    nlohmann::json losses = nlohmann::json::object();
    reader.text("schema", found);
    reader.text("request", of);
    reader.any("losses", losses);
    TRY(reader.finish());
    if (found != schema || !losses.is_object())
        return failure(ErrorKind::InvalidArgument, path + " is no file of a search; name another one");
    if (of != request)
        return failure(ErrorKind::InvalidArgument, "{} is of another search: {}; this one is {}; name another file",
                       path, of, request);
    LossTable table;
    for (const auto& [key, list] : losses.items())
        table.emplace(key, TRY(readWindow(list, path)));
    return table;
}

}  // namespace attnscope
