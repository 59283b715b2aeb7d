# Row entropies of a head by the definition, with NumPy in double precision: logits m q.k / sqrt(d), causal mask, softmax,
# H = -sum p ln p, mean over the first n queries. Prints a JSON list of [head, method, n, mean entropy, mean KL from vanilla, mean
# total variation from vanilla, H of the mean row, mutual information].
#   python3 direct_entropy.py FILE QUERIES KEYS N,N,... N_TRAIN
import json
import struct
import sys

import numpy as np


def tensor(path, name):
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    entry = json.loads(data[8:8 + length])[name]
    begin, end = (8 + length + offset for offset in entry["data_offsets"])
    return np.frombuffer(data[begin:end], "<f4").reshape(entry["shape"]).astype(float)


def attention(q, k, m):
    z = m * q @ k.T / np.sqrt(q.shape[1])
    z[~np.tri(len(z), dtype=bool)] = -np.inf
    p = np.exp(z - z.max(1, keepdims=True))
    return p / p.sum(1, keepdims=True)


def entropy(p):
    return -np.sum(p * np.log(np.where(p > 0, p, 1)), -1)


def statistics(p, first):
    seen = p > 0
    kl = np.sum(p * (np.log(np.where(seen, p, 1)) - np.log(np.where(seen, first, 1))), 1)
    mean, whole = entropy(p).mean(), entropy(p.mean(0))
    return [float(x) for x in (mean, kl.mean(), np.abs(p - first).sum(1).mean() / 2, whole, whole - mean)]


path, query_name, key_name, lengths, n_train = sys.argv[1:]
queries, keys, N = tensor(path, query_name), tensor(path, key_name), float(n_train)
d = queries.shape[2]
multiplier = {
    "vanilla": lambda n: 1.0,
    "infoscale": lambda n: np.sqrt((1 - n ** (-2 / d)) / (1 - N ** (-2 / d))),
    "softmax_plus": lambda n: np.log(n) / np.log(512),
}
rows = []
for head, q in enumerate(queries):
    k = keys[head * len(keys) // len(queries)]
    for method, m in multiplier.items():
        for n in map(int, lengths.split(",")):
            rows.append([head, method, n, *statistics(attention(q[:n], k[:n], m(n)), attention(q[:n], k[:n], 1))])
print(json.dumps(rows))
