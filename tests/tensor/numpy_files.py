"""The other side of the differential test.

numpy_files.py write DIR        arrays of every dtype, byte order, memory order, version and rank, each with its elements as float64 beside it
numpy_files.py check DIR        reads what the program wrote (NAME.npy) and compares with NAME.f64 and NAME.shape
numpy_files.py heads FILE OUT   the tensors of a .safetensors file, each as float32 in OUT/NUMBER.f32, in the order of the header
"""
import json
import pathlib
import sys
import warnings

import numpy as np

DTYPES = ["f8", "f4", "f2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?"]
SHAPES = [(), (5,), (3, 4), (2, 3, 4), (2, 1, 3, 2), (2, 3, 1, 2, 2), (0,), (3, 0, 2)]


def values(dtype, shape, rng):
    if dtype == "?":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype[0] == "f":
        return (rng.standard_normal(shape) * 10 ** rng.uniform(-3, 3, shape)).astype(dtype)
    limits = np.iinfo(dtype)
    return rng.integers(limits.min, limits.max, shape, dtype=dtype, endpoint=True)


def save(folder, name, array, version=None):
    with open(folder / (name + ".npy"), "wb") as file, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.lib.format.write_array(file, array, version=version)
    expected(folder, name, array)


def expected(folder, name, array):
    (folder / (name + ".f64")).write_bytes(np.ascontiguousarray(array).astype("<f8").tobytes())


def write(folder):
    rng = np.random.default_rng(1)
    for dtype in DTYPES:
        for rank, shape in enumerate(SHAPES):
            for endian in "<>" if np.dtype(dtype).itemsize > 1 else "<":
                for order in "CF":
                    for version in (1, 2, 3):
                        array = values(dtype, shape, rng).astype(np.dtype(dtype).newbyteorder(endian))
                        array = np.asarray(array, order=order)
                        name = f"{np.dtype(dtype).name}_{'big' if endian == '>' else 'little'}_{order}_v{version}_{rank}"
                        save(folder, name, array, (version, 0))
    save(folder, "every_half", np.arange(65536, dtype="<u2").view("<f2"))
    bits = np.arange(65536, dtype="<u2")
    header = json.dumps({"bits": {"dtype": "BF16", "shape": [65536], "data_offsets": [0, 131072]}}).encode()
    (folder / "every_bfloat16.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + bits.tobytes())
    expected(folder, "every_bfloat16", (bits.astype("<u4") << 16).view("<f4"))
    q, k = values("f4", (4, 7, 3), rng), np.asfortranarray(values("f2", (2, 7, 3), rng).astype("f2"))
    for name, write_archive in (("stored", np.savez), ("deflated", np.savez_compressed)):
        write_archive(folder / (name + ".npz"), q=q, k=k, mask=np.zeros((600, 600), bool))
    expected(folder, "npz_q", q)
    expected(folder, "npz_k", k)


def check(folder):
    count = 0
    for path in sorted(folder.glob("*.npy")):
        array = np.load(path)
        shape = tuple(json.loads(path.with_suffix(".shape").read_text()))
        wanted = np.frombuffer(path.with_suffix(".f64").read_bytes(), "<f8").reshape(shape)
        assert array.shape == shape, (path.name, array.shape, shape)
        assert np.array_equal(array.astype("f8"), wanted), path.name
        assert array.dtype.name in path.name, (path.name, array.dtype)
        count += 1
    print(count)


def heads(source, folder):
    data = source.read_bytes()
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    header.pop("__metadata__", None)
    for number, field in enumerate(header.values()):
        assert field["dtype"] == "F32"
        begin, end = field["data_offsets"]
        array = np.frombuffer(data[8 + length + begin : 8 + length + end], "<f4").reshape(field["shape"])
        (folder / f"{number}.f32").write_bytes(np.ascontiguousarray(array).tobytes())


if __name__ == "__main__":
    arguments = [pathlib.Path(text) for text in sys.argv[2:]]
    {"write": write, "check": check, "heads": heads}[sys.argv[1]](*arguments)
