#include "core/labs/lab_record.h"

#include "core/base/json_reader.h"
#include "core/analysis/scenario_json.h"
#include "core/base/json_text.h"
#include "core/base/replace_file.h"
#include "core/base/each_once.h"
#include "core/labs/lab_support.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

using Json = nlohmann::json;

constexpr std::string_view schema = "attnscope_lab/1";
constexpr std::uint64_t longestFile = 64 << 20;

Json toJson(const LabValue& value)
{
    return std::visit([](const auto& v) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>)
            return nullptr;
        else
            return v;
    }, value);
}

void addRows(Json& tables, const std::vector<LabRow>& rows)
{
    for (const LabRow& row : rows) {
        Json& table = tables[row.table];
        if (table.is_null()) {
            table = {{"columns", Json::array()}, {"rows", Json::array()}};
            for (const auto& [column, value] : row.cells)
                table["columns"].push_back(column);
        }
        Json cells = Json::array();
        for (const auto& [column, value] : row.cells)
            cells.push_back(toJson(value));
        table["rows"].push_back(std::move(cells));
    }
}

Json toJson(const LabPicture& picture)
{
    Json rows = Json::array();
    for (Eigen::Index row = 0; row < picture.values.rows(); ++row) {
        Json cells = Json::array();
        for (Eigen::Index column = 0; column < picture.values.cols(); ++column)
            cells.push_back(picture.values(row, column));
        rows.push_back(std::move(cells));
    }
    return {{"id", picture.id}, {"title", picture.title}, {"row_label", picture.rowLabel}, {"column_label", picture.columnLabel}, {"values", std::move(rows)}};
}

Json toJson(const LabTours& tours)
{
    Json panels = Json::array();
    for (const LabTours::Panel& panel : tours.panels) {
        Json edges = Json::array();
        for (const LabTours::Edge& edge : panel.edges)
            edges.push_back({edge.from, edge.to, edge.differs});
        panels.push_back({{"title", panel.title}, {"edges", std::move(edges)}});
    }
    return {{"id", tours.id}, {"title", tours.title}, {"depot", tours.depot}, {"places", tours.places}, {"panels", std::move(panels)}};
}

/// A box is [number, x, y, z, its sides along x, y, z].
Json toJson(const LabPackings& packings)
{
    Json panels = Json::array();
    for (const LabPackings::Panel& panel : packings.panels) {
        Json boxes = Json::array();
        for (const LabPackings::Box& box : panel.boxes)
            boxes.push_back({box.number, box.at[0], box.at[1], box.at[2], box.sides[0], box.sides[1], box.sides[2]});
        panels.push_back({{"title", panel.title}, {"boxes", std::move(boxes)}});
    }
    return {{"id", packings.id}, {"title", packings.title}, {"length", packings.length}, {"width", packings.width}, {"panels", std::move(panels)}};
}

Json toJson(const LabFile& file, const std::string& folder)
{
    Json json{{"path", std::filesystem::path(file.path).lexically_proximate(folder).string()}, {"about", file.about}};
    if (file.scenario)
        json["scenario"] = toJson(*file.scenario);
    return json;
}

/// Every mistake of a file that somebody may have edited ends as one of these.
struct Wrong {
    std::string message;
};

LabValue valueFrom(const Json& json)
{
    if (json.is_null())
        return {};
    if (json.is_boolean())
        return json.get<bool>();
    if (json.is_number_integer())
        return json.get<std::int64_t>();
    if (json.is_number())
        return json.get<double>();
    if (json.is_string())
        return json.get<std::string>();
    throw Wrong{"a cell of a table is neither a number nor a word"};
}

