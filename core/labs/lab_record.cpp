#include "core/labs/lab_record.h"

#include "core/base/each.h"
#include "core/base/parallel.h"
#include "core/base/replace_file.h"
#include "core/labs/lab_support.h"
#include "core/tensor/byte_source.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {

constexpr std::uint64_t longestFile = 64 << 20;

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
    record.phase = update.phase;
    record.rows.insert(record.rows.end(), update.rows.begin(), update.rows.end());
    record.live = update.live;
    replaceById(record.pictures, update.pictures);
    replaceById(record.tours, update.tours);
    replaceById(record.packings, update.packings);
    record.files.insert(record.files.end(), update.files.begin(), update.files.end());
}

LabRecord withFoundBefore(LabRecord now, const LabRecord& before)
{
    if (!(before.choice == now.choice))
        return now;
    const auto isOf = [](const std::string& table) {
        return [&table](const LabRow& row) { return row.table == table; };
    };
    std::vector<LabRow> kept;
    for (const std::string& table : tablesOf(before.rows)) {
        const auto here = isOf(table);
        const auto had = std::ranges::count_if(before.rows, here),
                   has = std::ranges::count_if(now.rows, here) + std::ranges::count_if(now.live, here);
        if (has >= had)
            continue;
        std::erase_if(now.rows, here);
        std::erase_if(now.live, here);
        std::ranges::copy_if(before.rows, std::back_inserter(kept), here);
    }
    now.rows.insert(now.rows.begin(), std::make_move_iterator(kept.begin()), std::make_move_iterator(kept.end()));
    const auto keep = [](auto& mine, const auto& theirs) {
        if (mine.empty())
            mine = theirs;
    };
    keep(now.pictures, before.pictures);
    keep(now.tours, before.tours);
    keep(now.packings, before.packings);
    keep(now.files, before.files);
    return now;
}

std::vector<std::string> tablesOf(const std::vector<LabRow>& rows) { return eachOnce(rows, &LabRow::table); }

Result<void> saveRecord(const std::string& folder, const LabRecord& record)
{
    const std::string path = TRY(pathInFolder(folder, recordName));
    return replaceFile(path, recordText(record, folder));
}

std::vector<Result<LabRecord>> readRecords(std::span<const std::string> folders)
{
    std::vector<Result<LabRecord>> records(folders.size());
    forEachInParallel(std::ssize(folders), 1, [&](std::int64_t index) {
        const auto at = static_cast<std::size_t>(index);
        records[at] = readRecord(folders[at]);
    });
    return records;
}

Result<LabRecord> readRecord(const std::string& folder)
{
    const std::string path = (std::filesystem::path(folder) / recordName).string();
    const Result<std::string> text = readText(path, longestFile);
    if (!text && text.error().kind == ErrorKind::ArchiveLimit)
        return failure(text.error().kind,
                       text.error().message + "; no lab writes so much: move it elsewhere and run the lab again");
    if (!text)
        return failure(text.error().kind, text.error().message + "; it is what a lab leaves in its folder");
    return parseRecord(*text, path, folder).map_error([](Error error) {  // whatever is wrong is the file's fault
        const bool asOfUsage = error.kind == ErrorKind::InvalidArgument || error.kind == ErrorKind::UnknownName;
        return Error{asOfUsage ? ErrorKind::DataError : error.kind, std::move(error.message)};
    });
}

}  // namespace attnscope
