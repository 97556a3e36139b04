"""Files of results that are damaged or forged, and everything that can be asked of an opened one.

`python -m tests.results.hostile 1000` counts what comes of so many of them.
"""

from __future__ import annotations

import json
import struct
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

import numpy as np

import kinetree as kt

FOOTER = struct.Struct("<8sIIQQI")
VALUES = (
    None,
    True,
    -1,
    0,
    3,
    1 << 40,
    1 << 70,
    -(1 << 63),
    1e308,
    -1e-300,
    "",
    "x" * 5000,
    "\x00",
    "../../etc/passwd",
    "\ud800",
    [],
    [[]],
    [None] * 3,
    {},
    {"a": {}},
    "NaN",
    "${a*a}",
    "!!python/object:os.system",
    [1 << 62] * 3,
    0.5,
)


def flipped(content: bytes, rng) -> bytes:
    """One to three bits changed anywhere, or near the end, where the index and the footer are."""
    data = bytearray(content)
    for _ in range(rng.integers(1, 4)):
        near = len(data) if rng.random() < 0.5 else 400
        data[len(data) - 1 - rng.integers(near)] ^= 1 << rng.integers(8)
    return bytes(data)


def truncated(content: bytes, rng) -> bytes:
    """The end, the beginning or a part in the middle missing, or something behind it."""
    first, last = sorted(rng.integers(0, len(content), 2))
    return (
        content[:last],
        content[max(1, first) :],
        content[:first] + content[last + 1 :],
        content + content[first:last] + b"x",
        content[:first] + bytes(last - first) + b"\x01" + content[last + 1 :],
    )[rng.integers(5)]


def parts(content: bytes) -> tuple[bytes, dict]:
    """The frame and the index of a sound file."""
    length = FOOTER.unpack(content[-FOOTER.size :])[3]
    end = len(content) - FOOTER.size
    return content[: end - length], json.loads(zlib.decompress(content[end - length : end]))


def whole(frame: bytes, index: object) -> bytes:
    """A file with true checksums."""
    plain = json.dumps(index).encode()
    packed = zlib.compress(plain)
    footer = FOOTER.pack(b"KINETREE", 2, zlib.crc32(packed), len(packed), len(plain), 0)[:-4]
    return frame + packed + footer + struct.pack("<I", zlib.crc32(footer))


