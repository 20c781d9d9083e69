"""Files of the safetensors format, as far as training needs them."""

import json
import struct

import numpy as np

TYPES = {"F16": np.float16, "F32": np.float32}


def read(path):
    """The file's arrays of numbers, by name."""
    with open(path, "rb") as file:
        data = file.read()
    length = struct.unpack("<Q", data[:8])[0]
    start = 8 + length
    arrays = {}
    for name, entry in json.loads(data[8:start]).items():
        if entry.get("dtype") not in TYPES:
            continue
        first, last = entry["data_offsets"]
        values = np.frombuffer(data[start + first : start + last], dtype=TYPES[entry["dtype"]])
        arrays[name] = values.reshape(entry["shape"])
    return arrays


def write(path, arrays):
    """Writes arrays in half precision, at even places of the file."""
    header, body = {}, b""
    for name in sorted(arrays):
        values = np.ascontiguousarray(arrays[name], dtype=np.float16).tobytes()
        offsets = [len(body), len(body) + len(values)]
        header[name] = {"dtype": "F16", "shape": list(arrays[name].shape), "data_offsets": offsets}
        body += values
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + body)
