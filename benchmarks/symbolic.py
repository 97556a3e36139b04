"""Generated equations: how long to derive and to write, and one right-hand side of flexible RALF
beside the rigid one.

derive     s to derive M and all velocity terms, gravity and loops
write      s from there to the statements of the code;   compile: s from its text to machine code
evaluate   s per right-hand side of the formulation "augmented", called in a compiled loop at states
           that change
rigid      the same of rigid RALF by the numeric engine: its two loop equations alone, as evaluate
           has them;
hinges     as a user draws it, with a spatial hinge that brings three redundant equations
sympy      s of SymPy's LagrangesMethod for the equations of the same arm, where that was tried
"""

import time

import numpy as np

from common import arguments, show
from kinetree.apps.papers.parallelogram import parallelogram
from kinetree.assembly.prepare import prepare
from kinetree.assembly.result import Assembly
from kinetree.engine.formulations.catalogue import formulation
from kinetree.kernel import language
from kinetree.kernel.compiler.unit import Unit
from kinetree.kernel.decorators import kernel
from kinetree.kernel.runtime.llvm import host, machine_here, object_code
from kinetree.kernel.types import Matrix, Vector
from kinetree.models import ralf
from kinetree.symbolic.printing import python
from kinetree.symbolic.straight import Function, Writer
from kinetree.symbolic.write import functions

CALLS = 20000
METHOD = formulation("augmented")
RHS = METHOD.rhs
CASES = {"ralf-open": {"closed": False}, "ralf": {}, "ralf, 6 modes a link": {"modes": 6}}


def spent(act) -> float:
    """CPU seconds."""
    began = time.process_time()
    act()
    return time.process_time() - began


@kernel
def many(tables, work, y, ydot, calls):
    """Right-hand sides at states that change, so that nothing can be kept."""
    bad = 0
    for _ in range(calls):
        for k in range(y.shape[0]):
            y[k] += 1e-13
        bad += RHS(tables, work, 0.0, y, ydot) != 0
    return bad


class Side:
    """One right-hand side with its tables."""

    def __init__(self, found: Assembly) -> None:
        self.tables = METHOD.configure(found.compiled.tables, rows=found.rank)
        self.work, self.y = found.compiled.workspace(METHOD.storage), found.y.copy()
        self.y[len(found.q) :] = 0.0
        self.ydot = np.zeros_like(self.y)
        self.best = float("inf")
        assert many(self.tables, self.work, self.y, self.ydot, 10) == 0

    def time(self) -> None:
        self.best = min(
            self.best, spent(lambda: many(self.tables, self.work, self.y, self.ydot, CALLS)) / CALLS
        )


def compiling(function: Function) -> float:
    """The function `whole`, from its text to machine code, without any cache."""
    scope, text, unit = (
        {"__name__": "generated"},
        "from math import cos, sin\n" + python(function),
        Unit(),
    )
    exec(text, scope)  # text made here

    def act() -> None:
        whole = unit.get(
            language.Function(scope[function.name], text=text), (Vector,) * 3 + (Matrix, Vector) * 2
        )
        object_code(unit.module([whole], host().fused), machine_here(host()))

    return spent(act)


def derivation(arm) -> None:
    e = arm.equations()
    _ = e.C, e.jacobian, e.gamma


def lagranges_method() -> float:
    """The open arm by SymPy alone: kinetic energy with modal integrals as symbols, then its own
    method.
    """
    import sympy as sp
    from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

    def derive() -> None:
        th1, th2, a1, a2, b1, b2 = q = dynamicsymbols("th1 th2 a1 a2 b1 b2")
        x, psi1, psi2, l1, P1, P2 = sp.symbols("x psi1 psi2 l1 P1 P2")
        u1, u2, tip = psi1 * a1 + psi2 * a2, psi1 * b1 + psi2 * b2, P1 * a1 + P2 * a2
        e, n = (
            (lambda a: sp.Matrix([sp.cos(a), sp.sin(a)])),
            (lambda a: sp.Matrix([-sp.sin(a), sp.cos(a)])),
        )
        links = (
            x * e(th1) + u1 * n(th1),
            l1 * e(th1) + tip * n(th1) + x * e(th1 + th2) + u2 * n(th1 + th2),
        )
        T = 0
        for number, r in enumerate(links, 1):
            v = r.diff(dynamicsymbols._t)
            energy = sp.Poly(sp.expand((v.T * v)[0] / 2), x, psi1, psi2)
            T += sum(c * sp.Symbol(f"I{number}_{i}{j}{k}") for (i, j, k), c in energy.terms())
        LagrangesMethod(T, list(q)).form_lagranges_equations()

    return spent(derive)


def rows(repeat: int) -> list[dict]:
    spent(lambda: derivation(ralf.arm()))  # SymPy itself
    rigid = prepare(ralf.arm(0).model().variant(generated=None))
    sides = {name: Side(prepare(ralf.arm(**given).model())) for name, given in CASES.items()}
    t1, t2 = (np.radians(angle) for angle in ralf.START)
    others = {
        "rigid": Side(rigid),
        "hinges": Side(prepare(parallelogram(t1, t2, ralf.LENGTH, ralf.CONNECTING, -1.0))),
    }
    for _ in range(repeat):
        for side in (*sides.values(), *others.values()):
            side.time()
    found = []
    for name, given in CASES.items():
        arm = ralf.arm(**given)
        derive = min(spent(lambda arm=arm: derivation(arm)) for _ in range(min(repeat, 3)))
        e = arm.equations()
        began = time.process_time()
        written = functions(Writer(e, {q: k for k, q in enumerate(e.q)}))
        write = time.process_time() - began
        evaluate = sides[name].best
        found.append(
            {
                "case": name,
                "derive": derive,
                "write": write,
                "compile": compiling(written[0]),
                "evaluate": evaluate,
                **{other: side.best for other, side in others.items()},
                "ratio": evaluate / others["rigid"].best,
                "sympy": lagranges_method() if name == "ralf-open" else None,
            }
        )
    return found


if __name__ == "__main__":
    given = arguments(__doc__ or "")
    show(
        rows(given.repeat),
        given.json,
        "seconds; ratio = evaluate / rigid. See the head of this file.",
    )
