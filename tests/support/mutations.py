"""Functions of the package changed at random places: what the compiler then gets is like what a
newcomer writes.
"""

from __future__ import annotations

import ast
import copy
import random
import types
from typing import Any

from kinetree.kernel.language import Function

EXPRESSIONS = """\
[1, 2]; {1: 2}; {1}; lambda v: v; [k for k in range(3)]; (k for k in range(3)); f"{1}"; "text"; 1j; None; ...; True; -1
0; 2 ** 70; 10 ** 400; 1e400; (1, 2.0); (); ((1, 2), (3, 4)); x[::2]; x[::-1]; x[1:2, 3]; x[..., 0]; x[None]; x[()]
x[0][0][0]; math.gamma(1.0); math.sin; math.sin(); math.sin(1.0, 2.0); math.sin(*(1.0,)); math; abs; min(1); max()
min((1, 2)); len(3); range(3); int("3"); print(1); 1 if 2 else (3, 4); 1 and (2, 3); 1 < 2 < k; 1 in (1, 2); 1 in 3
x is None; not x; ~1; -(1, 2); 1 @ 2; 1 << 2; 1 % 0; 1 // 0; 5 % 0.0; 2 ** -1; 2 ** k; x.T; x.T.reshape(3)
x.reshape(2, -1); x.reshape; x.reshape(); x.nothing; x.ctypes.data; x(); (1, 2)(3); (1, 2)[5]; (1, 2)[::0]; (1, 2)[k:]
(1, (2, 3))[k]; (y := 3); globals(); bool(x); round(1.5, 2); abs(x); sum(x); x + 1; np.zeros(3); np.array([1.0])
True + True; max(True, 1.5); (*x, 1); (*(1, 2), 3); 1 == (1, 2); (1, 2) * 2; x[True]; x[1.0]; x[-1:]; x[0:2:0]; x[0:2:k]
x[0, 0, 0, 0, 0]; x[:, :, :]; int(1e300); pow(2, 3); math.hypot(1, 2, 3); len(()); (1).bit_length(); x.shape[k]"""
STATEMENTS = """\
pass; return; return None; return 1; return 1.0, 2; return x; raise ValueError; assert x; del x; global zz; import math
x = 1; x = 1.0; x = (1, 2); x, y = 1, 2; x, y = 1; x, *y = (1, 2, 3); (x, y), z = (1, 2), 3; x: int = 3; x: int; x += 1
x += (1, 2); x[0] = 1; x[0] += 1; x[:] = 0; x[:] = x; x[:] += 1; x[:] = (1, 2); x[::2] = 1; x.y = 1; x.T[0] = 1
k = y = 0; x; x(x); x[0]; lambda: 0"""
BLOCKS = [
    "for k in range(3): pass",
    "for k in range(3, 0, -1): x = k",
    "for k in range(1.0): pass",
    "for k in range(0, 3, 0): pass",
    "for k in (1, 2.0, (3, 4)): pass",
    "for k in (): pass",
    "for k, j in ((1, 2), (3, 4)): pass",
    "for k in x: pass",
    "for k in enumerate(x): pass",
    "for k in range(3): break",
    "while True: break",
    "while x: pass",
    "while False: pass",
    "try: pass\nexcept Exception: pass",
    "with x: pass",
    "def g(a): return a",
    "class A: pass",
    "match x:\n  case 1: pass",
    "if x: pass",
    "if 1: y = 1\nelse: y = (1, 2)",
    "for k in range(3): k = 1.5",
    "k = 0\nwhile k < 3: k += 0.5",
]
OPERATORS = (
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.Div,
    ast.FloorDiv,
    ast.Mod,
    ast.Pow,
    ast.LShift,
    ast.BitAnd,
    ast.MatMult,
)
NAMES = ("x", "k", "y")


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.replace("\n", ";").split(";")]


