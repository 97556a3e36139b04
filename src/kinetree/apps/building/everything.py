"""All kernels of the package, translated for their signatures."""

from __future__ import annotations

import importlib

from ...assembly import sparse_system
from ...elements.controllers.catalogue import control_kernel
from ...elements.forces.catalogue import ENTRIES, kernels_of
from ...elements.signals.catalogue import SIGNALS, signal_kernels_of
from ...engine.equations import tree
from ...engine.formulations import local, samples
from ...engine.formulations.catalogue import FORMULATIONS, NODE_COORDINATES
from ...engine.formulations.catalogue import compile_kernels as compile_formulation
from ...engine.integrators import integrate
from ...engine.integrators.catalogue import INTEGRATORS
from ...engine.integrators.newton.iteration import structure_address
from ...engine.kkt import sparse_row_selection as choice
from ...exchange.image import kernels as image
from ...kernel.compiler.unit import Unit
from ...kernel.language import KERNELS, Function
from ...kernel.runtime.lookup import use
from ...kernel.runtime.targets import V3
from ...kernel.types import Signature, Type
from ...studies.cases import kernels as batches
from .library import kernel_modules


class Collected:
    """Source of kernels that translates every requested kernel and returns an address that must not
    be called.
    """

    target = V3  # unused: nothing is run

    def __init__(self) -> None:
        self.unit = Unit()

    def find(self, function: Function, args: tuple[Type, ...]) -> tuple[int, Signature]:
        compiled = self.unit.get(function, args)
        return 1, Signature(compiled.result, compiled.args)


def everything() -> Unit:
    """All kernels in catalogues or with annotated types, and those they call. It changes the source
    of kernels of the process.
    """
    collected = Collected()
    use(collected)
    for path in kernel_modules():
        importlib.import_module("kinetree." + path.removesuffix(".py").replace("/", "."))
    tree.addresses()
    for compile_part in (
        tree.compile_kernels,
        samples.entry,
        sparse_system.compile_kernels,
        choice.compile_kernels,
        local.compile_kernels,
        structure_address,
        batches.entry,
        image.compile_kernels,
    ):
        compile_part()
    control_kernel(True)
    for formulation in (*FORMULATIONS, NODE_COORDINATES):
        compile_formulation(formulation.kernels)
    for integrator in INTEGRATORS:
        integrate.loop(integrator.kernels)
    kernels_of(range(len(ENTRIES)))
    signal_kernels_of(range(len(SIGNALS)))
    for function in list(KERNELS):
        args = function.declared()
        if args is not None:
            collected.find(function, args)
    return collected.unit


def left_out(unit: Unit) -> list[str]:
    """Names of the kernels of the package whose argument types are unknown."""
    there = {compiled.function for compiled in unit.kernels}
    return [
        f.name for f in KERNELS if f not in there and f.py_func.__module__.startswith("kinetree.")
    ]
