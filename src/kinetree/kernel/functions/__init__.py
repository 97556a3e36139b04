"""Elementary functions in the kernel language: their bits do not depend on the C library or the
processor.
"""
