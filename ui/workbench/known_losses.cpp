#include "ui/workbench/known_losses.h"

#include "core/base/fingerprint.h"
#include "core/base/replace_file.h"
#include "core/base/version.h"
#include "core/tensor/byte_source.h"
#include "ui/workbench/kept_files.h"

#include <cmath>
#include <filesystem>
#include <utility>

namespace attnscope {

namespace {

constexpr std::chrono::seconds betweenFiles{2};

}  // namespace

const LossTable& KnownLosses::of(const std::shared_ptr<const Model>& model, std::span<const int> ids,
                                 const TuneRequest& request, const TuneWindows& windows,
                                 std::span<const FileStamp> files)
{
    std::string search =
        fmt::format("{}, engine {}, by {}", searchOf(*model, ids, request, windows), windows.engine, versionedName());
    for (const FileStamp& file : files)
        search += fmt::format(", {} {} {} {}", file.inode, file.size, file.written, file.changed);
    if (m_model.lock() != model || m_search != search) {
        m_table.clear();
        m_request.clear();
    }
    m_model = model;
    m_search = std::move(search);
    std::string question = fmt::format("{}, over {}", m_search, tuneOverWords[static_cast<std::size_t>(request.over)]);
    if (question != m_request) {
        m_request = std::move(question);
        read();
    }
    return m_table;
}

bool KnownLosses::keepsAny() const
{
    std::error_code ignored;
    return !m_folder.empty() && std::filesystem::is_directory(m_folder, ignored) &&
           !std::filesystem::is_empty(m_folder, ignored);
}

const WindowLoss* KnownLosses::find(const std::string& key) const
{
    const auto found = m_table.find(key);
    return found == m_table.end() ? nullptr : &found->second;
}

void KnownLosses::add(const std::string& key, const WindowLoss& loss)
{
    m_changed = m_table.emplace(key, loss).second || m_changed;
    if (std::chrono::steady_clock::now() - m_written >= betweenFiles)
        write();
}

void KnownLosses::read()
{
    m_changed = !m_table.empty();  // of another question: they are of this one too
    m_written = std::chrono::steady_clock::now();
    m_path = m_folder.empty() ? std::string() : fmt::format("{}/{:016x}.json", m_folder, fingerprint(m_request));
    std::error_code ignored;
    if (m_path.empty() || !std::filesystem::is_regular_file(m_path, ignored))
        return;
    if (const auto text = readText(m_path, m_most))
        if (auto losses = readLosses(*text, m_path, m_request))
            for (auto& [key, loss] : *losses)
                if (loss.undefined || std::isfinite(loss.loss))  // the others are run again
                    m_table.emplace(key, std::move(loss));
}

void KnownLosses::write()
{
    m_written = std::chrono::steady_clock::now();
    if (m_path.empty() || !m_changed || !makeFolder(m_folder))
        return;
    m_changed = !replaceFile(m_path, writeLosses(m_table, m_request));
    keepNewest(m_folder, m_most, m_path);
}

}  // namespace attnscope
