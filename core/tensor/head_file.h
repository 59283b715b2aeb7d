#pragma once
// From a file of tensors to the heads of one layer: which tensors are queries and keys (found by name), which axis is
// what (a layout: from the metadata, or guessed from the shapes, shown and changeable), what the file says about the
// model, and the heads themselves as float32 matrices.

#include "core/base/choice.h"
#include "core/tensor/head_set.h"
#include "core/tensor/tensor_file.h"

#include <optional>

namespace attnscope {

inline constexpr int mostHeads = 16384;        ///< of one tensor
inline constexpr int largestHeadSize = 65536;  ///< d, of tensors as of made-up queries and keys

/// Which queries and keys of a file.
struct TensorSelection {
    std::string path;
    std::string query, key;   ///< tensor names; empty: the first pair found by name
    std::string layout = {};  ///< id of a layout; empty: guessed
    std::string holds = {};   ///< "" (queries and keys), "logits" or "weights": then `query` names them
    int head = 0;
    std::vector<int> mean = {};  ///< several heads, whose mean is shown in place of `head`; empty: `head` alone
    std::int64_t batch = 0;      ///< for layouts with a batch axis; with two, of layers and batch, counted through both
    int headCount = 0;           ///< of queries whose heads lie side by side in their last axis; 0: they do not
    bool operator==(const TensorSelection&) const = default;
};

/// "head 3", "mean of heads 0-3, 6".
std::string describeHeads(const TensorSelection& selection);

enum class Axis { Batch, Heads, Tokens, Dim };

/// Which axis of a tensor is what. For logits and weights "tokens" are the queries and "dim" the keys.
struct Layout : Entry {
    std::vector<Axis> axes;
};

/// All of one element of the batch: TensorSelection::batch counts through all batch axes of the layout, the last one
/// fastest.
Box boxOfBatch(const Layout& layout, const std::vector<std::int64_t>& shape, std::int64_t batch);

/// tokens_dim, heads_tokens_dim, tokens_heads_dim, batch_tokens_dim, batch_heads_tokens_dim, batch_tokens_heads_dim,
/// layers_batch_heads_tokens_dim.
std::span<const Layout> layouts();

/// Tensors that belong together by their names.
struct HeadCandidate {
    std::string label;        ///< "layer2", or the file's name where the tensors have no prefix
    std::string query, key;   ///< `key` is empty for logits and weights
    std::string holds;        ///< "", "logits" or "weights"
    std::string layout;       ///< id of the layout that is guessed
    std::int64_t batch = 0;   ///< of a tensor that stacks layers: its layer's first element
    int headCount = 0;        ///< TensorSelection::headCount
    bool preRope = false;     ///< the names say that positions are not yet applied
    bool projection = false;  ///< W_Q and W_K: a row is a model dimension, not a token
};

/// Pairs whose names differ in one word, q/k, query/key, q_proj/k_proj; then those before RoPE, then logits and
/// weights, then projections; each group in the order of the file.
/// The weights of a model's layers are none of them: see weightsOfModel.
std::vector<HeadCandidate> findCandidates(const TensorFile& file);

/// Why a file without candidates has none: it is a model's, with the weights that make queries and keys of tokens
/// ("q_proj.weight" and "c_attn.weight" of two axes). Tells what to do with such a file. Nothing: it is another.
std::optional<Error> weightsOfModel(const TensorFile& file);

/// The folder of the file, if a config.json lies beside it: what opens as a model.
std::optional<std::string> modelFolderOf(const std::string& path);

/// The first of them that are alike: one a layer. Those before RoPE are the same layers once more, projections no heads
/// of tokens.
std::vector<HeadCandidate> layersAmong(std::vector<HeadCandidate> candidates);

/// What the file and the names of its tensors say; empty where they say nothing.
struct HeadFacts {
    std::string model;
    std::optional<bool> causal;
    std::optional<bool> rotated;  ///< are positions already applied to these queries and keys?
    std::optional<double> ropeBase;
    std::optional<bool> ropeInterleaved;  ///< neighbouring pairs, rather than halves
    std::optional<double> trainedLength;  ///< tokens
    std::optional<bool> rowsSumToOne;     ///< of finished weights
    // what a model of this program did in the layer, as it writes it: choices of the registries as text
    std::string position = {}, mask = {};
    std::optional<double> softCap = {};
    std::vector<double> sinks = {};  ///< a silent key's logit a query head
};
HeadFacts factsOf(const TensorFile& file, std::string_view query);
/// Of a selection with everything filled in. Finished weights say more than their names: whether any query gives some
/// to later keys, and whether rows sum to 1. Three rows of each head are read for that.
HeadFacts factsOf(const TensorFile& file, const TensorSelection& selection);

/// N, in a field of its own (n_train, trained_length, max_position_embeddings, context_length) or in the model's
/// description: "trained at n=100".
std::optional<double> trainedLengthOf(const TensorFile& file);

/// The positions to apply to tensors that were recorded before them, as far as the file says: RoPE with its base and
/// pairing.
Choice ropeOf(const HeadFacts& facts);

/// The selection with everything filled in: names, what they hold, layout. Errors: UnknownName, InvalidArgument,
/// DataError.
Result<TensorSelection> resolveSelection(const TensorFile& file, const TensorSelection& selection);

/// Numbers of heads, of the model whose config.json lies in the same folder; 0 where it is not said.
struct HeadsBeside {
    std::int64_t queries = 0, keys = 0, size = 0;
};

/// How the axes of the tensors are read.
struct LayoutReading {
    const Layout* layout = nullptr;
    int headCount = 0;              ///< TensorSelection::headCount
    std::string doubts;             ///< what was guessed, and what the other reading would be; empty where nothing was
    const Layout* other = nullptr;  ///< where heads and tokens may be the other way round: that layout
};

/// selection.layout, or the metadata's; else what is certain by the shapes (keys that do not divide the queries are
/// tokens), by TransformerLens' hooks, or by the number of heads in the config.json beside the file; else keys that
/// divide the queries are of grouped heads, and of equal shapes the longer axis is of tokens: guesses. `beside` keeps
/// what the config says, for callers that ask of many tensors. Errors: UnknownName, DataError.
Result<LayoutReading> readLayout(const TensorFile& file, const TensorSelection& selection,
                                 std::optional<HeadsBeside>* beside = nullptr);
Result<const Layout*> layoutOf(const TensorFile& file, const TensorSelection& selection);

/// What loadHeads would give, from the headers alone.
struct HeadSizes {
    std::int64_t batches = 1, heads = 1, keyHeads = 1, queries = 0, keys = 0;
    int headSize = 0;  ///< 0 for logits and weights
};
/// Errors: those of loadHeads that shapes show.
Result<HeadSizes> sizesOf(const TensorFile& file, const TensorSelection& selection);

/// How to look at queries and keys as their model does, as far as the file says.
struct SuggestedView {
    Choice mask;      ///< causal or full; where the file does not say, causal for as many queries as keys
    Choice position;  ///< RoPE for queries and keys from before it, else none
    Choice normaliser{"softmax", {}, {}};  ///< as_given for finished weights that do not sum to 1
};
SuggestedView suggestedFor(const HeadFacts& facts, const HeadSizes& sizes);

/// Every file that openHeadFile and loadHeads look at for this path, whether there is one of that name or not: the
/// file, the model's config.json beside it, a .npy of keys beside one of queries, labels of tokens.
std::vector<std::string> filesOfHeads(const std::string& path);

/// As TensorFile::open; for a .npy of queries it also takes the file of keys beside it (q.npy and k.npy).
Result<TensorFile> openHeadFile(const std::string& path);

/// The heads. Logits that are the lowest number of float16, bfloat16 or float32, or near it, stand for masked keys and
/// become -inf (HeadSet::maskedByValue). Labels come from NAME.tokens.json, NAME.tokens.txt, tokens.json or tokens.txt
/// beside the file, or from the metadata. Errors: DataError (with the index of a value that is not finite, head sizes
/// that differ, key heads that do not divide query heads, no rows), UnknownName, InvalidArgument and those of reading.
Result<HeadSet> loadHeads(const TensorFile& file, const TensorSelection& selection);

}  // namespace attnscope
