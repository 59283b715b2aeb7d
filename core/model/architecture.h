#pragma once
// A transformer as a value: its sizes and the choices that tell one published family from another. A layer is
//
//   sequential:  h <- h + out(attention(norm h)),   h <- h + feed(norm h)
//   parallel:    h <- h + out(attention(norm h)) + feed(norm' h)                    (GPT-NeoX)
//   two-sided:   h <- h + norm(out(attention(norm h))),   likewise the feed-forward  (Gemma 2)
//
// with H query heads on H_k key heads of size d, feed = down(act(gate x) * up x) or down(act(up x)), and logits =
// head(norm h).

#include "core/base/choice.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

enum class Norm {
    Layer,       ///< (x - mean) / sqrt(var + eps) w + b                (Ba et al. 2016)
    Rms,         ///< x / sqrt(mean x^2 + eps) w                        (Zhang & Sennrich 2019)
    RmsFromOne,  ///< x / sqrt(mean x^2 + eps) (1 + w)                  (Gemma)
};

enum class Activation { Silu, Gelu, GeluTanh };

/// Which names and layouts the tensors have.
enum class Family { Llama, Gpt2, GptNeoX, Gemma2 };

struct Architecture {
    Family family = Family::Llama;
    std::string type;  ///< config.json's model_type: "mistral"

    int layers = 0;
    int width = 0;                ///< of the stream h
    int inner = 0;                ///< of the feed-forward
    int heads = 0, keyHeads = 0;  ///< H, H_k; H_k divides H
    int headSize = 0;             ///< d
    int vocabulary = 0;

    Norm norm = Norm::Rms;
    double epsilon = 1e-6;
    Activation activation = Activation::Silu;
    bool gated = true;
    bool parallelResidual = false;
    bool twoSidedNorms = false;
    bool headNorms = false;  ///< every query and key is normed before it is turned (Qwen 3)
    bool queryKeyBias = false, outputBias = false, feedBias = false;
    bool tiedEmbeddings = false;

    Choice position{"none", {}, {}};    ///< of the registry, as trained
    std::int64_t learnedPositions = 0;  ///< rows of a table that is added to the embeddings; 0: none
    double positionFactor = 1;          ///< on q.k / sqrt(d), part of those positions: YaRN's factor on q and on k
    double logitFactor = 1;             ///< on q.k / sqrt(d): Gemma 2's own query scale
    double logitCap = 0;                ///< soft-cap of attention's logits, 0: none
    double outputCap = 0;               ///< soft-cap of the model's logits, 0: none
    double embeddingFactor = 1;
    bool causal = true;                 ///< off: an encoder, every row sees every key
    std::vector<std::int64_t> windows;  ///< of each layer: the keys that a row sees; 0: all before it

    std::int64_t trainLength = 0;    ///< N, before any stretching of the positions
    std::int64_t largestLength = 0;  ///< what the config promises
    std::optional<int> beginToken;
    std::optional<int> maskToken;  ///< what stands for hidden tokens in a model that was trained to find them

    bool operator==(const Architecture&) const = default;
};

/// "Llama: 5 layers, width 64, 8 query heads on 4 key heads of size 8, vocabulary 512, trained at 512"
std::string describe(const Architecture& architecture);

/// The model's own mask of a layer: causal, or a window.
Choice maskOf(const Architecture& architecture, int layer);

/// Parameters, as the sizes say, those that two matrices share once.
std::int64_t parameterCount(const Architecture& architecture);

}  // namespace attnscope
