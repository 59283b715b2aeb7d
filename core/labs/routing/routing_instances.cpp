#include "core/labs/routing/routing_instances.h"

#include "core/base/random.h"
#include "core/base/text.h"
#include "core/tensor/tensor_file.h"

#include <cmath>

namespace attnscope {

namespace {

/// One tensor of a task and a size, its shape checked.
Result<std::vector<float>> readPart(const TensorFile& file, const std::string& name,
                                    const std::vector<std::int64_t>& shape)
{
    const auto tensor = TRY(file.find(name));
    if (tensor->shape != shape)
        return failure(ErrorKind::BadShape, "{}: {} has the shape {}, and {} is wanted", file.path(), name,
                       describeShape(tensor->shape), describeShape(shape));
    return file.read<float>(*tensor);
}

/// The n of "PREFIX.n.SUFFIX", or 0.
std::int64_t sizeIn(std::string_view name, std::string_view prefix, std::string_view suffix)
{
    if (!name.starts_with(prefix) || !name.ends_with(suffix) || name.size() <= prefix.size() + suffix.size())
        return 0;
    const auto size = numberFrom<std::int64_t>(name.substr(prefix.size(), name.size() - prefix.size() - suffix.size()));
    return std::max<std::int64_t>(0, size.value_or(0));
}

Result<std::vector<RoutingInstance>> readSize(const TensorFile& file, const TensorInfo& cities, bool depot,
                                              std::int64_t size)
{
    if (cities.shape.size() != 3 || cities.shape[0] < 1 || cities.shape[1] != size || cities.shape[2] != 2)
        return failure(ErrorKind::BadShape, "{}: {} has the shape {}, not (instances, {}, 2)", file.path(), cities.name,
                       describeShape(cities.shape), size);
    const std::int64_t count = cities.shape[0], first = depot ? 1 : 0;
    const std::string prefix = "cvrp." + std::to_string(size) + '.';
    const auto places = TRY(readPart(file, cities.name, cities.shape));
    const auto depots = depot ? TRY(readPart(file, prefix + "depot", {count, 2})) : std::vector<float>();
    const auto demands = depot ? TRY(readPart(file, prefix + "demands", {count, size})) : std::vector<float>();
    std::vector<RoutingInstance> instances(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) {
        RoutingInstance& instance = instances[static_cast<std::size_t>(i)];
        instance.places.resize(size + first, 2);
        instance.places.bottomRows(size) = Eigen::Map<const Matrix>(places.data() + i * size * 2, size, 2);
        bool good = true;
        if (depot) {
            instance.places.row(0) = Eigen::Map<const Eigen::RowVector2f>(depots.data() + i * 2);
            instance.demands.assign(1, 0.0f);
            instance.demands.insert(instance.demands.end(), demands.begin() + i * size,
                                    demands.begin() + (i + 1) * size);
            for (const float demand : instance.demands)
                good = good && demand >= 0 && demand <= 1;
        }
        if (!good || !instance.places.allFinite())
            return failure(ErrorKind::DataError,
                           "{}: instance {} of {} has coordinates that are not finite, or demands outside 0 to 1, "
                           "parts of a vehicle's load",
                           file.path(), i, cities.name);
        if ((instance.places.rowwise() - instance.places.row(0)).isZero(0))
            return failure(ErrorKind::DataError,
                           "{}: the places of instance {} of {} all coincide, so that every tour has length 0; leave "
                           "it out",
                           file.path(), i, cities.name);
    }
    return instances;
}

}  // namespace

double usualCapacity(std::int64_t customers)
{
    return customers <= 10 ? 20 : customers <= 20 ? 30 : customers <= 50 ? 40 : 50;
}

RoutingInstance drawInstance(const RoutingDraw& draw, std::int64_t number)
{
    const Random random(draw.seed, Stream::Structure);
    const Eigen::Index first = draw.depot ? 1 : 0, nodes = draw.size + first;
    const auto uniform = [&](Eigen::Index node, std::uint64_t column) {
        return random.uniform(static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(4 * node) + column);
    };
    RoutingInstance instance;
    instance.places.resize(nodes, 2);
    for (Eigen::Index node = 0; node < nodes; ++node) {
        instance.places(node, 0) = static_cast<float>(uniform(node, 0));
        instance.places(node, 1) = static_cast<float>(uniform(node, 1));
        if (!draw.depot)
            continue;
        const double demand = draw.wholeDemands ? 1 + std::floor(9 * uniform(node, 2)) : uniform(node, 2);
        instance.demands.push_back(node == 0 ? 0.0f : static_cast<float>(demand / draw.capacity));
    }
    return instance;
}

Result<std::map<std::int64_t, std::vector<RoutingInstance>>> readInstances(const std::string& path, bool depot)
{
    const auto file = TRY(TensorFile::open(path));
    std::map<std::int64_t, std::vector<RoutingInstance>> all;
    for (const TensorInfo& tensor : file.tensors())
        if (const std::int64_t size = sizeIn(tensor.name, depot ? "cvrp." : "tsp.", depot ? ".customers" : ".cities");
            size > 0)
            all[size] = TRY(readSize(file, tensor, depot, size));
    if (all.empty())
        return failure(ErrorKind::InvalidArgument, "{} holds no instances for this model; {}", path,
                       depot ? "CVRP wants tensors like cvrp.100.depot, cvrp.100.customers and cvrp.100.demands"
                             : "TSP wants tensors like tsp.100.cities");
    return all;
}

}  // namespace attnscope
