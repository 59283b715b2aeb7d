#pragma once
// What folders and .gguf files call the same tensors (gguf_families.h), from llama.cpp's converter
// (gguf-py/gguf/tensor_mapping.py): by architecture where they differ from Llama's.

#include <string_view>
#include <utility>

namespace attnscope::ggufNames {

// Names outside the layers, and in one.
inline constexpr std::pair<std::string_view, std::string_view> llamaAround[]{
    {"model.embed_tokens", "token_embd"}, {"model.norm", "output_norm"}, {"lm_head", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> llamaWithin[]{
    {"input_layernorm", "attn_norm"},
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
    {"mlp.shared_experts.down_proj", "ffn_down_shexp"}};
inline constexpr std::pair<std::string_view, std::string_view> mixtralWithin[]{
    {"block_sparse_moe.gate", "ffn_gate_inp"},
    {"block_sparse_moe.experts.*.w1", "ffn_gate_exps"},
    {"block_sparse_moe.experts.*.w2", "ffn_down_exps"},
    {"block_sparse_moe.experts.*.w3", "ffn_up_exps"}};
inline constexpr std::pair<std::string_view, std::string_view> gptOssWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}, {"mlp.router", "ffn_gate_inp"}};
inline constexpr std::pair<std::string_view, std::string_view> olmoWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}, {"post_feedforward_layernorm", "post_ffw_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> deepseekWithin[]{
    {"self_attn.q_a_proj", "attn_q_a"},
    {"self_attn.q_a_layernorm", "attn_q_a_norm"},
    {"self_attn.q_b_proj", "attn_q_b"},
    {"self_attn.kv_a_proj_with_mqa", "attn_kv_a_mqa"},
    {"self_attn.kv_a_layernorm", "attn_kv_a_norm"},
    {"self_attn.kv_b_proj", "attn_kv_b"},
    {"self_attn.k_b_proj", "attn_k_b"},
    {"self_attn.v_b_proj", "attn_v_b"}};
inline constexpr std::pair<std::string_view, std::string_view> llama4Within[]{
    {"feed_forward.gate_proj", "ffn_gate"},
    {"feed_forward.up_proj", "ffn_up"},
    {"feed_forward.down_proj", "ffn_down"},
    {"feed_forward.router", "ffn_gate_inp"},
    {"feed_forward.experts.*.gate_proj", "ffn_gate_exps"},
    {"feed_forward.experts.*.up_proj", "ffn_up_exps"},
    {"feed_forward.experts.*.down_proj", "ffn_down_exps"},
    {"feed_forward.shared_expert.gate_proj", "ffn_gate_shexp"},
    {"feed_forward.shared_expert.up_proj", "ffn_up_shexp"},
    {"feed_forward.shared_expert.down_proj", "ffn_down_shexp"}};
