#include "core/labs/checkpoint_store.h"

#include "core/labs/lab_support.h"

#include <filesystem>

#include <unistd.h>

namespace attnscope {

TemporaryFolder::TemporaryFolder()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "attnscope-XXXXXX").string();
    if (!error && ::mkdtemp(name.data()))
        m_path = name;
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        std::filesystem::remove_all(m_path, ignored);
}

Result<std::string> StoreFolder::pathOf(const std::string& folder, const std::string& name)
{
    if (folder.empty() && !m_temporary && m_temporary.emplace().path().empty())
        return failure(ErrorKind::NotWritable,
                       "no temporary folder can be made to keep the network in (TMPDIR, or /tmp); give one with --out");
    return pathInFolder(folder.empty() ? m_temporary->path() : folder, name);
}

}  // namespace attnscope
