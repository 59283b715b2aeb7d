// The weights of a RoutingNetwork as the authors of the Attention Model lay them out.

#include "core/learn/routing_network.h"

namespace attnscope::learn {

Result<void> saveRouting(const std::string& path, const RoutingNetwork& network, const std::map<std::string, std::string>& facts, bool bfloat16)
{
    const RoutingShape& shape = network.shape();
    const Index w = shape.encoder.width;
    std::vector<StoredTensor> tensors = storedEncoder(network.m_weights, shape.encoder.heads);
    const auto value = [&](const std::string& name) -> const Matrix& { return network.m_weights.value(name); };
    Matrix step(w, shape.depot ? w + 1 : 2 * w);
    if (shape.depot) {
        step << value("project_step_context.last"), value("project_step_context.room").transpose();
    } else {
        step << value("project_step_context.first"), value("project_step_context.last");
        Matrix placeholder(1, 2 * w);
        placeholder << value("W_placeholder.first"), value("W_placeholder.last");
        tensors.push_back({"W_placeholder", {2 * w}, placeholder});
    }
    tensors.push_back({"project_step_context.weight", {step.rows(), step.cols()}, step});
    return saveTensors(path, tensors, facts, bfloat16);
}

}  // namespace attnscope::learn
