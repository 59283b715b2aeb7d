#include "core/attention/bias_schemes.h"

#include "core/tensor/tensor_file.h"

#include <cmath>
#include <cstdlib>

namespace attnscope {

namespace {

/// A scheme whose bias is g of |t - j|.
template <class G>
std::shared_ptr<const PositionBias> evenBias(std::int64_t reach, const G& g)
{
    return std::make_shared<const PositionBias>(reach,
                                                [&](std::int64_t x) { return g(static_cast<double>(std::abs(x))); });
}

/// The numbers (rows, columns) of the tensor of that name, in whatever module, where -1 is any number; of several such
/// tensors, of that whose name begins with `first`. Errors: UnknownName, BadShape, DataError, and those of reading.
Result<std::vector<double>> readLearned(const TensorFile& file, const std::string& name, std::int64_t rows,
                                        std::int64_t columns, std::string_view first = {})
{
    const auto complain = [&](ErrorKind kind, const std::string& what) {
        return failure(kind, file.path() + ": " + what);
    };
    std::vector<const TensorInfo*> found;
    for (const TensorInfo& tensor : file.tensors())
        if (tensor.name == name || tensor.name.ends_with("." + name))
            found.push_back(&tensor);
    if (found.size() > 1 && !first.empty())
        std::erase_if(found, [&](const TensorInfo* tensor) { return !tensor->name.starts_with(first); });
    if (found.size() != 1)
        return complain(ErrorKind::UnknownName, (found.empty() ? "no tensor '" : "more than one tensor '") + name +
                                                    "'; save the state_dict() of the one module");
    const TensorInfo& tensor = *found.front();
    const bool known = rows >= 0 && columns >= 0;
    const bool fits = known ? tensor.elementCount() == static_cast<std::uint64_t>(rows * columns)
                            : tensor.elementCount() > 0 && tensor.shape.size() == 2 &&
                                  (tensor.shape[0] == rows || tensor.shape[1] == columns);
    const auto extent = [](std::int64_t count) { return count < 0 ? std::string("any") : std::to_string(count); };
    if (!fits)
        return complain(ErrorKind::BadShape, "tensor '" + tensor.name + "' has shape " + describeShape(tensor.shape) +
                                                 ", expected [" + extent(rows) + ", " + extent(columns) + "]");
    Result<std::vector<double>> values = file.read<double>(tensor);
    if (values && !std::all_of(values->begin(), values->end(), [](double value) { return std::isfinite(value); }))
        return complain(ErrorKind::DataError, "tensor '" + tensor.name + "' holds NaN or infinity; save it again");
    return values;
}

Result<void> checkHead(const TensorFile& file, int head, std::int64_t heads)
{
    if (head < heads)
        return {};
    return failure(ErrorKind::InvalidArgument, "{}: its biases are of heads 0 to {}; there is none of head {}",
                   file.path(), heads - 1, head);
}

/// A number a bucket, those of the keys ahead in the second half where they have buckets of their own.
Result<std::vector<double>> bucketValues(int head, int buckets, const std::vector<std::int64_t>& starts,
                                         const Parameters& parameters)
{
    std::vector<double> values;
    const std::string path = learnedBiasFile(parameters);
    if (path.empty()) {
        for (int bucket = 0; bucket < buckets; ++bucket)
            values.push_back(-parameters["decay"] *
                             std::log1p(static_cast<double>(starts[static_cast<size_t>(bucket) % starts.size()])));
        return values;
    }
    const TensorFile file = TRY(TensorFile::open(path));
    const std::vector<double> table = TRY(readLearned(file, "relative_attention_bias.weight", buckets, -1,
                                                      parameters.on("causal") ? "decoder" : "encoder"));
    const std::int64_t heads = std::ssize(table) / buckets;
    TRY(checkHead(file, head, heads));
    for (int bucket = 0; bucket < buckets; ++bucket)
        values.push_back(table[static_cast<size_t>(bucket * heads + head)]);
    return values;
}

/// c, L and f of a head.
struct Fire {
    double c = 0, length = 0;
    ReluNetwork network;
};

/// The names are those of the PyTorch module in the paper's appendix: threshold |L_multiplier init_L|, layers mlp.0 and
/// mlp.2.
Result<Fire> readFire(const TensorFile& file, int head)
{
    const auto read = [&](const char* name, std::int64_t rows, std::int64_t columns) {
        return readLearned(file, name, rows, columns);
    };
    const std::vector<double> weight = TRY(read("mlp.0.weight", -1, 1));
    const std::int64_t width = std::ssize(weight);
    const std::vector<double> bias = TRY(read("mlp.0.bias", width, 1)), out = TRY(read("mlp.2.weight", -1, width));
    const std::int64_t heads = width > 0 ? std::ssize(out) / width : 0;
    const std::vector<double> last = TRY(read("mlp.2.bias", heads, 1)), c = TRY(read("c", 1, 1)),
                              length = TRY(read("init_L", 1, 1)), factor = TRY(read("L_multiplier", 1, 1));
    TRY(checkHead(file, head, heads));
    if (c.front() == 0 || length.front() == 0 || factor.front() == 0)
        return failure(ErrorKind::DataError,
                       file.path() + ": c, init_L and L_multiplier must not be 0, or every distance is divided by 0");
    std::vector<ReluNetwork::Unit> units;
    for (std::int64_t h = 0; h < width; ++h)
        units.push_back(
            {weight[static_cast<size_t>(h)], bias[static_cast<size_t>(h)], out[static_cast<size_t>(head * width + h)]});
    return Fire{std::abs(c.front()), std::abs(factor.front() * length.front()),
                ReluNetwork(units, last[static_cast<size_t>(head)])};
}

}  // namespace

std::string learnedBiasFile(const Parameters& parameters)
{
    return parameters.text() == closedForm ? "" : parameters.text();
}

Result<std::shared_ptr<const PositionBias>> kerpleLog(int, std::int64_t reach, const Parameters& parameters)
{
    const double r1 = parameters["r1"], r2 = parameters["r2"];
    return evenBias(reach, [&](double x) { return -r1 * std::log1p(r2 * x); });
}

Result<std::shared_ptr<const PositionBias>> kerplePower(int, std::int64_t reach, const Parameters& parameters)
{
    const double r1 = parameters["r1"], r2 = parameters["r2"];
    return evenBias(reach, [&](double x) { return -r1 * std::pow(x, r2); });
}

std::vector<std::int64_t> bucketStarts(int count, double longest)
{
    const int near = std::max(count / 2, 1);
    std::vector<std::int64_t> starts;
    for (int bucket = 0; bucket < count; ++bucket) {
        // Powers that are whole numbers must not end a hair above them.
        const double far = near * std::pow(longest / near, static_cast<double>(bucket - near) / (count - near));
        starts.push_back(bucket < near ? bucket : static_cast<std::int64_t>(std::ceil(far * (1 - 1e-12))));
    }
    return starts;
}

Result<std::shared_ptr<const PositionBias>> t5Bias(int head, std::int64_t reach, const Parameters& parameters)
{
    const int buckets = static_cast<int>(parameters["buckets"]);
    const bool causal = parameters.on("causal");
    const int oneWay = causal ? buckets : buckets / 2;
    const std::vector<std::int64_t> starts = bucketStarts(oneWay, std::max(parameters["longest"], oneWay / 2.0));
    return bucketValues(head, buckets, starts, parameters).map([&](const std::vector<double>& values) {
        return std::make_shared<const PositionBias>(reach, [&](std::int64_t x) {
            const std::int64_t distance = causal ? std::max<std::int64_t>(x, 0) : std::abs(x);
            const auto bucket = std::upper_bound(starts.begin(), starts.end(), distance) - starts.begin() - 1;
            return values[static_cast<size_t>(bucket + (x < 0 && !causal ? oneWay : 0))];
        });
    });
}

Result<std::shared_ptr<const PositionBias>> fireBias(int head, std::int64_t reach, const Parameters& parameters)
{
    Fire fire{parameters["c"], parameters["L"], {}};
    double factor = -parameters["drop"];
    if (const std::string path = learnedBiasFile(parameters); !path.empty()) {
        fire = TRY(readFire(TRY(TensorFile::open(path)), head));
        factor = 1;
    }
    const auto psi = [&](double x) { return std::log1p(fire.c * x); };
    return std::make_shared<const PositionBias>(
        reach, [&](std::int64_t x) { return factor * psi(static_cast<double>(std::abs(x))); },
        [&](std::int64_t t) { return 1 / psi(std::max(static_cast<double>(t), fire.length)); },
        std::move(fire.network));
}

}  // namespace attnscope
