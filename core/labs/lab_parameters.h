#pragma once
// Parameters that several labs take, in the same words.

#include "core/base/parameter.h"

namespace attnscope {

/// Of a rate that warms up and then falls; `optimiser`: "AdamW".
inline Parameter learningRate(double byDefault, const std::string& optimiser)
{
    return real("rate", "learning rate", byDefault, 1e-7, 1,
                optimiser + "'s step after the warm-up; it falls along a cosine to a twentieth.");
}
inline Parameter warmup() { return whole("warmup", "warm-up", 100, 1, 1e6, "Steps in which the rate rises."); }
inline Parameter matrixDecay() { return real("decay", "decay", 0.1, 0, 10, "Decoupled weight decay of the matrices."); }
inline Parameter clipping()
{
    return real("clip", "clipping", 1, 1e-3, 1e9, "The largest norm of all gradients together.");
}

/// Of the sets that a max-retrieval head learns from, and of its layers.
inline Parameter fewestItems()
{
    return whole("items_min", "fewest items", 5, 1, 4096, "Sets of a step all have one size, drawn from here");
}
inline Parameter mostItems()
{
    return whole("items_max", "most items", 16, 1, 4096, "to here; also the N of the scale methods.");
}
inline Parameter headWidth() { return whole("width", "width", 128, 1, 1024, "Of every layer, and the head's d."); }

}  // namespace attnscope
