#pragma once
// Takes tensors by name into a Model, and knows afterwards which nobody has asked for. The first error stays; later
// calls then give nothing.

#include "core/model/layer_weights.h"
#include "core/model/weight_files.h"

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace attnscope {

struct LinearShape {
    Index outputs = 0, inputs = 0;
    bool bias = false;
    bool inputFirst = false;  ///< stored (inputs, outputs)
};

class WeightReader {
public:
    WeightReader(const WeightFiles& files, const Architecture& architecture) : m_files(files), m_a(architecture) {}

    const Architecture& architecture() const { return m_a; }
    bool has(const std::string& name) const { return m_files.has(name); }
    /// The first of the prefixes with which there is such a tensor; else the first.
    std::string prefixOf(const std::string& tensor, std::initializer_list<const char*> prefixes) const;

    /// Are the files .gguf ones?
    bool ofGguf() const { return static_cast<bool>(m_files.layout().name); }

    /// A tensor's; empty where there is none.
    std::vector<std::int64_t> shapeOf(const std::string& name) const { return m_files.shapeOf(name); }
    /// A matrix to look at, which is not taken by that.
    Result<StoredMatrix> peek(const std::string& name, Index rows, Index columns) const
    {
        return m_files.matrix(name, rows, columns);
    }

    /// The first extent of a tensor; 0 where there is none.
    Index rowsIn(const std::string& name) const;

    /// Of the stream's width, of the architecture's kind: "NAME.weight" and, where the kind has one, "NAME.bias".
    NormWeights norm(const std::string& name);
    /// Of `size` numbers, without a bias.
    NormWeights norm(const std::string& name, Index size);
    /// Of `size` numbers, for which the file has no weights.
    NormWeights unweighted(Norm norm, Index size) const;
    /// The norms of queries or keys that the spec asks for, over `heads` heads. Own weights stand in one matrix (heads,
    /// d), or in "NAME.norms.0.weight" and so on.
    NormWeights headNorm(HeadNorm kind, const std::string& name, int heads);
    /// "NAME.weight" and "NAME.bias".
    Linear linear(const std::string& name, const LinearShape& shape);
    /// The matrices of a tensor (count, rows, columns), one below the other, and each for itself.
    StoredMatrix stacked(const std::string& name, Index count, Index rows, Index columns);
    std::vector<StoredMatrix> stack(const std::string& name, Index count, Index rows, Index columns);
    /// The same of NAME_blocks and NAME_scales (weight_files.h).
    std::vector<StoredMatrix> stackOfFour(const std::string& name, Index count, Index rows, Index columns);
    StoredMatrix matrix(const std::string& name, Index rows, Index columns);
    std::vector<float> vector(const std::string& name, Index size);

    /// Tensors whose names contain the text are there for something else than what is computed.
    void passOver(const std::string& text) { m_passedOver.push_back(text); }
    /// Those that nobody took and nothing passes over.
    std::vector<std::string> unread() const;
    /// Elements of all that was taken.
    std::int64_t elements() const { return m_elements; }
    const std::optional<Error>& error() const { return m_error; }

private:
    template <class T>
    T take(const std::string& name, Result<T> read);

    const WeightFiles& m_files;
    const Architecture& m_a;
    std::set<std::string, std::less<>> m_taken;
    std::vector<std::string> m_passedOver;
    std::int64_t m_elements = 0;
    std::optional<Error> m_error;
};

/// A linear map of rows [first, first + count) of a stored one.
Linear rowsOf(const Linear& linear, Index first, Index count);

/// Wrong where a head's parts lie outside what the projections make, or make no whole head, or the heads are not what
/// the output map takes: a family whose weights do not follow its config.
Result<void> checkHeads(const Architecture& architecture, const std::vector<LayerWeights>& layers);

/// Queries, keys and values of projections 0, 1 and 2, one head after another.
void takeHeadsInOrder(LayerWeights& layer, const Architecture& architecture);

}  // namespace attnscope
