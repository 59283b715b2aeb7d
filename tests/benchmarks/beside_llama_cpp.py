#!/usr/bin/python3
"""attnscope model beside llama.cpp on the same .gguf file and the same cores, in turn (Debian: python3-numpy; npm: node-llama-cpp).

    npm install --prefix FOLDER node-llama-cpp
    cd FOLDER && beside_llama_cpp.py ATTNSCOPE [-n 1024] [--cores 0] [--rounds 5] [F32 F16 Q8_0 Q4_0 Q4_K]

The model has SmolLM-135M's shape and random weights, made in a temporary folder: as llama.cpp's own quantised files of it,
those of Q4_K have Q5_0 where a row's 576 numbers are no whole blocks of 256. attnscope's seconds are of the whole process,
with opening, the logits of all tokens and the entropies of all heads; llama.cpp's are of the pass alone, with the logits of the
last token. Medians; memory is the most that the process had.
"""
import argparse
import os
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import numpy

layers, width, inner, heads, key_heads, vocabulary = 30, 576, 1536, 9, 3, 49152
types = {"F32": (0, 1, 4), "F16": (1, 1, 2), "Q4_0": (2, 32, 18), "Q5_0": (6, 32, 22), "Q8_0": (8, 32, 34), "Q4_K": (12, 256, 144)}


def blocks(kind, count, random):
    """Numbers of standard deviation about 0.02: random bits behind scales that make them so."""
    _, numbers, size = types[kind]
    if kind in ("F32", "F16"):
        return (0.02 * random.standard_normal(count, dtype=numpy.float32)).astype("<f4" if kind == "F32" else "<f2").tobytes()
    bits = random.integers(0, 256, (count // numbers, size), dtype=numpy.uint8)
    scale = {"Q8_0": 0.02 / 74, "Q4_0": 0.02 / 4.6, "Q5_0": 0.02 / 9.2, "Q4_K": 0.02 / 150}[kind]
    bits[:, :2] = numpy.frombuffer(numpy.float16(scale).tobytes(), numpy.uint8)
    if kind == "Q4_K":
        bits[:, 2:4] = numpy.frombuffer(numpy.float16(scale * 7.5).tobytes(), numpy.uint8)
    return bits.tobytes()


def make(path, kind):
    random = numpy.random.default_rng(1)
    text = lambda s: struct.pack("<Q", len(s.encode())) + s.encode()
    number = lambda key, value: text(key) + struct.pack("<II", 4, value)
    real = lambda key, value: text(key) + struct.pack("<If", 6, value)
    tokens = [f"t{i}" for i in range(vocabulary - 256)]
    bytes_ = [chr(i) for i in list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))] + [chr(256 + i) for i in range(68)]
    values = [text("general.architecture") + struct.pack("<I", 8) + text("llama"), number("llama.block_count", layers),
              number("llama.context_length", 2048), number("llama.embedding_length", width), number("llama.feed_forward_length", inner),
              number("llama.attention.head_count", heads), number("llama.attention.head_count_kv", key_heads),
              real("llama.attention.layer_norm_rms_epsilon", 1e-5), real("llama.rope.freq_base", 10000.0),
              text("tokenizer.ggml.model") + struct.pack("<I", 8) + text("gpt2"), text("tokenizer.ggml.pre") + struct.pack("<I", 8) + text("smollm"),
              text("tokenizer.ggml.tokens") + struct.pack("<IIQ", 9, 8, vocabulary) + b"".join(text(t) for t in bytes_ + tokens),
              text("tokenizer.ggml.token_type") + struct.pack("<IIQ", 9, 5, vocabulary) + struct.pack("<i", 1) * vocabulary,
              text("tokenizer.ggml.merges") + struct.pack("<IIQ", 9, 8, 1) + text("t 1"), number("tokenizer.ggml.eos_token_id", 0),
              number("tokenizer.ggml.bos_token_id", 0), text("tokenizer.ggml.add_bos_token") + struct.pack("<IB", 7, 0)]
    shapes = {"token_embd": (vocabulary, width), "output_norm": (width,)}
    for layer in range(layers):
        shapes.update({f"blk.{layer}.{name}": shape for name, shape in {
            "attn_norm": (width,), "ffn_norm": (width,), "attn_q": (width, width), "attn_k": (key_heads * 64, width),
            "attn_v": (key_heads * 64, width), "attn_output": (width, width), "ffn_gate": (inner, width), "ffn_up": (inner, width),
            "ffn_down": (width, inner)}.items()})
    header, offset, plan = b"", 0, []
    for name, shape in shapes.items():
        of = "F32" if len(shape) == 1 else "Q5_0" if kind == "Q4_K" and shape[-1] % 256 else kind
        count = int(numpy.prod(shape))
        header += text(name + ".weight") + struct.pack("<I", len(shape)) + struct.pack(f"<{len(shape)}Q", *reversed(shape))
        header += struct.pack("<IQ", types[of][0], offset)
        size = count // types[of][1] * types[of][2]
        plan.append((of, count, len(shape) == 1, -size % 32))
        offset += size + -size % 32
    start = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(values)) + b"".join(values) + header
    with open(path, "wb") as file:
        file.write(start + b"\0" * (-len(start) % 32))
        for of, count, norm, padding in plan:
            file.write((numpy.ones(count, "<f4").tobytes() if norm else blocks(of, count, random)) + b"\0" * padding)


