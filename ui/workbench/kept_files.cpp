#include "ui/workbench/kept_files.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

namespace attnscope {

void keepNewest(const std::string& folder, std::uint64_t most, const std::string& own)
{
    namespace files = std::filesystem;
    struct Kept {
        files::file_time_type written;
        files::path path;
        std::uint64_t size;
    };
    std::vector<Kept> kept;
    std::error_code ignored;
    for (files::directory_iterator at(folder, ignored), end; !ignored && at != end; at.increment(ignored))
        if (std::error_code gone; at->path().extension() == ".json" && at->is_regular_file(gone))
            kept.push_back({at->last_write_time(gone), at->path(), at->file_size(gone)});
    std::ranges::sort(kept, std::greater(), &Kept::written);
    std::uint64_t all = 0;
    for (const Kept& file : kept)
        if (all += file.size; all > most && file.path != own)
            files::remove(file.path, ignored);
}

}  // namespace attnscope
