"""Prints the `precompiled_charsmap` that normalisers.json has in its cases of Precompiled, in base64: python3 character_map.py.
The trie is a double array as Darts-clone lays it out: the unit that byte c leads to from a node stands at the node's base XOR c, where
the base is the node's own place XOR the offset in its unit; a unit is offset << 10 | has a value << 8 | c, and a value stands at the base
itself, with its highest bit set. Each node takes the first base that no other has and at which all its children find free places: a unit says what leads to it, not from where."""
import base64
import struct

MAP = {"A": "a", "B": "", "\t": " ", "\r": " ", "\r\n": "\n", "ﬁ": "fi", "①": "1", "\u00ad": "", "a\u0301": "á", "k": "K", "日": "本日本",
       "😀": ":)", "\u0301": "'", "e\u0301\u0323": "E", "ﷺ": "صلى الله عليه وسلم", "\u1112\u1161": "하", "xyz": "never", "🇩": "D"}

texts, places, trie = b"", {}, {}
for key, text in MAP.items():
    places[key] = len(texts)
    texts += text.encode() + b"\0"
    node = trie
    for byte in key.encode():
        node = node.setdefault(byte, {})
    node["value"] = places[key]

units, taken, bases = {}, {0}, set()


def lay(node, place, label):
    labels = [0 if c == "value" else c for c in node]
    base = next(b for b in range(1, 1 << 20) if b not in bases and not any(b ^ c in taken for c in labels))
    bases.add(base)
    taken.update(base ^ c for c in labels)
    units[place] = (place ^ base) << 10 | ("value" in node) << 8 | label
    for c, child in node.items():
        if c == "value":
            units[base] = 1 << 31 | child
        else:
            lay(child, base ^ c, c)


lay(trie, 0, 0)
trie_bytes = b"".join(struct.pack("<I", units.get(i, 0)) for i in range(max(units) + 1))
print(base64.b64encode(struct.pack("<I", len(trie_bytes)) + trie_bytes + texts).decode())
