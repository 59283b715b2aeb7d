#include "core/model/attention_reader.h"

#include "core/base/text.h"
#include "core/tensor/head_file.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;

}  // namespace

void AttentionReader::read(AttentionEncoder& encoder)
{
    const std::string first = "embedder.layers.0.0.module.W_query";
    if (const Result<const TensorInfo*> tensor = m_file.find(first); !tensor)
        return remember(tensor.error());
    const Shape shape = shapeOf(first);
    if (shape.size() != 3 || shape[0] < 1 || shape[2] < 1 || shape[1] != shape[0] * shape[2])
        return remember({ErrorKind::BadShape, m_file.path() + ": W_query has the shape " + describeShape(shape) +
                                                  ", not (heads, width, width / heads)"});
    encoder.heads = shape[0];
    encoder.width = shape[1];
    const Index w = encoder.width;
    for (std::size_t layer = 0; has("embedder.layers." + std::to_string(layer) + ".0.module.W_query"); ++layer)
        encoder.layers.push_back(readLayer("embedder.layers." + std::to_string(layer), encoder));
    encoder.nodes = linear("project_node_embeddings", 3 * w, w, false);
    encoder.fixed = linear("project_fixed_context", w, w, false);
    encoder.out = linear("project_out", w, w, false);
    encoder.trainLength = trainLength();
    encoder.numbers = m_numbers;
}

bool AttentionReader::has(const std::string& name) const
{
    return std::ranges::any_of(m_file.tensors(), [&](const TensorInfo& t) { return t.name == name; });
}

std::vector<std::int64_t> AttentionReader::shapeOf(const std::string& name) const
{
    const Result<const TensorInfo*> tensor = m_file.find(name);
    return tensor ? (*tensor)->shape : Shape();
}

std::optional<std::int64_t> AttentionReader::trainLength()
{
    constexpr std::int64_t most = 10'000'000;
    const auto length = m_file.metadata().find("length");
    if (length == m_file.metadata().end()) {
        const std::optional<double> said = trainedLengthOf(m_file);
        return said && *said <= most && *said == std::floor(*said) ? std::optional(static_cast<std::int64_t>(*said))
                                                                   : std::nullopt;
    }
    if (const auto number = numberFrom<std::int64_t>(length->second); number && *number > 0 && *number <= most)
        return number;
    const std::string wanted =
        fmt::format("the whole number of cities or boxes, at most {}, that it was trained at", most);
    remember({ErrorKind::InvalidHeader,
              m_file.path() + ": the metadata's length is '" + length->second + "', not " + wanted});
    return {};
}

void AttentionReader::remember(Error error)
{
    if (!m_error)
        m_error = std::move(error);
}

/// The tensor's numbers; after an error, which the first one keeps, none.
std::vector<float> AttentionReader::numbers(const std::string& name, const Shape& shape)
{
    if (m_error)
        return {};
    const Result<const TensorInfo*> tensor = m_file.find(name);
    if (!tensor)
        return remember(tensor.error()), std::vector<float>();
    if ((*tensor)->shape != shape)
        return remember({ErrorKind::BadShape, m_file.path() + ": " + name + " has the shape " +
                                                  describeShape((*tensor)->shape) + ", and " + describeShape(shape) +
                                                  " is wanted"}),
               std::vector<float>();
    Result<std::vector<float>> read = m_file.read<float>(**tensor);
    if (!read)
        return remember(read.error()), std::vector<float>();
    if (!std::ranges::all_of(*read, [](float x) { return std::isfinite(x); }))
        return remember({ErrorKind::DataError, m_file.path() + ": " + name + " holds a number that is not finite"}),
               std::vector<float>();
    return std::move(*read);
}

StoredMatrix AttentionReader::keep(std::vector<float> values, Index rows, Index columns)
{
    m_numbers->push_back(std::move(values));
    return {reinterpret_cast<const std::byte*>(m_numbers->back().data()), Dtype::F32, rows, columns};
}

Linear AttentionReader::linear(const std::string& name, Index outputs, Index inputs, bool hasBias)
{
    Linear read{keep(numbers(name + ".weight", {outputs, inputs}), outputs, inputs), false, {}};
    if (hasBias)
        read.bias = vector(name + ".bias", outputs);
    return read;
}

/// W_query, W_key, W_val (H, w, d) as one matrix (3 w, w).
Linear AttentionReader::projection(const std::string& name, const AttentionEncoder& model)
{
    const Index h = model.heads, w = model.width, d = model.headSize();
    std::vector<float> all;
    for (const char* part : {".W_query", ".W_key", ".W_val"}) {
        const std::vector<float> values = numbers(name + part, {h, w, d});
        for (Index head = 0; head < h && !m_error; ++head)
            for (Index column = 0; column < d; ++column)
                for (Index row = 0; row < w; ++row)
                    all.push_back(values[static_cast<std::size_t>((head * w + row) * d + column)]);
    }
    return {keep(std::move(all), 3 * w, w), false, {}};
}

AttentionEncoder::NodeNorm AttentionReader::norm(const std::string& name, Index width)
{
    constexpr float epsilon = 1e-5f;  // torch.nn.BatchNorm1d's
    AttentionEncoder::NodeNorm read{.layer = !has(name + ".running_mean"),
                                    .factor = vector(name + ".weight", width),
                                    .shift = vector(name + ".bias", width)};
    if (read.layer) {
        const auto kind = m_file.metadata().find("normalization");
        if (kind == m_file.metadata().end() || kind->second != "layer")
            remember(
                {ErrorKind::UnknownName, m_file.path() + ": " + name +
                                             " has no running_mean, and the metadata does not say normalization = "
                                             "layer; batch norms with running statistics are read, and layer norms"});
        return read;
    }
    const std::vector<float> mean = vector(name + ".running_mean", width),
                             variance = vector(name + ".running_var", width);
    if (m_error)
        return read;
    for (std::size_t c = 0; c < mean.size(); ++c) {
        if (variance[c] < 0)
            return remember(
                       {ErrorKind::DataError, m_file.path() + ": " + name + ".running_var holds a number below 0"}),
                   read;
        read.factor[c] /= std::sqrt(variance[c] + epsilon);
        read.shift[c] -= mean[c] * read.factor[c];
    }
    return read;
}

AttentionEncoder::Layer AttentionReader::readLayer(const std::string& name, const AttentionEncoder& model)
{
    const Index w = model.width;
    AttentionEncoder::Layer layer;
    layer.projection = projection(name + ".0.module", model);
    layer.output = {
        keep(numbers(name + ".0.module.W_out", {model.heads, model.headSize(), w}), w, w), true, {}};  // (H d, w)
    layer.afterAttention = norm(name + ".1.normalizer", w);
    const Shape up = shapeOf(name + ".2.module.0.weight");
    const Index inner = up.size() == 2 ? up[0] : 1;
    layer.up = linear(name + ".2.module.0", inner, w);
    layer.down = linear(name + ".2.module.2", w, inner);
    layer.afterFeed = norm(name + ".3.normalizer", w);
    return layer;
}

}  // namespace attnscope
