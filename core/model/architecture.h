#pragma once
// A transformer as a value: what all of it shares, and a LayerSpec a layer. A family (families/) makes both from a
// config. With f the layer's residual factor, a layer is
//
//   norms before:  h <- h + f out(attention(norm h)),         h <- h + f feed(norm' h)
//   after:         h <- h + f norm(out(attention(h))),        likewise the feed-forward    (OLMo 2)
//   around:        h <- h + f norm(out(attention(norm' h))),  likewise                     (Gemma)
//   of the sum:    h <- norm(h + f out(attention(h))),        likewise                     (BERT)
//   parallel:      h <- h + f out(attention(norm h)) + f feed(norm' h)                     (GPT-NeoX)
//
// with H query heads on H_k key heads of size d, values of size d_v, feed = down(act(gate x) * up x) or
// down(act(up x)), and logits = head(norm h).

#include "core/base/choice.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace attnscope {

enum class Norm {
    Layer,         ///< (x - mean) / sqrt(var + eps) w + b                (Ba et al. 2016)
    LayerFromOne,  ///< (x - mean) / sqrt(var + eps) (1 + w) + b          (Nemotron)
    Centred,       ///< (x - mean) / sqrt(var + eps) w                    (Cohere, ModernBERT)
    Rms,           ///< x / sqrt(mean x^2 + eps) w                        (Zhang & Sennrich 2019)
    RmsFromOne,    ///< x / sqrt(mean x^2 + eps) (1 + w)                  (Gemma)
};

enum class NormPlace { Before, After, Around, OfTheSum };

/// Norms of queries and keys, before they are turned. Those without weights stand after the turn in what is published,
/// which keeps lengths: they are the same before it, and take away a factor that the turn has.
enum class HeadNorm {
    None,
    EachHead,    ///< over each head's d coordinates, with the same weights     (Qwen 3)
    OwnWeights,  ///< over each head, with weights of its own                   (Command R+)
    WholeWidth,  ///< over all heads together, with weights                     (OLMo 2)
    Unit,        ///< over each head, without weights                           (Llama 4, nanochat)
};

enum class Activation {
    Silu,
    Gelu,
    GeluTanh,
    Relu,
    SquaredRelu,  ///< max(x, 0)^2                                          (So et al. 2021)
    ClampedSilu,  ///< g = min(gate, c): g sigmoid(1.702 g) (clip(up, -c, c) + 1), c = 7      (gpt-oss)
};

/// A feed-forward of many, of which a token takes a few: y = sum over the chosen e of w_e feed_e(x), + shared(x).
struct Experts {
    enum class Score {
        SoftmaxThenChoose,  ///< w = softmax(r) of all, then the largest          (Qwen 3)
        ChooseThenSoftmax,  ///< the largest r, w = softmax of those              (Mixtral, gpt-oss)
        Sigmoid,            ///< w = sigmoid(r), chosen by w + a correction       (DeepSeek V3)
    };
    int count = 0, chosen = 0;
    int inner = 0;            ///< of one of them
    int sharedInner = 0;      ///< of the one that every token passes; 0: none
    bool sharedGate = false;  ///< sigmoid(g x) shared(x) in place of shared(x)      (Qwen 2 MoE)
    Score score = Score::SoftmaxThenChoose;
    bool renormalised = false;         ///< the w of the chosen are divided by their sum
    double factor = 1;                 ///< on w
    int groups = 1, chosenGroups = 1;  ///< experts stand in groups; those of the best groups alone can be chosen
    int bestOfGroup = 2;               ///< whose sum says how good a group is       (1: DeepSeek V2)
    bool weighsInput = false;          ///< feed_e(w_e x) in place of w_e feed_e(x)       (Llama 4)
    bool operator==(const Experts&) const = default;
};

/// Queries, keys and values that come through narrow vectors (DeepSeek's multi-head latent attention). Of each key
/// `turned` coordinates turn, the same for all heads.
struct LatentAttention {
    int query = 0;     ///< width of the queries' vector; 0: they have none
    int keyValue = 0;  ///< of that of keys and values
    int turned = 0;
    bool operator==(const LatentAttention&) const = default;
};

/// The positions that a layer was trained with, of the registry.
struct OwnPosition {
    Choice choice{"none", {}, {}};
    std::optional<Choice> beyond;  ///< for sequences longer than N      (LongRoPE: other factors for all positions)
    double dynamic = 0;            ///< f: beyond N, NTK with s = f n/N - (f - 1); 0: never
    std::string called = {};       ///< what its users call it, where that is not the label of `choice`
    bool operator==(const OwnPosition&) const = default;
};

