#pragma once
// A trainable matrix with its name, as in PyTorch's state dict: "item_mlp.0.weight" of shape (out, in),
// "item_mlp.0.bias" of shape (out), held as one row.

#include "core/learn/matrix.h"

#include <string>
#include <vector>

namespace attnscope::learn {

struct Weight {
    std::string name;
    Matrix value;
    Matrix gradient;
    bool vector = false;  ///< a 1-D tensor in files
    bool trained = true;  ///< false for what is kept but not learned: the gains of cosine attention

    Weight() = default;
    Weight(std::string itsName, Index rows, Index columns, bool isVector = false)
        : name(std::move(itsName)), value(Matrix::Zero(rows, columns)), gradient(Matrix::Zero(rows, columns)),
          vector(isVector)
    {
    }
};

/// All weights of a model, in a fixed order. The model owns them.
using Weights = std::vector<Weight*>;

}  // namespace attnscope::learn
