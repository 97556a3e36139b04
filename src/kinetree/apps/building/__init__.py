"""Build of the library of all kernels for wheels (`hatch_build.py`). It is not needed to run models."""
