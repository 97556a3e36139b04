"""From LLVM text to machine code, through the public interface of llvmlite."""

from __future__ import annotations

from functools import cache

import llvmlite.binding as llvm

from .targets import BASELINE, PLATFORMS, V3, Target, requested_target, this_platform

# No fast-math flag is set anywhere, so the order of operations is that of the source. Straight-line
# code is not packed into vectors, which costs more time to compile than it saves.
_LEVEL = 3
# [x86-64 psABI, micro-architecture levels]
_OF_V3 = ("avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")


@cache
def _started() -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    llvm.initialize_native_asmparser()


@cache
def host() -> Target:
    """The best target for this processor, or the one that $KINETREE_TARGET names."""
    name = this_platform()
    there = PLATFORMS[name].targets if name else ()
    requested = requested_target(there)
    if requested:
        return requested
    features = llvm.get_host_cpu_features()
    if BASELINE in there:
        return V3 if all(features.get(one, False) for one in _OF_V3) else BASELINE
    return there[0] if there else Target(llvm.get_host_cpu_name(), llvm.get_host_cpu_name(), False)


def target_machine(
    triple: str, cpu: str, features: str = "", reloc: str = "pic"
) -> llvm.TargetMachine:
    """Target machine for files that are linked."""
    _started()
    return llvm.Target.from_triple(triple).create_target_machine(
        cpu=cpu, features=features, opt=_LEVEL, reloc=reloc, codemodel="small"
    )


def machine_here(target: Target) -> llvm.TargetMachine:
    """Target machine for code that this process runs."""
    _started()
    return llvm.Target.from_triple(llvm.get_process_triple()).create_target_machine(
        cpu=target.cpu, opt=_LEVEL, jit=True
    )


def object_code(text: str, machine: llvm.TargetMachine) -> bytes:
    """Machine code of a module, after LLVM has verified its text."""
    module = llvm.parse_assembly(text)
    module.verify()
    module.triple, module.data_layout = machine.triple, str(machine.target_data)
    tuning = llvm.create_pipeline_tuning_options(speed_level=_LEVEL)
    tuning.loop_vectorization, tuning.slp_vectorization = True, False
    builder = llvm.create_pass_builder(machine, tuning)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)


def empty_engine(target: Target) -> llvm.ExecutionEngine:
    """Execution engine that loads objects and finds their symbols."""
    return llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine_here(target))


def llvm_version() -> str:
    return ".".join(map(str, llvm.llvm_version_info))
