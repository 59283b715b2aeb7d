#include "core/gpu/device.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace attnscope::gpu {

/// What Linux's drivers make: the kernel's own, NVIDIA's, and that of Windows's subsystem.
bool mayHaveHardware()
{
    constexpr std::array files{"/dev/dri/renderD128", "/dev/dri/card0", "/dev/nvidiactl", "/dev/dxg"};
    return std::ranges::any_of(files, [](const char* file) {
        std::error_code none;
        return std::filesystem::exists(file, none);
    });
}

}  // namespace attnscope::gpu
