#include "core/labs/policies/scale_policies.h"

#include "core/labs/lab_parameters.h"
#include "core/labs/lab_support.h"
#include "core/scaling/scale_method.h"
#include "core/statistics/samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace attnscope {

namespace {

constexpr const char* layerPrefix = "layer ";
constexpr std::string_view inBoth = "both", inEncoder = "encoder", inDecoder = "decoder";

/// From 0; none: it names no layer.
std::optional<Index> layerOf(const std::string& where)
{
    const std::string prefix = layerPrefix;
    const std::string number = where.starts_with(prefix) ? where.substr(prefix.size()) : std::string();
    if (number.empty() || number.size() > 3 || number.find_first_not_of("0123456789") != std::string::npos ||
        std::stol(number) < 1)
        return {};
    return std::stol(number) - 1;
}

}  // namespace

std::span<const std::string_view> placesOfScale()
{
    static constexpr std::array places{inBoth, inEncoder, inDecoder};
    return places;
}

LabPart wherePart()
{
    return {"where",
            {plainEntry(std::string(inBoth), "Encoder and decoder", "All of the network's attention"),
             plainEntry(std::string(inEncoder), "Encoder", "Every layer of it; \"layer 1\", typed, is one"),
             plainEntry(std::string(inDecoder), "Decoder", "The glimpse, and what it chooses by")}};
}

bool actsEverywhere(std::string_view where) { return where.empty() || where == inBoth; }
bool actsInDecoderAlone(std::string_view where) { return where == inDecoder; }

Result<PolicyText> parsePolicyText(const std::string& text, const std::string& form)
{
    std::vector<std::string> parts = partsOf(text, '|');
    const std::size_t known = partsOf(form, '|').size();
    if (parts.size() > known)
        return failure(ErrorKind::InvalidArgument, "'{}' has more than {} parts; write {}", text,
                       known == 4 ? "four" : "three", form);
    parts.resize(known);
    auto methods = TRY(choicesOf(parts[0], scaleMethods(), "scale method"));
    PolicyText read{std::move(methods), {}, {parts.begin() + 2, parts.end()}};
    for (const std::string& where : partsOf(parts[1], ';')) {
        if (where.empty())
            continue;
        if (std::ranges::find(placesOfScale(), where) == placesOfScale().end() && !layerOf(where))
            return failure(
                ErrorKind::UnknownName,
                "a scale acts in 'encoder', 'decoder', 'both', or a layer of the encoder, 'layer 1', not in '{}'",
                where);
        read.where.push_back(where);
    }
    if (read.where.empty())
        read.where = {std::string(inBoth)};
    if (read.methods.empty())
        return failure(ErrorKind::InvalidArgument,
                       "name at least one scale method to test, like \"vanilla; infoscale | encoder; both\"");
    return read;
}

std::string whereOf(const ScalePolicy& policy)
{
    if (policy.layer)
        return nameOfLayer(*policy.layer);
    return std::string(!policy.decoder ? inEncoder : policy.encoder ? inBoth : inDecoder);
}

std::string nameOfLayer(Index layer) { return layerPrefix + std::to_string(layer + 1); }

void actIn(ScalePolicy& policy, const std::string& where)
{
    policy.layer = layerOf(where);
    policy.encoder = !actsInDecoderAlone(where);
    policy.decoder = where == inDecoder || where == inBoth;
}

double meanOfLayers(const HeadValues& entropies)
{
    double sum = 0;
    for (const std::vector<double>& layer : entropies)
        sum += sampleMean(layer).mean;
    return sum / static_cast<double>(entropies.size());
}

std::string labelOf(const ScalePolicy& policy, const NetworkSeed& seed)
{
    return formatChoice(policy.method) + (isVanilla(policy.method) ? "" : ", " + whereOf(policy)) +
           (seed.ofSeveral ? fmt::format(", seed {}", seed.number.value_or(0)) : "");
}

