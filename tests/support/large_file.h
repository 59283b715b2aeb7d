#pragma once
// A small layer of queries and keys behind a tensor of any size, of which the disk holds nothing; and what reading it
// costs.

#include "tests/support/file_builder.h"

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace build {

/// Writes layer0.q and layer0.k, F32 [2, 64, 8], behind `gap` bytes (a multiple of 4) that are a hole in the file.
/// Why that cannot be done here, in a sentence; or empty.
inline std::string writeLayerBehind(const std::string& path, std::uint64_t gap)
{
    std::vector<float> values(2 * 2 * 64 * 8);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(std::sin(0.7 * static_cast<double>(i)));
    const std::string data = floats(values);
    const auto offsets = [gap](std::uint64_t begin, std::uint64_t end) {
        return "[" + std::to_string(gap + begin) + "," + std::to_string(gap + end) + "]";
    };
    const std::string header =
        R"({"__metadata__":{"causal":"true"},)" +
        field("others", "F32", "[" + std::to_string(gap / 4) + "]", "[0," + std::to_string(gap) + "]") + "," +
        field("layer0.q", "F32", "[2,64,8]", offsets(0, data.size() / 2)) + "," +
        field("layer0.k", "F32", "[2,64,8]", offsets(data.size() / 2, data.size())) + "}";
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << little(header.size(), 8) << header;
    file.seekp(static_cast<std::streamoff>(gap), std::ios::cur);
    file << data;
    file.close();
    struct stat status {};
    if (!file || ::stat(path.c_str(), &status) != 0)
        return "the file system takes no file of " + std::to_string(gap) + " bytes";
    const auto onDisk = static_cast<std::uint64_t>(status.st_blocks) * 512;
    return onDisk > data.size() + (1 << 20) && onDisk > gap / 4 ? "the file system keeps no holes in files" : "";
}

/// KiB of /proc/self/status: "VmHWM" (the most memory that this process has held) or "VmRSS" (what it holds now).
inline long memoryOf(const std::string& field)
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (long amount = 0; word == field + ":" && status >> amount)
            return amount;
    return 0;
}

/// From here on VmHWM counts anew. False where the kernel does not let us.
inline bool forgetPeak()
{
    std::ofstream file("/proc/self/clear_refs");
    file << "5" << std::flush;
    return file.good();
}

}  // namespace build
