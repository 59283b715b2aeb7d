#include "core/labs/packing_networks.h"

#include "core/base/embedded.h"

namespace attnscope {

Embedded shippedPacking20Seed1(), recordedPackingRun();  // made by attnscope_embed from resources/labs; resources/labs/README.md has the commands that make them again

std::int64_t shippedPackingNetworks() { return 1; }

Result<PackingModel> shippedPacking(std::int64_t seed)
{
    if (seed < 1 || seed > shippedPackingNetworks())
        return failure(ErrorKind::InvalidArgument, "the program comes with one network that packs; set networks to 1, or train with steps above 0");
    const Embedded resource = shippedPacking20Seed1();
    return TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name)).and_then([](const TensorFile& file) { return readPackingModel(file); });
}

Result<LabRecord> recordedPacking()
{
    const std::span<const std::byte> bytes = recordedPackingRun().bytes;
    return parseRecord({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, "the recorded run of packing", {});
}

Result<PackingModel> PackingShelf::keep(const learn::PackingNetwork& network, const std::string& folder, const std::string& name, const std::map<std::string, std::string>& facts)
{
    const Result<std::string> path = m_shelf.pathOf(folder, name + ".safetensors");
    if (!path)
        return tl::unexpected(path.error());
    if (const auto saved = learn::savePacking(*path, network, facts); !saved)
        return tl::unexpected(saved.error());
    return openPackingModel(*path);
}

}  // namespace attnscope