LabCells policyCells(std::pair<std::string, std::string> task, std::int64_t n, const ScalePolicy& policy,
                     const NetworkSeed& seed)
{
    return {{"seed", seed.number ? LabValue(*seed.number) : LabValue()},
            {std::move(task.first), std::move(task.second)},
            {"n", n},
            {"n_over_train", static_cast<double>(n) / policy.trainLength},
            {"method", formatChoice(policy.method)},
            {"where", isVanilla(policy.method) ? LabValue() : LabValue(whereOf(policy))},
            {"policy", labelOf(policy, seed)}};
}

void addShare(HeadValues& sum, const HeadValues& part, double share)
{
    sum.resize(part.size());
    for (std::size_t layer = 0; layer < part.size(); ++layer)
        addShare(sum[layer], part[layer], share);
}

std::vector<LabCells> headCells(const LabCells& common, const HeadRun& encoder, const std::vector<double>& decoder)
{
    std::vector<LabCells> rows;
    const auto add = [&](const std::string& layer, const std::vector<double>& entropies,
                         const std::vector<double>* multipliers) {
        for (std::size_t head = 0; head < entropies.size(); ++head) {
            LabCells cells = common;
            cells.emplace_back("layer", layer);
            cells.emplace_back("head", static_cast<std::int64_t>(head));
            cells.emplace_back("entropy", entropies[head]);
            cells.emplace_back("multiplier", multipliers ? LabValue((*multipliers)[head]) : LabValue());
            rows.push_back(std::move(cells));
        }
    };
    for (std::size_t layer = 0; layer < encoder.entropies.size(); ++layer)
        add(fmt::format("encoder {}", layer), encoder.entropies[layer], &encoder.multipliers[layer]);
    add("decoder", decoder, nullptr);
    return rows;
}

std::vector<LabCells> seedCells(const std::vector<LabRow>& rows, const std::vector<std::string>& kept,
                                const std::vector<std::string>& columns)
{
    struct Across {
        const LabRow* first;
        std::map<std::string, std::vector<double>> numbers;
    };
    std::vector<Across> all;
    for (const LabRow& row : rows) {
        if (row.table != qualityTable || std::isnan(row.number(columns.front())))
            continue;
        auto found = std::ranges::find_if(all, [&](const Across& a) {
            return std::ranges::all_of(
                kept, [&](const std::string& column) { return *a.first->find(column) == *row.find(column); });
        });
        if (found == all.end())
            found = all.insert(all.end(), {&row, {}});
        for (const std::string& column : columns)
            found->numbers[column].push_back(row.number(column));
    }
    std::vector<LabCells> means;
    for (const Across& each : all) {
        LabCells cells;
        for (const std::string& column : kept)
            cells.emplace_back(column, *each.first->find(column));
        const std::vector<double>& changes = each.numbers.at("change");
        cells.emplace_back("networks", std::ssize(changes));
        for (const auto& [column, numbers] : each.numbers)
            cells.emplace_back(column, present(sampleMean(numbers).mean));
        const bool compared = !std::isnan(changes.front());
        cells.emplace_back("stderr", present(sampleMean(each.numbers.at(columns.front())).standardError));
        cells.emplace_back("p", present(compared ? tTest(changes) : std::nullopt));
        means.push_back(std::move(cells));
    }
    return means;
}

std::vector<ScalePolicy> policiesOf(const std::vector<Choice>& methods, const std::vector<std::string>& where,
                                    std::int64_t trainLength)
{
    std::vector<ScalePolicy> all;
    const auto add = [&](const Choice& method, const std::string& place) {
        ScalePolicy policy{.method = method, .trainLength = static_cast<double>(trainLength)};
        actIn(policy, place);
        if (std::ranges::find(all, policy) == all.end())  // named twice, tested once
            all.push_back(policy);
    };
    for (const Choice& method : methods)
        if (isVanilla(method))
            add(method, std::string(inBoth));
    for (const Choice& method : methods)
        for (const std::string& place : where)
            if (!isVanilla(method))
                add(method, place);
    return all;
}

}  // namespace attnscope
