"""The errors of Kinetree: before a run, during a run, and about files.

Every message states what is wrong, where, what was expected, and what to do next.
"""

from __future__ import annotations

import difflib
import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, ParamSpec, TypeVar

from .synonyms import called_here

P = ParamSpec("P")
R = TypeVar("R")


class KinetreeError(Exception):
    """Base class of all errors that Kinetree raises on purpose.

    Examples
    --------
    >>> import kinetree as kt
    >>> try:
    ...     kt.Model("arm").joint("A", kt.Revolute(), "ground", "rod")
    ... except kt.KinetreeError as error:
    ...     print(type(error).__name__)
    ModelError
    """


class ModelError(KinetreeError, ValueError):
    """The model or the request is wrong; raised before a run starts.

    Examples
    --------
    >>> import kinetree as kt
    >>> kt.rod(mass=-1.0, length=0.5)
    Traceback (most recent call last):
        ...
    kinetree.errors.ModelError: rod: mass must not be negative, got -1.0.
    """


class TopologyError(ModelError):
    """The bodies and joints do not form a connected mechanism.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("loose")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> try:
    ...     kt.simulate(m, 1.0)
    ... except kt.TopologyError as error:
    ...     print(str(error).splitlines()[0])
    body 'rod' is not connected to ground.
    """


class AssemblyError(ModelError):
    """No consistent state was found; the message names the joints that do not close.

    Parameters
    ----------
    message : str or callable
        The text, or a function without arguments that returns it. The function is called when the
        text is first read, because the diagnosis can take longer than the search.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("too short")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> a = m.joint("A", kt.Revolute(axis="y"), m.ground, rod.end("-"))
    >>> b = m.joint("B", kt.Spherical(), m.ground.at(2.0, 0.0, 0.0), rod.end("+"))
    >>> try:
    ...     kt.assemble(m)
    ... except kt.AssemblyError as error:
    ...     print("'B'" in str(error))
    True
    """

    def __init__(self, message: str | Callable[[], str] = "") -> None:
        super().__init__(message)

    def __str__(self) -> str:
        if self.args and callable(self.args[0]):
            self.args = (self.args[0](),)
        return super().__str__()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self),), self.__dict__ or None


class NameNotFound(ModelError, KeyError):
    """A name does not exist in the model or solution; the message suggests the nearest one.

    Examples
    --------
    >>> import kinetree as kt
    >>> m = kt.Model("arm")
    >>> rod = m.body("rod", kt.rod(mass=1.0, length=0.5))
    >>> try:
    ...     m.bodies["rodd"]
    ... except kt.NameNotFound as error:
    ...     print(error)
    no body named 'rodd' in model 'arm'. Did you mean 'rod'? Bodies: rod.
    """

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownArgument(NameNotFound, TypeError):
    """A class or function has no argument of that name; the message suggests the nearest one.

    Examples
    --------
    >>> import kinetree as kt
    >>> try:
    ...     kt.Revolute(axes="y")
    ... except kt.UnknownArgument as error:
    ...     print(error)
    no argument named 'axes' of Revolute. Did you mean 'axis'? Arguments: axis.
    """


class SimulationError(KinetreeError, RuntimeError):
    """A run cannot continue; carries the time, the element and the results so far.

    Parameters
    ----------
    message : str
        What is wrong, and what to do.
    t : float, default nan
        Time (s) at which the run stopped.
    element : str, optional
        Name of the element that caused it, where one is known.
    solution : Solution, optional
        The samples up to the last valid state.

    Examples
    --------
    >>> import kinetree as kt
    >>> from kinetree.models.pendulum import pendulum
    >>> try:
    ...     kt.simulate(pendulum(), 1.0, max_steps=3)
    ... except kt.SimulationError as error:
    ...     print(0.0 < error.t < 1.0, len(error.solution.t) > 0)
    True True
    """

    def __init__(
        self,
        message: str,
        t: float = float("nan"),
        element: str | None = None,
        solution: Any = None,
    ) -> None:
        super().__init__(message)
        self.t, self.element, self.solution = t, element, solution


class ResultError(KinetreeError):
    """A result or its file cannot be read or written.

    Parameters
    ----------
    message : str
        What is wrong, and what to do.
    solution : Solution, optional
        The solution that was to be written, where there is one.

    Examples
    --------
    >>> import kinetree as kt
    >>> try:
    ...     kt.open_solution("no-such-file.nc")
    ... except kt.ResultError as error:
    ...     print("no-such-file.nc" in str(error))
    True
    """

    def __init__(self, message: str, solution: Any = None) -> None:
        super().__init__(message)
        self.solution = solution


def short(value: object, longest: int = 200) -> str:
    """What the user gave, as it is written in an error: not more than a line or two."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # whole numbers of thousands of digits, and objects that cannot be shown
        text = f"<{type(value).__name__}>"
    return text if len(text) <= longest else text[: longest - 3] + "..."


def counted(number: int, one: str, many: str = "") -> str:
    """`1 body`, `3 bodies`."""
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def suggestion(name: object, names: Iterable[str]) -> str:
    """` Did you mean 'elbow'?`, ` 'Hinge' is called 'Revolute' here.`, or nothing."""
    names = list(names)
    if not isinstance(name, str):
        return ""
    ours = called_here(name, names)
    if ours:
        return f" {short(name)} is called {' or '.join(map(repr, ours))} here."
    close = difflib.get_close_matches(name[:100], names, 1)
    return f" Did you mean {close[0]!r}?" if close else ""


def no_such(what: str, name: object, names: Iterable[str], where: str = "") -> NameNotFound:
    """`no joint named 'elbwo' in model 'arm'. Did you mean 'elbow'? Joints: shoulder, elbow,
    wrist.`
    """
    names = list(names)
    many = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    known = f" {many.capitalize()}: {', '.join(names)}." if names else f" There are no {many}."
    return NameNotFound(f"no {what} named {short(name)}{where}.{suggestion(name, names)}{known}")


def explains_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Decorate a function so that a misspelled keyword argument is named with the nearest one."""

    @functools.wraps(function)
    def explained(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except TypeError:
            unknown = _unknown_argument(function, kwargs)
            if unknown is None:
                raise
            raise unknown from None

    return explained


def explain_arguments_of(cls: type, methods: bool = False) -> None:
    """Do the same for the constructor of a class and its alternative constructors.

    With `methods`, also for the public methods that the class and its base classes define.
    """
    for owner in cls.__mro__ if methods else (cls,):
        for name, member in list(vars(owner).items()):
            if not owner.__module__.startswith("kinetree."):
                continue
            if isinstance(member, classmethod) and not name.startswith("_"):
                setattr(owner, name, classmethod(explains_arguments(member.__func__)))
            elif inspect.isfunction(member) and (
                name == "__init__" or (methods and not name.startswith("_"))
            ):
                setattr(owner, name, explains_arguments(member))


def _unknown_argument(function: Callable[..., Any], given: Iterable[str]) -> UnknownArgument | None:
    """The error about the first name that the function does not have; None if it has them all."""
    known = inspect.signature(function).parameters
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        return None
    names = [
        name
        for name, p in known.items()
        if p.kind not in (p.POSITIONAL_ONLY, p.VAR_POSITIONAL) and name not in ("self", "cls")
    ]
    wrong = next((name for name in given if name not in names), None)
    if wrong is None:
        return None
    who = function.__qualname__.removesuffix(".__init__")
    return UnknownArgument(str(no_such("argument", wrong, names, f" of {who}")))
