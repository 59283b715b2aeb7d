#include "core/model/families/families.h"

#include <algorithm>

// One line a model_type.
// clang-format off
#define ATTNSCOPE_FAMILIES(row) \
    row(llama) \
    row(mistral) \
    row(ministral) \
    row(ministral3) \
    row(mixtral) \
    row(qwen2) \
    row(qwen2Moe) \
    row(qwen3) \
    row(qwen3Moe) \
    row(gemma) \
    row(gemma2) \
    row(gemma3) \
    row(vaultGemma) \
    row(phi) \
    row(phi3) \
    row(olmo) \
    row(olmo2) \
    row(olmo3) \
    row(olmoe) \
    row(smollm3) \
    row(granite) \
    row(graniteMoe) \
    row(graniteMoeShared) \
    row(gptOss) \
    row(cohere) \
    row(cohere2) \
    row(glm) \
    row(glm4) \
    row(glm4Moe) \
    row(glm4MoeLite) \
    row(exaone4) \
    row(deepseekV2) \
    row(deepseekV3) \
    row(dots1) \
    row(miniMaxM2) \
    row(llama4) \
    row(cwm) \
    row(seedOss) \
    row(helium) \
    row(ernie45) \
    row(arcee) \
    row(nanochat) \
    row(stableLm) \
    row(starCoder2) \
    row(nemotron) \
    row(falcon) \
    row(mpt) \
    row(bloom) \
    row(opt) \
    row(gpt2) \
    row(gptJ) \
    row(gptNeo) \
    row(gptNeoX) \
    row(gptBigCode) \
    row(bert) \
    row(roberta) \
    row(xlmRoberta) \
    row(camembert) \
    row(distilBert) \
    row(electra) \
    row(albert) \
    row(roformer) \
    row(nomicBert) \
    row(modernBert) \
    row(euroBert)
// clang-format on

#define ATTNSCOPE_DECLARE(name) Family name();
#define ATTNSCOPE_CALL(name) family::name(),

namespace attnscope {

namespace family {
ATTNSCOPE_FAMILIES(ATTNSCOPE_DECLARE)
}

std::span<const Family> families()
{
    static const std::vector<Family> rows{ATTNSCOPE_FAMILIES(ATTNSCOPE_CALL)};
    return rows;
}

std::span<const Wrapper> wrappers()
{
    static constexpr Wrapper rows[]{{"gemma3", "gemma3_text"}, {"mistral3", "mistral"}, {"llama4", "llama4_text"}};
    return rows;
}

void eachLayer(WeightReader& read, Model& model, const std::string& prefix, const TakeLayer& take)
{
    const Architecture& a = read.architecture();
    for (int l = 0; l < a.layers && !read.error(); ++l)
        take(a.specs[static_cast<size_t>(l)], prefix + std::to_string(l) + ".", model.layers.emplace_back());
}

namespace {

/// Of two matrices of one shape, as float32.
bool haveOtherNumbers(const StoredMatrix& one, const StoredMatrix& other)
{
    std::vector<float> room, otherRoom;
    for (Index row = 0; row < one.rows; ++row) {
        const float* const numbers = one.floats(row, 1, room);
        if (!std::equal(numbers, numbers + one.columns, other.floats(row, 1, otherRoom)))
            return true;
    }
    return false;
}

}  // namespace

StoredMatrix headOrEmbedding(WeightReader& read, Model& model, const std::string& name)
{
    const StoredMatrix& tied = model.embedding;
    const Architecture& a = read.architecture();
    const Index narrow = a.embeddingSize > 0 ? a.embeddingSize : a.width;
    if (!a.tiedEmbeddings)
        return read.matrix(name, a.vocabulary, narrow);
    read.passOver(name);
    if (!tied.data || read.shapeOf(name) != std::vector<std::int64_t>{tied.rows, tied.columns})
        return tied;
    const auto own = read.peek(name, tied.rows, tied.columns);
    if (!own || !haveOtherNumbers(*own, tied))
        return tied;
    model.architecture.tiedEmbeddings = false;
    model.remarks.push_back(model.folder + ": config.json gives the head the embedding's weights, and " + name +
                            " holds others; those are taken, as transformers does");
    return read.matrix(name, tied.rows, tied.columns);
}

void tokenHead(WeightReader& read, Model& model, const std::string& name, bool bias)
{
    model.head.weight = headOrEmbedding(read, model, name + ".weight");
    if (bias)
        model.head.bias = read.vector(name + ".bias", read.architecture().vocabulary);
}

void passOverTriangles(WeightReader& read)
{
    for (const char* buffer : {".attn.bias", ".attn.masked_bias", ".attention.bias", ".attention.masked_bias"})
        read.passOver(buffer);
}

void gptLike(WeightReader& read, Model& model, const GptNames& names, const TakeLayer& take)
{
    const Architecture& a = read.architecture();
    const std::string embedding = std::string(names.embedding) + ".weight",
                      prefix = read.prefixOf(embedding, {"transformer.", ""});
    model.embedding = read.matrix(prefix + embedding, a.vocabulary, a.width);
    if (a.learnedPositions > 0)
        model.positions = read.matrix(prefix + "wpe.weight", a.learnedPositions, a.width);
    eachLayer(read, model, prefix + names.layers, take);
    model.finalNorm = read.norm(prefix + names.last);
    tokenHead(read, model, "lm_head", names.headBias);
    passOverTriangles(read);
}

std::vector<float> firstRow(WeightReader& read, const std::string& name, Index width)
{
    const StoredMatrix all = read.matrix(name, std::max<Index>(1, read.rowsIn(name)), width);
    if (!all.data)
        return {};
    std::vector<float> room;
    const float* const first = all.floats(0, 1, room);
    return {first, first + width};
}

void stackedHeads(WeightReader& read, const std::string& name, bool bias, LayerWeights& target)
{
    const Architecture& a = read.architecture();
    const Index queries = Index{a.heads} * a.headSize, keys = Index{a.keyHeads} * a.headSize;
    const Linear all = read.linear(name, {.outputs = queries + 2 * keys, .inputs = a.width, .bias = bias});
    target.projections = {{.map = rowsOf(all, 0, queries)},
                          {.map = rowsOf(all, queries, keys)},
                          {.map = rowsOf(all, queries + keys, keys)}};
    takeHeadsInOrder(target, a);
}

void fusedHeads(WeightReader& read, const std::string& name, bool bias, LayerWeights& target)
{
    const Architecture& a = read.architecture();
    const Index d = a.headSize, width = Index{a.heads} * d;
    const bool inTurn = read.has(name + "_in_turn.weight");
    const Index next = inTurn ? width : d, stride = inTurn ? d : 3 * d;
    target.projections = {{.map = read.linear(inTurn ? name + "_in_turn" : name,
                                              {.outputs = 3 * width, .inputs = a.width, .bias = bias})}};
    target.query = {{0, 0, stride, d}};
    target.key = {{0, next, stride, d}};
    target.value = {{0, 2 * next, stride, d}};
}

FeedWeights plainFeed(WeightReader& read, const LayerSpec& spec, const std::string& up, const std::string& down)
{
    const Index width = read.architecture().width;
    return {.gate = {},
            .up = read.linear(up, {.outputs = spec.inner, .inputs = width, .bias = spec.feedBias}),
            .down = read.linear(down, {.outputs = width, .inputs = spec.inner, .bias = spec.feedBias})};
}

void passOverPictures(WeightReader& read)
{
    for (const char* part : {"vision_tower.", "vision_model.", "multi_modal_projector."})
        read.passOver(part);
}

}  // namespace attnscope