std::vector<LabRow> rowsFrom(const Json& tables, const std::string& main)
{
    std::vector<LabRow> rows;
    for (const auto& [name, table] : tables.items()) {
        const Json& columns = table.at("columns");
        for (const Json& cells : table.at("rows")) {
            if (cells.size() != columns.size())
                throw Wrong{"a row of the table " + name + " has " + std::to_string(cells.size()) + " cells for " + std::to_string(columns.size()) + " columns"};
            LabRow row{name, {}};
            for (std::size_t i = 0; i < cells.size(); ++i)
                row.cells.emplace_back(columns.at(i).get<std::string>(), valueFrom(cells.at(i)));
            rows.push_back(std::move(row));
        }
    }
    std::stable_partition(rows.begin(), rows.end(), [&](const LabRow& row) { return row.table != main; });
    return rows;
}

LabPicture pictureFrom(const Json& json)
{
    LabPicture picture{json.at("id"), json.at("title"), json.at("row_label"), json.at("column_label"), {}};
    const Json& rows = json.at("values");
    const std::size_t columns = rows.empty() ? 0 : rows.front().size();
    if (std::ranges::any_of(rows, [columns](const Json& cells) { return cells.size() != columns; }))  // before there is room for all of them
        throw Wrong{"the rows of the picture " + picture.id + " are not of one length"};
    picture.values.resize(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns));
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t column = 0; column < columns; ++column)
            picture.values(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) = rows.at(row).at(column).get<float>();
    return picture;
}

LabTours toursFrom(const Json& json)
{
    LabTours tours{json.at("id"), json.at("title"), json.at("places"), json.at("depot"), {}};
    const auto placeOf = [&](const Json& number) {
        const auto place = number.get<std::int64_t>();
        if (place < 0 || place >= std::ssize(tours.places))
            throw Wrong{"an edge of the tours " + tours.id + " goes to place " + std::to_string(place) + ", and there are " + std::to_string(tours.places.size())};
        return static_cast<int>(place);
    };
    for (const Json& panel : json.at("panels")) {
        tours.panels.push_back({panel.at("title"), {}});
        for (const Json& edge : panel.at("edges"))
            tours.panels.back().edges.push_back({placeOf(edge.at(0)), placeOf(edge.at(1)), edge.at(2)});
    }
    return tours;
}

LabPackings packingsFrom(const Json& json)
{
    constexpr int longest = 1'000'000;           // of a side, and of a way to a box
    LabPackings packings{json.at("id"), json.at("title"), json.at("length"), json.at("width"), {}};
    for (const Json& panel : json.at("panels")) {
        packings.panels.push_back({panel.at("title"), {}});
        for (const Json& box : panel.at("boxes")) {
            const auto numbers = box.get<std::array<int, 7>>();
            if (std::ranges::any_of(numbers, [](int number) { return number < 0 || number > longest; }) || std::ranges::any_of(numbers.begin() + 4, numbers.end(), [](int side) { return side == 0; }))
                throw Wrong{"a box of the packings " + packings.id + " is nowhere, or has no volume: numbers go from 0, sides from 1, to 1 000 000"};
            if (std::ssize(packings.panels.back().boxes) == LabPackings::mostBoxes)
                throw Wrong{"the packings " + packings.id + " have more than 10 000 boxes in a bin"};
            packings.panels.back().boxes.push_back({numbers[0], {numbers[1], numbers[2], numbers[3]}, {numbers[4], numbers[5], numbers[6]}});
        }
    }
    if (packings.length < 1 || packings.width < 1 || packings.length > longest || packings.width > longest)
        throw Wrong{"the bin of the packings " + packings.id + " has no floor that can be drawn"};
    return packings;
}

LabFile fileFrom(const Json& json, const std::string& folder)
{
    LabFile file{(std::filesystem::path(folder) / json.at("path").get<std::string>()).string(), json.at("about"), {}};
    if (json.contains("scenario")) {
        const Result<Scenario> scenario = scenarioFromJson(json.at("scenario"));
        if (!scenario)
            throw Wrong{scenario.error().message};
        file.scenario = *scenario;
    }
    return file;
}

