#pragma once
// OpenGL 4.3 compute without a window. One thread owns the context and does all OpenGL work of the process, a piece at
// a time; it starts with the first piece. Everything that can go wrong (no EGL, no display, a context below 4.3, a
// shader that does not compile, no memory left, a device that was lost) is an Error::Unavailable of one line. After a
// failure the state of OpenGL is undefined, so the context is closed and every later piece fails with the same line.

#include "core/base/error.h"

#include <cstdint>
#include <string>

namespace attnscope::gpu {

struct Device {
    std::string renderer;           ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string version;            ///< "4.5 (Core Profile) Mesa 22.3.6"
    bool software = false;          ///< the renderer is a program on the processor
    std::int64_t largestBlock = 0;  ///< bytes of a storage buffer that a shader may see at once
};

/// Is there a file of a graphics device? If not, OpenGL runs in software or not at all, and nothing needs to be opened
/// to know.
bool mayHaveHardware();

/// Opens the device if nothing has yet. Errors: Unavailable.
Result<Device> device();

}  // namespace attnscope::gpu
