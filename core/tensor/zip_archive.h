#pragma once
// A zip archive read with libzip through a ByteSource, so that libzip never sees the disk; and its entries as sources
// of their own, inflated forward as they are read.

#include "core/tensor/byte_source.h"

#include <mutex>

#include <zip.h>

namespace attnscope {

class ZipArchive {
public:
    /// Errors: BadArchive.
    static Result<std::shared_ptr<ZipArchive>> open(std::shared_ptr<const ByteSource> source, const std::string& path);
    ZipArchive();
    ~ZipArchive();
    ZipArchive(const ZipArchive&) = delete;
    ZipArchive& operator=(const ZipArchive&) = delete;

    tl::unexpected<Error> bad(std::string_view entry, const std::string& what) const;

    std::string path;
    zip_t* zip = nullptr;
    std::mutex mutex;  ///< libzip's archives are for one thread at a time

private:
    static zip_int64_t input(void* self, void* data, zip_uint64_t length, zip_source_cmd_t command);

    std::shared_ptr<const ByteSource> m_source;
    std::uint64_t m_position = 0;
    zip_error_t m_error{};
};

/// An entry of declared size `size`, read forward; going back starts it again. verify() checks its CRC and length.
std::shared_ptr<const ByteSource> entryBytes(std::shared_ptr<ZipArchive> archive, std::uint64_t index,
                                             std::uint64_t size, std::string name);

}  // namespace attnscope
