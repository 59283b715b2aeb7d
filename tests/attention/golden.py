#!/usr/bin/env python3
"""Independent numbers for the normalisers, the tables of rotary frequencies and the biases of positions; writes golden.json.

Normalisers are computed from their definitions in extended precision; sparse ones by bisection on the threshold, never by
sorting. Needs NumPy:  python3 tests/attention/golden.py > tests/attention/golden.json
"""
import json
import math

import numpy as np

L = np.longdouble
rng = np.random.default_rng(20)


def softmax(z):
    e = np.exp(L(1) * z - z.max())
    return e / e.sum()


def threshold(z, alpha):
    """w = [(alpha - 1) z - tau]_+^(1 / (alpha - 1)) with the tau that makes it sum to 1, by bisection."""
    s = (L(alpha) - 1) * z
    power = 1 / (L(alpha) - 1)
    low, high = s.max() - 1, s.max()
    for _ in range(200):
        tau = (low + high) / 2
        mass = (np.maximum(s - tau, 0) ** power).sum()
        low, high = (tau, high) if mass >= 1 else (low, tau)
    return np.maximum(s - low, 0) ** power


def adaptive(z, coefficients, least=0.5, eps=1e-9):
    """The published function, step by step."""
    p = softmax(z)
    entropy = (-p * np.log(p + L(eps))).sum()
    beta = max(np.polyval(np.array(coefficients, dtype=L), entropy), L(1)) if entropy > least else L(1)
    return softmax(beta * z)


PAPER = [-0.037, 0.481, -2.3, 4.917, -1.791]


def softpick(z, eps=1e-6):
    m = max(z.max(), L(0))
    e = np.exp(z - m) - np.exp(-m)
    return np.maximum(e, 0) / (np.abs(e).sum() + L(eps) * np.exp(-m))


def with_sink(z, s):
    m = max(z.max(), L(s))
    e = np.exp(z - m)
    return e / (np.exp(L(s) - m) + e.sum())


NORMALISERS = {
    "softmax": softmax,
    "adaptive": lambda z: adaptive(z, PAPER),
    "adaptive:lowest_first=1": lambda z: adaptive(z, PAPER[::-1]),
    "adaptive:c4=0,c3=0,c2=0,c1=1,c0=1,threshold=1": lambda z: adaptive(z, [0, 0, 0, 1, 1], least=1),
    "softmax1": lambda z: with_sink(z, 0),
    "sink:s=2.5": lambda z: with_sink(z, 2.5),
    "sparsemax": lambda z: threshold(z, 2),
    "entmax15": lambda z: threshold(z, 1.5),
    "entmax:alpha=1.1": lambda z: threshold(z, 1.1),
    "entmax:alpha=1.5": lambda z: threshold(z, 1.5),
    "entmax:alpha=2": lambda z: threshold(z, 2),
    "entmax:alpha=3": lambda z: threshold(z, 3),
    "hardmax": lambda z: (z == z.max()) / L((z == z.max()).sum()),
    "sigmoid": lambda z: 1 / (1 + np.exp(-(z - np.log(L(len(z)))))),
    "sigmoid:b=1": lambda z: 1 / (1 + np.exp(-(z + 1 - np.log(L(len(z)))))),
    "sigmoid:b=0.5,keys=2048": lambda z: 1 / (1 + np.exp(-(z + 0.5 - np.log(L(2048))))),
    "softpick": softpick,
    "as_given": lambda z: np.exp(L(1) * np.minimum(z, 600)),
    "relu2": lambda z: np.maximum(z, 0) ** 2 / len(z),
}

ROWS = {
    "one key": [0.7],
    "two equal": [1.5, 1.5],
    "two": [0, 1],
    "ties at the edge": [1, 1, 0, 0],
    "all negative": [-3, -0.5, -1.25, -7],
    "zeros": [0] * 5,
    "large": [1e4, 1e4 - 1, -1e4, 9999.5],
    "very small": [-1e4, -1e4 - 1, -1e4 - 0.25],
    "gaussian 8": rng.normal(size=8).round(6).tolist(),
    "gaussian 40": rng.normal(size=40).round(6).tolist(),
    "wide 30": (5 * rng.normal(size=30)).round(6).tolist(),
}


def one_above(n, entropy):
    """n logits, one raised by the g that gives the row that entropy."""
    low, high = 0.0, 60.0
    for _ in range(200):
        g = (low + high) / 2
        p = softmax(np.array([g] + [0] * (n - 1), dtype=L))
        h = (-p * np.log(p)).sum()
        low, high = (g, high) if h > entropy else (low, g)
    return [g] + [0.0] * (n - 1)


