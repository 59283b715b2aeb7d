#include "core/model/attention_model.h"

#include "core/tensor/tensor_file.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace attnscope {

namespace {

using Shape = std::vector<std::int64_t>;

class AttentionModelReader {
public:
    explicit AttentionModelReader(const TensorFile& file) : m_file(file), m_numbers(std::make_shared<std::deque<std::vector<float>>>()) {}

    Result<AttentionModel> operator()()
    {
        AttentionModel model;
        model.hasDepot = has("init_embed_depot.weight");
        const Result<Shape> first = shapeOf("embedder.layers.0.0.module.W_query");
        if (!first)
            return tl::unexpected(first.error());
        if (first->size() != 3 || (*first)[0] < 1 || (*first)[2] < 1 || (*first)[1] != (*first)[0] * (*first)[2])
            return failure(ErrorKind::BadShape, m_file.path() + ": W_query has the shape " + describeShape(*first) + ", not (heads, width, width / heads)");
        model.heads = (*first)[0];
        model.width = (*first)[1];
        const Index w = model.width;

        model.start = linear("init_embed", w, model.hasDepot ? 3 : 2);
        if (model.hasDepot)
            model.startOfDepot = linear("init_embed_depot", w, 2);
        for (std::size_t layer = 0; has("embedder.layers." + std::to_string(layer) + ".0.module.W_query"); ++layer)
            model.layers.push_back(readLayer("embedder.layers." + std::to_string(layer), model));
        model.nodes = linear("project_node_embeddings", 3 * w, w, false);
        model.fixed = linear("project_fixed_context", w, w, false);
        model.step = linear("project_step_context", w, model.hasDepot ? w + 1 : 2 * w, false);
        model.out = linear("project_out", w, w, false);
        if (!model.hasDepot)
            model.placeholder = vector("W_placeholder", 2 * w);
        if (const auto length = m_file.metadata().find("length"); length != m_file.metadata().end())
            model.trainLength = wholeNumber(length->second);
        model.numbers = m_numbers;
        if (m_error)
            return tl::unexpected(*m_error);
        return model;
    }

private:
    bool has(const std::string& name) const { return std::ranges::any_of(m_file.tensors(), [&](const TensorInfo& t) { return t.name == name; }); }

    Result<Shape> shapeOf(const std::string& name) const
    {
        return m_file.find(name).map([](const TensorInfo* tensor) { return tensor->shape; });
    }

    std::optional<std::int64_t> wholeNumber(const std::string& text)
    {
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (status == std::errc{} && end == text.data() + text.size() && number > 0)
            return number;
        remember({ErrorKind::InvalidHeader, m_file.path() + ": the metadata's length is '" + text + "', not the whole number of cities it was trained at"});
        return {};
    }

    void remember(Error error)
    {
        if (!m_error)
            m_error = std::move(error);
    }

    /// The tensor's numbers; after an error, which the first one keeps, none.
    std::vector<float> numbers(const std::string& name, const Shape& shape)
    {
        if (m_error)
            return {};
        const Result<const TensorInfo*> tensor = m_file.find(name);
        if (!tensor)
            return remember(tensor.error()), std::vector<float>();
        if ((*tensor)->shape != shape)
            return remember({ErrorKind::BadShape, m_file.path() + ": " + name + " has the shape " + describeShape((*tensor)->shape) + ", and " + describeShape(shape) + " is wanted"}), std::vector<float>();
        Result<std::vector<float>> read = m_file.read<float>(**tensor);
        if (!read)
            return remember(read.error()), std::vector<float>();
        if (!std::ranges::all_of(*read, [](float x) { return std::isfinite(x); }))
            return remember({ErrorKind::DataError, m_file.path() + ": " + name + " holds a number that is not finite"}), std::vector<float>();
        return std::move(*read);
    }

    std::vector<float> vector(const std::string& name, Index size) { return numbers(name, {size}); }

    StoredMatrix keep(std::vector<float> values, Index rows, Index columns)
    {
        m_numbers->push_back(std::move(values));
        return {reinterpret_cast<const std::byte*>(m_numbers->back().data()), Dtype::F32, rows, columns};
    }

    Linear linear(const std::string& name, Index outputs, Index inputs, bool hasBias = true)
    {
        Linear read{keep(numbers(name + ".weight", {outputs, inputs}), outputs, inputs), false, {}};
        if (hasBias)
            read.bias = vector(name + ".bias", outputs);
        return read;
    }

    /// W_query, W_key, W_val (H, w, d) as one matrix (3 w, w).
    Linear projection(const std::string& name, const AttentionModel& model)
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

    AttentionModel::NodeNorm norm(const std::string& name, Index width)
    {
        constexpr float epsilon = 1e-5f;  // torch.nn.BatchNorm1d's
        AttentionModel::NodeNorm read{.layer = !has(name + ".running_mean"), .factor = vector(name + ".weight", width), .shift = vector(name + ".bias", width)};
        if (read.layer) {
            const auto kind = m_file.metadata().find("normalization");
            if (kind == m_file.metadata().end() || kind->second != "layer")
                remember({ErrorKind::UnknownName, m_file.path() + ": " + name + " has no running_mean, and the metadata does not say normalization = layer; batch norms with running statistics are read, and layer norms"});
            return read;
        }
        const std::vector<float> mean = vector(name + ".running_mean", width), variance = vector(name + ".running_var", width);
        if (m_error)
            return read;
        for (std::size_t c = 0; c < mean.size(); ++c) {
            if (variance[c] < 0)
                return remember({ErrorKind::DataError, m_file.path() + ": " + name + ".running_var holds a number below 0"}), read;
            read.factor[c] /= std::sqrt(variance[c] + epsilon);
            read.shift[c] -= mean[c] * read.factor[c];
        }
        return read;
    }

    AttentionModel::Layer readLayer(const std::string& name, const AttentionModel& model)
    {
        const Index w = model.width;
        AttentionModel::Layer layer;
        layer.projection = projection(name + ".0.module", model);
        layer.output = {keep(numbers(name + ".0.module.W_out", {model.heads, model.headSize(), w}), w, w), true, {}};  // (H d, w)
        layer.afterAttention = norm(name + ".1.normalizer", w);
        const Result<Shape> up = shapeOf(name + ".2.module.0.weight");
        const Index inner = up && up->size() == 2 ? (*up)[0] : 1;
        layer.up = linear(name + ".2.module.0", inner, w);
        layer.down = linear(name + ".2.module.2", w, inner);
        layer.afterFeed = norm(name + ".3.normalizer", w);
        return layer;
    }

    const TensorFile& m_file;
    std::shared_ptr<std::deque<std::vector<float>>> m_numbers;
    std::optional<Error> m_error;
};

}  // namespace

Result<AttentionModel> readAttentionModel(const TensorFile& file) { return AttentionModelReader(file)(); }

Result<AttentionModel> openAttentionModel(const std::string& path)
{
    return TensorFile::open(path).and_then([](const TensorFile& file) { return readAttentionModel(file); });
}

}  // namespace attnscope