Result<LabRecord> recordFrom(const Json& json, const std::string& folder)
{
    LabRecord record;
    const Choice choice = TRY(parseChoice(json.at("lab").get<std::string>(), labs(), "lab"));
    record.choice = choice;
    record.stage = json.at("stage");
    record.fraction = json.at("fraction");
    record.finished = json.at("finished");
    record.rows = rowsFrom(json.at("tables"), (*findRow(labs(), choice.id, "lab"))->main);
    for (const Json& picture : json.at("pictures"))
        record.pictures.push_back(pictureFrom(picture));
    if (json.contains("tours"))  // runs of before have none
        for (const Json& tours : json.at("tours"))
            record.tours.push_back(toursFrom(tours));
    if (json.contains("packings"))  // likewise
        for (const Json& packings : json.at("packings"))
            record.packings.push_back(packingsFrom(packings));
    for (const Json& file : json.at("files"))
        record.files.push_back(fileFrom(file, folder));
    return record;
}

/// The newest last, so that they stand in the order of the last update.
template <class Shown>
void replaceById(std::vector<Shown>& all, const std::vector<Shown>& newer)
{
    for (const Shown& one : newer) {
        std::erase_if(all, [&](const Shown& other) { return other.id == one.id; });
        all.push_back(one);
    }
}

}  // namespace

void take(LabRecord& record, const LabUpdate& update)
{
    record.stage = update.stage;
    record.fraction = update.fraction;
    record.rows.insert(record.rows.end(), update.rows.begin(), update.rows.end());
    record.live = update.live;
    replaceById(record.pictures, update.pictures);
    replaceById(record.tours, update.tours);
    replaceById(record.packings, update.packings);
}

std::vector<std::string> tablesOf(const std::vector<LabRow>& rows) { return eachOnce(rows, &LabRow::table); }

Result<void> saveRecord(const std::string& folder, const LabRecord& record)
{
    const std::string path = TRY(pathInFolder(folder, recordName));
    Json json{{"schema", schema}, {"lab", formatChoice(record.choice)}, {"stage", record.stage}, {"fraction", record.fraction}, {"finished", record.finished},
              {"tables", Json::object()}, {"pictures", Json::array()}, {"tours", Json::array()}, {"packings", Json::array()}, {"files", Json::array()}};
    addRows(json["tables"], record.rows);
    addRows(json["tables"], record.live);
    for (const LabPicture& picture : record.pictures)
        json["pictures"].push_back(toJson(picture));
    for (const LabTours& tours : record.tours)
        json["tours"].push_back(toJson(tours));
    for (const LabPackings& packings : record.packings)
        json["packings"].push_back(toJson(packings));
    for (const LabFile& file : record.files)
        json["files"].push_back(toJson(file, folder));
    return replaceFile(path, jsonText(json) + "\n");
}

Result<LabRecord> readRecord(const std::string& folder)
{
    const std::string path = (std::filesystem::path(folder) / recordName).string();
    const Result<std::string> text = readText(path, longestFile);
    if (!text && text.error().kind == ErrorKind::ArchiveLimit)
        return failure(text.error().kind, text.error().message + "; no lab writes so much: move it elsewhere and run the lab again");
    if (!text)
        return failure(text.error().kind, text.error().message + "; it is what a lab leaves in its folder");
    return parseRecord(*text, path, folder);
}

Result<LabRecord> parseRecord(std::string_view text, const std::string& path, const std::string& folder)
{
    const Json json = TRY(parseJson(text, path));
    try {
        if (json.at("schema") != schema)
            return failure(ErrorKind::UnknownFormat, path + " is of another version; this program reads " + std::string(schema));
        Result<LabRecord> record = recordFrom(json, folder);
        return record ? record : failure(record.error().kind, path + ": " + record.error().message);
    } catch (const Wrong& wrong) {
        return failure(ErrorKind::InvalidArgument, path + ": " + wrong.message);
    } catch (const Json::exception& wrong) {
        return failure(ErrorKind::InvalidArgument, path + ": " + wrong.what());
    }
}

}  // namespace attnscope
