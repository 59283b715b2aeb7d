#pragma once
// What folders and .gguf files call the same tensors, without ".weight" and ".bias", from llama.cpp's converter
// (gguf-py/gguf/tensor_mapping.py): the names that several architectures share. An architecture's own stand in its
// family's file.

#include <span>
#include <string_view>
#include <utility>

namespace attnscope {

using GgufName = std::pair<std::string_view, std::string_view>;  ///< in folders, in files
using GgufPairs = std::span<const GgufName>;

struct GgufNames {
    std::string_view layers;  ///< what the names of a layer's tensors begin with
    GgufPairs around, within;
};

namespace ggufNames {

inline constexpr GgufName llamaAround[]{
    {"model.embed_tokens", "token_embd"}, {"model.norm", "output_norm"}, {"lm_head", "output"}};
inline constexpr GgufName llamaWithin[]{{"input_layernorm", "attn_norm"},
                                        {"post_attention_layernorm", "ffn_norm"},
                                        {"self_attn.q_proj", "attn_q"},
                                        {"self_attn.k_proj", "attn_k"},
                                        {"self_attn.v_proj", "attn_v"},
                                        {"self_attn.qkv_proj", "attn_qkv"},
                                        {"self_attn.o_proj", "attn_output"},
                                        {"self_attn.q_norm", "attn_q_norm"},
                                        {"self_attn.k_norm", "attn_k_norm"},
                                        {"mlp.gate_proj", "ffn_gate"},
                                        {"mlp.up_proj", "ffn_up"},
                                        {"mlp.gate_up_proj", "ffn_up"},
                                        {"mlp.down_proj", "ffn_down"},
                                        {"mlp.gate", "ffn_gate_inp"},
                                        {"mlp.experts.*.gate_proj", "ffn_gate_exps"},
                                        {"mlp.experts.*.up_proj", "ffn_up_exps"},
                                        {"mlp.experts.*.down_proj", "ffn_down_exps"},
                                        {"mlp.shared_experts.gate_proj", "ffn_gate_shexp"},
                                        {"mlp.shared_experts.up_proj", "ffn_up_shexp"},
                                        {"mlp.shared_experts.down_proj", "ffn_down_shexp"},
                                        {"block_sparse_moe.gate", "ffn_gate_inp"},  // Mixtral's, here to the last
                                        {"block_sparse_moe.experts.*.w1", "ffn_gate_exps"},
                                        {"block_sparse_moe.experts.*.w2", "ffn_down_exps"},
                                        {"block_sparse_moe.experts.*.w3", "ffn_up_exps"}};
inline constexpr GgufNames llama{"model.layers.", llamaAround, llamaWithin};

/// Of Llama's kin with norms after blocks, or whose second norm is called by what it comes after.
inline constexpr GgufName normsAfter[]{{"post_attention_layernorm", "post_attention_norm"},
                                       {"pre_feedforward_layernorm", "ffn_norm"},
                                       {"post_feedforward_layernorm", "post_ffw_norm"}};

inline constexpr GgufName gpt2Around[]{
    {"wte", "token_embd"}, {"wpe", "position_embd"}, {"ln_f", "output_norm"}, {"lm_head", "output"}};
inline constexpr GgufName gpt2Within[]{{"ln_1", "attn_norm"},       {"ln_2", "ffn_norm"},
                                       {"attn.c_attn", "attn_qkv"}, {"attn.c_proj", "attn_output"},
                                       {"mlp.c_fc", "ffn_up"},      {"mlp.c_proj", "ffn_down"}};
inline constexpr GgufNames gpt2{"h.", gpt2Around, gpt2Within};

inline constexpr GgufName bloomAround[]{{"word_embeddings", "token_embd"},
                                        {"word_embeddings_layernorm", "token_embd_norm"},
                                        {"ln_f", "output_norm"},
                                        {"lm_head", "output"}};
inline constexpr GgufName bloomWithin[]{{"input_layernorm", "attn_norm"},
                                        {"post_attention_layernorm", "ffn_norm"},
                                        {"self_attention.query_key_value_in_turn", "attn_qkv"},
                                        {"self_attention.dense", "attn_output"},
                                        {"mlp.dense_h_to_4h", "ffn_up"},
                                        {"mlp.dense_4h_to_h", "ffn_down"}};
inline constexpr GgufNames bloom{"h.", bloomAround, bloomWithin};

/// Tensors whose names do not end as others do.
inline constexpr GgufName wholeWithin[]{{"self_attn.sinks", "attn_sinks.weight"},
                                        {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias"},
                                        {"block_sparse_moe.e_score_correction_bias", "exp_probs_b.bias"}};

}  // namespace ggufNames

}  // namespace attnscope
