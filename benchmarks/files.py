"""Model files of long chains: how long it takes to read them, part by part, against building the
same model in Python.

`parse` is text to a tree with lines, `check` the tree against the declaration, `load` all of
kt.load; `python` builds the same model by the API. The loaded model has the same bodies and joints.
"""

import tempfile
from pathlib import Path

import kinetree as kt
from common import arguments, best_of, show
from kinetree.description.files.document import parse
from kinetree.description.files.load import checked


def chain(n: int) -> kt.Model:
    """n rods on hinges."""
    m = kt.Model("chain")
    last = m.ground.at(0, 0, 0)
    for i in range(n):
        rod = m.body(f"b{i}", kt.rod(mass=1.0, length=0.5, along="x"))
        m.joint(f"j{i}", kt.Revolute(axis="y"), last, rod.end("-"))
        last = rod.end("+")
    return m


def row(n: int, repeat: int) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        path = chain(n).save(Path(folder) / "chain.yaml")
        text = path.read_text()
        tree, loaded = parse(text, "chain.yaml"), kt.load(path)
        assert list(loaded.bodies) == [f"b{i}" for i in range(n)] and len(loaded.joints) == n
        best = best_of(
            {
                "parse": lambda: parse(text, "chain.yaml"),
                "check": lambda: checked(tree),
                "load": lambda: kt.load(path),
                "python": lambda: chain(n),
            },
            repeat,
        )
    return {"bodies": n, "bytes": len(text), **best, "load/python": best["load"] / best["python"]}


if __name__ == "__main__":
    given = arguments(__doc__, 3)
    sizes = [n for n in (100, 1000, 10_000) if n <= (given.most or n)]
    show([row(n, given.repeat) for n in sizes], given.json, "CPU seconds, the best of several.")
