#include "core/labs/lab_support.h"

#include <algorithm>
#include <filesystem>

namespace attnscope {

namespace {
constexpr std::chrono::milliseconds updateInterval{100}, pictureInterval{500};
}

void LabReporter::row(std::string table, LabCells cells)
{
    m_rows.push_back({std::move(table), std::move(cells)});
    m_update.rows.push_back(m_rows.back());
}

bool LabReporter::due() const { return m_callback && Clock::now() - m_last >= updateInterval; }

bool LabReporter::picturesDue() const { return m_callback && Clock::now() - m_lastPicture >= pictureInterval; }

void LabReporter::picture(LabPicture picture)
{
    m_update.pictures.push_back(std::move(picture));
    m_lastPicture = Clock::now();
}

void LabReporter::tours(LabTours tours)
{
    m_update.tours.push_back(std::move(tours));
    m_lastPicture = Clock::now();
}

void LabReporter::packings(LabPackings packings)
{
    if (std::ranges::any_of(packings.panels, [](const LabPackings::Panel& panel) { return std::ssize(panel.boxes) > LabPackings::mostBoxes; }))
        return;
    m_update.packings.push_back(std::move(packings));
    m_lastPicture = Clock::now();
}

void LabReporter::send(double fraction)
{
    if (!m_callback)
        return;
    m_update.fraction = fraction;
    m_callback(m_update);
    m_update.rows.clear();
    m_update.live.clear();
    m_update.pictures.clear();
    m_update.tours.clear();
    m_update.packings.clear();
    m_last = Clock::now();
}

std::vector<std::string> partsOf(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(separator, at), text.size());
        const std::string part = text.substr(at, end - at);
        const auto first = part.find_first_not_of(" \t\n"), last = part.find_last_not_of(" \t\n");
        parts.push_back(first == part.npos ? std::string() : part.substr(first, last - first + 1));
        at = end + 1;
    }
    return parts;
}

Result<std::string> pathInFolder(const std::string& folder, const std::string& name)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return failure(ErrorKind::NotWritable, "the folder " + folder + " cannot be made: " + error.message());
    return (std::filesystem::path(folder) / name).string();
}

bool holdsCheckpoint(const std::string& folder)
{
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
        if (entry.path().filename().string().ends_with(checkpointEnding))
            return true;
    return false;
}

}  // namespace attnscope
