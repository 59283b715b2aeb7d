// The table of labs, and what every run has in common.

#include "core/base/folder_lock.h"
#include "core/labs/lab_record.h"
#include "core/labs/lab_support.h"
#include "core/tensor/tensor_file.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>

namespace attnscope {

// One line a lab, in the order shown.
// clang-format off
#define ATTNSCOPE_LABS(row) \
    row(eieLab) \
    row(maxRetrievalLab) \
    row(causalLmLab) \
    row(maskedLmLab) \
    row(routingLab) \
    row(packingLab) \
    row(algorithmsLab) \
    row(recallLab)
// clang-format on

#define ATTNSCOPE_DECLARE(name) Lab name();
#define ATTNSCOPE_CALL(name) name(),

ATTNSCOPE_LABS(ATTNSCOPE_DECLARE)

namespace {

/// A program that is killed leaves what it had shown so long before.
constexpr std::chrono::seconds recordInterval{20};

/// Is there anything but the record of a run that had found nothing yet? Files whose names begin with a dot are
/// nobody's work.
bool holdsSomething(const std::string& folder)
{
    std::error_code ignored;
    return std::ranges::any_of(
        std::filesystem::directory_iterator(folder, ignored), [&](const std::filesystem::directory_entry& entry) {
            const std::string name = entry.path().filename().string();
            const Result<LabRecord> record = name == recordName ? readRecord(folder) : failure(ErrorKind::NotFound, {});
            return !name.starts_with('.') && !(record && record->fraction <= 0 && record->rows.empty());
        });
}

/// Does the folder hold a checkpoint that says that this lab made it?
bool holdsCheckpointOf(const std::string& lab, const std::string& folder)
{
    std::error_code ignored;
    return std::ranges::any_of(std::filesystem::directory_iterator(folder, ignored),
                               [&](const std::filesystem::directory_entry& entry) {
                                   const std::string path = entry.path().string();
                                   if (!path.ends_with(checkpointEnding))
                                       return false;
                                   const auto file = TensorFile::open(path);
                                   if (!file)
                                       return false;
                                   const auto made = file->metadata().find("lab");
                                   return made != file->metadata().end() && made->second == lab;
                               });
}

Result<void> checkFolder(const LabRun& run)
{
    const std::filesystem::path record = std::filesystem::path(run.folder) / recordName;
    std::error_code ignored;
    const bool hasRun = std::filesystem::exists(record, ignored);
    if (!run.resume && hasRun && holdsSomething(run.folder))
        return failure(ErrorKind::InvalidArgument,
                       run.folder + " holds a run already; resume it (--resume), give another folder, or remove it");
    if (!run.resume && holdsSomething(run.folder))
        return failure(ErrorKind::InvalidArgument,
                       run.folder +
                           " is not empty, and what is there might be overwritten; give a new or an empty folder");
    if (!run.resume)
        return {};
    if (!hasRun)
        return holdsSomething(run.folder) && !holdsCheckpointOf(run.choice.id, run.folder)
                   ? failure(ErrorKind::InvalidArgument,
                             "{} holds no run of {} to resume, and what is there might be overwritten; give the folder "
                             "of the run, or a new or an empty one",
                             run.folder, run.choice.id)
                   : Result<void>();
    const LabRecord before = TRY(readRecord(run.folder));
    if (before.choice.id != run.choice.id)
        return failure(ErrorKind::InvalidArgument, "{} holds a run of {}, not of {}; give another folder", run.folder,
                       before.choice.id, run.choice.id);
    return {};
}

}  // namespace

std::span<const Lab> labs()
{
    static const std::vector<Lab> rows{ATTNSCOPE_LABS(ATTNSCOPE_CALL)};
    return rows;
}

const LabValue* LabRow::find(std::string_view column) const
{
    const auto found = std::ranges::find_if(cells, [&](const auto& cell) { return cell.first == column; });
    return found == cells.end() ? nullptr : &found->second;
}

double LabRow::number(std::string_view column) const
{
    const LabValue* value = find(column);
    if (value && std::holds_alternative<double>(*value))
        return std::get<double>(*value);
    if (value && std::holds_alternative<std::int64_t>(*value))
        return static_cast<double>(std::get<std::int64_t>(*value));
    return std::numeric_limits<double>::quiet_NaN();
}

std::string LabRow::word(std::string_view column) const
{
    const std::string* text = std::get_if<std::string>(find(column));
    return text ? *text : std::string();
}

Result<LabResult> runLab(const LabRun& run, std::stop_token stop, const LabCallback& progress)
{
    const Lab* lab = TRY(findRow(labs(), run.choice.id, "lab"));
    TRY(validate(*lab, run.choice));
    if (run.folder.empty())
        return (lab)->run(run, *lab, std::move(stop), progress);

    TRY(pathInFolder(run.folder, {}));
    const FolderLock lock = TRY(FolderLock::take(run.folder));
    TRY(checkFolder(run));
    LabRecord record{.choice = run.choice};
    std::error_code ignored;
    const bool goesOn = run.resume && std::filesystem::exists(std::filesystem::path(run.folder) / recordName, ignored);
    const LabRecord before = goesOn ? TRY(readRecord(run.folder)) : record;
    if (!goesOn)  // from now on the folder says what it is, whatever happens to the program
        TRY(saveRecord(run.folder, record));
    auto saved = std::chrono::steady_clock::now();
    const Result<LabResult> result = lab->run(run, *lab, std::move(stop), [&](const LabUpdate& update) {
        take(record, update);
        if (const auto now = std::chrono::steady_clock::now(); now - saved >= recordInterval) {
            saved = now;
            (void)saveRecord(run.folder,
                             withFoundBefore(record, before));  // a folder that cannot be written is told of at the end
        }
        if (progress)
            progress(update);
    });
    if (!result && result.error().kind != ErrorKind::Cancelled)
        return result;
    if (result) {
        record.finished = true;
        record.rows = result->rows;
        record.live.clear();
        record.files = result->files;
    }
    TRY(saveRecord(run.folder, result ? record : withFoundBefore(record, before)));
    return result;
}

}  // namespace attnscope
