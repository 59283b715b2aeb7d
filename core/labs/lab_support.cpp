#include "core/labs/lab_support.h"

#include <filesystem>

namespace attnscope {

namespace {
constexpr std::chrono::milliseconds updateInterval{100};
constexpr std::chrono::seconds saveInterval{30};
const std::string historyKey = "lab.history";
}  // namespace

void LabReporter::row(std::string table, std::vector<std::pair<std::string, LabValue>> cells)
{
    m_rows.push_back({std::move(table), std::move(cells)});
    m_update.rows.push_back(m_rows.back());
}

bool LabReporter::due() const { return m_callback && std::chrono::steady_clock::now() - m_last >= updateInterval; }

void LabReporter::send(double fraction)
{
    if (!m_callback)
        return;
    m_update.fraction = fraction;
    m_callback(m_update);
    m_update.rows.clear();
    m_update.live.clear();
    m_update.pictures.clear();
    m_last = std::chrono::steady_clock::now();
}

Result<std::string> pathInFolder(const std::string& folder, const std::string& name)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return failure(ErrorKind::NotWritable, "the folder " + folder + " cannot be made: " + error.message());
    return (std::filesystem::path(folder) / name).string();
}

LabCheckpoint::LabCheckpoint(const LabRun& run, std::string name, learn::Metadata facts)
    : m_path(run.folder.empty() ? std::string() : (std::filesystem::path(run.folder) / (std::move(name) + "_checkpoint.safetensors")).string()),
      m_resume(run.resume), m_facts(std::move(facts))
{
}

Result<void> LabCheckpoint::resume(const learn::Weights& weights, learn::Adam& adam)
{
    if (!m_resume || m_path.empty() || !std::filesystem::exists(m_path))
        return {};
    const Result<TensorFile> file = TensorFile::open(m_path);
    if (!file)
        return tl::unexpected(file.error());
    for (const auto& [key, value] : m_facts) {
        const auto found = file->metadata().find(key);
        const std::string then = found == file->metadata().end() ? "absent" : found->second;
        if (then != value)
            return failure(ErrorKind::InvalidArgument,
                           m_path + " was trained with " + key + " = " + then + ", not " + value + "; set it so, or start anew in another folder");
    }
    if (const auto found = file->metadata().find(historyKey); found != file->metadata().end())
        history = found->second;
    return learn::loadTraining(*file, weights, adam);
}

Result<void> LabCheckpoint::save(const learn::Weights& weights, const learn::Adam& adam)
{
    m_last = std::chrono::steady_clock::now();
    if (m_path.empty())
        return {};
    const std::filesystem::path path(m_path);
    if (const Result<std::string> ready = pathInFolder(path.parent_path().string(), path.filename().string()); !ready)
        return tl::unexpected(ready.error());
    learn::Metadata metadata = m_facts;
    metadata[historyKey] = history;
    return learn::saveTraining(m_path, weights, adam, std::move(metadata));
}

bool LabCheckpoint::due() const { return !m_path.empty() && std::chrono::steady_clock::now() - m_last >= saveInterval; }

}  // namespace attnscope
