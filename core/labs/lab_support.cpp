#include "core/labs/lab_support.h"

#include "core/base/replace_file.h"

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

void LabReporter::file(LabFile file)
{
    m_update.files.push_back(std::move(file));
    send(m_update.fraction);
}

void LabReporter::note(std::string sentence)
{
    m_notes.push_back(sentence);
    stage(std::move(sentence));
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
    if (std::ranges::any_of(packings.panels, [](const LabPackings::Panel& panel) {
            return std::ssize(panel.boxes) > LabPackings::mostBoxes;
        }))
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
    m_update.files.clear();
    m_last = Clock::now();
}

Result<std::string> pathInFolder(const std::string& folder, const std::string& name)
{
    TRY(makeFolder(folder));
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
