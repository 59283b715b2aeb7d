#include "core/base/folder_lock.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace attnscope {

Result<FolderLock> FolderLock::take(const std::string& folder)
{
    FolderLock lock(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (lock.m_descriptor >= 0 && ::flock(lock.m_descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return failure(ErrorKind::NotWritable,
                       folder + ": another run is writing there; wait until it has ended, or give another folder");
    return lock;
}

FolderLock::~FolderLock()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

}  // namespace attnscope
