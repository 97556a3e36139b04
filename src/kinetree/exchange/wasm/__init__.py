"""Kernels as WebAssembly: compiled by LLVM and linked here, without another program."""
