#include "core/networks/attention_reader.h"

#include "core/base/text.h"
#include "core/tensor/head_file.h"

#include <algorithm>
#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;

}  // namespace

Result<void> AttentionReader::read(AttentionEncoder& encoder)
{
    const TensorInfo* first = TRY(m_file.find("embedder.layers.0.0.module.W_query"));
    const Shape& shape = first->shape;
    if (shape.size() != 3 || shape[0] < 1 || shape[2] < 1 || shape[1] != shape[0] * shape[2])
        return failure(ErrorKind::BadShape, m_file.path() + ": W_query has the shape " + describeShape(shape) +
                                                ", not (heads, width, width / heads)");
    encoder.heads = shape[0];
    encoder.width = shape[1];
    const Index w = encoder.width;
    for (std::size_t layer = 0; has("embedder.layers." + std::to_string(layer) + ".0.module.W_query"); ++layer)
        encoder.layers.push_back(TRY(readLayer("embedder.layers." + std::to_string(layer), encoder)));
    encoder.nodes = TRY(linear("project_node_embeddings", 3 * w, w, false));
    encoder.fixed = TRY(linear("project_fixed_context", w, w, false));
    encoder.out = TRY(linear("project_out", w, w, false));
    encoder.trainLength = TRY(trainLength());
    encoder.numbers = m_numbers;
    return {};
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

Result<std::optional<std::int64_t>> AttentionReader::trainLength()
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
    return failure(
        ErrorKind::InvalidHeader,
        "{}: the metadata's length is '{}', not the whole number of cities or boxes, at most {}, that it was "
        "trained at",
        m_file.path(), length->second, most);
}

Result<std::vector<float>> AttentionReader::numbers(const std::string& name, const Shape& shape)
{
    const TensorInfo* tensor = TRY(m_file.find(name));
    if (tensor->shape != shape)
        return failure(ErrorKind::BadShape, "{}: {} has the shape {}, and {} is wanted", m_file.path(), name,
                       describeShape(tensor->shape), describeShape(shape));
    std::vector<float> read = TRY(m_file.read<float>(*tensor));
    if (!std::ranges::all_of(read, [](float x) { return std::isfinite(x); }))
        return failure(ErrorKind::DataError, m_file.path() + ": " + name + " holds a number that is not finite");
    return read;
}

StoredMatrix AttentionReader::keep(std::vector<float> values, Index rows, Index columns)
{
    m_numbers->push_back(std::move(values));
    return {reinterpret_cast<const std::byte*>(m_numbers->back().data()), Dtype::F32, rows, columns};
}

Result<Linear> AttentionReader::linear(const std::string& name, Index outputs, Index inputs, bool hasBias)
{
    Linear read{keep(TRY(numbers(name + ".weight", {outputs, inputs})), outputs, inputs), false, {}};
    if (hasBias)
        read.bias = TRY(vector(name + ".bias", outputs));
    return read;
}

/// W_query, W_key, W_val (H, w, d) as one matrix (3 w, w).
Result<Linear> AttentionReader::projection(const std::string& name, const AttentionEncoder& model)
{
    const Index h = model.heads, w = model.width, d = model.headSize();
    std::vector<float> all;
    for (const char* part : {".W_query", ".W_key", ".W_val"}) {
        const std::vector<float> values = TRY(numbers(name + part, {h, w, d}));
        for (Index head = 0; head < h; ++head)
            for (Index column = 0; column < d; ++column)
                for (Index row = 0; row < w; ++row)
                    all.push_back(values[static_cast<std::size_t>((head * w + row) * d + column)]);
    }
    return Linear{keep(std::move(all), 3 * w, w), false, {}};
}

Result<AttentionEncoder::NodeNorm> AttentionReader::norm(const std::string& name, Index width)
{
    constexpr float epsilon = 1e-5f;  // torch.nn.BatchNorm1d's
    AttentionEncoder::NodeNorm read{.layer = !has(name + ".running_mean"),
                                    .factor = TRY(vector(name + ".weight", width)),
                                    .shift = TRY(vector(name + ".bias", width))};
    if (read.layer) {
        const auto kind = m_file.metadata().find("normalization");
        if (kind == m_file.metadata().end() || kind->second != "layer")
            return failure(ErrorKind::UnknownName,
                           m_file.path() + ": " + name +
                               " has no running_mean, and the metadata does not say normalization = layer; batch norms "
                               "with running statistics are read, and layer norms");
        return read;
    }
    const std::vector<float> mean = TRY(vector(name + ".running_mean", width)),
                             variance = TRY(vector(name + ".running_var", width));
    for (std::size_t c = 0; c < mean.size(); ++c) {
        if (variance[c] < 0)
            return failure(ErrorKind::DataError, m_file.path() + ": " + name + ".running_var holds a number below 0");
        read.factor[c] /= std::sqrt(variance[c] + epsilon);
        read.shift[c] -= mean[c] * read.factor[c];
    }
    return read;
}

Result<AttentionEncoder::Layer> AttentionReader::readLayer(const std::string& name, const AttentionEncoder& model)
{
    const Index w = model.width;
    AttentionEncoder::Layer layer;
    layer.projection = TRY(projection(name + ".0.module", model));
    layer.output = {
        keep(TRY(numbers(name + ".0.module.W_out", {model.heads, model.headSize(), w})), w, w), true, {}};  // (H d, w)
    layer.afterAttention = TRY(norm(name + ".1.normalizer", w));
    const Shape up = shapeOf(name + ".2.module.0.weight");
    const Index inner = up.size() == 2 ? up[0] : 1;
    layer.up = TRY(linear(name + ".2.module.0", inner, w));
    layer.down = TRY(linear(name + ".2.module.2", w, inner));
    layer.afterFeed = TRY(norm(name + ".3.normalizer", w));
    return layer;
}

}  // namespace attnscope
