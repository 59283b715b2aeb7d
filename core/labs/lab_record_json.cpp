// A LabRecord as JSON, both ways.

#include "core/labs/lab_record.h"

#include "core/analysis/scenario_json.h"
#include "core/base/checked_json.h"
#include "core/base/json_reader.h"
#include "core/base/json_writer.h"
#include "core/base/text.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

namespace attnscope {

namespace {

using nlohmann::json;

constexpr std::string_view schema = "attnscope_lab/1";
constexpr std::size_t mostParts = 100'000;  // of any list; the file is bounded too
constexpr int longestSide = 1'000'000;      // of a box or a bin, and of a way to a box

json toJson(const LabValue& value)
{
    return std::visit(
        [](const auto& v) -> json {
            if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::monostate>)
                return nullptr;
            else
                return v;
        },
        value);
}

std::optional<LabValue> valueOf(const json& cell)
{
    if (cell.is_null())
        return LabValue();
    if (cell.is_boolean())
        return cell.get<bool>();
    if (cell.is_number_integer())
        return cell.get<std::int64_t>();
    if (cell.is_number())
        return cell.get<double>();
    if (cell.is_string())
        return cell.get<std::string>();
    return std::nullopt;
}

void addRows(json& tables, const std::vector<LabRow>& rows)
{
    for (const LabRow& row : rows) {
        json& table = tables[row.table];
        if (table.is_null()) {
            table = {{"columns", json::array()}, {"rows", json::array()}};
            for (const auto& [column, value] : row.cells)
                table["columns"].push_back(column);
        }
        json cells = json::array();
        for (const auto& [column, value] : row.cells)
            cells.push_back(toJson(value));
        table["rows"].push_back(std::move(cells));
    }
}

/// Live rows are kept as they stand.
void tablesField(ObjectWriter& writer, const LabRecord& record)
{
    json tables = json::object();
    addRows(tables, record.rows);
    addRows(tables, record.live);
    writer.put("tables", std::move(tables));
}

std::optional<LabCells> cellsOf(const std::vector<std::string>& columns, const json& row)
{
    if (!row.is_array() || row.size() != columns.size())
        return std::nullopt;
    LabCells cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
        auto value = valueOf(row[i]);
        if (!value)
            return std::nullopt;
        cells.emplace_back(columns[i], std::move(*value));
    }
    return cells;
}

/// The main table's rows last.
void tablesField(ObjectReader& reader, LabRecord& record)
{
    const json* tables = reader.field("tables");
    if (!tables || !tables->is_object())
        return reader.require("tables", false, "be an object of tables");
    for (const auto& [name, table] : tables->items()) {
        ObjectReader one(table, reader.pathOf("tables") + "." + name);
        std::vector<std::string> columns;
        one.texts("columns", columns);
        std::vector<LabCells> rows;
        one.elements("rows", rows, fmt::format("{} cells, each a number, a word or null", columns.size()),
                     std::numeric_limits<std::size_t>::max(), [&](const json& row) { return cellsOf(columns, row); });
        if (const auto done = one.finish(); !done)
            return reader.fail(done.error());
        for (LabCells& cells : rows)
            record.rows.push_back({name, std::move(cells)});
    }
    if (const auto lab = findRow(labs(), record.choice.id, "lab"))
        std::stable_partition(record.rows.begin(), record.rows.end(),
                              [&](const LabRow& row) { return row.table != (*lab)->main; });
}

void valuesField(ObjectWriter& writer, const Eigen::MatrixXf& values)
{
    json rows = json::array();
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
        json& cells = rows.emplace_back(json::array());
        for (Eigen::Index column = 0; column < values.cols(); ++column)
            cells.push_back(values(row, column));
    }
    writer.put("values", std::move(rows));
}

/// A NaN is written as null.
bool isValue(const json& number) { return number.is_number() || number.is_null(); }

void valuesField(ObjectReader& reader, Eigen::MatrixXf& values)
{
    std::vector<const json*> rows;
    reader.elements("values", rows, "a list of numbers", mostParts, [](const json& row) {
        return row.is_array() && std::ranges::all_of(row, isValue) ? std::optional(&row) : std::nullopt;
    });
    const std::size_t columns = rows.empty() ? 0 : rows.front()->size();
    if (std::ranges::any_of(
            rows, [&](const json* row) { return row->size() != columns; }))  // before there is room for all of them
        return reader.require("values", false, "have rows of one length");
    values.resize(std::ssize(rows), static_cast<Eigen::Index>(columns));
    for (Eigen::Index row = 0; row < values.rows(); ++row)
        for (Eigen::Index column = 0; column < values.cols(); ++column)
            if (const json& number = (*rows[static_cast<std::size_t>(row)])[static_cast<std::size_t>(column)];
                number.is_null())
                values(row, column) = std::numeric_limits<float>::quiet_NaN();
            else
                values(row, column) = number.get<float>();
}

