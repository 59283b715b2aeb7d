#pragma once
// One writer at a time in a folder. The lock is the kernel's (flock on the folder itself): it leaves no file behind and
// goes with the program that holds it, however that ends.

#include "core/base/error.h"

#include <string>
#include <utility>

namespace attnscope {

class FolderLock {
public:
    /// Held until it is destroyed; a file system that knows no locks gives one that holds nothing.
    /// Errors: NotWritable, where another program or another run of this one has it.
    static Result<FolderLock> take(const std::string& folder);

    FolderLock(FolderLock&& other) noexcept : m_descriptor(std::exchange(other.m_descriptor, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept
    {
        std::swap(m_descriptor, other.m_descriptor);
        return *this;
    }
    ~FolderLock();

private:
    explicit FolderLock(int descriptor) : m_descriptor(descriptor) {}
    int m_descriptor;
};

}  // namespace attnscope
