"""An instance of an FMU in this process: its library, opened with ctypes, initialized and ready.

Sources: FMI 2.0.4, sections 2.1, 3.2 and 4.2; FMI 3.0.1, sections 2.2, 3.2 and 4.2.
"""

from __future__ import annotations

import ctypes
import platform
import shutil
import sys
import tempfile
import weakref
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ...errors import ModelError
from .description import KINDS, Description, read_description

_P, _D, _I, _S, _N = (
    ctypes.c_void_p,
    ctypes.c_double,
    ctypes.c_int,
    ctypes.c_char_p,
    ctypes.c_size_t,
)
_SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
_LOG_2 = ctypes.CFUNCTYPE(None, _P, _S, _I, _S, _S)
_LOG_3 = ctypes.CFUNCTYPE(None, _P, _I, _S, _S)
_ALLOCATE, _FREE = ctypes.CFUNCTYPE(_P, _N, _N), ctypes.CFUNCTYPE(None, _P)
_WARNING = 1  # largest status of a call that succeeded
_ROUNDS = 100  # of discrete states at the start


class Callbacks(ctypes.Structure):
    """fmi2CallbackFunctions."""

    _fields_ = (
        ("logger", _LOG_2),
        ("allocate", _ALLOCATE),
        ("release", _FREE),
        ("step_finished", _P),
        ("environment", _P),
    )


class Instance:
    """An initialized instance; `kind` is "model-exchange" or "co-simulation"."""

    def __init__(self, path: Path, kind: str | None, parameters: Mapping[str, float]) -> None:
        self.messages: list[str] = []
        folder = Path(tempfile.mkdtemp(prefix="kinetree-fmu-"))
        weakref.finalize(self, shutil.rmtree, folder, True)
        self.description = _unpacked(path, folder)
        self.kind = _kind(self.description, kind)
        self._library = _library(folder, self.description, self.kind)
        self.prefix = f"fmi{self.description.version}"
        self._logger: Any = None
        self.component = self._instantiate(folder)
        if parameters:
            references = self.description.references(parameters, "parameter")
            self.set(references, np.array([float(v) for v in parameters.values()]))
        self._initialize()

    def address(self, name: str) -> int:
        """Address of a function of the library."""
        return ctypes.cast(self._function(name), _P).value or 0

    def set(self, references: list[int], values: np.ndarray) -> None:
        self._values("Set", references, np.ascontiguousarray(values, float))

    def get(self, references: list[int]) -> np.ndarray:
        values = np.zeros(len(references))
        self._values("Get", references, values)
        return values

    def states(self) -> np.ndarray:
        """Continuous states."""
        x = np.zeros(len(self.description.states))
        if len(x):
            self.call("GetContinuousStates", _P(self.component), _P(x.ctypes.data), _N(len(x)))
        return x

    def step(self, t: float, length: float) -> None:
        """Advance a co-simulation."""
        if self.description.version == 2:
            self.call("DoStep", _P(self.component), _D(t), _D(length), _I(1))
            return
        flags, last = (ctypes.c_bool * 3)(), _D()
        at = [ctypes.byref(flags, k) for k in range(3)]
        step = _D(t), _D(length), ctypes.c_bool(True)
        self.call("DoStep", _P(self.component), *step, *at, ctypes.byref(last))

    def call(self, name: str, *given: Any) -> None:
        """Call a function; an error has the messages of the FMU."""
        status = self._function(name)(*given)
        if status > _WARNING:
            why = "; ".join(self.messages[-3:]) or f"status {status}"
            raise ModelError(f"FMU {self.description.file!r}: {self.prefix}{name} failed: {why}")

    def _function(self, name: str) -> Any:
        try:
            return getattr(self._library, f"{self.prefix}{name}")
        except AttributeError:
            raise ModelError(
                f"FMU {self.description.file!r}: its library has no function {self.prefix}{name}."
            ) from None

    def _values(self, verb: str, references: list[int], values: np.ndarray) -> None:
        if not references:
            return
        which = (ctypes.c_uint32 * len(references))(*references)
        kind = "Real" if self.description.version == 2 else "Float64"
        more = [] if self.description.version == 2 else [_N(len(references))]
        at = _P(values.ctypes.data)
        self.call(f"{verb}{kind}", _P(self.component), which, _N(len(references)), at, *more)

    def _instantiate(self, folder: Path) -> int:
        version, token = self.description.version, self.description.token.encode()
        resources = folder / "resources"
        what = KINDS[self.kind]
        if version == 2:
            libc = ctypes.CDLL(None) if sys.platform != "win32" else ctypes.cdll.msvcrt
            self._logger = Callbacks(
                _LOG_2(lambda env, name, status, category, text: self._log(status, text)),
                ctypes.cast(libc.calloc, _ALLOCATE),
                ctypes.cast(libc.free, _FREE),
                None,
                None,
            )
            make = self._function("Instantiate")
            make.restype = _P
            kind = _I(0 if what == "ModelExchange" else 1)
            uri = resources.as_uri().encode()
            found = make(b"kinetree", kind, token, uri, ctypes.byref(self._logger), _I(0), _I(0))
        else:
            self._logger = _LOG_3(lambda env, status, category, text: self._log(status, text))
            make = self._function(f"Instantiate{what}")
            make.restype = _P
            given: list[Any] = [b"kinetree", token, str(resources).encode() + b"/"]
            given += [ctypes.c_bool(False), ctypes.c_bool(False)]
            if what == "CoSimulation":
                given += [ctypes.c_bool(False), ctypes.c_bool(False), None, _N(0)]
            given += [None, self._logger]
            found = make(*given, *([None] if what == "CoSimulation" else []))
        if not found:
            why = "; ".join(self.messages) or "it gives no reason"
            raise ModelError(f"FMU {self.description.file!r} cannot be instantiated: {why}.")
        free = self._function("FreeInstance")
        free.restype = None
        weakref.finalize(self, free, _P(found))
        return int(found)

    def _log(self, status: int, text: bytes | None) -> None:
        if status > 0 and text:
            self.messages.append(text.decode("utf-8", "replace"))

    def _initialize(self) -> None:
        c = _P(self.component)
        if self.description.version == 2:
            self.call("SetupExperiment", c, _I(0), _D(0.0), _D(0.0), _I(0), _D(0.0))
            self.call("EnterInitializationMode", c)
        else:
            no = ctypes.c_bool(False)
            self.call("EnterInitializationMode", c, no, _D(0.0), _D(0.0), no, _D(0.0))
        self.call("ExitInitializationMode", c)
        if self.kind != "model-exchange":
            return
        for _ in range(_ROUNDS):
            if not self._discrete_states():
                break
        self.call("EnterContinuousTimeMode", c)

    def _discrete_states(self) -> bool:
        """Update the discrete states once; return whether another update is needed."""
        c = _P(self.component)
        if self.description.version == 2:
            info = (ctypes.c_int * 8)()  # five flags, padding, and a time
            self.call("NewDiscreteStates", c, ctypes.byref(info))
            return bool(info[0])
        flags, when = (ctypes.c_bool * 5)(), _D()
        at = [ctypes.byref(flags, k) for k in range(5)]
        self.call("UpdateDiscreteStates", c, *at, ctypes.byref(when))
        return bool(flags[0])


