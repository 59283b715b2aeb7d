#include "core/labs/packing_networks.h"

namespace attnscope {

std::int64_t shippedPackingNetworks() { return 0; }

Result<PackingModel> shippedPacking(std::int64_t)
{
    return failure(ErrorKind::InvalidArgument, "the program comes with no network that packs; train one with steps above 0, or name a MODEL");
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