template <class Fields, class Picture>
void pictureFields(Fields& fields, Picture& picture)
{
    fields.text("id", picture.id);
    fields.text("title", picture.title);
    fields.text("row_label", picture.rowLabel);
    fields.text("column_label", picture.columnLabel);
    valuesField(fields, picture.values);
}

void edgesField(ObjectWriter& writer, const std::vector<LabTours::Edge>& edges, std::ptrdiff_t)
{
    json list = json::array();
    for (const LabTours::Edge& edge : edges)
        list.push_back({edge.from, edge.to, edge.differs});
    writer.put("edges", std::move(list));
}

void edgesField(ObjectReader& reader, std::vector<LabTours::Edge>& edges, std::ptrdiff_t places)
{
    const auto isPlace = [&](const json& number) {
        return number.is_number_integer() && number >= 0 && number < places;
    };
    reader.elements("edges", edges, fmt::format("[from, to, differs] between two of {} places", places), mostParts,
                    [&](const json& edge) -> std::optional<LabTours::Edge> {
                        if (!edge.is_array() || edge.size() != 3 || !isPlace(edge[0]) || !isPlace(edge[1]) ||
                            !edge[2].is_boolean())
                            return std::nullopt;
                        return LabTours::Edge{edge[0].get<int>(), edge[1].get<int>(), edge[2].get<bool>()};
                    });
}

void placesField(ObjectWriter& writer, const std::vector<std::array<float, 2>>& places)
{
    writer.put("places", places);
}

void placesField(ObjectReader& reader, std::vector<std::array<float, 2>>& places)
{
    reader.elements("places", places, "two numbers", mostParts,
                    [](const json& place) -> std::optional<std::array<float, 2>> {
                        if (!place.is_array() || place.size() != 2 || !place[0].is_number() || !place[1].is_number())
                            return std::nullopt;
                        return std::array{place[0].get<float>(), place[1].get<float>()};
                    });
}

template <class Fields, class Tours>
void toursFields(Fields& fields, Tours& tours)
{
    fields.text("id", tours.id);
    fields.text("title", tours.title);
    fields.boolean("depot", tours.depot);
    placesField(fields, tours.places);
    fields.objects("panels", tours.panels, "panels", mostParts, [&](auto& one, auto& panel) {
        one.text("title", panel.title);
        edgesField(one, panel.edges, std::ssize(tours.places));
    });
}

/// A box is [number, x, y, z, its sides along x, y, z].
void boxesField(ObjectWriter& writer, const std::vector<LabPackings::Box>& boxes)
{
    json list = json::array();
    for (const LabPackings::Box& box : boxes)
        list.push_back({box.number, box.at[0], box.at[1], box.at[2], box.sides[0], box.sides[1], box.sides[2]});
    writer.put("boxes", std::move(list));
}

void boxesField(ObjectReader& reader, std::vector<LabPackings::Box>& boxes)
{
    const auto within = [](const json& number, int least) {
        return number.is_number_integer() && number >= least && number <= longestSide;
    };
    const std::string what =
        fmt::format("[number, x, y, z, three sides]: whole numbers from 0, sides from 1, to {}", longestSide);
    reader.elements("boxes", boxes, what, LabPackings::mostBoxes,
                    [&](const json& box) -> std::optional<LabPackings::Box> {
                        if (!box.is_array() || box.size() != 7)
                            return std::nullopt;
                        for (std::size_t i = 0; i < box.size(); ++i)
                            if (!within(box[i], i < 4 ? 0 : 1))
                                return std::nullopt;
                        const auto numbers = box.get<std::array<int, 7>>();
                        return LabPackings::Box{
                            numbers[0], {numbers[1], numbers[2], numbers[3]}, {numbers[4], numbers[5], numbers[6]}};
                    });
}