def forged(content: bytes, rng) -> bytes:
    """A value of the index, of a text or of an array that no run writes, under true checksums."""
    frame, index = parts(content)
    names = sorted(index["arrays"])
    name = names[rng.integers(len(names))]
    if rng.random() < 0.4:
        return whole(frame, planted(index, rng))
    offset, shape, kind, sums = index["arrays"][name]
    data = frame[offset : offset + sum(count for count, _ in sums)]
    if name.startswith("text "):
        try:
            data = json.dumps(planted(json.loads(data), rng)).encode()
        except ValueError:  # a plain text
            data = str(VALUES[rng.integers(len(VALUES))]).encode("utf-8", "replace") * rng.integers(
                1, 3
            )
        shape = [len(data)]
    elif len(data) >= 8:
        numbers = np.frombuffer(data, np.uint8).copy()
        at = 8 * rng.integers(len(data) // 8)
        odd = (np.nan, np.inf, 1e308, -1.0, 1e-320, 2.0**63)[rng.integers(6)]
        numbers[at : at + 8] = np.frombuffer(np.float64(odd).tobytes(), np.uint8)
        data = numbers.tobytes()
        sums = None if name.endswith("channels") else sums
    if sums is None or len(sums) > 1:
        return whole(frame, planted(index, rng))
    index["arrays"][name] = [len(frame), shape, kind, [[len(data), zlib.crc32(data)]]]
    return whole(frame + data, index)


def planted(tree, rng):
    """A copy with an odd value in place of a random one, or without it."""
    tree = json.loads(json.dumps(tree))
    at = tree
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return VALUES[rng.integers(len(VALUES))]
        key = keys[rng.integers(len(keys))]
        if not isinstance(at[key], (dict, list)) or not at[key] or rng.random() < 0.15:
            if rng.random() < 0.2:
                del at[key]
            else:
                at[key] = VALUES[rng.integers(len(VALUES))]
            return tree
        at = at[key]


def edited(content: bytes, rng) -> bytes:
    """Changed with another program that writes HDF5: an attribute, a number, a text."""
    import io

    import h5py

    held = io.BytesIO(content)
    with h5py.File(held, "r+") as file:
        kind = rng.integers(3)
        if kind == 0:
            names = sorted(name for name in file.attrs if not name.startswith("_"))
            file.attrs[names[rng.integers(len(names))]] = "another"
        elif kind == 1:
            file["channels"][rng.integers(file["channels"].shape[0]), 0] += 1.0
        else:
            file["kinetree/options"][()] = b"{}"
    return held.getvalue()


KINDS = {"flipped": flipped, "truncated": truncated, "edited": edited, "forged": forged}


def told(path: Path) -> dict[str, object]:
    """All that an opened file says, by name."""
    sol = kt.open_solution(path)
    found: dict[str, object] = {f"channel {name}": sol[name] for name in sol.names(components=True)}
    found.update({f"unit {name}": unit for name, unit in sol.names(components=True).items()})
    for name in (
        "t",
        "y",
        "vdot",
        "lam",
        "options",
        "provenance",
        "statistics",
        "message",
        "success",
        "wall",
        "breaks",
        "complete",
        "status",
        "incomplete",
        "ledger",
    ):
        found[name] = getattr(sol, name)
    found.update(
        story=str(sol),
        shown=repr(sol).partition(":")[2],
        events=str(sol.events),
        assembly=str(sol.assembly),
        model=str(sol.model),
        later=sol.at(0.5 * (sol.t[0] + sol.t[-1])).y,
        drift=sol.energy.drift,
        start=sol.assembly.y,
        steps=sol.steps.h,
        error=sol.constraint_error.position,
        result=sol.result.y,
    )
    return found


def differences(one: dict, other: dict) -> list[str]:
    return [name for name in {**one, **other} if not same(one.get(name), other.get(name))]


def same(a, b) -> bool:
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.shape == b.shape and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return type(a) is type(b) and (a == b or a != a)


def fates(content: bytes, kind: str, seeds: range, folder: Path):
    """(seed, fate, detail) of each: the error refused, raw, silent; forged files may differ, and
    often do not.
    """
    path = folder / "run.nc"
    path.write_bytes(content)
    right = told(path)
    for seed in seeds:
        made = KINDS[kind](content, np.random.default_rng(seed))
        if made == content:
            continue
        path.write_bytes(made)
        try:
            other = differences(right, told(path))
        except kt.KinetreeError as error:
            yield seed, "refused", str(error)
        except Exception as error:
            yield seed, "raw", repr(error)
        else:
            yield seed, "read" if kind == "forged" or not other else "silent", ", ".join(other)


def small_run() -> object:
    """A ball on a spring and a floor; an event and a jump are in its file."""
    m = kt.Model("ball")
    ball = m.body("ball", kt.sphere(1.0, 0.1), position=(0, 0, 1))
    m.joint("rail", kt.Translational(axis="z"), m.ground, ball, at=(0, 0, 1))
    m.force(
        "spring",
        kt.SpringDamper(stiffness=3.0, damping=0.1, length=1.0),
        m.ground.at(0, 0, 2),
        ball,
    )
    floor = kt.Event(
        "ball.position.z",
        0.9,
        direction=-1,
        then=lambda t, s: {"ball.velocity.z": -0.8 * s["ball.velocity.z"]},
        name="floor",
    )
    return kt.simulate(m, 0.5, output_interval=0.1, events=[floor])


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sound.nc")
        small_run().save(path)
        content = path.read_bytes()
        for kind in KINDS:
            counts: Counter[str] = Counter()
            for seed, fate, detail in fates(
                content, kind, range(count // len(KINDS)), Path(folder)
            ):
                counts[fate] += 1
                if fate in ("raw", "silent"):
                    print(kind, seed, fate, detail)
            print(kind, dict(counts))


if __name__ == "__main__":
    main(int(sys.argv[1]))
