#pragma once
// A storage buffer of the device. A plain handle: whoever made it gives it back, on the worker's thread.

#include <epoxy/gl.h>

#include <cstddef>

namespace attnscope::gpu {

class Buffer {
public:
    /// Room for so many bytes; what was in it is gone if it grows.
    void resize(std::size_t bytes)
    {
        if (m_name == 0)
            glGenBuffers(1, &m_name);
        if (bytes <= m_bytes)
            return;
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m_name);
        glBufferData(GL_SHADER_STORAGE_BUFFER, static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_COPY);
        m_bytes = bytes;
    }
    void write(std::size_t offset, const void* data, std::size_t bytes) const
    {
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m_name);
        glBufferSubData(GL_SHADER_STORAGE_BUFFER, static_cast<GLintptr>(offset), static_cast<GLsizeiptr>(bytes), data);
    }
    void fill(const void* data, std::size_t bytes)
    {
        resize(bytes);
        write(0, data, bytes);
    }
    void zero(std::size_t bytes)
    {
        resize(bytes);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m_name);
        glClearBufferData(GL_SHADER_STORAGE_BUFFER, GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    }
    void read(void* data, std::size_t bytes) const
    {
        glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
        glBindBuffer(GL_SHADER_STORAGE_BUFFER, m_name);
        glGetBufferSubData(GL_SHADER_STORAGE_BUFFER, 0, static_cast<GLsizeiptr>(bytes), data);
    }
    void bind(GLuint binding) const { glBindBufferBase(GL_SHADER_STORAGE_BUFFER, binding, m_name); }
    void bind(GLuint binding, std::size_t offset, std::size_t bytes) const
    {
        glBindBufferRange(GL_SHADER_STORAGE_BUFFER, binding, m_name, static_cast<GLintptr>(offset),
                          static_cast<GLsizeiptr>(bytes));
    }
    void giveBack()
    {
        glDeleteBuffers(1, &m_name);
        *this = {};
    }

private:
    GLuint m_name = 0;
    std::size_t m_bytes = 0;
};

}  // namespace attnscope::gpu
