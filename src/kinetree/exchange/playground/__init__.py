"""A page that computes: the kernels of a model as WebAssembly, its numbers, and the viewer."""
