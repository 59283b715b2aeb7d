"""Losses of a small model of every family by transformers itself, and the mean entropies of its heads' rows, in double precision:
python3 transformers_losses.py > transformers.json. Needs PyTorch and transformers (5.17 made the file that is here). A number of a
tensor is a function of its name and its place, as in every_family.cpp; names and shapes are those that transformers writes."""

import json
import math
import sys
import tempfile

import numpy as np
import torch
import transformers
from safetensors.numpy import load_file, save_file

IDS = [(i * i * 7 + i * 13 + 5) % 61 for i in range(40)]
BASE = dict(vocab_size=61, hidden_size=24, intermediate_size=40, num_hidden_layers=3, num_attention_heads=6, max_position_embeddings=64,
            bos_token_id=1, eos_token_id=2, pad_token_id=0)
GROUPED = dict(BASE, num_key_value_heads=2)
WIDE = dict(GROUPED, head_dim=8)
ENCODER = dict(BASE, mask_token_id=3)


def rope(kind="default", theta=10000.0, **fields):
    return {"rope_type": kind, "rope_theta": theta, **fields}


YARN = rope("yarn", factor=4.0, original_max_position_embeddings=16, beta_fast=32.0, beta_slow=1.0)
LLAMA3 = rope("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=16)
LONG = rope("longrope", long_factor=[1.0, 2.5, 4.4, 5.0], short_factor=[1.0, 1.05, 1.1, 1.2])
SLIDING = ["sliding_attention", "sliding_attention", "full_attention"]
EXPERTS = dict(num_experts=4, num_experts_per_tok=2, moe_intermediate_size=16)
LATENT = dict(BASE, num_key_value_heads=6, kv_lora_rank=12, qk_nope_head_dim=8, qk_rope_head_dim=4, v_head_dim=6, n_routed_experts=6,
              num_experts_per_tok=2, n_shared_experts=2, moe_intermediate_size=16, n_group=3, topk_group=2, first_k_dense_replace=1,
              routed_scaling_factor=1.5)
FALCON = {key: value for key, value in BASE.items() if key != "intermediate_size"}
GPT2 = dict(n_embd=24, n_layer=3, n_head=6, n_positions=64, vocab_size=61, bos_token_id=1, eos_token_id=2)

MODELS = {
    "llama": ("llama", dict(WIDE)),
    "llama, biases": ("llama", dict(GROUPED, attention_bias=True, mlp_bias=True)),
    "llama, llama3": ("llama", dict(WIDE, rope_parameters=LLAMA3)),
    "llama, linear": ("llama", dict(WIDE, rope_parameters=rope("linear", factor=4.0))),
    "llama, dynamic": ("llama", dict(WIDE, max_position_embeddings=16, rope_parameters=rope("dynamic", factor=4.0))),
    "llama, yarn": ("llama", dict(WIDE, rope_parameters=YARN)),
    "llama, yarn, mscale": ("llama", dict(WIDE, rope_parameters=dict(YARN, mscale=0.7, mscale_all_dim=1.0))),
    "llama, yarn, truncate": ("llama", dict(WIDE, rope_parameters=dict(YARN, truncate=False, attention_factor=1.3))),
    "llama, longrope": ("llama", dict(WIDE, rope_parameters=dict(LONG, original_max_position_embeddings=16, factor=4.0))),
    "mistral": ("mistral", dict(WIDE, sliding_window=6)),
    "ministral": ("ministral", dict(WIDE, sliding_window=6, layer_types=SLIDING)),
    "ministral3": ("ministral3", dict(WIDE, rope_parameters=dict(YARN, mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1))),
    "mixtral": ("mixtral", dict(GROUPED, num_local_experts=4, num_experts_per_tok=2)),
    "qwen2": ("qwen2", dict(GROUPED, use_sliding_window=True, sliding_window=6, max_window_layers=1)),
    "qwen2_moe": ("qwen2_moe", dict(GROUPED, **EXPERTS, shared_expert_intermediate_size=20, mlp_only_layers=[1])),
    "qwen3": ("qwen3", dict(WIDE)),
    "qwen3_moe": ("qwen3_moe", dict(WIDE, **EXPERTS, norm_topk_prob=True, mlp_only_layers=[1])),
    "gemma": ("gemma", dict(WIDE)),
    "gemma2": ("gemma2", dict(WIDE, query_pre_attn_scalar=10, sliding_window=6, attn_logit_softcapping=4.0, final_logit_softcapping=3.0)),
    "gemma3_text": ("gemma3_text", dict(WIDE, query_pre_attn_scalar=10, sliding_window=6, layer_types=SLIDING, rope_parameters={
        "full_attention": rope("linear", 1e6, factor=8.0), "sliding_attention": rope()})),
    "vaultgemma": ("vaultgemma", dict(WIDE, query_pre_attn_scalar=10, sliding_window=6, attn_logit_softcapping=4.0,
                                      final_logit_softcapping=3.0)),
    "phi": ("phi", dict(GROUPED, hidden_size=48, rope_parameters=rope(partial_rotary_factor=0.5))),
    "phi3": ("phi3", dict(GROUPED, hidden_size=48, original_max_position_embeddings=16, sliding_window=20,
                          rope_parameters=dict(LONG, original_max_position_embeddings=16))),
    "phi3, partial": ("phi3", dict(GROUPED, hidden_size=48, rope_parameters=rope(partial_rotary_factor=0.5))),
    "olmo": ("olmo", dict(GROUPED, clip_qkv=0.8)),
    "olmo2": ("olmo2", dict(GROUPED)),
    "olmo3": ("olmo3", dict(GROUPED, sliding_window=6, layer_types=SLIDING, rope_parameters={
        "full_attention": YARN, "sliding_attention": rope()})),
    "olmo3, plain": ("olmo3", dict(GROUPED, sliding_window=6, layer_types=SLIDING)),
    "olmoe": ("olmoe", dict(GROUPED, num_experts=4, num_experts_per_tok=2, norm_topk_prob=False)),
    "smollm3": ("smollm3", dict(GROUPED, no_rope_layers=[1, 0, 1], use_sliding_window=False)),
    "gpt_oss": ("gpt_oss", dict(WIDE, num_local_experts=4, num_experts_per_tok=2, sliding_window=6, layer_types=SLIDING,
                                rope_parameters=dict(YARN, truncate=False))),
    "llama4_text": ("llama4_text", dict(WIDE, num_hidden_layers=4, attention_chunk_size=8, attn_temperature_tuning=True, floor_scale=6,
                                        attn_scale=0.1, no_rope_layers=[1, 1, 1, 0], interleave_moe_layer_step=2, intermediate_size_mlp=40,
                                        num_local_experts=4, num_experts_per_tok=1, use_qk_norm=True)),
    "granite": ("granite", dict(GROUPED, attention_multiplier=0.3, embedding_multiplier=2.0, residual_multiplier=0.7, logits_scaling=3.0)),
    "granitemoe": ("granitemoe", dict(GROUPED, attention_multiplier=0.3, embedding_multiplier=2.0, residual_multiplier=0.7,
                                      logits_scaling=3.0, num_local_experts=4, num_experts_per_tok=2)),
    "granitemoeshared": ("granitemoeshared", dict(GROUPED, attention_multiplier=0.3, embedding_multiplier=2.0, residual_multiplier=0.7,
                                                  logits_scaling=3.0, num_local_experts=4, num_experts_per_tok=2, shared_intermediate_size=20)),
    "cohere": ("cohere", dict(GROUPED, logit_scale=0.25)),
    "cohere, norms": ("cohere", dict(GROUPED, logit_scale=0.25, use_qk_norm=True)),
    "cohere2": ("cohere2", dict(GROUPED, logit_scale=0.25, sliding_window=5, layer_types=SLIDING)),
    "deepseek_v2": ("deepseek_v2", dict(LATENT, q_lora_rank=None, topk_method="group_limited_greedy", norm_topk_prob=False,
                                        rope_parameters=dict(YARN, mscale=0.707, mscale_all_dim=0.707))),
    "deepseek_v2, greedy": ("deepseek_v2", dict(LATENT, q_lora_rank=16, topk_method="greedy", n_group=1, topk_group=1, norm_topk_prob=False)),
    "deepseek_v3": ("deepseek_v3", dict(LATENT, q_lora_rank=16, rope_parameters=dict(YARN, mscale=1.0, mscale_all_dim=1.0))),
    "deepseek_v3, plain": ("deepseek_v3", dict(LATENT, q_lora_rank=None, n_group=1, topk_group=1)),
    "deepseek_v3, halves": ("deepseek_v3", dict(LATENT, q_lora_rank=16, rope_interleave=False)),
    "exaone4": ("exaone4", dict(GROUPED, sliding_window=5, layer_types=SLIDING, rope_parameters=dict(LLAMA3, factor=4.0))),
    "exaone4, plain": ("exaone4", dict(GROUPED, sliding_window=None, layer_types=["full_attention"] * 3)),
    "glm": ("glm", dict(WIDE, attention_bias=True, rope_parameters=rope(partial_rotary_factor=0.5))),
    "glm4": ("glm4", dict(WIDE, attention_bias=True, rope_parameters=rope(partial_rotary_factor=0.5))),
    "glm4_moe": ("glm4_moe", dict(WIDE, attention_bias=True, use_qk_norm=True, n_routed_experts=4, num_experts_per_tok=2, n_shared_experts=1,
                                  moe_intermediate_size=16, n_group=1, topk_group=1, first_k_dense_replace=1, routed_scaling_factor=1.5,
                                  rope_parameters=rope(partial_rotary_factor=0.5))),
    "dots1": ("dots1", dict(WIDE, n_routed_experts=4, num_experts_per_tok=2, n_shared_experts=1, moe_intermediate_size=16, n_group=1,
                            topk_group=1, first_k_dense_replace=1, routed_scaling_factor=1.5, norm_topk_prob=True)),
    "bloom": ("bloom", dict(vocab_size=61, hidden_size=24, n_layer=3, n_head=6, bos_token_id=1, eos_token_id=2)),
    "falcon": ("falcon", dict(FALCON, multi_query=True, parallel_attn=True, alibi=False, bias=False, new_decoder_architecture=False)),
    "falcon, 40B": ("falcon", dict(FALCON, num_kv_heads=2, new_decoder_architecture=True, alibi=False, bias=False)),
    "falcon, 11B": ("falcon", dict(FALCON, num_kv_heads=2, new_decoder_architecture=True, num_ln_in_parallel_attn=1, alibi=False, bias=False)),
    "mpt": ("mpt", dict(d_model=24, n_heads=6, n_layers=3, max_seq_len=64, expansion_ratio=4, vocab_size=61, no_bias=True)),
    "gpt2": ("gpt2", dict(GPT2)),
    "gpt_bigcode": ("gpt_bigcode", dict(GPT2, multi_query=True)),
    "gptj": ("gptj", dict(GPT2, rotary_dim=2)),
    "gpt_neo": ("gpt_neo", dict(vocab_size=61, hidden_size=24, num_layers=3, num_heads=6, max_position_embeddings=64, window_size=6,
                                attention_types=[[["global", "local", "local"], 1]], bos_token_id=1, eos_token_id=2)),
    "gpt_neox": ("gpt_neox", dict(BASE, hidden_size=48, rope_parameters=rope(partial_rotary_factor=0.25))),
    "gpt_neox, sequential": ("gpt_neox", dict(BASE, hidden_size=48, use_parallel_residual=False, hidden_act="gelu_new",
                                              rope_parameters=rope(partial_rotary_factor=0.25))),
    "opt": ("opt", dict(vocab_size=61, hidden_size=24, ffn_dim=40, num_hidden_layers=3, num_attention_heads=6, max_position_embeddings=64,
                        bos_token_id=1, eos_token_id=2, pad_token_id=0, word_embed_proj_dim=24)),
    "stablelm": ("stablelm", dict(GROUPED, hidden_size=48, rope_parameters=rope(partial_rotary_factor=0.25))),
    "stablelm, norms": ("stablelm", dict(GROUPED, hidden_size=48, qk_layernorm=True, use_parallel_residual=True, use_qkv_bias=True,
                                         rope_parameters=rope(partial_rotary_factor=0.25))),
    "starcoder2": ("starcoder2", dict(GROUPED, sliding_window=6, use_bias=True)),
    "starcoder2, plain": ("starcoder2", dict(GROUPED, sliding_window=None, use_bias=False)),
    "nemotron": ("nemotron", dict(GROUPED, hidden_size=48, rope_parameters=rope(partial_rotary_factor=0.5))),
    "helium": ("helium", dict(GROUPED, head_dim=4)),
    "arcee": ("arcee", dict(WIDE)),
    "seed_oss": ("seed_oss", dict(WIDE, attention_bias=True)),
    "ernie4_5": ("ernie4_5", dict(WIDE, use_bias=False)),
    "cwm": ("cwm", dict(WIDE, sliding_window=6, layer_types=SLIDING, rope_parameters=LLAMA3)),
    "nanochat": ("nanochat", dict(BASE, num_key_value_heads=2)),
    "glm4_moe_lite": ("glm4_moe_lite", dict(LATENT, q_lora_rank=16)),
    "minimax_m2": ("minimax_m2", dict(WIDE, num_local_experts=4, num_experts_per_tok=2, rope_parameters=rope(theta=5e6, partial_rotary_factor=0.5))),
    "bert": ("bert", dict(ENCODER)),
    "roberta": ("roberta", dict(ENCODER)),
    "xlm-roberta": ("xlm-roberta", dict(ENCODER)),
    "distilbert": ("distilbert", dict(vocab_size=61, dim=24, hidden_dim=40, n_layers=3, n_heads=6, max_position_embeddings=64, pad_token_id=0, mask_token_id=3)),
    "electra": ("electra", dict(ENCODER, embedding_size=16)),
    "albert": ("albert", dict(ENCODER, embedding_size=16)),
    "albert, wide": ("albert", dict(ENCODER, embedding_size=24, hidden_act="gelu")),
    "roformer": ("roformer", dict(ENCODER, embedding_size=16)),
    "modernbert": ("modernbert", dict(ENCODER, global_attn_every_n_layers=3, local_attention=6, global_rope_theta=160000.0,
                                      local_rope_theta=10000.0)),
    "modernbert, biases": ("modernbert", dict(ENCODER, global_attn_every_n_layers=2, local_attention=6, attention_bias=True, mlp_bias=True,
                                              norm_bias=False, classifier_bias=True, decoder_bias=True)),
    "bert, relu": ("bert", dict(ENCODER, hidden_act="relu", type_vocab_size=1)),
    "nomic_bert": ("nomic_bert", dict(ENCODER)),
    "nomic_bert, gelu": ("nomic_bert", dict(ENCODER, hidden_act="gelu")),
    "eurobert": ("eurobert", dict(ENCODER, num_key_value_heads=2)),
    "eurobert, biases": ("eurobert", dict(ENCODER, num_key_value_heads=2, attention_bias=True, mlp_bias=True)),
    "camembert": ("camembert", dict(ENCODER)),
}
MASKED = {"bert", "roberta", "xlm-roberta", "distilbert", "electra", "albert", "roformer", "modernbert", "camembert",
          "nomic_bert", "eurobert"}


KEPT = ("encoder.embed_positions.weight", "inv_freq")  # which nobody trains


def tensor(name, shape):
    """every_family.cpp's tensorOfName()."""
    with np.errstate(over="ignore"):
        begin = 1469598103934665603
        for letter in name.encode():
            begin = (begin ^ letter) * 1099511628211 & (1 << 64) - 1
        h = np.uint64(begin) ^ np.arange(int(np.prod(shape)), dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        h = (h ^ h >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
        h = (h ^ h >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
        h ^= h >> np.uint64(31)
    u = (h >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1
    factors = len(shape) == 1 and "norm" in name and name.endswith(".weight")
    spread = 0.3 if len(shape) < 2 else 1.7 / math.sqrt(shape[-1])
    return ((1 if factors else 0) + spread * u).astype(np.float32).reshape(shape)


def computed(kind, fields):
    kind_of = transformers.AutoModelForMaskedLM if kind in MASKED else transformers.AutoModelForCausalLM
    config = transformers.AutoConfig.for_model(kind, **fields)
    with tempfile.TemporaryDirectory() as folder:
        kind_of.from_config(config).save_pretrained(folder)
        path = folder + "/model.safetensors"
        tensors = {name: old if name.endswith(KEPT) else tensor(name, old.shape) for name, old in load_file(path).items()}
        save_file(tensors, path, {"format": "pt"})
        model, loading = kind_of.from_pretrained(folder, attn_implementation="eager", experts_implementation="eager", dtype=torch.float32,
                                                 output_loading_info=True)
        written = json.load(open(folder + "/config.json"))
    if loading["missing_keys"] or loading["unexpected_keys"] or loading["mismatched_keys"]:
        raise RuntimeError(f"not as it was written: {loading}")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = model.to(device).double().eval()
    with torch.inference_mode():
        out = model(torch.tensor([IDS], device=device), output_attentions=True, **({} if kind in MASKED else {"use_cache": False}))
    log = torch.log_softmax(out.logits[0].double(), -1).cpu()
    targets = IDS if kind in MASKED else IDS[1:]
    entry = {"config": written, "tensors": {name: list(values.shape) for name, values in sorted(tensors.items())},
             "losses": [round(-float(log[t, target]), 7) for t, target in enumerate(targets)]}
    if getattr(out, "attentions", None):
        rows = [a[0].double() / a[0].double().sum(-1, keepdim=True) for a in out.attentions]  # what a sink took is not there
        entry["entropies"] = [[round(float(h), 7) for h in -torch.special.xlogy(a, a).sum(-1).mean(-1)] for a in rows]
    return entry


def main():
    models, failed = {}, False
    for name in sys.argv[1:] or MODELS:
        kind, fields = MODELS[name]
        try:
            models[name] = computed(kind, fields)
        except Exception as why:  # what this version of transformers does not have, or names otherwise
            print(f"\n{name}: {type(why).__name__}: {str(why)[:300]}", file=sys.stderr)
            failed = True
    print(json.dumps({"transformers": transformers.__version__, "ids": IDS, "models": models}))
    sys.exit(failed)


if __name__ == "__main__":
    main()