class Mutations:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.expressions = [ast.parse(text, mode="eval").body for text in _parts(EXPRESSIONS)]
        self.statements = [ast.parse(text).body for text in _parts(STATEMENTS) + BLOCKS]

    def of(self, tree: ast.FunctionDef) -> ast.FunctionDef:
        """The function with one to three changes."""
        tree = copy.deepcopy(tree)
        tree.decorator_list, tree.returns = [], None
        for argument in tree.args.args:
            argument.annotation = None
        self.names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)] + [
            a.arg for a in tree.args.args
        ]
        for _ in range(self.rng.choice((1, 1, 2, 3))):
            self.rng.choice(
                (
                    self._expression,
                    self._expression,
                    self._statement,
                    self._operator,
                    self._call,
                    self._name,
                )
            )(tree)
        return ast.fix_missing_locations(tree)

    def _own(self, node: Any) -> Any:
        """A copy that speaks of variables of the function."""
        node = copy.deepcopy(node)
        for part in node if isinstance(node, list) else [node]:
            for n in ast.walk(part):
                if isinstance(n, ast.Name) and n.id in NAMES and self.rng.random() < 0.8:
                    n.id = self.rng.choice(self.names)
        return node

    def _expression(self, tree: ast.FunctionDef) -> None:
        places = []
        for node in ast.walk(tree):
            for field, value in ast.iter_fields(node):
                for k, part in enumerate(value if isinstance(value, list) else [value]):
                    if isinstance(part, ast.expr) and isinstance(
                        getattr(part, "ctx", ast.Load()), ast.Load
                    ):
                        places.append((node, field, k if isinstance(value, list) else None))
        if places:
            node, field, k = self.rng.choice(places)
            new = self._own(self.rng.choice(self.expressions))
            if k is None:
                setattr(node, field, new)
            else:
                getattr(node, field)[k] = new

    def _statement(self, tree: ast.FunctionDef) -> None:
        bodies = [
            b
            for n in ast.walk(tree)
            for f in ("body", "orelse")
            if isinstance(b := getattr(n, f, None), list) and b
        ]
        body = self.rng.choice(bodies)
        k = self.rng.randrange(len(body))
        body[k : k + self.rng.randrange(2)] = self._own(self.rng.choice(self.statements))

    def _operator(self, tree: ast.FunctionDef) -> None:
        found = [n for n in ast.walk(tree) if isinstance(n, (ast.BinOp, ast.AugAssign))]
        if found:
            self.rng.choice(found).op = self.rng.choice(OPERATORS)()

    def _call(self, tree: ast.FunctionDef) -> None:
        found = [n for n in ast.walk(tree) if isinstance(n, ast.Call)]
        if not found:
            return
        call = self.rng.choice(found)
        change = self.rng.randrange(4)
        if change == 0 and call.args:
            call.args.pop(self.rng.randrange(len(call.args)))
        elif change == 1:
            call.args.append(self._own(self.rng.choice(self.expressions)))
        elif change == 2:
            call.keywords.append(ast.keyword("a", ast.Constant(1)))
        else:
            self.rng.shuffle(call.args)

    def _name(self, tree: ast.FunctionDef) -> None:
        node = self.rng.choice(
            [n for n in ast.walk(tree) if isinstance(n, (ast.Name, ast.Attribute, ast.arg))]
            or [None]
        )
        if isinstance(node, ast.Name):
            node.id = self.rng.choice(self.names)
        elif isinstance(node, ast.Attribute):
            node.attr = self.rng.choice(
                ("shape", "T", "size", "nothing", "reshape", "ctypes", node.attr + "_")
            )


class Mutated(Function):
    """A function of the package whose tree was changed; None of them where Python itself refuses
    the change.
    """

    def __init__(self, original: Function, tree: ast.FunctionDef, checked: bool) -> None:
        code = compile(ast.Module([tree], []), original.py_func.__code__.co_filename, "exec")
        own = next(
            c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == tree.name
        )
        py_func = types.FunctionType(
            own, original.py_func.__globals__, tree.name, original.py_func.__defaults__
        )
        py_func.__module__, py_func.__qualname__ = (
            original.py_func.__module__,
            original.py_func.__qualname__,
        )
        self.__dict__.update(
            py_func=py_func, inline=original.inline or checked, checked=checked, _tree=tree
        )
