"""Losses of two small models by a forward pass in NumPy, float64, written from transformers' modeling_mpt.py and the
authors' modeling_deepseek.py (DeepSeek V2): /usr/bin/python3 forward.py > forward.json. Configs and tensors are those of
every_family.cpp: a number of a tensor is a function of its name and its place."""

import json

import numpy as np

WIDTH, HEADS, LAYERS, TOKENS = 24, 6, 3, 61
IDS = [(i * i * 7 + i * 13 + 5) % TOKENS for i in range(40)]


def tensor(name, *shape):
    mask = (1 << 64) - 1
    begin = 1469598103934665603
    for letter in name.encode():
        begin = (begin ^ letter) * 1099511628211 & mask
    numbers = []
    for place in range(int(np.prod(shape))):
        h = begin ^ place * 0x9E3779B97F4A7C15 & mask
        h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 & mask
        h = (h ^ h >> 27) * 0x94D049BB133111EB & mask
        h ^= h >> 31
        numbers.append((h >> 11) * 2.0**-52 - 1)
    spread = 0.3 if len(shape) == 1 else 1.7 / np.sqrt(shape[-1])
    values = (1 if len(shape) == 1 and "norm" in name and name.endswith(".weight") else 0) + spread * np.array(numbers)
    return values.astype(np.float32).astype(np.float64).reshape(shape)


def linear(x, name, outputs):
    return x @ tensor(name + ".weight", outputs, x.shape[-1]).T


