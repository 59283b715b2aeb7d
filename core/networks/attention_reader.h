#pragma once
// Reads networks with the Attention Model's encoder from the authors' layout: "embedder.layers.0.0.module.W_query" (H,
// w, d), batch norms with running statistics or, where the metadata says normalization = layer, layer norms; N is the
// metadata's `length`, or what they say as those of heads do (head_file.h). Errors: those of reading, BadShape,
// DataError, InvalidHeader, UnknownName.

#include "core/networks/attention_encoder.h"

namespace attnscope {

class AttentionReader {
public:
    explicit AttentionReader(const TensorFile& file)
        : m_file(file), m_numbers(std::make_shared<std::deque<std::vector<float>>>())
    {
    }

    /// Layers, the decoder's matrices of nodes, N.
    Result<void> read(AttentionEncoder& encoder);
    bool has(const std::string& name) const;
    /// NAME.weight, and NAME.bias if it has one.
    Result<Linear> linear(const std::string& name, Index outputs, Index inputs, bool hasBias = true);
    Result<std::vector<float>> vector(const std::string& name, Index size) { return numbers(name, {size}); }
    /// The tensor's shape; where there is none, nothing.
    std::vector<std::int64_t> shapeOf(const std::string& name) const;

private:
    Result<std::optional<std::int64_t>> trainLength();
    Result<std::vector<float>> numbers(const std::string& name, const std::vector<std::int64_t>& shape);
    StoredMatrix keep(std::vector<float> values, Index rows, Index columns);
    Result<Linear> projection(const std::string& name, const AttentionEncoder& encoder);
    Result<AttentionEncoder::NodeNorm> norm(const std::string& name, Index width);
    Result<AttentionEncoder::Layer> readLayer(const std::string& name, const AttentionEncoder& encoder);

    const TensorFile& m_file;
    std::shared_ptr<std::deque<std::vector<float>>> m_numbers;
};

}  // namespace attnscope
