#!/usr/bin/python3
"""The training step that bench_learn times, in PyTorch (Debian: python3-torch): 128 sets of 5 to 16 items, width 128, float32.

The same layers in the same order: two-layer GELU networks of the items and of the query, one attention head with its four
linear layers, a two-layer classifier, cross-entropy, AdamW. Sets are drawn by NumPy. Uses every core, and refuses to measure the
reference BLAS. Prints the median of 1000 steps, ms, and the library that computed the products.
"""
import os
import re
import statistics
import time

import numpy as np
import torch
from torch import nn

width, batch, classes = 128, 128, 10


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        gelu = lambda: nn.GELU(approximate="tanh")
        self.item_mlp = nn.Sequential(nn.Linear(1 + classes, width), gelu(), nn.Linear(width, width), gelu())
        self.query_mlp = nn.Sequential(nn.Linear(1, width), gelu(), nn.Linear(width, width))
        self.q, self.k, self.v, self.out = (nn.Linear(width, width) for _ in range(4))
        self.classifier = nn.Sequential(nn.Linear(width, width), gelu(), nn.Linear(width, classes))

    def forward(self, x, q):
        h = self.item_mlp(x)                                                   # (batch, items, width)
        query = self.q(self.query_mlp(q)).unsqueeze(1)
        weights = torch.softmax(query @ self.k(h).transpose(1, 2) / width**0.5, dim=-1)
        return self.classifier(self.out((weights @ self.v(h)).squeeze(1)))


def blas_in_use():
    """The BLAS library that this process computes with: its file, or None if that is the reference BLAS or not known."""
    files = {line.split()[-1] for line in open("/proc/self/maps")}
    found = sorted(f for f in files if re.search("blas|mkl|blis|atlas", f.rsplit("/", 1)[-1]))
    found.sort(key=lambda f: not f.rsplit("/", 1)[-1].startswith("libblas"))  # LAPACK may bring another one along
    return found[0] if found and re.search("openblas|mkl|blis|atlas", found[0]) else None


def blas_on_every_core():
    """PyTorch on every core, and the library of its products; ends the program where that is the reference BLAS."""
    torch.set_num_threads(len(os.sched_getaffinity(0)))
    torch.ones(64, 64) @ torch.ones(64, 64)
    blas = blas_in_use()
    if blas is None:
        raise SystemExit("PyTorch's products come from the reference BLAS here; on Debian: apt install libopenblas0-pthread")
    return blas


def main():
    blas = blas_on_every_core()
    random = np.random.default_rng(1)
    model = Head()
    optimiser = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=1e-3)
    loss = nn.CrossEntropyLoss()
    times = []
    for number in range(1100):
        start = time.perf_counter()
        items = random.integers(5, 17)
        priority = random.random((batch, items), dtype=np.float32)
        kind = random.integers(0, classes, (batch, items))
        x = np.concatenate([priority[..., None], np.eye(classes, dtype=np.float32)[kind]], axis=-1)
        label = kind[np.arange(batch), priority.argmax(1)]
        optimiser.zero_grad(set_to_none=True)
        logits = model(torch.from_numpy(x), torch.from_numpy(random.random((batch, 1), dtype=np.float32)))
        loss(logits, torch.from_numpy(label)).backward()
        optimiser.step()
        if number >= 100:
            times.append(1e3 * (time.perf_counter() - start))
    print(f"PyTorch {torch.__version__}, {torch.get_num_threads()} threads, {blas}: {statistics.median(times):.2f} ms a step")


if __name__ == "__main__":
    main()
