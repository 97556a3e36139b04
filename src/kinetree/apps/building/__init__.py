"""Building the library of all kernels: for wheels, by `hatch_build.py`. Nothing here is needed to
run models.
"""
