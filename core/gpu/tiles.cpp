#include "core/gpu/tiles.h"

#include "core/gpu/block_work.h"
#include "core/gpu/worker.h"

namespace attnscope::gpu {

namespace {

/// Lets the device be one tile behind, never more: a stop is not kept waiting by a queue.
class Pace {
public:
    Pace() = default;
    Pace(const Pace&) = delete;
    Pace& operator=(const Pace&) = delete;
    ~Pace() { glDeleteSync(m_last); }
    Result<void> tileSubmitted()
    {
        const GLsync now = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
        const GLenum waited =
            m_last ? glClientWaitSync(m_last, GL_SYNC_FLUSH_COMMANDS_BIT, patience) : GL_ALREADY_SIGNALED;
        glDeleteSync(m_last);
        m_last = now;
        if (waited == GL_TIMEOUT_EXPIRED)
            return failure(ErrorKind::Unavailable, "the graphics device has not answered for 20 seconds");
        return {};
    }

private:
    static constexpr GLuint64 patience = 20'000'000'000;  // nanoseconds
    GLsync m_last = nullptr;
};

/// body(tile, keys seen in it) for every tile of `all`, unless stopped.
template <class Body>
Result<void> forEachTile(Keys all, Keys seen, const std::stop_token& stop, const Body& body)
{
    Pace pace;
    for (std::int64_t begin = all.begin / tileKeys * tileKeys; begin < all.end; begin += tileKeys) {
        TRY(unlessStopped(stop));
        const Keys tile = common({begin, begin + tileKeys}, all);
        body(tile, common(tile, seen));
        TRY(pace.tileSubmitted());
    }
    return {};
}

}  // namespace

Result<Device> device()
{
    Device found;
    return Worker::instance()
        .run([&](Workplace& place) -> Result<void> {
            found = place.context->device();
            return {};
        })
        .map([&] { return found; });
}

Tiles::Tiles(KeyView head, std::unique_ptr<Buffers> buffers) : m_head(head), m_buffers(std::move(buffers)) {}
Tiles::Tiles(Tiles&&) noexcept = default;

Tiles::~Tiles()
{
    if (m_buffers)
        Worker::instance().tidy([&] { m_buffers->giveBack(); });
}

Result<Tiles> Tiles::open(const KeyView& head)
{
    Tiles tiles(head, std::make_unique<Buffers>());
    const size_t bytes = sizeof(float) * static_cast<size_t>(head.keyCount) * static_cast<size_t>(head.d);
    TRY(Worker::instance().run([&](Workplace& place) {
        if (bytes > 0)
            tiles.m_buffers->keys.fill(head.keys, bytes);
        if (bytes > 0 && head.farKeys)
            tiles.m_buffers->farKeys.fill(head.farKeys, bytes);
        return place.context->check();
    }));
    return tiles;
}

Result<std::vector<Sums>> Tiles::statistics(const QueryView& queries, std::span<const Row> rows,
                                            std::span<const Step> steps, int slots, double order,
                                            const std::stop_token& stop)
{
    std::vector<Sums> sums(static_cast<size_t>(slots) * blockRows);
    Keys all;
    for (const Step& step : steps)
        all.end = std::max(all.end, step.end);
    TRY(Worker::instance().run([&](Workplace& place) -> Result<void> {
        const BlockWork work(m_head, *m_buffers, place.programs, queries, rows);
        m_buffers->results.resize(sizeof(Sums) * sums.size());
        std::vector<int> source;  // of every step: its target once it holds something
        for (const Step& step : steps)
            source.push_back(step.source);
        TRY(forEachTile(all, seenBy(rows), stop, [&](Keys tile, Keys seen) {
            if (!seen.empty())
                work.products(seen);
            for (size_t s = 0; s < steps.size(); ++s) {
                const Step& step = steps[s];
                const Keys keys = common({step.begin, step.end}, seen);
                const bool closes = step.end > tile.begin && step.end <= tile.end && source[s] != step.target;
                if (keys.empty() && !closes)
                    continue;
                work.statistics(step, source[s], keys.empty() ? Keys{tile.begin, tile.begin} : keys, order);
                source[s] = step.target;
            }
        }));
        m_buffers->results.read(sums.data(), sizeof(Sums) * sums.size());
        return place.context->check();
    }));
    return sums;
}

Result<std::vector<float>> Tiles::pixels(const QueryView& queries, std::span<const Row> rows,
                                         std::span<const std::int32_t> columns, bool largest,
                                         const std::stop_token& stop)
{
    std::vector<float> pixels(static_cast<size_t>(queries.count) * (columns.size() - 1));
    const Keys all{columns.front(), columns.back()};
    TRY(Worker::instance().run([&](Workplace& place) -> Result<void> {
        const BlockWork work(m_head, *m_buffers, place.programs, queries, rows);
        m_buffers->columns.fill(columns.data(), columns.size_bytes());
        m_buffers->results.zero(sizeof(float) * pixels.size());
        TRY(forEachTile(all, seenBy(rows), stop, [&](Keys, Keys seen) {
            if (seen.empty())
                return;
            work.products(seen);
            work.pixels(columns, largest, seen);
        }));
        m_buffers->results.read(pixels.data(), sizeof(float) * pixels.size());
        return place.context->check();
    }));
    return pixels;
}

}  // namespace attnscope::gpu
