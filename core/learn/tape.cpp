#include "core/learn/tape.h"

#include <algorithm>

namespace attnscope::learn {

void Tape::clear() { m_size = 0; }

Var Tape::add(Index rows, Index columns)
{
    if (static_cast<std::size_t>(m_size) == m_nodes.size())
        m_nodes.emplace_back();
    const Var v{m_size++};
    Node& node = at(v);
    node.rows = rows;
    node.columns = columns;
    node.value = nullptr;
    node.gradient = nullptr;
    node.weight = nullptr;
    node.needsGradient = false;
    node.backward = nullptr;
    return v;
}

Var Tape::constant(Index rows, Index columns)
{
    const Var v = add(rows, columns);
    at(v).value = at(v).valueBuffer.shape(rows, columns).data();
    return v;
}

Var Tape::constant(const Matrix& value)
{
    const Var v = constant(value.rows(), value.cols());
    fill(v) = value;
    return v;
}

Var Tape::weight(Weight& weight)
{
    for (int i = 0; i < m_size; ++i)
        if (m_nodes[static_cast<std::size_t>(i)].weight == &weight)
            return {i};
    const Var v = constant(weight.value);
    at(v).weight = &weight;
    at(v).needsGradient = weight.trained;
    return v;
}

Var Tape::node(Index rows, Index columns, std::initializer_list<Var> inputs, Backward backward)
{
    return node(rows, columns, std::vector<Var>(inputs), std::move(backward));
}

Var Tape::node(Index rows, Index columns, const std::vector<Var>& inputs, Backward backward)
{
    const Var v = constant(rows, columns);
    if (std::ranges::any_of(inputs, [&](Var input) { return needsGradient(input); })) {
        at(v).needsGradient = true;
        at(v).backward = std::move(backward);
    }
    return v;
}

ConstMatrixView Tape::gradient(Var v) const { return {at(v).gradient, at(v).rows, at(v).columns}; }

Tape::Slot Tape::slot(Var v)
{
    Node& node = at(v);
    const bool accumulate = node.gradient != nullptr;
    if (!accumulate)
        node.gradient = node.gradientBuffer.shape(node.rows, node.columns).data();
    return {{node.gradient, node.rows, node.columns}, accumulate};
}

void Tape::backward(Var loss, float share, bool accumulate)
{
    for (int i = 0; i < m_size; ++i)
        m_nodes[static_cast<std::size_t>(i)].gradient = nullptr;
    slot(loss).view.setConstant(share);
    for (int i = loss.index; i >= 0; --i) {
        Node& node = m_nodes[static_cast<std::size_t>(i)];
        if (node.gradient && node.backward)
            node.backward(*this);
    }
    for (int i = 0; i < m_size; ++i) {
        Node& node = m_nodes[static_cast<std::size_t>(i)];
        if (!node.weight || !node.needsGradient)
            continue;
        if (!accumulate)
            node.weight->gradient.setZero();
        if (node.gradient)
            node.weight->gradient += ConstMatrixView(node.gradient, node.rows, node.columns);
    }
}

}  // namespace attnscope::learn
