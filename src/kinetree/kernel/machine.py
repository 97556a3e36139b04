"""From LLVM text to machine code, by the public interface of llvmlite."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache

import llvmlite.binding as llvm

# Below the order of operations nothing is rearranged: no fast-math flag is set anywhere, and straight-line code is not packed
# into vectors, which costs more time to compile than it saves.
_LEVEL = 3


@cache
def _started() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()


def host() -> tuple[str, str, str]:
    """Triple, processor and features of this machine, or those of the family that $KINETREE_TARGET names ("x86-64-v3", ..)."""
    asked = os.environ.get("KINETREE_TARGET")
    if asked:
        return llvm.get_process_triple(), asked, ""
    return llvm.get_process_triple(), llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


def has_fma(triple: str, cpu: str, features: str) -> bool:
    """Does the processor round a*b + c once?"""
    if not triple.startswith("x86_64"):
        return True
    return "+fma," in features + "," or cpu.startswith("x86-64-v3")


def target_machine(triple: str, cpu: str, features: str = "", jit: bool = False) -> llvm.TargetMachine:
    _started()
    how = {"jit": True} if jit else {"reloc": "pic", "codemodel": "small"}
    return llvm.Target.from_triple(triple).create_target_machine(cpu=cpu, features=features, opt=_LEVEL, **how)


def object_code(text: str, target: llvm.TargetMachine) -> bytes:
    """The machine code of a module; LLVM checks the text before anything else."""
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple, module.data_layout = target.triple, str(target.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=_LEVEL)
    tuning.loop_vectorization, tuning.slp_vectorization = True, False
    builder = llvm.create_pass_builder(target, tuning)
    builder.getModulePassManager().run(module, builder)
    return target.emit_object(module)


def empty_engine() -> llvm.ExecutionEngine:
    """Where objects are loaded and their symbols found."""
    _started()
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(*host(), jit=True))


def loaded_object(code: bytes) -> Callable[[str], int]:
    """Machine code that was not linked; returns a function that finds the address of a symbol."""
    engine = empty_engine()
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine.get_function_address


def llvm_version() -> str:
    return ".".join(map(str, llvm.llvm_version_info))
