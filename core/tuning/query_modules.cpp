#include "core/tuning/query_modules.h"

#include <algorithm>

namespace attnscope {

namespace {

/// Where transformers has a family's queries: the projection's first columns are they; where a norm comes after it,
/// that module's output. Those whose modules give queries and keys mixed, or bring none to text alone, are not here.
struct QueryRow {
    const char* type;
    const char* layers = "model.model.layers";
    const char* projection = "self_attn.q_proj";
    const char* norm = nullptr;  ///< null: a norm has no module of the queries alone
    QueryAxes normed = QueryAxes::TokensFirst;
};

// of files that hold pictures too the part for texts
constexpr const char* ofTexts = "getattr(model.model, \"language_model\", model.model).layers";
constexpr QueryRow queryRows[]{
    {"llama"},
    {"mistral", ofTexts},
    {"ministral"},
    {"ministral3", ofTexts},
    {"mixtral"},
    {"qwen2"},
    {"qwen2_moe"},
    {.type = "qwen3", .norm = "self_attn.q_norm"},
    {.type = "qwen3_moe", .norm = "self_attn.q_norm"},
    {"gemma"},
    {"gemma2"},
    {.type = "gemma3_text", .layers = ofTexts, .norm = "self_attn.q_norm", .normed = QueryAxes::HeadsFirst},
    {"vaultgemma"},
    {"phi"},
    {.type = "phi3", .projection = "self_attn.qkv_proj"},
    {"olmo"},
    {.type = "olmo2", .norm = "self_attn.q_norm", .normed = QueryAxes::Flat},
    {.type = "olmo3", .norm = "self_attn.q_norm", .normed = QueryAxes::Flat},
    {.type = "olmoe", .norm = "self_attn.q_norm", .normed = QueryAxes::Flat},
    {"smollm3"},
    {"granite"},
    {"granitemoe"},
    {"granitemoeshared"},
    {"gpt_oss"},
    {.type = "cohere", .norm = "self_attn.q_norm"},
    {"cohere2"},
    {"glm"},
    {"glm4"},
    {.type = "glm4_moe", .norm = "self_attn.q_norm"},
    {.type = "exaone4", .norm = "self_attn.q_norm", .normed = QueryAxes::HeadsFirst},
    {.type = "dots1", .norm = "self_attn.q_norm"},
    {.type = "minimax_m2", .norm = "self_attn.q_norm", .normed = QueryAxes::Flat},
    {"llama4_text"},
    {"cwm"},
    {"seed_oss"},
    {"helium"},
    {"ernie4_5"},
    {"arcee"},
    {.type = "nanochat", .norm = "self_attn.q_norm", .normed = QueryAxes::HeadsFirst},
    {.type = "stablelm", .norm = "self_attn.q_layernorm", .normed = QueryAxes::HeadsFirst},
    {"starcoder2"},
    {"nemotron"},
    {"mpt", "model.transformer.blocks", "attn.Wqkv"},
    {"opt", "model.model.decoder.layers"},
    {"gpt2", "model.transformer.h", "attn.c_attn"},
    {"gptj", "model.transformer.h", "attn.q_proj"},
    {"gpt_neo", "model.transformer.h", "attn.attention.q_proj"},
    {"gpt_bigcode", "model.transformer.h", "attn.c_attn"},
};

}  // namespace

Result<QueryModule> queriesOf(const Architecture& a)
{
    const auto row = std::ranges::find(queryRows, a.type, [](const QueryRow& one) { return std::string(one.type); });
    // with keys of their own, its heads' queries, keys and values lie in turn
    if (row == std::end(queryRows) || (a.type == "gpt_bigcode" && a.keyHeads != 1))
        return failure(
            ErrorKind::Unavailable,
            "models of the kind {} have no module in transformers that gives the queries alone, or first, so "
            "no hook is written; factors can say it",
            a.type);
    const auto anyLayer = [&](const auto& has) { return std::ranges::any_of(a.specs, has); };
    const bool normed = anyLayer([](const LayerSpec& spec) { return spec.headNorm != HeadNorm::None; });
    if ((normed && !row->norm) || anyLayer([](const LayerSpec& spec) { return spec.clamp > 0; }))
        return failure(ErrorKind::Unavailable,
                       "this model norms or bounds its queries after the last module that gives them alone, so no hook "
                       "is written; factors can say it");
    return QueryModule{row->layers, std::string("block.") + (normed ? row->norm : row->projection),
                       normed ? row->normed : QueryAxes::Flat};
}

std::string hookOf(QueryAxes axes)
{
    const std::string m = "torch.tensor(m, dtype=q.dtype, device=q.device)";
    switch (axes) {
    case QueryAxes::TokensFirst:
        return "    def hook(module, inputs, q):  # (batch, tokens, heads, D)\n        return q * " + m + "[:, None]\n";
    case QueryAxes::HeadsFirst:
        return "    def hook(module, inputs, q):  # (batch, heads, tokens, D)\n        return q * " + m +
               "[:, None, None]\n";
    default:
        return "    def hook(module, inputs, q):  # (batch, tokens, heads * D and more)\n        k = " + m +
               ".repeat_interleave(D)\n        return torch.cat([q[..., :len(k)] * k, q[..., len(k):]], -1)\n";
    }
}

}  // namespace attnscope