def frequencies(base, d):
    return [base ** (-2 * p / d) for p in range(d // 2)]


def ntk(s, base, d):
    return frequencies(base * s ** (d / (d - 2)), d)


def yarn_paper(s, N, d, base=10000.0, slow=1, fast=32):
    out = []
    for theta in frequencies(base, d):
        turns = N / (2 * math.pi / theta)
        gamma = 0 if turns < slow else 1 if turns > fast else (turns - slow) / (fast - slow)
        out.append((1 - gamma) * theta / s + gamma * theta)
    return out


def yarn_code(s, N, d, base=10000.0, slow=1, fast=32):
    dim = lambda turns: d * math.log(N / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = max(math.floor(dim(fast)), 0), min(math.ceil(dim(slow)), d - 1)
    ramp = np.clip((np.arange(d // 2) - low) / max(high - low, 0.001), 0, 1)
    theta = np.array(frequencies(base, d))
    return (theta / s * ramp + theta * (1 - ramp)).tolist()


TABLES = [
    ("rope", 8, frequencies(10000, 8)), ("rope", 64, frequencies(10000, 64)), ("rope:base=500000", 128, frequencies(500000, 128)),
    ("rope", 7, [10000 ** (-2 * p / 7) for p in range(3)]), ("rope", 1, []),
    ("pi", 16, [t / 4 for t in frequencies(10000, 16)]), ("pi:s=8", 64, [t / 8 for t in frequencies(10000, 64)]),
    ("ntk", 64, ntk(4, 10000, 64)), ("ntk:s=16", 128, ntk(16, 10000, 128)), ("ntk", 2, [1.0]),
    ("yarn_rope", 64, yarn_paper(4, 512, 64)), ("yarn_rope:s=16,N=4096", 128, yarn_paper(16, 4096, 128)),
    ("yarn_rope:by_index=1", 64, yarn_code(4, 512, 64)), ("yarn_rope:s=16,N=4096,by_index=1", 128, yarn_code(16, 4096, 128)),
    ("yarn_rope:by_index=1", 8, yarn_code(4, 512, 8)), ("rerope", 64, frequencies(10000, 64)),
]



def t5_bucket(relative, buckets, longest, causal):
    """The published function, step by step and in float32; relative = key - query."""
    bucket = 0
    if causal:
        distance = max(-relative, 0)
    else:
        buckets //= 2
        bucket = buckets if relative > 0 else 0
        distance = abs(relative)
    exact = buckets // 2
    if distance < exact:
        return bucket + distance
    part = np.log(np.float32(distance) / np.float32(exact)) / np.float32(math.log(longest / exact)) * np.float32(buckets - exact)
    return bucket + min(exact + int(part), buckets - 1)


def t5(buckets=32, longest=128, causal=True, decay=1.0):
    """The closed form: minus decay ln(1 + the least distance of the bucket)."""
    least = {}
    for x in range(2 * longest + 1):
        for relative in (-x, x):
            least.setdefault(t5_bucket(relative, buckets, longest, causal), x)
    return lambda t, j: -decay * math.log(1 + least[t5_bucket(j - t, buckets, longest, causal)])


def fire(t, j, drop=4.0, c=0.1, length=512):
    psi = lambda x: np.log(L(c) * x + 1)
    return -drop * psi(abs(t - j)) / psi(max(length, t))


BIASES = {
    "kerple_log": lambda t, j: -math.log(1 + abs(t - j)),
    "kerple_log:r1=2.5,r2=0.04": lambda t, j: -2.5 * math.log(1 + 0.04 * abs(t - j)),
    "kerple_power": lambda t, j: -math.sqrt(abs(t - j)),
    "kerple_power:r1=0.03,r2=1.7": lambda t, j: -0.03 * abs(t - j) ** 1.7,
    "t5": t5(),
    "t5:causal=0": t5(causal=False),
    "t5:buckets=12,longest=50,decay=0.3": t5(12, 50, True, 0.3),
    "t5:buckets=10,longest=1000,causal=0": t5(10, 1000, False),
    "fire": fire,
    "fire:drop=1.5,c=2,L=100": lambda t, j: fire(t, j, 1.5, 2, 100),
}
PLACES = [(0, 0), (1, 0), (7, 0), (15, 0), (16, 0), (17, 1), (31, 3), (299, 280), (299, 250), (299, 171), (299, 172), (299, 40), (299, 0), (640, 2), (640, 600),
          (0, 1), (0, 7), (3, 11), (2, 18), (5, 37), (100, 299), (0, 640), (512, 0), (513, 0)]

weights = [{"normaliser": name, "row": row, "logits": z, "weights": [float(w) for w in f(np.array(z, dtype=L))]}
           for name, f in NORMALISERS.items() for row, z in ROWS.items()]
betas = []
for h in (0.4, 0.5, 1, 2.5, 5.9, 6.0, 7):
    z = one_above(2000, h)
    betas.append({"entropy": h, "gap": float(z[0]), "count": len(z), "beta": float(max(np.polyval(PAPER, h), 1)) if h > 0.5 else 1.0})
print("{\n\"weights\": [\n" + ",\n".join(json.dumps(w) for w in weights) + "\n],\n\"adaptive\": " + json.dumps(betas)
      + ",\n\"frequencies\": [\n" + ",\n".join(json.dumps({"position": p, "d": d, "theta": t}) for p, d, t in TABLES)
      + "\n],\n\"biases\": [\n" + ",\n".join(json.dumps({"position": p, "places": PLACES, "values": [float(f(t, j)) for t, j in PLACES]}) for p, f in BIASES.items()) + "\n]\n}")
