#pragma once
// Reverse-mode differentiation. Operations (operations.h) compute their value at once and leave a note on the tape of
// how gradients pass back through them; backward() reads the notes from the last to the first. With L the loss, every
// node v holds dL/dv, of v's shape.
//
//     Tape tape;
//     for (...) {
//         tape.clear();                                  // keeps the memory
//         const Var y = linear(tape, tape.constant(x), tape.weight(W), tape.weight(b));
//         tape.backward(softmaxCrossEntropy(tape, y, labels));
//         optimiser.step(weights);                       // reads Weight::gradient
//     }
//
// A new operation is one function: make the output node, fill it, set its backward. Not for use by two threads at once;
// the operations themselves use all cores and give the same bits on any number of them (parallel.h).

#include "core/learn/rounding.h"
#include "core/learn/weight.h"

#include <functional>
#include <vector>

namespace attnscope::learn {

/// A node of a tape.
struct Var {
    int index = -1;
};

class Tape {
public:
    using Backward = std::function<void(Tape&)>;

    /// Products of the operations on this tape, forward and backward, round their factors so.
    explicit Tape(Products products = Products::Float32) : m_products(products) {}
    Products products() const { return m_products; }

    /// Forgets the nodes; their memory serves the next ones.
    void clear();

    /// A node without a gradient, to be filled by the caller.
    Var constant(Index rows, Index columns);
    Var constant(const Matrix& value);

    /// A leaf: its value is the weight's as it is now, its gradient goes to Weight::gradient. The same node if asked
    /// for again.
    Var weight(Weight& weight);

    /// A node that depends on `inputs`, to be filled by the caller; `backward` is dropped if none of them needs a
    /// gradient.
    Var node(Index rows, Index columns, std::initializer_list<Var> inputs, Backward backward);
    Var node(Index rows, Index columns, const std::vector<Var>& inputs, Backward backward);

    /// The node that the next call will make, for its own backward function.
    Var nextNode() const { return {m_size}; }

    ConstMatrixView value(Var v) const { return {at(v).value, at(v).rows, at(v).columns}; }
    /// The value of a node just made, to be filled in.
    MatrixView fill(Var v) { return {at(v).value, at(v).rows, at(v).columns}; }
    Index rows(Var v) const { return at(v).rows; }
    Index columns(Var v) const { return at(v).columns; }
    bool needsGradient(Var v) const { return at(v).needsGradient; }

    /// In a backward function: dL/dv of an output.
    ConstMatrixView gradient(Var v) const;

    /// In a backward function: where an input's gradient is to be put, and whether it must be added to what is there.
    struct Slot {
        MatrixView view;
        bool accumulate;
    };
    Slot slot(Var v);

    /// The same, zero where nothing has been put there: it grows by what is added.
    MatrixView growing(Var v)
    {
        const Slot to = slot(v);
        if (!to.accumulate)
            MatrixView(to.view).setZero();
        return to.view;
    }

    /// dL/dv of an input grows by an expression of its shape.
    template <class Expression>
    void addGradient(Var v, const Expression& expression)
    {
        if (!needsGradient(v))
            return;
        Slot to = slot(v);
        if (to.accumulate)
            to.view += expression;
        else
            to.view = expression;
    }

    /// Runs the notes back from a 1 x 1 node with dL/dL = `share`. Weights on the tape that the loss does not depend on
    /// get 0. With `accumulate` gradients add to what the weights hold: the mean loss of a batch is the sum of its
    /// parts' means, each times its share.
    void backward(Var loss, float share = 1, bool accumulate = false);

private:
    struct Node {
        Index rows = 0, columns = 0;
        Buffer valueBuffer, gradientBuffer;
        float* value = nullptr;
        float* gradient = nullptr;  ///< null until something has been put there
        Weight* weight = nullptr;
        bool needsGradient = false;
        Backward backward;
    };
    Node& at(Var v) { return m_nodes[static_cast<std::size_t>(v.index)]; }
    const Node& at(Var v) const { return m_nodes[static_cast<std::size_t>(v.index)]; }
    Var add(Index rows, Index columns);

    std::vector<Node> m_nodes;
    int m_size = 0;
    Products m_products;
};

}  // namespace attnscope::learn
