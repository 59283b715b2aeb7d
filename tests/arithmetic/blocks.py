#!/usr/bin/env python3
"""Makes blocks.json: random blocks of every type that ggml's files have and that is read here, and the numbers that
ggml's own library makes of them.

    blocks.py LIBRARY > blocks.json      LIBRARY: libggml-base.so of llama.cpp (npm's node-llama-cpp brings one)

Bytes are drawn with a fixed seed; those of IEEE halves are of finite numbers.
"""
import ctypes
import json
import random
import struct
import sys

# name: function, numbers and bytes of a block, where its halves are
TYPES = {
    "Q8_0": ("q8_0", 32, 34, [0]),
    "Q4_0": ("q4_0", 32, 18, [0]),
    "Q4_1": ("q4_1", 32, 20, [0, 2]),
    "Q5_0": ("q5_0", 32, 22, [0]),
    "Q5_1": ("q5_1", 32, 24, [0, 2]),
    "Q2_K": ("q2_K", 256, 84, [80, 82]),
    "Q3_K": ("q3_K", 256, 110, [108]),
    "Q4_K": ("q4_K", 256, 144, [0, 2]),
    "Q5_K": ("q5_K", 256, 176, [0, 2]),
    "Q6_K": ("q6_K", 256, 210, [208]),
    "IQ4_NL": ("iq4_nl", 32, 18, [0]),
    "MXFP4": ("mxfp4", 32, 17, []),
}


def main():
    library = ctypes.CDLL(sys.argv[1])
    draw = random.Random(1)
    rows = {}
    for name, (function, numbers, size, halves) in TYPES.items():
        blocks = 2
        data = bytearray()
        for _ in range(blocks):
            block = bytearray(draw.randrange(256) for _ in range(size))
            for at in halves:
                block[at:at + 2] = struct.pack("<e", draw.uniform(-0.25, 0.25))
            if name == "MXFP4":
                block[0] = draw.choice([0, 1, 2, 100, 127, 140])
            data += block
        values = (ctypes.c_float * (numbers * blocks))()
        getattr(library, "dequantize_row_" + function)(bytes(data), values, ctypes.c_int64(numbers * blocks))
        bits = struct.unpack("<%dI" % len(values), bytes(values))
        rows[name] = {"bytes": data.hex(), "bits": " ".join("%08x" % one for one in bits)}
    print(json.dumps(rows, indent=1))


main()
