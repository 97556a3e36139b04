"""All that leans on Numba's private interface: the names taken from it, once, and what is expected of them.

Whoever needs one of them takes it from here (tests/hygiene/test_layers.py). REPLACED names every function whose place one of ours
takes: had it gone, or were it handed other things, ours would never be called, or wrongly. KNOWN are attributes read or set.
`tests/num/test_internals.py` compares both with the Numba that is installed and names what has changed; the versions
are pinned in pyproject.toml.
"""

from llvmlite.binding import ffi
from llvmlite.binding.newpassmanagers import create_new_module_pass_manager
from numba.core import cgutils, ir, ir_utils, typed_passes, types, untyped_passes
from numba.core.analysis import compute_cfg_from_blocks, compute_use_defs, must_use_alloca
from numba.core.caching import CompileResultCacheImpl, FunctionCache, IndexDataCacheFile, NullCache, _CacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, Flags
from numba.core.compiler_machinery import PassManager, register_pass
from numba.core.dispatcher import Dispatcher
from numba.core.environment import lookup_environment
from numba.core.imputils import impl_ret_borrowed
from numba.core.lowering import Lower
from numba.core.ssa import reconstruct_ssa
from numba.core.typed_passes import BaseNativeLowering
from numba.core.typing.templates import AttributeTemplate

__all__ = [
    "KNOWN", "REPLACED", "AttributeTemplate", "BaseNativeLowering", "CompileResultCacheImpl", "Compiler", "Dispatcher", "Flags",
    "FunctionCache", "IndexDataCacheFile", "JITCodeLibrary", "Lower", "NullCache", "PassManager", "_CacheLocator", "cgutils",
    "compute_cfg_from_blocks", "compute_use_defs", "create_new_module_pass_manager", "ffi", "impl_ret_borrowed", "ir", "ir_utils",
    "lookup_environment", "must_use_alloca", "reconstruct_ssa", "register_pass", "typed_passes", "types", "untyped_passes"]

REPLACED: dict[type, tuple[str, ...]] = {
    Compiler: ("define_pipelines()", "_compile_core()"),
    Flags: ("copy()", "values()", "__hash__()", "__eq__(other)"),
    JITCodeLibrary: (
        "__init__(codegen, name)", "add_linking_library(library)", "finalize()", "get_pointer_to_function(name)",
        "_optimize_functions(ll_module)", "_optimize_final_module()", "_finalize_specific()", "_get_module_for_linking()",
        "_raise_if_finalized()", "_ensure_finalized()", "enable_object_caching()"),
    Lower: (
        "_find_singly_assigned_variable()", "pre_block(block)", "alloca_lltype(name, lltype, datamodel)",
        "storevar(value, name, argidx)", "loadvar(name)", "getvar(name)", "delvar(name)", "setup_function(fndesc)",
        "extract_function_arguments()", "lower_inst(inst)", "lower_assign(ty, inst)", "lower_expr(resty, expr)",
        "lower_binop(resty, expr, op)", "lower_getitem(resty, expr, value, index, signature)",
        "lower_setitem(target_var, index_var, value_var, signature)", "lower_static_raise(inst)",
        "_lower_call_normal(fnty, expr, signature)"),
    untyped_passes.ReconstructSSA: ("run_pass(state)",),
    typed_passes.PreLowerStripPhis: ("run_pass(state)", "_strip_phi_nodes(func_ir)"),
    IndexDataCacheFile: (
        "save(key, data)", "_save_data(name, data)", "_load_data(name)", "_load_index()", "_save_index(overloads)",
        "_dump(obj)", "_data_path(name)", "_open_for_write(filepath)", "flush()"),
    _CacheLocator: ("get_cache_path()", "get_source_stamp()", "get_disambiguator()", "from_function(py_func, py_file)"),
    FunctionCache: (
        "__init__(py_func)", "load_overload(sig, target_context)", "_load_overload(sig, target_context)",
        "save_overload(sig, data)", "_guard_against_spurious_io_errors()"),
    Dispatcher: (
        "add_overload(cres)", "get_call_template(args, kws)", "compile(sig)", "disable_compile(val)",
        "_compile_for_args(args, kws)")}

KNOWN: dict[type, tuple[str, ...]] = {
    BaseNativeLowering: ("lowering_class",),
    JITCodeLibrary: ("codegen",),
    FunctionCache: ("_impl_class",),
    CompileResultCacheImpl: ("_locator_classes", "filename_base", "locator"),
    Dispatcher: ("_insert",),
    AttributeTemplate: ("generic_resolve",)}
