"""Built-in models by name: one file each, written like user code, and one entry in `catalogue`."""
