#pragma once
// The queries and keys of a run, kept and written as a file of tensors that the rest of the program opens:
// "layer3.q_pre_rope" (H, n, d) and "layer3.k_pre_rope" (H_k, n, d), before positions, "layer3.q_post_rope" where
// tokens have positions of their own, or "layer3.q" in a model that turns none. With what the layer does of itself: its
// own factors on the logits are put into the queries, and the metadata has "layer3.positions", "layer3.mask",
// "layer3.soft_cap" and "layer3.sinks", so that the file gives what the model had.

#include "core/model/sequence.h"
#include "core/tensor/tensor_writer.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace attnscope {

class HeadRecorder {
public:
    explicit HeadRecorder(const Model& model) : m_model(model) {}

    /// Keeps a layer's heads. Errors: InvalidArgument, where they would not fit in half of the memory, and those of
    /// turnTo.
    Result<void> take(const LayerHeads& layer);

    /// Writes what was taken; `ids` are the tokens. Errors: those of writeSafetensors.
    Result<void> save(const std::string& path, std::span<const int> ids) const;
    /// The same in memory. Errors: those of safetensorsBytes.
    Result<std::vector<std::byte>> bytes(const std::string& name, std::span<const int> ids) const;

private:
    struct Tensor {
        std::string name;
        std::vector<std::int64_t> shape;
        std::vector<float> values;
    };
    void add(const std::string& name, const std::vector<Matrix>& heads);
    std::vector<TensorView> views() const;
    std::map<std::string, std::string> metadata(std::span<const int> ids) const;

    const Model& m_model;
    std::vector<Tensor> m_tensors;
    std::map<std::string, std::string> m_metadata;  ///< of the layers
    bool m_turned = false;                          ///< to positions of their own
};

}  // namespace attnscope