def _unpacked(path: Path, folder: Path) -> Description:
    file = path.name
    try:
        with zipfile.ZipFile(path) as archive:
            archive.extractall(folder)
            text = archive.read("modelDescription.xml")
    except FileNotFoundError:
        raise ModelError(f"there is no file {str(path)!r}.") from None
    except (zipfile.BadZipFile, KeyError):
        raise ModelError(f"{file!r} is not an FMU: a zip file with modelDescription.xml.") from None
    return read_description(text, file)


def _kind(description: Description, wanted: str | None) -> str:
    there = [kind for kind, tag in KINDS.items() if tag in description.identifiers]
    if wanted is None and there:
        return there[0]
    if wanted not in there:
        raise ModelError(
            f"FMU {description.file!r} is for {' and '.join(there) or 'no known use'}, not for "
            f"{wanted or 'import'}."
        )
    return str(wanted)


def _library(folder: Path, description: Description, kind: str) -> ctypes.CDLL:
    system, ending = _SYSTEMS.get(sys.platform, ("linux", ".so"))
    machine = platform.machine().lower().replace("amd64", "x86_64").replace("arm64", "aarch64")
    old = {"linux": "linux64", "darwin": "darwin64", "windows": "win64"}[system]
    name = description.identifiers[KINDS[kind]] + ending
    places = [folder / "binaries" / place / name for place in (f"{machine}-{system}", old)]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        there = sorted(p.name for p in (folder / "binaries").glob("*")) or ["none"]
        raise ModelError(
            f"FMU {description.file!r} has no library for this computer ({machine}-{system}); it has "
            f"{', '.join(there)}."
        )
    try:
        return ctypes.CDLL(str(found))
    except OSError as error:
        raise ModelError(
            f"FMU {description.file!r}: its library cannot be opened: {error}"
        ) from None