template <class Fields, class Packings>
void packingsFields(Fields& fields, Packings& packings)
{
    fields.text("id", packings.id);
    fields.text("title", packings.title);
    fields.number("length", packings.length, 1, longestSide);
    fields.number("width", packings.width, 1, longestSide);
    fields.objects("panels", packings.panels, "panels", mostParts, [](auto& one, auto& panel) {
        one.text("title", panel.title);
        boxesField(one, panel.boxes);
    });
}

template <class Fields, class File>
void fileFields(Fields& fields, File& file)
{
    fields.text("path", file.path);
    fields.text("about", file.about);
    fields.object("scenario", file.scenario, [](auto& part, auto& scenario) { scenarioFields(part, scenario); });
}

/// Paths of files are relative to the run's folder.
template <class Fields, class Record>
void recordFields(Fields& fields, Record& record)
{
    fields.choice("lab", record.choice, labs(), "lab");
    fields.text("stage", record.stage);
    fields.number("fraction", record.fraction, 0, 1);
    fields.boolean("finished", record.finished);
    tablesField(fields, record);
    fields.objects("pictures", record.pictures, "pictures", mostParts,
                   [](auto& one, auto& picture) { pictureFields(one, picture); });
    fields.objects("tours", record.tours, "tours", mostParts, [](auto& one, auto& tours) { toursFields(one, tours); });
    fields.objects("packings", record.packings, "packings", mostParts,
                   [](auto& one, auto& packings) { packingsFields(one, packings); });
    fields.objects("files", record.files, "files", mostParts, [](auto& one, auto& file) { fileFields(one, file); });
}

/// A run of the lab that max-retrieval took in is one of that, whose table `learned` was its `heads`.
void takeFormerLab(json& object)
{
    constexpr std::string_view former = "max-retrieval-training",
                               kinds = "vanilla; vanilla|adaptive; vanilla|entmax15; vanilla|sparsemax; "
                                       "vanilla|sigmoid; log_n; softmax_plus:B=16; constraint";
    const auto lab = object.is_object() ? object.find("lab") : object.end();
    if (lab == object.end() || !lab->is_string() || !lab->get<std::string>().starts_with(former))
        return;
    const std::string said = lab->get<std::string>().substr(former.size());
    const std::size_t quote = std::min(said.find('"'), said.size());
    const std::vector<std::string> given = partsOf(said.substr(0, quote).substr(said.starts_with(':') ? 1 : 0), ',');
    std::string values;
    for (const std::string usual : {"steps=3000", "heads=3", "sets=256", "most_items=1024"}) {
        const std::string name = usual.substr(0, usual.find('=') + 1);
        if (std::ranges::none_of(given, [&](const std::string& one) { return one.starts_with(name); }))
            values += usual + ",";
    }
    for (const std::string& one : given)
        values += one.empty() ? "" : one + ",";
    std::string train = quote < said.size() ? said.substr(quote) : '"' + std::string(kinds) + '"';
    train.insert(1, "vanilla @ ");
    *lab = "max-retrieval:" + values + train;
    if (const auto tables = object.find("tables"); tables != object.end() && tables->is_object())
        if (const auto heads = tables->find("heads"); heads != tables->end()) {
            (*tables)["learned"] = *heads;
            tables->erase("heads");
        }
}

}  // namespace

std::string recordText(LabRecord record, const std::string& folder)
{
    for (LabFile& file : record.files)
        file.path = std::filesystem::path(file.path).lexically_proximate(folder).string();
    ObjectWriter writer;
    writer.put("schema", schema);
    recordFields(writer, std::as_const(record));
    return checkedLine(std::move(writer).json());
}

Result<LabRecord> parseRecord(std::string_view text, const std::string& path, const std::string& folder)
{
    json object = TRY(parseJson(text, path));
    if (!isWhole(object))
        return failure(ErrorKind::DataError,
                       path +
                           " is damaged, or was changed by hand: it is not what its checksum is of; run the lab again");
    takeFormerLab(object);
    ObjectReader reader(object, path);
    std::string version;
    reader.text("schema", version);
    if (version != schema)
        reader.fail(
            {ErrorKind::UnknownFormat, path + " is of another version; this program reads " + std::string(schema)});
    reader.require("lab", reader.field("lab"), "name the lab that ran");
    LabRecord record;
    recordFields(reader, record);
    TRY(reader.finish());
    for (LabFile& file : record.files)
        file.path = (std::filesystem::path(folder) / file.path).string();
    return record;
}

}  // namespace attnscope
