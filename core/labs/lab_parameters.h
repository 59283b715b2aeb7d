#pragma once
// Parameters that several labs take, in the same words.

#include "core/base/parameter.h"
#include "core/labs/lab.h"
#include "core/scaling/scale_method.h"

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

/// Of networks that learn with the cosine of query and key.
inline Parameter cosineFactor()
{
    return real("alpha", "alpha of the cosine", 0, 0, 1024,
                "Logits are this times the cosine of the angle of query and key, as in CosScale; 0: the dot product "
                "over sqrt(d).");
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

/// The rows of a registry as what stands in a part of a text.
template <class Row>
std::vector<Entry> entriesIn(std::span<const Row> rows)
{
    return {rows.begin(), rows.end()};
}
/// Of what no registry has: a name and a sentence.
inline Entry plainEntry(const std::string& id, const std::string& label, const std::string& about)
{
    Entry entry;
    entry.id = id;
    entry.label = label;
    entry.about = about;
    return entry;
}
inline LabPart methodsPart() { return {"methods", entriesIn(scaleMethods())}; }
/// Of methods that a network learns with: there are no queries and keys to measure before it does.
inline std::vector<Entry> trainingMethods()
{
    std::vector<Entry> rows;
    for (const ScaleMethod& method : scaleMethods())
        if (!method.measured)
            rows.push_back(method);
    return rows;
}
}  // namespace attnscope
