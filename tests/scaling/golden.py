#!/usr/bin/env python3
"""Multipliers of the scale methods in 50 digits, straight from the formulae of their papers; writes golden.json.

python3 tests/scaling/golden.py > tests/scaling/golden.json
"""
import json
from decimal import Decimal as D, getcontext
from math import floor

getcontext().prec = 50
ONE = D(1)


def ln(x):
    return D(x).ln()


def clamp(m):
    return max(m, ONE)


def infoscale(eps=0, heads=1):
    def m(n, N, d):
        width = D(d * heads)
        term = lambda x: 1 - (2 * D(eps) / width).exp() * (ln(x) * -2 / width).exp()
        if term(N) <= 0 or term(n) < 0:
            return None
        return (term(n) / term(N)).sqrt()
    return m


def longrope(n, N, d):
    return 1 + ln(D(n) / N) / ln(N) if n > N else ONE


def yarn(n, N, d):
    return (D("0.1") * ln(D(n) / N) + 1) ** 2 if n > N else ONE


def log_power(delta, beta, gamma):
    def m(n, N, d):
        if n == 1:
            return D(delta) + (D(beta) if gamma == 0 else D(0)) if gamma >= 0 else None
        return D(delta) + D(beta) * (ln(n).ln() * D(gamma)).exp()
    return m


METHODS = {
    "vanilla": lambda n, N, d: ONE,
    "vanilla:alpha=2.5": lambda n, N, d: D("2.5"),
    "log_n": lambda n, N, d: ln(n),
    "su_kappa": lambda n, N, d: ln(n) / D(d).sqrt(),
    "su_kappa:kappa=3.25": lambda n, N, d: D("3.25") * ln(n) / D(d).sqrt(),
    "softmax_plus": lambda n, N, d: ln(n) / ln(N),
    "softmax_plus:B=512": lambda n, N, d: ln(n) / ln(512),
    "softmax_plus:B=64": lambda n, N, d: ln(n) / ln(64),
    "softmax_plus:floor=16": lambda n, N, d: ln(max(n, 16)) / ln(N),
    "softmax_plus:clamp_at_one=1": lambda n, N, d: clamp(ln(n) / ln(N)),
    "infoscale": infoscale(),
    "infoscale:eps=1": infoscale(eps=1),
    "infoscale:heads=8": infoscale(heads=8),
    "infoscale:clamp_at_one=1": lambda n, N, d: clamp(infoscale()(n, N, d)),
    "yarn": yarn,
    "longrope": longrope,
    "row_log": lambda n, N, d: ln(n) / ln(N),
    "row_log:clamp_at_one=1": lambda n, N, d: clamp(ln(n) / ln(N)),
    "row_log:clamp_at_one=1,alpha=0.5": lambda n, N, d: clamp(ln(n) / ln(N)) / 2,
    "ssmax": lambda n, N, d: D("0.43") * ln(n),
    "ssmax:s=1.5": lambda n, N, d: D("1.5") * ln(n),
    "llama4": lambda n, N, d: 1 + D("0.1") * ln(1 + floor(n / N)),
    "llama4:floor_scale=8192": lambda n, N, d: 1 + D("0.1") * ln(1 + floor(n / 8192)),
    "llama4:floor_scale=100,attn_scale=0.5": lambda n, N, d: 1 + D("0.5") * ln(1 + floor(n / 100)),
    "log_power": log_power(1, "0.5", 1),
    "log_power:delta=0,beta=2,gamma=0.5": log_power(0, 2, D("0.5")),
    "log_power:gamma=-1": log_power(1, "0.5", -1),
    "entropy_mean_field": lambda n, N, d: max(D(0), 1 + 2 * ln(D(n) / N)).sqrt(),
    "entropy_mean_field:clamp_at_one=1": lambda n, N, d: clamp(max(D(0), 1 + 2 * ln(D(n) / N)).sqrt()),
    'custom': lambda n, N, d: ln(n) / ln(N),
    'custom:"max(1, sqrt(n/N)) * d^0.5"': lambda n, N, d: clamp((D(n) / N).sqrt()) * D(d).sqrt(),
    'custom:"n > N ? log2(n)/log2(N) : 1"': lambda n, N, d: ln(n) / ln(N) if n > N else ONE,
}

rows = []
for method, m in METHODS.items():
    for N, d in ((512, 64), (100, 16), (512, 4096), (120, 1)):
        for n in (1, 2, N - 1, N, N + 1, 64 * N):
            value = m(n, N, d)
            rows.append({"method": method, "n": n, "N": N, "d": d, "m": None if value is None else float(value)})
print("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]")
