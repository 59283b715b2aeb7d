// Takes the place of everything else in this room where the libraries for OpenGL were not there at build time.

#include "core/gpu/tiles.h"

namespace attnscope::gpu {

struct Tiles::Buffers {};

Result<Device> device()
{
    return failure(ErrorKind::Unavailable,
                   "this program was built without OpenGL (install libepoxy-dev and libegl-dev, and build again)");
}

Tiles::Tiles(KeyView head, std::unique_ptr<Buffers> buffers) : m_head(head), m_buffers(std::move(buffers)) {}
Tiles::Tiles(Tiles&&) noexcept = default;
Tiles::~Tiles() = default;

Result<Tiles> Tiles::open(const KeyView&) { return tl::unexpected(device().error()); }

Result<std::vector<Sums>> Tiles::statistics(const QueryView&, std::span<const Row>, std::span<const Step>, int, double,
                                            const std::stop_token&)
{
    return tl::unexpected(device().error());
}

Result<std::vector<float>> Tiles::pixels(const QueryView&, std::span<const Row>, std::span<const std::int32_t>, bool,
                                         const std::stop_token&)
{
    return tl::unexpected(device().error());
}

}  // namespace attnscope::gpu
