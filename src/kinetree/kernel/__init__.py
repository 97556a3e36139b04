"""The kernel language: a typed subset of Python that is compiled to machine code
(`docs/kernel-language.md`).
"""
