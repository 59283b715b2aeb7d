#!/usr/bin/python3
"""The training steps of language models that bench_learn times, in PyTorch (Debian: python3-torch): a Llama, 8 windows of 256 tokens,
AdamW, gradients clipped, float32, every core.

    language_step.py [WIDTH INNER HEADS KEY_HEADS VOCABULARY]     as languageStep/256 without arguments

Prints the median of 20 steps, ms, and the library that computed the products; refuses the reference BLAS.
"""
import statistics
import sys
import time

import torch
from torch import nn
from torch.nn.functional import cross_entropy, silu

from max_retrieval_step import blas_on_every_core

layers, windows, n = 4, 8, 256


class Norm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * self.weight


class Layer(nn.Module):
    def __init__(self, width, inner, heads, key_heads):
        super().__init__()
        linear = lambda inputs, outputs: nn.Linear(inputs, outputs, bias=False)
        self.d, self.heads, self.key_heads = width // heads, heads, key_heads
        self.q, self.k, self.v, self.o = linear(width, width), linear(width, key_heads * self.d), linear(width, key_heads * self.d), linear(width, width)
        self.gate, self.up, self.down = linear(width, inner), linear(width, inner), linear(inner, width)
        self.norm1, self.norm2 = Norm(width), Norm(width)

    def turned(self, x, cos, sin):
        a, b = x[..., : self.d // 2], x[..., self.d // 2 :]
        return torch.cat((a * cos - b * sin, b * cos + a * sin), -1)

    def forward(self, h, cos, sin, mask):
        x = self.norm1(h)
        split = lambda y, heads: y.view(windows, n, heads, self.d).transpose(1, 2)
        q = self.turned(split(self.q(x), self.heads), cos, sin)
        k = self.turned(split(self.k(x), self.key_heads), cos, sin).repeat_interleave(self.heads // self.key_heads, 1)
        v = split(self.v(x), self.key_heads).repeat_interleave(self.heads // self.key_heads, 1)
        weights = torch.softmax(q @ k.transpose(-1, -2) / self.d**0.5 + mask, -1)
        h = h + self.o((weights @ v).transpose(1, 2).reshape(windows, n, -1))
        x = self.norm2(h)
        return h + self.down(silu(self.gate(x)) * self.up(x))


class Llama(nn.Module):
    def __init__(self, width, inner, heads, key_heads, vocabulary):
        super().__init__()
        self.embed = nn.Parameter(torch.randn(vocabulary, width) / (4 * width**0.5))
        self.layers = nn.ModuleList(Layer(width, inner, heads, key_heads) for _ in range(layers))
        self.norm = Norm(width)

    def forward(self, ids, cos, sin, mask):
        h = self.embed[ids]
        for layer in self.layers:
            h = layer(h, cos, sin, mask)
        return self.norm(h) @ self.embed.T


def main():
    width, inner, heads, key_heads, vocabulary = map(int, sys.argv[1:6]) if len(sys.argv) > 5 else (256, 688, 8, 8, 512)
    blas = blas_on_every_core()
    d = width // heads
    angles = torch.arange(n)[:, None] * 10000.0 ** (-torch.arange(0, d, 2) / d)[None, :]
    cos, sin, mask = angles.cos(), angles.sin(), torch.full((n, n), float("-inf")).triu(1)
    model = Llama(width, inner, heads, key_heads, vocabulary)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3, betas=(0.9, 0.99), weight_decay=0.1)
    text = torch.randint(vocabulary, (100000,))
    times = []
    for number in range(25):
        begin = time.perf_counter()
        starts = torch.randint(len(text) - n, (windows,))
        ids = torch.stack([text[s : s + n + 1] for s in starts])
        optimiser.zero_grad(set_to_none=True)
        loss = cross_entropy(model(ids[:, :-1], cos, sin, mask).reshape(-1, vocabulary), ids[:, 1:].reshape(-1))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if number >= 5:
            times.append(1e3 * (time.perf_counter() - begin))
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {blas}: {statistics.median(times):.0f} ms a step")


if __name__ == "__main__":
    main()
