#pragma once
// What the networks of routing and of packing have in common, with gradients: weights by name, and the encoder of the
// Attention Model (attention_encoder.h has its formulas), layer norms in the place of its batch norms as in EIE.

#include "core/learn/layers.h"
#include "core/tensor/tensor_file.h"

#include <deque>
#include <map>

namespace attnscope::learn {

/// Weights in the order added. Matrices start as U(-1, 1) / sqrt(inputs), each a function of the seed and of how many
/// matrices came before it; all else at 0.
class NamedWeights {
public:
    explicit NamedWeights(std::uint64_t seed) : m_seed(seed) {}
    NamedWeights(NamedWeights&&) = default;

    void matrix(const std::string& name, Index out, Index in)
    {
        initialise(add(name, out, in, false), Start::KaimingUniform, m_seed, m_matrices++);
    }
    void linear(const std::string& name, Index out, Index in);  ///< NAME.weight (out, in), NAME.bias (out)
    void layerNorm(const std::string& name, Index width);       ///< NAME.weight 1, NAME.bias 0

    Var operator()(Tape& tape, const std::string& name) { return tape.weight(*m_byName.at(name)); }
    const Matrix& value(const std::string& name) const { return m_byName.at(name)->value; }
    const std::deque<Weight>& inOrder() const { return m_weights; }
    Weights all();

private:
    Weight& add(const std::string& name, Index rows, Index columns, bool vector);

    std::uint64_t m_seed, m_matrices = 0;
    std::deque<Weight> m_weights;  ///< whose addresses stay
    std::map<std::string, Weight*> m_byName;
};

struct EncoderShape {
    Index layers = 3, width = 128, inner = 512, heads = 8;
    Index headSize() const { return width / heads; }
    bool operator==(const EncoderShape&) const = default;
};

/// Adds the weights of the layers, "embedder.layers.0.0.module.W_query" and so on.
void addEncoder(NamedWeights& weights, const EncoderShape& shape);
/// h (sets n, w) through all layers; nodes attend to those of their own set.
Var encode(Tape& tape, NamedWeights& weights, const EncoderShape& shape, Var h, Index sets);

/// Adds what a decoder asks of every node, K, V and L, of their mean, F, and of the glimpse, O.
void addPointer(NamedWeights& weights, Index width);
struct PointerQueries {
    Var keys, values, pointers;  ///< (sets n, w): K h, V h and O^T L h
    Var fixed;                   ///< (sets, w): F mean h
};
PointerQueries pointAt(Tape& tape, NamedWeights& weights, Var h, Index sets);

/// A tensor as files have it.
struct StoredTensor {
    std::string name;
    std::vector<std::int64_t> shape;
    Matrix values;  ///< the last index along its columns
};
/// The layers and the pointer's matrices as the authors of the Attention Model lay them out: matrices of heads (H, w,
/// d), inputs first, and the decoder's matrices of one input side by side in one; and every weight whose name begins
/// with "init_embed".
std::vector<StoredTensor> storedEncoder(const NamedWeights& weights, Index heads);
/// Numbers in bfloat16 or float32; `facts` and the kind of norm in the metadata. Errors: NotWritable.
Result<void> saveTensors(const std::string& path, const std::vector<StoredTensor>& tensors,
                         const std::map<std::string, std::string>& facts, bool bfloat16);

}  // namespace attnscope::learn
