#include "core/labs/routing_networks.h"

#include "core/base/embedded.h"

#include <array>

namespace attnscope {

Embedded shippedTsp20Seed1(), shippedCvrp20Seed1();  // made by attnscope_embed from resources/labs; resources/labs/README.md has the commands that make them again

namespace {

constexpr std::array cityNetworks{shippedTsp20Seed1};
constexpr std::array vehicleNetworks{shippedCvrp20Seed1};

std::span<Embedded (*const)()> networksFor(bool depot) { return depot ? std::span<Embedded (*const)()>(vehicleNetworks) : std::span<Embedded (*const)()>(cityNetworks); }

}  // namespace

std::int64_t shippedNetworks(bool depot) { return std::ssize(networksFor(depot)); }

Result<AttentionModel> shippedRouting(bool depot, std::int64_t seed)
{
    if (seed < 1 || seed > shippedNetworks(depot))
        return failure(ErrorKind::InvalidArgument, std::string("the program comes with ") + std::to_string(shippedNetworks(depot)) + " networks for " + (depot ? "vehicles" : "cities") +
                                                       ", trained with seeds from 1; ask for no more with networks, or train with steps above 0");
    const Embedded resource = networksFor(depot)[static_cast<std::size_t>(seed - 1)]();
    return TensorFile::fromBytes({resource.bytes.begin(), resource.bytes.end()}, std::string(resource.name)).and_then([](const TensorFile& file) { return readAttentionModel(file); });
}

}  // namespace attnscope
