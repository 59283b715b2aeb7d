#include "core/labs/policies/policy_networks.h"

#include <algorithm>

namespace attnscope {

// made by attnscope_embed from resources/labs; resources/labs/README.md has the commands that make them again
Embedded shippedTsp20Seed1(), shippedTsp50Seed1(), shippedCvrp20Seed1(), shippedCvrp50Seed1(), shippedPacking20Seed1(),
    shippedPacking50Seed1();

namespace {

Result<TensorFile> opened(const Embedded& file)
{
    return TensorFile::fromBytes({file.bytes.begin(), file.bytes.end()}, std::string(file.name));
}

}  // namespace

std::span<const ShippedRouting> shippedRoutings()
{
    static constexpr ShippedRouting networks[] = {{false, 20, shippedTsp20Seed1},
                                                  {false, 50, shippedTsp50Seed1},
                                                  {true, 20, shippedCvrp20Seed1},
                                                  {true, 50, shippedCvrp50Seed1}};
    return networks;
}

Result<AttentionModel> shippedRouting(bool depot, std::int64_t length)
{
    const auto found = std::ranges::find_if(
        shippedRoutings(), [&](const ShippedRouting& one) { return one.depot == depot && one.length == length; });
    if (found == shippedRoutings().end())
        return failure(ErrorKind::InvalidArgument,
                       "no network for {}{} comes with the program; leave length at 0, or train one with steps above 0",
                       length, depot ? " customers" : " cities");
    return opened(found->file()).and_then(readAttentionModel);
}

Result<PackingModel> shippedPacking(std::int64_t length)
{
    if (length != 20 && length != 50)
        return failure(
            ErrorKind::InvalidArgument,
            "no network for {} boxes comes with the program; leave length at 0, or train one with steps above 0",
            length);
    return opened(length == 20 ? shippedPacking20Seed1() : shippedPacking50Seed1()).and_then(readPackingModel);
}

}  // namespace attnscope
