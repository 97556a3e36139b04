"""What happens to the source of a kernel on its way to LLVM: Numba's passes, without those that its sources never need.

There are no closures, no `with`, no array expressions, no generators; and nothing is given back at the end of its life, so that
where each variable lives need not be found out, five times over.
"""

from __future__ import annotations

from .lowering import LeanLower
from .private import BaseNativeLowering, PassManager, ir_utils, reconstruct_ssa, register_pass, typed_passes, untyped_passes


@register_pass(mutates_CFG=True, analysis_only=False)
class _SingleAssignments(untyped_passes.ReconstructSSA):
    _name = "lean_single_assignments"

    def run_pass(self, state) -> bool:
        state.func_ir.generator_info = None
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = ir_utils.build_definitions(state.func_ir.blocks)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _WithoutPhis(typed_passes.PreLowerStripPhis):
    _name = "lean_without_phis"

    def run_pass(self, state) -> bool:
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _Lowering(BaseNativeLowering):
    _name = "lean_lowering"

    @property
    def lowering_class(self):
        return LeanLower


_PASSES = (
    (untyped_passes.TranslateByteCode, "analyse bytecode"), (untyped_passes.FixupArgs, "fix up arguments"),
    (untyped_passes.GenericRewrites, "constant indices"), (_SingleAssignments, "single assignments"),
    (typed_passes.NopythonTypeInference, "types"), (_WithoutPhis, "remove phi nodes"),
    (typed_passes.AnnotateTypes, "annotate types"), (_Lowering, "lower"), (typed_passes.NoPythonBackend, "finish"))


def lean() -> PassManager:
    """The passes, in their order."""
    manager = PassManager("lean")
    for stage, about in _PASSES:
        manager.add_pass(stage, about)
    manager.finalize()
    return manager
