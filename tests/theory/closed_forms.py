#!/usr/bin/env python3
"""Numbers for test_theory, from definitions and none of the program's methods: NumPy only, prints closed_forms.json.

n = 2: a row is decided by one number, the difference D of its two logits, so statistics are one integral over the law of D:
p = 1 / (1 + e^-D). Sphere: the mean field by a fine midpoint rule in theta. Small vocabularies: every row, enumerated.
"""
import itertools
import json
import math

import numpy as np


def entropy(logits):
    z = np.asarray(logits, float) - np.max(logits)
    p = np.exp(z) / np.exp(z).sum()
    return float(-(p[p > 0] * np.log(p[p > 0])).sum()), p


def pair(s):
    """n = 2, normal logits of deviation s: two-dimensional midpoint rule over both logits."""
    x = (np.arange(-2400, 2400) + 0.5) / 200  # to 12 deviations
    w = np.exp(-x * x / 2) / math.sqrt(2 * math.pi) / 200
    difference = s * (x[:, None] - x[None, :])
    weight = w[:, None] * w[None, :]
    p, q = 1 / (1 + np.exp(-difference)), 1 / (1 + np.exp(difference))
    h = np.log1p(np.exp(-np.abs(difference))) + np.abs(difference) * np.where(difference > 0, q, p)
    return {"s": s, "entropy": float((weight * h).sum()), "collision": float((weight * (p * p + q * q)).sum()),
            "free_energy": float((weight * np.logaddexp(s * x[:, None], s * x[None, :])).sum()),
            "renyi_half": float((weight * 2 * np.log(np.sqrt(p) + np.sqrt(q))).sum()),
            "sum_roots": float((weight * (np.sqrt(p) + np.sqrt(q))).sum()),
            "sum_cubes": float((weight * (p ** 3 + q ** 3)).sum())}


def gaussian_pair(d, m):
    """n = 2, q and k ~ N(0, I_d), lambda = m / sqrt(d): midpoint rule over sqrt |q| and over the difference of the two logits."""
    root = (np.arange(4000) + 0.5) * math.sqrt(math.sqrt(d) + 9) / 4000
    length = root ** 2
    chi = root * length ** (d - 1) * np.exp(-(length ** 2 - d) / 2)
    chi /= chi.sum()
    x = (np.arange(-2000, 2000) + 0.5) * 12 / 2000
    normal = np.exp(-x * x / 2)
    normal /= normal.sum()
    difference = np.abs(m / math.sqrt(d) * math.sqrt(2) * length[:, None] * x[None, :])
    h = np.log1p(np.exp(-difference)) + difference / (1 + np.exp(difference))
    return {"d": d, "m": m, "entropy": float((chi[:, None] * normal[None, :] * h).sum())}


def vocabulary(atoms, n, scale, needle=None):
    """All rows of n keys from the atoms [(logit, weight)], one of them replaced by a needle where there is one."""
    total = sum(w for _, w in atoms)
    out = {"entropy": 0.0, "collision": 0.0, "free_energy": 0.0, "needle": 0.0}
    for row in itertools.product(atoms, repeat=n - (needle is not None)):
        weight = math.prod(w / total for _, w in row)
        z = [scale * x for x, _ in row] + ([scale * needle] if needle is not None else [])
        h, p = entropy(z)
        out["entropy"] += weight * h
        out["collision"] += weight * float((p * p).sum())
        out["free_energy"] += weight * float(np.logaddexp.reduce(z))
        out["needle"] += weight * float(p[-1]) if needle is not None else 0
    return out


def uniform_pair(lo, hi, scale):
    """n = 2, logits uniform on (lo, hi): midpoint rule over both."""
    x = lo + (hi - lo) * (np.arange(4000) + 0.5) / 4000
    difference = scale * (x[:, None] - x[None, :])
    h = np.log1p(np.exp(-np.abs(difference))) + np.abs(difference) / (1 + np.exp(np.abs(difference)))
    return float(h.mean())


def sphere_mean_field(d, lam, n):
    theta = (np.arange(2000000) + 0.5) * math.pi / 2000000
    weight = np.sin(theta) ** (d - 2)
    weight /= weight.sum()
    y = lam * d * np.cos(theta)
    tilted = weight * np.exp(y - y.max())
    return math.log(n) + math.log(tilted.sum()) + y.max() - float((tilted * y).sum() / tilted.sum())


def sphere_pair(d, s):
    """n = 2, cosines of uniform directions: midpoint rule over both angles."""
    theta = (np.arange(3000) + 0.5) * math.pi / 3000
    w = np.sin(theta) ** (d - 2)
    w /= w.sum()
    y = s * np.cos(theta)
    difference = np.abs(y[:, None] - y[None, :])
    h = np.log1p(np.exp(-difference)) + difference / (1 + np.exp(difference))
    return float((w[:, None] * w[None, :] * h).sum())


atoms = [(-1.0, 1.0), (0.5, 2.0), (2.0, 0.5)]
print(json.dumps({
    "pairs": [pair(s) for s in (1e-6, 1e-3, 0.1, 0.4, 0.6, 1, 2, 5, 20, 50)],
    "gaussian_pairs": [gaussian_pair(d, m) for d in (2, 16, 64) for m in (0.1, 1, 4, 50)],
    "vocabularies": [dict(vocabulary(atoms, n, scale), n=n, scale=scale) for n in (1, 2, 3, 6) for scale in (0.3, 1, 4)],
    "needles": [dict(vocabulary(atoms, n, scale, gap), n=n, scale=scale, gap=gap) for n in (2, 3, 6) for scale in (0.3, 1) for gap in (-2.0, 0.0, 6.0)],
    "uniform_pairs": [{"lo": lo, "hi": hi, "scale": scale, "entropy": uniform_pair(lo, hi, scale)} for lo, hi, scale in ((-2, 2, 1), (0, 3, 1), (-1, 1, 5))],
    "sphere_pairs": [{"d": d, "s": s, "entropy": sphere_pair(d, s)} for d in (2, 3, 4, 16) for s in (0.5, 3.0, 12.0)],
    "sphere_mean_field": [{"d": d, "lambda": lam, "n": 1000, "entropy": sphere_mean_field(d, lam, 1000)} for d, lam in ((3, 0.5), (16, 0.25), (64, 0.125), (64, 0.6), (128, 0.1))],
}, indent=1))
