#include "core/gpu/programs.h"

#include "core/base/embedded.h"
#include "core/gpu/tiles.h"

#include <epoxy/gl.h>

#include <array>

namespace attnscope {

Embedded rowsShader();  // made by attnscope_embed from resources/shaders
Embedded productsShader();
Embedded statisticsShader();
Embedded pixelsShader();

}  // namespace attnscope

namespace attnscope::gpu {

namespace {

std::string_view textOf(const Embedded& file)
{
    return {reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size()};
}

std::string sizes()
{
    const auto define = [](const char* name, int value) { return fmt::format("#define {} {}\n", name, value); };
    return "#version 430 core\n" + define("blockRows", blockRows) + define("tileKeys", tileKeys) +
           define("topCount", topCount) + define("sinkCount", sinkCount) + define("threads", 64) + "#line 1\n";
}

tl::unexpected<Error> complaint(std::string_view name, const char* log)
{
    const std::string_view text(log);
    return failure(ErrorKind::Unavailable, "the driver refuses the shader {}: {}", name,
                   text.substr(0, text.find('\n')));
}

}  // namespace

Result<unsigned> compileShader(std::string_view name, std::string_view source)
{
    const std::string first = sizes();
    const std::string_view common = textOf(rowsShader());
    const std::array<const char*, 3> texts{first.data(), common.data(), source.data()};
    const std::array<GLint, 3> lengths{static_cast<GLint>(first.size()), static_cast<GLint>(common.size()),
                                       static_cast<GLint>(source.size())};
    std::array<char, 1024> log{};
    GLint good = 0;

    const GLuint shader = glCreateShader(GL_COMPUTE_SHADER);
    glShaderSource(shader, static_cast<GLsizei>(texts.size()), texts.data(), lengths.data());
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (!good) {
        glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
        glDeleteShader(shader);
        return complaint(name, log.data());
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, shader);
    glLinkProgram(program);
    glDeleteShader(shader);
    glGetProgramiv(program, GL_LINK_STATUS, &good);
    if (!good) {
        glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
        glDeleteProgram(program);
        return complaint(name, log.data());
    }
    return program;
}

Result<Programs> Programs::compile()
{
    Programs programs;
    for (const auto& [program, file] :
         {std::pair{&programs.products, productsShader()}, std::pair{&programs.statistics, statisticsShader()},
          std::pair{&programs.pixels, pixelsShader()}}) {
        const unsigned made = TRY(compileShader(file.name, textOf(file)));
        *program = made;
    }
    return programs;
}

}  // namespace attnscope::gpu