struct LayerSpec {
    OwnPosition position;
    Choice mask{"causal", {}, {}};
    Choice method{"vanilla", {}, {}};  ///< of scaling, as trained: a temperature that grows with the place
    double logitFactor = 1;            ///< on q.k / sqrt(d): the layer's own query scale
    double logitCap = 0;               ///< soft-cap of attention's logits, 0: none
    std::vector<double> sinks = {};    ///< a silent key's logit a head; empty: none. The weights say them

    NormPlace norms = NormPlace::Before;
    HeadNorm headNorm = HeadNorm::None;
    bool parallel = false;
    double residualFactor = 1;
    double clamp = 0;  ///< queries, keys and values lie within +- this before their norms, 0: no bound      (MPT)
    std::optional<LatentAttention> latent = {};
    bool queryKeyBias = false, outputBias = false, feedBias = false;

    int inner = 0;  ///< of the feed-forward
    Activation activation = Activation::Silu;
    bool gated = true;
    std::optional<Experts> experts = {};  ///< in place of it
    bool operator==(const LayerSpec&) const = default;
};

/// How config.json says rotary positions, where it can say others for all layers alike.
struct PositionFields {
    std::string base;         ///< the field of their base: "rope_theta"; empty: none says others
    std::string stretch;      ///< of their stretch: "rope_scaling", or "rope_parameters"
    std::string given;        ///< what stands in it, JSON; empty: nothing
    bool stretches = false;   ///< where nothing stands in it
    std::string within = {};  ///< the object of config.json that has them: "text_config"; empty: they stand at its top
    bool operator==(const PositionFields&) const { return true; }  ///< other words make no other network
};

struct Architecture {
    std::string type;  ///< config.json's model_type: "mistral"

    int layers = 0;
    int width = 0;                ///< of the stream h
    int heads = 0, keyHeads = 0;  ///< H, H_k; H_k divides H
    int headSize = 0;             ///< d
    int valueSize = 0;            ///< d_v
    int vocabulary = 0;
    int embeddingSize = 0;  ///< of the embeddings, where they are narrower than the stream; 0: its width

    Norm norm = Norm::Rms;
    double epsilon = 1e-6;
    bool tiedEmbeddings = false;
    std::int64_t learnedPositions = 0;  ///< rows of a table that is added to the embeddings; 0: none
    std::int64_t rowsBefore = 0;        ///< of that table, before the row of place 0      (RoBERTa, OPT)
    double embeddingFactor = 1;
    double outputFactor = 1;       ///< on the model's logits
    double outputCap = 0;          ///< soft-cap of them, 0: none
    bool causal = true;            ///< off: an encoder
    std::vector<LayerSpec> specs;  ///< one a layer
    PositionFields positionFields = {};

    std::int64_t trainLength = 0;         ///< N, before any stretching of the positions
    std::int64_t largestLength = 0;       ///< what the config promises
    std::optional<int> beginToken;        ///< that every text begins with
    std::optional<int> betweenDocuments;  ///< bos_token_id where texts do not begin with it: where documents start
    std::optional<int> maskToken;         ///< what stands for hidden tokens in a model that was trained to find them

    /// Of the first layer that has any.
    const Choice& position() const;
    const OwnPosition& ownPosition() const;  ///< the same with what it is beyond N
    bool operator==(const Architecture&) const = default;
};

/// "Llama: 5 layers, width 64, 8 query heads on 4 key heads of size 8, vocabulary 512, trained at 512"
std::string describe(const Architecture& architecture);

/// "rope:base=1e+06,interleaved=0", "learned", and where layers differ "window:w=4096 in 20 of 26, causal in 6".
std::string describePositions(const Architecture& architecture);
/// "RoPE", "Llama 3 RoPE", "learned": of the first layer that has any.
std::string positionInWords(const Architecture& architecture);
/// "RoPE in 3 of 4 layers; none in 1 of 4 layers": of all layers.
std::string positionsInWords(const Architecture& architecture);
std::string describeMasks(const Architecture& architecture);

/// The model's own mask of a layer: causal, or a window.
const Choice& maskOf(const Architecture& architecture, int layer);

/// "RoPE, base 1e+06; window of 4096 keys; soft-cap 50; norms of queries and keys; 2 of 8 experts": positions, what it
/// sees, and what else it has of its own.
std::string layerInWords(const Architecture& architecture, int layer);

/// Errors: InvalidArgument, where there is no such layer.
Result<void> checkLayer(const Architecture& architecture, int layer);

}  // namespace attnscope
