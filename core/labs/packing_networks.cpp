#include "core/labs/packing_networks.h"

#include "core/base/embedded.h"

namespace attnscope {

Embedded shippedPacking20Seed1();  // made by attnscope_embed from resources/labs; resources/labs/README.md has the commands that make them again

std::int64_t shippedPackingNetworks() { return 1; }

Result<PackingModel> shippedPacking(std::int64_t seed)
{
    if (seed < 1 || seed > shippedPackingNetworks())
        return failure(ErrorKind::InvalidArgument, "the program comes with one network that packs; set networks to 1, or train with steps above 0");
    const Embedded resource = shippedPacking20Seed1();
    return TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name)).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

}  // namespace attnscope
