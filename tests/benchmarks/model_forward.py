#!/usr/bin/python3
"""The forward pass that bench_model times, in PyTorch (Debian: python3-torch): a Llama of SmolLM-135M's shape, random weights, n tokens.

float32 weights, every core; the logits of all tokens are made in pieces and turned into losses.
Prints the median of 5 passes, s, and the library that computed the products; refuses the reference BLAS.

    model_forward.py [n]
"""
import os
import statistics
import sys
import time

import torch

from max_retrieval_step import blas_in_use

layers, width, inner, heads, key_heads, d, vocabulary = 30, 576, 1536, 9, 3, 64, 49152


def norm(x, weight):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * weight


def turned(x, cos, sin):
    a, b = x[..., : d // 2], x[..., d // 2 :]
    return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)


def forward(w, ids, targets, cos, sin, mask):
    n = len(ids)
    h = w["embed"][ids]
    for layer in w["layers"]:
        x = norm(h, layer["norm1"])
        q = turned((x @ layer["q"].T).view(n, heads, d).transpose(0, 1), cos, sin)
        k = turned((x @ layer["k"].T).view(n, key_heads, d).transpose(0, 1), cos, sin).repeat_interleave(heads // key_heads, 0)
        v = (x @ layer["v"].T).view(n, key_heads, d).transpose(0, 1).repeat_interleave(heads // key_heads, 0)
        mixed = torch.cat([(torch.softmax(q[i] @ k[i].T / d**0.5 + mask, -1) @ v[i]) for i in range(heads)], -1)
        h = h + mixed @ layer["o"].T
        x = norm(h, layer["norm2"])
        h = h + (torch.nn.functional.silu(x @ layer["gate"].T) * (x @ layer["up"].T)) @ layer["down"].T
    h = norm(h, w["norm"])
    return torch.cat([torch.nn.functional.cross_entropy(h[i : i + 256] @ w["embed"].T, targets[i : i + 256], reduction="none") for i in range(0, n, 256)])


def main():
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 2048
    torch.set_num_threads(os.cpu_count())
    random = lambda *shape: 0.02 * torch.randn(*shape)
    one = lambda: {"norm1": torch.ones(width), "norm2": torch.ones(width), "q": random(heads * d, width), "k": random(key_heads * d, width), "v": random(key_heads * d, width),
                   "o": random(width, heads * d), "gate": random(inner, width), "up": random(inner, width), "down": random(width, inner)}
    w = {"embed": random(vocabulary, width), "norm": torch.ones(width), "layers": [one() for _ in range(layers)]}
    angles = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)[None, :]
    cos, sin = angles.cos(), angles.sin()
    mask = torch.full((n, n), float("-inf")).triu(1)
    ids = torch.randint(vocabulary, (n + 1,))
    with torch.inference_mode():
        torch.ones(64, 64) @ torch.ones(64, 64)
        blas = blas_in_use()
        if blas is None:
            sys.exit("PyTorch's products come from the reference BLAS here; on Debian: apt install libopenblas0-pthread")
        times = []
        for _ in range(6):
            begin = time.perf_counter()
            forward(w, ids[:-1], ids[1:], cos, sin, mask)
            times.append(time.perf_counter() - begin)
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {blas}: median {statistics.median(times[1:]):.2f} s of {[round(t, 2) for t in times[1:]]}")


if __name__ == "__main__":
    main()
