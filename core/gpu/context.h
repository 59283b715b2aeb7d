#pragma once
// An OpenGL 4.3 core context of our own, current on the thread that opened it: no window, no X. Tried in turn are the
// machine's graphics devices, then whatever EGL draws without a surface (Mesa: its first device, or the processor),
// then the default display with a surface of one pixel.

#include "core/gpu/device.h"

#include <memory>

namespace attnscope::gpu {

class Context {
public:
    /// Errors: Unavailable.
    static Result<std::unique_ptr<Context>> open();
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const Device& device() const { return m_device; }
    /// What OpenGL has to complain of since the last call; Unavailable.
    Result<void> check() const;

private:
    struct Handles;
    explicit Context(const Handles& handles);
    std::unique_ptr<Handles> m_handles;
    Device m_device;
};

}  // namespace attnscope::gpu