def attention(q, k, v, scale, bias=0):
    """(H, n, d), causal."""
    z = scale * q @ k.transpose(0, 2, 1) + bias
    z = np.where(np.tri(z.shape[-1]) > 0, z, -np.inf)
    w = np.exp(z - z.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ v


def heads(x, size):
    return x.reshape(len(x), -1, size).transpose(1, 0, 2)


def joined(x):
    return x.transpose(1, 0, 2).reshape(x.shape[1], -1)


def losses(logits):
    top = logits.max(-1, keepdims=True)
    log = logits - top - np.log(np.exp(logits - top).sum(-1, keepdims=True))
    return [round(-log[t, IDS[t + 1]], 9) for t in range(len(IDS) - 1)]


def mpt():
    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * tensor(name + ".weight", WIDTH)

    def gelu(x):
        from math import erf
        return x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2)))

    alibi_bias_max = 16
    slopes = 2.0 ** -(np.arange(1, 9) * alibi_bias_max / 8)  # of as many as the power of two above: every second one, then the others
    slopes = np.concatenate([slopes[1::2], slopes[::2]])[:HEADS]
    bias = slopes[:, None, None] * np.arange(1 - len(IDS), 1)
    embedding = tensor("transformer.wte.weight", TOKENS, WIDTH)
    h = embedding[IDS]
    for layer in range(LAYERS):
        name = f"transformer.blocks.{layer}."
        qkv = np.clip(linear(norm(h, name + "norm_1"), name + "attn.Wqkv", 3 * WIDTH), -0.8, 0.8)
        q, k, v = (heads(part, WIDTH // HEADS) for part in np.split(qkv, 3, -1))
        h = h + linear(joined(attention(q, k, v, (WIDTH // HEADS) ** -0.5, bias)), name + "attn.out_proj", WIDTH)
        x = gelu(linear(norm(h, name + "norm_2"), name + "ffn.up_proj", 2 * WIDTH))
        h = h + linear(x, name + "ffn.down_proj", WIDTH)
    return losses(norm(h, "transformer.norm_f") @ embedding.T)


def deepseek_v2():
    narrow, turned, still, value, factor, original = 12, 4, 8, 6, 4.0, 16

    def norm(x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * tensor(name + ".weight", x.shape[-1])

    def feed(x, name, inner):
        gate = linear(x, name + "gate_proj", inner)
        return linear(gate / (1 + np.exp(-gate)) * linear(x, name + "up_proj", inner), name + "down_proj", WIDTH)

    def experts(x, name):
        """Six, in three groups, of which the two with the best expert stay; two of those by a softmax of all."""
        scores = linear(x, name + "gate", 6)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        out = feed(x, name + "shared_experts.", 2 * 16)
        for t, row in enumerate(scores):
            groups = np.argsort(-row.reshape(3, 2).max(-1))[:2]
            left = np.where(np.isin(np.arange(6) // 2, groups), row, 0)
            for e in np.argsort(-left)[:2]:
                out[t] += 1.5 * row[e] * feed(x[t : t + 1], f"{name}experts.{e}.", 16)[0]
        return out

    # YaRN: pairs below `low` keep their frequency, above `high` it is divided by the factor
    def pair_that_turns(times):
        return turned * np.log(original / (times * 2 * np.pi)) / (2 * np.log(10000))

    low, high = max(np.floor(pair_that_turns(32)), 0), min(np.ceil(pair_that_turns(1)), turned - 1)
    plain = 10000.0 ** -(np.arange(0, turned, 2) / turned)
    ramp = np.clip((np.arange(turned // 2) - low) / max(high - low, 0.001), 0, 1)
    frequencies = plain / factor * ramp + plain * (1 - ramp)
    scale = (still + turned) ** -0.5 * (0.1 * 0.707 * np.log(factor) + 1) ** 2
    angles = np.exp(1j * np.outer(np.arange(len(IDS)), frequencies))

    def turn(x):
        z = (x[..., ::2] + 1j * x[..., 1::2]) * angles
        return np.stack([z.real, z.imag], -1).reshape(x.shape)

    h = tensor("model.embed_tokens.weight", TOKENS, WIDTH)[IDS]
    for layer in range(LAYERS):
        name = f"model.layers.{layer}."
        x = norm(h, name + "input_layernorm")
        q = heads(linear(x, name + "self_attn.q_proj", HEADS * (still + turned)), still + turned)
        both = linear(x, name + "self_attn.kv_a_proj_with_mqa", narrow + turned)
        latent = norm(both[:, :narrow], name + "self_attn.kv_a_layernorm")
        kv = heads(linear(latent, name + "self_attn.kv_b_proj", HEADS * (still + value)), still + value)
        shared = np.repeat(turn(both[None, :, narrow:]), HEADS, 0)
        q = np.concatenate([q[..., :still], turn(q[..., still:])], -1)
        k = np.concatenate([kv[..., :still], shared], -1)
        mixed = joined(attention(q, k, kv[..., still:], scale))
        h = h + linear(mixed, name + "self_attn.o_proj", WIDTH)
        x = norm(h, name + "post_attention_layernorm")
        h = h + (experts(x, name + "mlp.") if layer > 0 else feed(x, name + "mlp.", 40))
    return losses(linear(norm(h, "model.norm"), "lm_head", TOKENS))


def nomic_bert():
    """The vector of the first token."""
    size = WIDTH // HEADS

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * tensor(name + ".weight", WIDTH) + tensor(name + ".bias", WIDTH)

    angles = np.exp(1j * np.outer(np.arange(len(IDS)), 1000.0 ** -(np.arange(0, size, 2) / size)))

    def turn(x):  # (0, d/2), (1, d/2 + 1), ... together
        z = (x[..., : size // 2] + 1j * x[..., size // 2 :]) * angles
        return np.concatenate([z.real, z.imag], -1)

    h = tensor("embeddings.word_embeddings.weight", TOKENS, WIDTH)[IDS]
    h = norm(h + tensor("embeddings.token_type_embeddings.weight", 1, WIDTH)[0], "emb_ln")
    for layer in range(LAYERS):
        name = f"encoder.layers.{layer}."
        q, k, v = (heads(x, size) for x in np.split(linear(h, name + "attn.Wqkv", 3 * WIDTH), 3, -1))
        z = size**-0.5 * turn(q) @ turn(k).transpose(0, 2, 1)
        w = np.exp(z - z.max(-1, keepdims=True))
        h = norm(h + linear(joined(w / w.sum(-1, keepdims=True) @ v), name + "attn.out_proj", WIDTH), name + "norm1")
        gate = linear(h, name + "mlp.fc12", 40)
        x = linear(h, name + "mlp.fc11", 40) * gate / (1 + np.exp(-gate))
        h = norm(h + linear(x, name + "mlp.fc2", WIDTH), name + "norm2")
    return [round(x, 9) for x in h[0]]


print(json.dumps({"ids": IDS, "losses": {"mpt": mpt(), "deepseek_v2": deepseek_v2()}, "nomic_bert": nomic_bert()}))
