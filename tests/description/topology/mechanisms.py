"""Small models for the tests: [Lee1994] examples, counterexamples, and random multigraphs."""

from hypothesis import strategies as st

from kinetree.description.topology.graph import Edge, Graph
from kinetree.elements.joints.catalogue import JOINTS

KINDS = {
    "R": ("revolute", 1),
    "T": ("translational", 1),
    "U": ("universal", 2),
    "C": ("cylindrical", 2),
    "S": ("spherical", 3),
    "X": ("fixed", 0),
    "F": ("free", 6),
}
WEIGHTS = {entry.joint.kind: entry.joint.weight for entry in JOINTS}


def joint(letter, name, parent, child, **forced):
    kind, dofs = KINDS[letter]
    return Edge.joint(name, kind, parent, child, dofs, **{"weight": WEIGHTS[kind], **forced})


def numbered(n, *links):
    """Bodies 1..n-1 over ground 0; links like (0, 1, "R"), joints named J0, J1, ..."""
    names = ["ground"] + [f"body{i}" for i in range(1, n)]
    return Graph(
        tuple(names[1:]),
        tuple(joint(t, f"J{k}", names[a], names[b]) for k, (a, b, t) in enumerate(links)),
    )


def four_bar(letters="RRRR"):
    ends = [("ground", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("ground", "rocker")]
    joints = tuple(joint(t, name, *pair) for t, name, pair in zip(letters, "ABCD", ends))
    return Graph(("crank", "coupler", "rocker"), joints)


def rssr():
    return four_bar("RSSR")


def ring():
    return numbered(5, (0, 1, "S"), (1, 2, "R"), (2, 3, "R"), (3, 4, "R"), (0, 4, "R"))


def mcpherson():
    return numbered(
        6, (0, 1, "R"), (1, 2, "S"), (2, 3, "T"), (3, 0, "S"), (0, 4, "T"), (4, 5, "U"), (5, 2, "S")
    )


def door():
    return Graph(
        ("door",), (joint("R", "upper", "ground", "door"), joint("R", "lower", "ground", "door"))
    )


def tracked_vehicle():
    arms = tuple(f"arm{i}" for i in range(12))
    pivots = tuple(joint("R", f"pivot{i}", "hull", arm) for i, arm in enumerate(arms))
    return Graph(("hull", *arms), (joint("F", "hull.free", "ground", "hull"), *pivots))


@st.composite
def machines(draw, bodies=4, extra=4, forced=False):
    """A random connected multigraph: a random tree in random joint order and direction, plus
    closing joints.
    """
    n = draw(st.integers(1, bodies))
    ends = [(draw(st.integers(0, i - 1)), i) for i in range(1, n + 1)]
    ends += draw(
        st.lists(
            st.tuples(st.integers(0, n), st.integers(0, n)).filter(lambda e: e[0] != e[1]),
            max_size=extra,
        )
    )
    names = ["ground"] + [f"b{i}" for i in range(1, n + 1)]
    edges = []
    for k, (a, b) in enumerate(draw(st.permutations(ends))):
        a, b = (b, a) if draw(st.booleans()) else (a, b)
        flag = draw(st.sampled_from(("", "", "", "forced_cut", "forced_tree"))) if forced else ""
        request = {flag: True} if flag else {}
        edges.append(
            joint(draw(st.sampled_from("RTUCSXF")), f"J{k}", names[a], names[b], **request)
        )
    return Graph(tuple(draw(st.permutations(names[1:]))), tuple(edges))
