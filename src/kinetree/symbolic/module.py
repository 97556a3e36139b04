"""The generated module: the functions of an arm and the kernels that make them a plant, as one
text, compiled in memory.

The text is written by this package from expressions it has derived, and by nobody else: no file is
ever read and executed. Its module is named after a hash of the text, so that kept machine code is
found again.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable
from hashlib import sha256
from types import ModuleType

from .printing import python
from .straight import Function

_HEAD = '''"""Equations of motion of {name}, written by Kinetree.

{legend}
"""

from math import cos, sin

from kinetree.kernel.decorators import kernel, internal_kernel
'''

_ALONE = '''
from kinetree.engine.equations.interface import Plant
from kinetree.engine.equations.generated import at_rest, nothing, simple_rates, simple_shift


@internal_kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma at a state."""
    for k in range(work.f.shape[0]):
        work.f[k] = 0.0
    whole(tables.pool, q, v, work.M, work.f, work.G, work.gamma)


@internal_kernel
def values(tables, work, t, q, x):
    """g."""
    work.report[0].far = tables.pool[{last}]  # no point of the machine is farther away
{gaps}

@internal_kernel
def jacobian(tables, work, q):
    """G."""
{slopes}

PLANT = Plant(equations, nothing, values, jacobian, at_rest, simple_shift, simple_rates, None)
'''

_WITH_ELEMENTS = '''
from kinetree.engine.equations.generated import elements
from kinetree.engine.equations.tree import TREE


@internal_kernel
def equations(tables, work, t, q, v, x):
    """M, f, G, gamma at a state, with force elements, controllers and constraints."""
    elements(tables, work, t, q, v, x)
    motion(tables.pool, q, v, work.M, work.f)


PLANT = TREE._replace(equations=equations)
'''

_ENERGIES = '''

@kernel
def energies(p, y, n, M, f, kinetic, total):
    """Kinetic and potential energy at states y = (q, v)."""
    for k in range(y.shape[0]):
        q, v = y[k, :n], y[k, n : 2 * n]
        {inertia}
        kinetic[k] = 0.0
        for i in range(n):
            for j in range(n):
                kinetic[k] += 0.5 * v[i] * M[i, j] * v[j]
        total[k] = potential(p, q)
'''


def text(
    name: str, legend: Iterable[str], functions: Iterable[Function], alone: bool, last: int = 0
) -> str:
    """The module; `alone`: without force elements, controllers and constraints beside the loops."""
    known = {function.name: function for function in functions}
    parts = [_HEAD.format(name=repr(name), legend="\n".join(legend))]
    parts += [f"\n\n@internal_kernel\n{python(function)}" for function in known.values()]
    if alone:
        loops = "gaps" in known
        parts.append(
            _ALONE.format(
                last=last,
                gaps="    gaps(tables.pool, q, work.g)\n" if loops else "",
                slopes="    slopes(tables.pool, q, work.G)\n" if loops else "",
            )
        )
    else:
        parts.append(_WITH_ELEMENTS)
    if "potential" not in known:
        return "".join(parts)
    inertia = "motion(p, q, v, M, f)" if "motion" in known else "whole(p, q, v, M, f, G, gamma)"
    rows = {"motion(p, q, v, M, f)": _ENERGIES}.get(
        inertia, _ENERGIES.replace("M, f, kinetic", "M, f, G, gamma, kinetic")
    )
    return "".join([*parts, rows.format(inertia=inertia)])


def load(source: str) -> ModuleType:
    """The module of a text, once per process."""
    digest = sha256(source.encode()).hexdigest()[:16]
    name = f"{__package__}.generated_{digest}"
    if name not in sys.modules:
        module = ModuleType(name)
        path = f"generated_{digest}.py"
        # where its kernels are read from
        linecache.cache[path] = (
            len(source),
            None,
            source.splitlines(True),
            path,
        )
        exec(compile(source, path, "exec"), module.__dict__)  # our own text, see above
        sys.modules[name] = module
    return sys.modules[name]
