// Where the scoreboard's runs come from: the program, and folders.

#include "core/base/embedded.h"
#include "core/labs/scoreboard/scoreboard.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

Embedded recordedRuns(), recordedPackingRun(), recordedCosineRuns(), recordedSchemeRuns(), recordedCapacityRuns();

namespace {

constexpr int deepest = 4;

/// Folders with a record at or below this one.
void findRuns(const std::filesystem::path& folder, int depth, std::vector<std::string>& found)
{
    std::error_code ignored;
    if (std::filesystem::exists(folder / recordName, ignored)) {
        found.push_back(folder.string());
        return;
    }
    std::vector<std::filesystem::path> below;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (depth < deepest && entry.is_directory(ignored))
            below.push_back(entry.path());
    std::ranges::sort(below);
    for (const auto& path : below)
        findRuns(path, depth + 1, found);
}

Result<std::vector<BoardRun>> runsOf(std::initializer_list<Embedded> resources)
{
    std::vector<BoardRun> runs;
    for (const Embedded& resource : resources) {
        std::string_view rest(reinterpret_cast<const char*>(resource.bytes.data()), resource.bytes.size());
        while (!rest.empty()) {  // a record a line
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            auto record = TRY(parseRecord(rest.substr(0, end), "the recorded runs", {}));
            runs.push_back({"shipped", std::move(record)});
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return runs;
}

}  // namespace

Result<std::vector<BoardRun>> shippedRuns() { return runsOf({recordedRuns(), recordedPackingRun()}); }

Result<std::vector<BoardRun>> shippedCosineRuns() { return runsOf({recordedCosineRuns()}); }

Result<std::vector<BoardRun>> shippedSchemeRuns() { return runsOf({recordedSchemeRuns()}); }

Result<std::vector<BoardRun>> shippedCapacityRuns() { return runsOf({recordedCapacityRuns()}); }

Result<std::vector<BoardRun>> runsIn(std::span<const std::string> folders, std::vector<std::string>* unfinished)
{
    std::vector<BoardRun> runs;
    for (const std::string& folder : folders) {
        std::vector<std::string> found;
        findRuns(folder, 0, found);
        if (found.empty())
            return failure(ErrorKind::NotFound,
                           folder + " holds no run of a lab; give a folder that attnscope lab --out DIR or sweep --out "
                                    "DIR made, or one that holds such folders");
        for (const std::string& path : found) {
            auto record = TRY(readRecord(path));
            if (!record.finished) {
                if (unfinished && std::ranges::find(*unfinished, path) == unfinished->end())
                    unfinished->push_back(path);
                continue;
            }
            if (std::ranges::none_of(runs, [&](const BoardRun& run) {
                    return std::filesystem::weakly_canonical(run.origin) == std::filesystem::weakly_canonical(path);
                }))
                runs.push_back({path, std::move(record)});
        }
    }
    return runs;
}

}  // namespace attnscope
