#include "core/gpu/context.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <array>
#include <cstdio>
#include <dlfcn.h>
#include <string_view>
#include <vector>

namespace attnscope::gpu {

struct Context::Handles {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    bool tellsLoss = false;  ///< a lost device is reported instead of ending the program
};

namespace {

tl::unexpected<Error> unavailable(std::string why) { return failure(ErrorKind::Unavailable, std::move(why)); }

std::string hex(unsigned code)
{
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "0x%04x", code);
    return text.data();
}

std::string eglError() { return " (EGL error " + hex(static_cast<unsigned>(eglGetError())) + ")"; }

/// epoxy ends the program where there is no library to look functions up in.
bool hasLibrary(const char* name)
{
    void* const library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (library)
        dlclose(library);
    return library != nullptr;
}

bool lists(const char* extensions, const char* name)
{
    return extensions && epoxy_extension_in_string(extensions, name);
}

std::vector<EGLDisplay> displays()
{
    std::vector<EGLDisplay> displays;
    const char* const client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (lists(client, "EGL_EXT_platform_base") && lists(client, "EGL_EXT_platform_device") &&
        lists(client, "EGL_EXT_device_enumeration") && lists(client, "EGL_EXT_device_query")) {
        std::array<EGLDeviceEXT, 16> devices{};
        EGLint count = 0;
        eglQueryDevicesEXT(static_cast<EGLint>(devices.size()), devices.data(), &count);
        for (EGLint i = 0; i < count; ++i)
            if (!lists(eglQueryDeviceStringEXT(devices[static_cast<size_t>(i)], EGL_EXTENSIONS),
                       "EGL_MESA_device_software"))
                displays.push_back(
                    eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[static_cast<size_t>(i)], nullptr));
    }
    if (lists(client, "EGL_EXT_platform_base") && lists(client, "EGL_MESA_platform_surfaceless"))
        displays.push_back(eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    displays.push_back(eglGetDisplay(EGL_DEFAULT_DISPLAY));
    std::erase(displays, EGL_NO_DISPLAY);
    return displays;
}

/// Context and, where it must have one, surface on an initialised display.
Result<void> makeContext(EGLDisplay display, EGLContext& context, EGLSurface& surface, bool& tellsLoss)
{
    if (!eglBindAPI(EGL_OPENGL_API))
        return unavailable("EGL has no desktop OpenGL here" + eglError());
    const bool surfaceless = epoxy_has_egl_extension(display, "EGL_KHR_surfaceless_context");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE,
                             surfaceless ? EGL_DONT_CARE : EGL_PBUFFER_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display, wanted, &config, 1, &count) || count == 0)
        return unavailable("EGL has no configuration for OpenGL" + eglError());

    tellsLoss = epoxy_egl_version(display) >= 15;
    std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION_KHR,       4,
                                   EGL_CONTEXT_MINOR_VERSION_KHR,       3,
                                   EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR};
    const size_t plain = attributes.size();
    attributes.insert(attributes.end(),
                      {EGL_CONTEXT_OPENGL_ROBUST_ACCESS, EGL_TRUE, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                       EGL_LOSE_CONTEXT_ON_RESET, EGL_NONE});
    if (tellsLoss)
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    if (context == EGL_NO_CONTEXT) {
        tellsLoss = false;
        attributes.resize(plain);
        attributes.push_back(EGL_NONE);
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
    }
    if (context == EGL_NO_CONTEXT)
        return unavailable("the driver offers no OpenGL 4.3 context" + eglError());
    if (!surfaceless) {
        const EGLint onePixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
        surface = eglCreatePbufferSurface(display, config, onePixel);
    }
    if (!eglMakeCurrent(display, surface, surface, context))
        return unavailable("the OpenGL context cannot be used" + eglError());
    return {};
}

/// The display stays: it is the whole process's, and others (Qt) may be using it.
void close(EGLDisplay display, EGLContext context, EGLSurface surface)
{
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (surface != EGL_NO_SURFACE)
        eglDestroySurface(display, surface);
    if (context != EGL_NO_CONTEXT)
        eglDestroyContext(display, context);
    eglReleaseThread();
}

std::string textOf(GLenum name)
{
    const auto* const text = reinterpret_cast<const char*>(glGetString(name));
    return text ? text : "unknown";
}

bool isSoftware(std::string_view renderer)
{
    for (const std::string_view name :
         {"llvmpipe", "softpipe", "swrast", "SwiftShader", "lavapipe", "Software Rasterizer"})
        if (renderer.find(name) != std::string_view::npos)
            return true;
    return false;
}

}  // namespace

Result<std::unique_ptr<Context>> Context::open()
{
    if (!hasLibrary("libEGL.so.1"))
        return unavailable("this system has no EGL (libEGL.so.1)");
    if (!hasLibrary("libOpenGL.so.0") && !hasLibrary("libGL.so.1"))
        return unavailable("this system has no OpenGL (libGL.so.1)");
    std::string why = "EGL finds no display";  // the last driver's answer says more than displays that do not open
    bool answered = false;
    for (const EGLDisplay display : displays()) {
        if (!eglInitialize(display, nullptr, nullptr)) {
            if (!answered)
                why = "EGL cannot open its display" + eglError();
            continue;
        }
        answered = true;
        Handles handles{.display = display};
        if (const Result<void> made = makeContext(display, handles.context, handles.surface, handles.tellsLoss);
            !made) {
            why = made.error().message;
            close(display, handles.context, handles.surface);
            continue;
        }
        if (epoxy_gl_version() < 43) {
            why = "the driver offers OpenGL " + textOf(GL_VERSION) + ", and compute shaders need 4.3";
            close(display, handles.context, handles.surface);
            continue;
        }
        return std::unique_ptr<Context>(new Context(handles));
    }
    return unavailable(why);
}

Context::Context(const Handles& handles) : m_handles(std::make_unique<Handles>(handles))
{
    m_device.renderer = textOf(GL_RENDERER);
    m_device.version = textOf(GL_VERSION);
    m_device.software = isSoftware(m_device.renderer);
    GLint64 largest = 0;
    glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
    m_device.largestBlock = largest;
}

Context::~Context() { close(m_handles->display, m_handles->context, m_handles->surface); }

Result<void> Context::check() const
{
    if (m_handles->tellsLoss && epoxy_has_gl_extension("GL_KHR_robustness") &&
        glGetGraphicsResetStatus() != GL_NO_ERROR)
        return unavailable("the graphics device was reset, and the OpenGL context is lost");
    switch (const GLenum code = glGetError()) {
    case GL_NO_ERROR:
        return {};
    case GL_OUT_OF_MEMORY:
        return unavailable("the graphics device has not enough memory");
    case GL_CONTEXT_LOST:
        return unavailable("the OpenGL context is lost");
    default:
        return unavailable("OpenGL error " + hex(code));
    }
}

}  // namespace attnscope::gpu
