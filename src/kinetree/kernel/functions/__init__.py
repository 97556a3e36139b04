"""Elementary functions in the kernel language, so that their bits do not depend on the C library or
the processor.
"""
