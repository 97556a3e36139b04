"""The image of a machine: its tables, workspaces and states as one arena of bytes, and the names of
the kernels that compute with them. `image.py` defines the format.
"""