def run(command):
    """Wall and processor seconds, megabytes and output of a process."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return time.monotonic() - began, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024e-6, output


parser = argparse.ArgumentParser()
parser.add_argument("attnscope")
parser.add_argument("kinds", nargs="*", default=["F32", "F16", "Q8_0", "Q4_0", "Q4_K"])
parser.add_argument("-n", type=int, default=1024)
parser.add_argument("--cores", default="0")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--logits", choices=["last", "all"], default="last", help="that llama.cpp computes")
given = parser.parse_intermixed_args()
os.sched_setaffinity(0, {int(core) for core in given.cores.split(",")})
threads = str(len(given.cores.split(",")))
here = os.path.dirname(os.path.abspath(__file__))
with tempfile.TemporaryDirectory() as folder:
    ids = folder + "/ids.txt"
    with open(ids, "w") as file:
        file.write(" ".join(str(i) for i in numpy.random.default_rng(2).integers(0, vocabulary, given.n + 1)))
    with open(folder + "/their_ids.txt", "w") as file:
        file.write(" ".join(open(ids).read().split()[:given.n]))
    print("weights   MB | attnscope: s  processor s   MB | llama.cpp: s  processor s   MB | processor s, ratio")
    for kind in given.kinds:
        path = f"{folder}/{kind}.gguf"
        make(path, kind)
        ours, theirs = [], []
        for _ in range(given.rounds):
            ours.append(run([given.attnscope, "model", path, "--ids", ids, "--n", str(given.n), "--windows", "0", "--format", "json"])[:3])
            wall, cpu, memory, output = run(["node", here + "/llama_forward.mjs", path, folder + "/their_ids.txt", threads, given.logits])
            theirs.append((*map(float, output.split()), memory))
            print(f"  {kind}: processor s {ours[-1][1]:.2f} and {theirs[-1][1]:.2f}", file=sys.stderr, flush=True)
        median = lambda rows, column: statistics.median(row[column] for row in rows)
        a, b = [[median(rows, column) for column in range(3)] for rows in (ours, theirs)]
        print(f"{kind:7s} {os.path.getsize(path) / 1e6:5.0f} | {a[0]:12.2f} {a[1]:12.2f} {a[2]:5.0f} | {b[0]:12.2f} {b[1]:12.2f} {b[2]:5.0f} | {a[1] / b[1]:.2f}", flush=True)
        os.remove(path)
