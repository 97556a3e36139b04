"""How kernels and pieces become machine code; what they go through on the way stands in passes.py and lowering.py.

A *piece* (`@inline`) is never optimised for its own sake, never emitted, never kept: it is simplified once and copied into
the kernels that call it. A *kernel* is optimised and emitted once; other kernels call it by its symbol, which the execution
engine resolves, so that its code is never copied into a caller and nothing is compiled twice. The symbol is a function of
module, name and argument types, the same in every process; a kernel that comes from the cache first loads those it calls.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .loading import Load, known_again
from .passes import lean
from .private import Compiler, Flags, JITCodeLibrary, create_new_module_pass_manager, ffi, lookup_environment, types

_ENVIRONMENT = "_ZN08NumbaEnv"


class _WithoutEngine:
    """Stands in for the code generator where a piece would register its environment: it has no address."""

    def __init__(self, codegen) -> None:
        self._codegen = codegen

    def set_env(self, name, environment) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)


def _is_kernel(library) -> bool:
    """Code of a kernel, compiled here or taken from the cache."""
    return hasattr(library, "load")


class _Library(JITCodeLibrary):
    """Code that is optimised once all of it is together, not function by function before."""

    def _optimize_functions(self, module) -> None:
        module.data_layout = self._codegen._data_layout


class PieceLibrary(_Library):
    """Code that exists only to be copied into kernels."""

    def __init__(self, codegen, name) -> None:
        super().__init__(codegen, name)
        self.calls: list[JITCodeLibrary] = []

    @property
    def codegen(self):
        return _WithoutEngine(self._codegen)

    def add_linking_library(self, library) -> None:
        if _is_kernel(library):
            self.calls.append(library)
            return
        self.calls += getattr(library, "calls", ())
        super().add_linking_library(library)

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        _simplify(self._codegen, self._final_module)
        self._finalized = True

    def get_pointer_to_function(self, name) -> int:
        self._ensure_finalized()
        return 0


def _simplify(codegen, module) -> None:
    """Inline what is marked so, then drop what became redundant: cheap, and done once per piece."""
    manager = create_new_module_pass_manager()
    manager.add_always_inliner_pass()
    manager.add_sroa_pass()
    manager.add_instruction_combine_pass()
    manager.add_simplify_cfg_pass()
    manager.add_global_dead_code_eliminate_pass()
    manager.run(module, codegen._pass_builder(opt=1, loop_vectorize=False, slp_vectorize=False))


def _refuse_records(kernel) -> None:
    """Numba numbers record types as it meets them: a symbol that contains one is another in the next process."""
    for load in kernel.load:
        if any(isinstance(getattr(kind, "dtype", kind), types.Record) for kind in load.arguments):
            raise TypeError(f"{load.module}.{load.name} takes records: kernels hand `tables` and `work` to each other, no parts.")


class StageLibrary(_Library):
    """Code of one kernel with its pieces; other kernels are called by their symbols."""

    def __init__(self, codegen, name) -> None:
        super().__init__(codegen, name)
        self.load: set[Load] = set()  # how to get this one in another process
        self.called: list[JITCodeLibrary] = []  # kept alive as long as this one

    def add_linking_library(self, library) -> None:
        """Of kernels only the symbol is needed, and that must be the same in every process."""
        for kernel in (library,) if _is_kernel(library) else getattr(library, "calls", ()):
            _refuse_records(kernel)
            self.called.append(kernel)
            self._reload_init.update(kernel.load)
        if not _is_kernel(library):
            super().add_linking_library(library)

    def _optimize_final_module(self) -> None:
        manager, builder = self._codegen._module_pass_manager()
        manager.run(self._final_module, builder)

    def _finalize_specific(self) -> None:
        super()._finalize_specific()
        for variable in self._final_module.global_variables:  # of pieces, which could not do it themselves
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                self._codegen.set_env(variable.name, environment)


class _Settled(Flags):
    """Compiler flags that nobody changes any more, one object per content: Numba hashes and compares them 150,000 times."""

    def copy(self):
        return self

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other) -> bool:
        return self is other

    def __ne__(self, other) -> bool:
        return self is not other


_settled: dict[tuple, _Settled] = {}


def _settle(flags: Flags) -> _Settled:
    key = tuple(sorted((name, repr(value)) for name, value in flags.values().items()))
    return _settled.setdefault(key, _Settled(flags))


@contextmanager
def undisturbed() -> Iterator[None]:
    """Garbage is not looked for, which would cost a tenth, nor every call of LLVM announced to listeners: a twentieth."""
    collecting, lock = gc.isenabled(), ffi.lib._lock
    told, lock._cblist = lock._cblist, []
    gc.disable()
    try:
        yield
    finally:
        lock._cblist = told
        if collecting:
            gc.enable()


_resolved: dict[tuple, tuple] = {}  # what a function makes of types, what an attribute is; and who asked, so that ids stay theirs


@contextmanager
def _remembering(context) -> Iterator[None]:
    """The same few functions meet the same few types again and again, and each time Numba asks all candidates: a sixth."""
    if "resolve_function_type" in vars(context):  # a kernel within a kernel
        yield
        return
    resolve, attribute = context.resolve_function_type, context.resolve_getattr

    def resolve_once(function, args, kws):
        if kws:
            return resolve(function, args, kws)
        if (key := (id(function), *map(id, args))) not in _resolved:
            _resolved[key] = resolve(function, args, kws), function, args
        return _resolved[key][0]

    def attribute_once(kind, name):
        if (key := (id(kind), name)) not in _resolved:
            _resolved[key] = attribute(kind, name), kind
        return _resolved[key][0]

    context.resolve_function_type, context.resolve_getattr = resolve_once, attribute_once
    try:
        yield
    finally:
        del context.resolve_function_type, context.resolve_getattr


class _LeanCompiler(Compiler):
    """Numba with few passes."""

    def define_pipelines(self):
        return [lean()]

    def _compile_core(self):
        self.state.flags = _settle(self.state.flags)
        with undisturbed(), _remembering(self.state.typingctx):
            return super()._compile_core()


class PieceCompiler(_LeanCompiler):
    def _compile_core(self):
        state = self.state
        state.library = PieceLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super()._compile_core()


compiling: list[Callable[[str], None]] = []  # whoever wants to know which kernel is being compiled


class StageCompiler(_LeanCompiler):
    def _compile_core(self):
        state, function = self.state, self.state.func_id
        for tell in compiling:
            tell(f"{function.modname}.{function.func_qualname}")
        state.library = StageLibrary(state.targetctx.codegen(), function.func_qualname)
        if known_again(function.modname, function.func_qualname):
            function.unique_id = 0  # Numba counts functions in each process anew; the symbol must not depend on that
            state.library.enable_object_caching()
            state.library.load = {Load(function.modname, function.func_qualname, tuple(state.args))}
        return super()._compile_core()