inline constexpr std::pair<std::string_view, std::string_view> glm4Within[]{
    {"post_self_attn_layernorm", "post_attention_norm"}, {"post_mlp_layernorm", "post_ffw_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> glm4MoeWithin[]{
    {"post_attention_layernorm", "post_attention_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> gemmaWithin[]{
    {"post_attention_layernorm", "post_attention_norm"},
    {"pre_feedforward_layernorm", "ffn_norm"},
    {"post_feedforward_layernorm", "post_ffw_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> gpt2Around[]{
    {"wte", "token_embd"}, {"wpe", "position_embd"}, {"ln_f", "output_norm"}, {"lm_head", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> gpt2Within[]{
    {"ln_1", "attn_norm"},          {"ln_2", "ffn_norm"},   {"attn.c_attn", "attn_qkv"},
    {"attn.c_proj", "attn_output"}, {"mlp.c_fc", "ffn_up"}, {"mlp.c_proj", "ffn_down"}};

inline constexpr std::pair<std::string_view, std::string_view> bloomAround[]{
    {"word_embeddings", "token_embd"},
    {"word_embeddings_layernorm", "token_embd_norm"},
    {"ln_f", "output_norm"},
    {"lm_head", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> bloomWithin[]{
    {"input_layernorm", "attn_norm"},
    {"post_attention_layernorm", "ffn_norm"},
    {"self_attention.query_key_value_in_turn", "attn_qkv"},
    {"self_attention.dense", "attn_output"},
    {"mlp.dense_h_to_4h", "ffn_up"},
    {"mlp.dense_4h_to_h", "ffn_down"}};
inline constexpr std::pair<std::string_view, std::string_view> neoXAround[]{
    {"gpt_neox.embed_in", "token_embd"}, {"gpt_neox.final_layer_norm", "output_norm"}, {"embed_out", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> neoXWithin[]{
    {"attention.query_key_value_in_turn", "attn_qkv"}, {"attention.dense", "attn_output"}};
inline constexpr std::pair<std::string_view, std::string_view> falconWithin[]{
    {"self_attention.query_key_value_in_turn", "attn_qkv"}, {"ln_attn", "attn_norm_2"}, {"ln_mlp", "attn_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> mptAround[]{
    {"wte", "token_embd"}, {"norm_f", "output_norm"}, {"lm_head", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> mptWithin[]{
    {"norm_1", "attn_norm"},          {"norm_2", "ffn_norm"},    {"attn.Wqkv", "attn_qkv"},
    {"attn.out_proj", "attn_output"}, {"ffn.up_proj", "ffn_up"}, {"ffn.down_proj", "ffn_down"}};
inline constexpr std::pair<std::string_view, std::string_view> bertAround[]{
    {"bert.embeddings.word_embeddings", "token_embd"},
    {"bert.embeddings.position_embeddings", "position_embd"},
    {"bert.embeddings.token_type_embeddings", "token_types"},
    {"bert.embeddings.LayerNorm", "token_embd_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> bertWithin[]{
    {"attention.self.query", "attn_q"},
    {"attention.self.key", "attn_k"},
    {"attention.self.value", "attn_v"},
    {"attention.output.dense", "attn_output"},
    {"attention.output.LayerNorm", "attn_output_norm"},
    {"intermediate.dense", "ffn_up"},
    {"output.dense", "ffn_down"},
    {"output.LayerNorm", "layer_output_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> nomicBertAround[]{
    {"embeddings.word_embeddings", "token_embd"},
    {"embeddings.token_type_embeddings", "token_types"},
    {"emb_ln", "token_embd_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> nomicBertWithin[]{
    {"attn.Wqkv", "attn_qkv"}, {"attn.out_proj", "attn_output"}, {"norm1", "attn_output_norm"}, {"mlp.fc11", "ffn_up"},
    {"mlp.fc12", "ffn_gate"},  {"mlp.fc2", "ffn_down"},          {"norm2", "layer_output_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> modernBertAround[]{
    {"model.embeddings.tok_embeddings", "token_embd"},
    {"model.embeddings.norm", "token_embd_norm"},
    {"model.final_norm", "output_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> modernBertWithin[]{
    {"attn_norm", "attn_norm"}, {"mlp_norm", "ffn_norm"}, {"attn.Wqkv", "attn_qkv"},
    {"attn.Wo", "attn_output"}, {"mlp.Wi", "ffn_up"},     {"mlp.Wo", "ffn_down"}};

inline constexpr std::pair<std::string_view, std::string_view> sharedExpertWithin[]{
    {"mlp.shared_expert_gate", "ffn_gate_inp_shexp"},
    {"mlp.shared_expert.gate_proj", "ffn_gate_shexp"},
    {"mlp.shared_expert.up_proj", "ffn_up_shexp"},
    {"mlp.shared_expert.down_proj", "ffn_down_shexp"}};
inline constexpr std::pair<std::string_view, std::string_view> graniteMoeWithin[]{
    {"block_sparse_moe.router.layer", "ffn_gate_inp"},
    {"block_sparse_moe.experts.*.gate_proj", "ffn_gate_exps"},
    {"block_sparse_moe.experts.*.up_proj", "ffn_up_exps"},
    {"block_sparse_moe.experts.*.down_proj", "ffn_down_exps"},
    {"shared_mlp.gate_proj", "ffn_gate_shexp"},
    {"shared_mlp.up_proj", "ffn_up_shexp"},
    {"shared_mlp.down_proj", "ffn_down_shexp"}};
inline constexpr std::pair<std::string_view, std::string_view> stableLmWithin[]{
    {"self_attn.q_layernorm", "attn_q_norm"}, {"self_attn.k_layernorm", "attn_k_norm"}};
inline constexpr std::pair<std::string_view, std::string_view> starCoder2Within[]{{"mlp.c_fc", "ffn_up"},
                                                                                  {"mlp.c_proj", "ffn_down"}};
inline constexpr std::pair<std::string_view, std::string_view> phiAround[]{
    {"model.embed_tokens", "token_embd"}, {"model.final_layernorm", "output_norm"}, {"lm_head", "output"}};
inline constexpr std::pair<std::string_view, std::string_view> phiWithin[]{
    {"self_attn.dense", "attn_output"}, {"mlp.fc1", "ffn_up"}, {"mlp.fc2", "ffn_down"}};

/// Tensors whose names do not end as others do.
inline constexpr std::pair<std::string_view, std::string_view> wholeWithin[]{
    {"self_attn.sinks", "attn_sinks.weight"},
    {"mlp.gate.e_score_correction_bias", "exp_probs_b.bias"},
    {"block_sparse_moe.e_score_correction_bias", "exp_probs_b.bias"}};

}  // namespace attnscope::ggufNames
