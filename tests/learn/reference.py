#!/usr/bin/env python3
"""A small model trained in float64 with gradients written out by hand: the run that tests/learn repeats.

Self-attention with two heads between two linear layers, GELU and layer norm, cross-entropy, Adam with an L2 penalty and
decoupled decay. Weights and data are sines of their index, so that both sides make the same ones.

/usr/bin/python3 tests/learn/reference.py > tests/learn/reference.json
"""
import json
import numpy as np

B, N, IN, D, HEADS, CLASSES = 4, 6, 5, 8, 2, 3
RATE, L2, DECAY, STEPS = 1e-2, 1e-3, 1e-2, 25


def sines(rows, columns, seed, size):
    return size * np.sin(seed + 1.7 * np.arange(rows * columns, dtype=np.float64)).reshape(rows, columns)


weights = {
    "first.weight": sines(D, IN, 1, 0.6), "first.bias": sines(1, D, 2, 0.1),
    "norm.weight": 1 + sines(1, D, 3, 0.2), "norm.bias": sines(1, D, 4, 0.1),
    "q.weight": sines(D, D, 5, 0.5), "q.bias": sines(1, D, 6, 0.1),
    "k.weight": sines(D, D, 7, 0.5), "k.bias": sines(1, D, 8, 0.1),
    "v.weight": sines(D, D, 9, 0.5), "v.bias": sines(1, D, 10, 0.1),
    "last.weight": sines(CLASSES, D, 11, 0.5), "last.bias": sines(1, CLASSES, 12, 0.1),
}
x = sines(B * N, IN, 13, 1.5)
labels = np.arange(B * N) * 7 % CLASSES

A, C = np.sqrt(2 / np.pi), 0.044715


def split(y):  # (B N, D) -> (B, HEADS, N, D / HEADS)
    return y.reshape(B, N, HEADS, D // HEADS).transpose(0, 2, 1, 3)


def join(y):
    return y.transpose(0, 2, 1, 3).reshape(B * N, D)


def loss_and_gradients(w):
    a = x @ w["first.weight"].T + w["first.bias"]
    t = np.tanh(A * (a + C * a ** 3))
    g = 0.5 * a * (1 + t)
    centred = g - g.mean(1, keepdims=True)
    s = np.sqrt((centred ** 2).mean(1, keepdims=True) + 1e-5)
    hat = centred / s
    h = hat * w["norm.weight"] + w["norm.bias"]
    q, k, v = (split(h @ w[n + ".weight"].T + w[n + ".bias"]) for n in "qkv")
    scale = 1 / np.sqrt(D // HEADS)
    z = scale * q @ k.transpose(0, 1, 3, 2)
    p = np.exp(z - z.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    o = join(p @ v) + h
    y = o @ w["last.weight"].T + w["last.bias"]
    e = np.exp(y - y.max(1, keepdims=True))
    e /= e.sum(1, keepdims=True)
    loss = -np.log(e[np.arange(B * N), labels]).mean()

    grad = {}
    dy = e.copy()
    dy[np.arange(B * N), labels] -= 1
    dy /= B * N
    grad["last.weight"], grad["last.bias"] = dy.T @ o, dy.sum(0, keepdims=True)
    do = dy @ w["last.weight"]
    dh = do.copy()
    dos = split(do)
    dv, dp = p.transpose(0, 1, 3, 2) @ dos, dos @ v.transpose(0, 1, 3, 2)
    dz = scale * p * (dp - (dp * p).sum(-1, keepdims=True))
    for name, d in (("q", join(dz @ k)), ("k", join(dz.transpose(0, 1, 3, 2) @ q)), ("v", join(dv))):
        grad[name + ".weight"], grad[name + ".bias"] = d.T @ h, d.sum(0, keepdims=True)
        dh += d @ w[name + ".weight"]
    grad["norm.weight"], grad["norm.bias"] = (dh * hat).sum(0, keepdims=True), dh.sum(0, keepdims=True)
    u = dh * w["norm.weight"]
    dg = (u - u.mean(1, keepdims=True) - hat * (u * hat).mean(1, keepdims=True)) / s
    da = dg * 0.5 * ((1 + t) + a * (1 - t ** 2) * A * (1 + 3 * C * a ** 2))
    grad["first.weight"], grad["first.bias"] = da.T @ x, da.sum(0, keepdims=True)
    return loss, grad


first = {n: np.zeros_like(w) for n, w in weights.items()}
second = {n: np.zeros_like(w) for n, w in weights.items()}
losses, start = [], None
for step in range(1, STEPS + 1):
    loss, grad = loss_and_gradients(weights)
    losses.append(loss)
    if step == 1:
        start = {n: g.ravel().tolist() for n, g in grad.items()}
    for n, w in weights.items():
        g = grad[n] + L2 * w
        first[n] = 0.9 * first[n] + 0.1 * g
        second[n] = 0.999 * second[n] + 0.001 * g ** 2
        update = (first[n] / (1 - 0.9 ** step)) / (np.sqrt(second[n] / (1 - 0.999 ** step)) + 1e-8)
        weights[n] = w - RATE * update - RATE * DECAY * w
print(json.dumps({"losses": losses, "gradients": start, "weights": {n: w.ravel().tolist() for n, w in weights.items()}}))
