#include "core/gpu/block_work.h"

#include <limits>

namespace attnscope::gpu {

namespace {

constexpr std::int64_t groupSide = 64;  ///< rows and keys of a workgroup of products.comp
constexpr std::int64_t threads = 64;    ///< of the other shaders

/// The bindings of the shaders: of all, and what each has beside.
constexpr GLuint productsAt = 0, rowsAt = 1, firstAt = 2, secondAt = 3;

std::int64_t tileOf(Keys keys) { return keys.begin / tileKeys * tileKeys; }

void dispatch(std::int64_t x, std::int64_t y)
{
    glDispatchCompute(static_cast<GLuint>(x), static_cast<GLuint>(y), 1);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
}

}  // namespace

class BlockWork::Uniforms {
public:
    explicit Uniforms(GLuint program) : m_program(program) { glUseProgram(program); }
    void set(const char* name, std::int64_t value) const
    {
        glUniform1i(glGetUniformLocation(m_program, name), static_cast<GLint>(value));
    }
    void set(const char* name, float value) const { glUniform1f(glGetUniformLocation(m_program, name), value); }

private:
    GLuint m_program;
};

Keys seenBy(std::span<const Row> rows)
{
    Keys keys{std::numeric_limits<std::int64_t>::max(), 0};
    for (const Row& row : rows) {
        if (row.sinkEnd > 0)
            keys = {0, std::max<std::int64_t>(keys.end, row.sinkEnd)};
        if (row.end > row.begin)
            keys = {std::min<std::int64_t>(keys.begin, row.begin), std::max<std::int64_t>(keys.end, row.end)};
    }
    return keys.empty() ? Keys{} : keys;
}

void Tiles::Buffers::giveBack()
{
    for (Buffer* buffer : {&keys, &farKeys, &queries, &before, &after, &rows, &products, &results, &columns})
        buffer->giveBack();
}

BlockWork::BlockWork(const KeyView& head, Tiles::Buffers& buffers, const Programs& programs, const QueryView& queries,
                     std::span<const Row> rows)
    : m_head(head), m_buffers(buffers), m_programs(programs), m_queries(queries)
{
    const size_t bytes = sizeof(float) * static_cast<size_t>(queries.count) * static_cast<size_t>(head.d);
    if (head.d > 0)
        buffers.queries.fill(queries.near, bytes);
    if (queries.before)
        buffers.before.fill(queries.before, bytes);
    if (queries.after)
        buffers.after.fill(queries.after, bytes);
    buffers.products.resize(sizeof(float) * blockRows * tileKeys);
    buffers.products.bind(productsAt);
    buffers.rows.fill(rows.data(), rows.size_bytes());
    buffers.rows.bind(rowsAt);
    const auto [earliest, latest] =
        std::ranges::minmax(rows.first(static_cast<size_t>(queries.count)), {}, &Row::position);
    m_earliest = earliest.position;
    m_latest = latest.position;
}

void BlockWork::products(Keys keys) const
{
    if (m_head.d == 0) {  // finished: a part of the matrix as it is
        for (std::int64_t row = 0; row < m_queries.count; ++row)
            m_buffers.products.write(sizeof(float) * static_cast<size_t>(row * tileKeys + keys.begin - tileOf(keys)),
                                     m_queries.near + row * m_head.keyCount + keys.begin,
                                     sizeof(float) * static_cast<size_t>(keys.end - keys.begin));
        return;
    }
    multiply(m_buffers.queries, m_buffers.keys, keys, 0, 0);
    if (m_queries.before && m_latest - keys.begin >= m_head.cap)
        multiply(m_buffers.before, m_buffers.farKeys, keys, 1, m_head.cap);
    if (m_queries.after && keys.end - 1 - m_earliest >= m_head.cap)
        multiply(m_buffers.after, m_buffers.farKeys, keys, -1, m_head.cap);
}

void BlockWork::multiply(const Buffer& queries, const Buffer& keys, Keys which, int sign, std::int64_t cap) const
{
    const std::int64_t tile = tileOf(which), count = std::min<std::int64_t>(tileKeys, m_head.keyCount - tile);
    const std::int64_t firstGroup = (which.begin - tile) / groupSide,
                       lastGroup = (which.end - tile + groupSide - 1) / groupSide;
    const size_t bytesPerKey = sizeof(float) * static_cast<size_t>(m_head.d);
    queries.bind(firstAt);
    keys.bind(secondAt, bytesPerKey * static_cast<size_t>(tile), bytesPerKey * static_cast<size_t>(count));
    const Uniforms uniforms(m_programs.products);
    uniforms.set("tileBegin", tile);
    uniforms.set("d", std::int64_t{m_head.d});
    uniforms.set("rowCount", std::int64_t{m_queries.count});
    uniforms.set("keyCount", count);
    uniforms.set("firstKey", firstGroup * groupSide);
    uniforms.set("sign", std::int64_t{sign});
    uniforms.set("cap", cap);
    dispatch(lastGroup - firstGroup, (m_queries.count + groupSide - 1) / groupSide);
}

BlockWork::Uniforms BlockWork::logits(unsigned program, Keys keys) const
{
    const Uniforms uniforms(program);
    uniforms.set("tileBegin", tileOf(keys));
    uniforms.set("from", keys.begin);
    uniforms.set("to", keys.end);
    uniforms.set("softCap", m_head.softCap);
    uniforms.set("slope", m_head.slope);
    return uniforms;
}

void BlockWork::statistics(const Step& step, int source, Keys keys, double order) const
{
    m_buffers.results.bind(firstAt);
    const Uniforms uniforms = logits(m_programs.statistics, keys);
    uniforms.set("track", std::int64_t{step.track});
    uniforms.set("source", std::int64_t{source});
    uniforms.set("target", std::int64_t{step.target});
    uniforms.set("order", static_cast<float>(order));
    dispatch(m_queries.count, 1);
}

void BlockWork::pixels(std::span<const std::int32_t> columns, bool largest, Keys keys) const
{
    const std::int64_t firstColumn = std::ranges::upper_bound(columns, keys.begin) - columns.begin() - 1;
    const std::int64_t lastColumn = std::ranges::lower_bound(columns, keys.end) - columns.begin();
    m_buffers.results.bind(firstAt);
    m_buffers.columns.bind(secondAt);
    const Uniforms uniforms = logits(m_programs.pixels, keys);
    uniforms.set("columns", std::ssize(columns) - 1);
    uniforms.set("firstColumn", firstColumn);
    uniforms.set("lastColumn", lastColumn);
    uniforms.set("largest", std::int64_t{largest});
    dispatch((lastColumn - firstColumn + threads - 1) / threads, m_queries.count);
}

}  // namespace attnscope::gpu
