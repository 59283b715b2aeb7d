#include "core/model/weight_reader.h"

#include <algorithm>

namespace attnscope {

template <class T>
T WeightReader::take(const std::string& name, Result<T> read)
{
    if (!read) {
        if (!m_error)
            m_error = read.error();
        return {};
    }
    if (m_taken.insert(m_files.inFile(name).tensor).second) {
        std::int64_t elements = 1;
        for (const std::int64_t extent : m_files.shapeOf(name))
            elements *= extent;
        m_elements += elements;
    }
    return std::move(*read);
}

std::string WeightReader::prefixOf(const std::string& tensor, std::initializer_list<const char*> prefixes) const
{
    for (const char* prefix : prefixes)
        if (m_files.has(prefix + tensor))
            return prefix;
    return *prefixes.begin();
}

Index WeightReader::rowsIn(const std::string& name) const
{
    const auto shape = m_files.shapeOf(name);
    return shape.empty() ? 0 : shape.front();
}

NormWeights WeightReader::norm(const std::string& name)
{
    NormWeights read = norm(name, m_a.width);
    if (m_a.norm == Norm::Layer || m_a.norm == Norm::LayerFromOne)
        read.bias = vector(name + ".bias", m_a.width);
    return read;
}

NormWeights WeightReader::norm(const std::string& name, Index size)
{
    return {m_a.norm, m_a.epsilon, vector(name + ".weight", size), {}};
}

NormWeights WeightReader::unweighted(Norm norm, Index size) const
{
    return {norm, m_a.epsilon, std::vector<float>(static_cast<size_t>(size), 1.0f), {}};
}

NormWeights WeightReader::headNorm(HeadNorm kind, const std::string& name, int heads)
{
    if (kind == HeadNorm::EachHead)
        return norm(name, m_a.headSize);
    if (kind == HeadNorm::OwnWeights) {
        NormWeights read{m_a.norm == Norm::Layer ? Norm::Centred : m_a.norm, m_a.epsilon, {}, {}, m_a.headSize};
        if (has(name + ".weight")) {
            std::vector<float> room;
            if (const StoredMatrix all = matrix(name + ".weight", heads, m_a.headSize); all.data) {
                const float* const numbers = all.floats(0, heads, room);
                read.weight.assign(numbers, numbers + Index{heads} * m_a.headSize);
            }
            return read;
        }
        for (int h = 0; h < heads && !m_error; ++h) {
            const std::vector<float> own = vector(name + ".norms." + std::to_string(h) + ".weight", m_a.headSize);
            read.weight.insert(read.weight.end(), own.begin(), own.end());
        }
        return read;
    }
    if (kind == HeadNorm::WholeWidth)
        return norm(name, Index{heads} * m_a.headSize);
    if (kind == HeadNorm::Unit)
        return unweighted(Norm::Rms, m_a.headSize);
    return {};
}

Linear WeightReader::linear(const std::string& name, const LinearShape& shape)
{
    const bool inputFirst = shape.inputFirst && !m_files.layout().inputsLast;
    Linear read{.weight = {}, .inputFirst = inputFirst, .bias = {}};
    read.weight = inputFirst ? matrix(name + ".weight", shape.inputs, shape.outputs)
                             : matrix(name + ".weight", shape.outputs, shape.inputs);
    if (shape.bias)
        read.bias = vector(name + ".bias", shape.outputs);
    return read;
}

StoredMatrix WeightReader::stacked(const std::string& name, Index count, Index rows, Index columns)
{
    return take(name, m_files.stack(name, count, rows, columns));
}

namespace {

/// The matrices of `count` that stand one below the other.
std::vector<StoredMatrix> eachOf(const StoredMatrix& all, Index count, Index rows)
{
    std::vector<StoredMatrix> each;
    for (Index i = 0; i < count && all.data; ++i)
        each.push_back(all.rowsOf(i * rows, rows));
    each.resize(static_cast<size_t>(count));
    return each;
}

}  // namespace

std::vector<StoredMatrix> WeightReader::stack(const std::string& name, Index count, Index rows, Index columns)
{
    return eachOf(stacked(name, count, rows, columns), count, rows);
}

std::vector<StoredMatrix> WeightReader::stackOfFour(const std::string& name, Index count, Index rows, Index columns)
{
    const StoredMatrix all = take(name + "_blocks", m_files.stackOfFour(name, count, rows, columns));
    m_taken.insert(m_files.inFile(name + "_scales").tensor);
    m_elements += all.rows * all.columns / 2;  // two stand in a byte
    return eachOf(all, count, rows);
}

StoredMatrix WeightReader::matrix(const std::string& name, Index rows, Index columns)
{
    for (const char* factors : {"_scale_inv", "_scale"})  // of numbers of eight bits
        m_taken.insert(m_files.inFile(name + factors).tensor);
    return take(name, m_files.matrix(name, rows, columns));
}

std::vector<float> WeightReader::vector(const std::string& name, Index size)
{
    return take(name, m_files.vector(name, size));
}

std::vector<std::string> WeightReader::unread() const
{
    std::vector<std::string> names;
    for (const std::string& name : m_files.names())
        if (!m_taken.contains(name) && std::none_of(m_passedOver.begin(), m_passedOver.end(),
                                                    [&](const auto& text) { return name.find(text) != name.npos; }))
            names.push_back(name);
    return names;
}

Linear rowsOf(const Linear& linear, Index first, Index count)
{
    Linear part{.weight = linear.weight.data ? linear.weight.rowsOf(first, count) : StoredMatrix{},
                .inputFirst = false};
    if (!linear.bias.empty())
        part.bias.assign(linear.bias.begin() + first, linear.bias.begin() + first + count);
    return part;
}

Result<void> checkHeads(const Architecture& a, const std::vector<LayerWeights>& layers)
{
    for (size_t l = 0; l < layers.size(); ++l) {
        const LayerWeights& layer = layers[l];
        const auto fits = [&](const std::vector<HeadPart>& parts, Index heads, Index size) {
            Index made = 0;
            for (const HeadPart& part : parts) {
                if (part.projection >= layer.projections.size() || part.first < 0 || part.stride < 0 ||
                    part.groupStride < 0 || part.count < 0 || (part.ofGroup > 0 && heads % part.ofGroup != 0) ||
                    part.at(heads - 1) + part.count > layer.projections[part.projection].map.outputs())
                    return false;
                made += part.count;
            }
            return made == size;
        };
        if (!fits(layer.query, a.heads, a.headSize) || !fits(layer.key, a.keyHeads, a.headSize) ||
            !fits(layer.value, a.keyHeads, a.valueSize) || layer.output.inputs() != Index{a.heads} * a.valueSize)
            return failure(ErrorKind::DataError,
                           "layer {}: its projections make no {} query heads of size {} on {} key heads; look at the "
                           "head numbers of its config",
                           l, a.heads, a.headSize, a.keyHeads);
    }
    return {};
}

void takeHeadsInOrder(LayerWeights& layer, const Architecture& a)
{
    layer.query = {{0, 0, a.headSize, a.headSize}};
    layer.key = {{1, 0, a.headSize, a.headSize}};
    layer.value = {{2, 0, a.valueSize, a.valueSize}};
}

}  // namespace attnscope
