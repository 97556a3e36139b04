"""Built-in models by name: each a file that reads like user code, and one line in `catalogue`."""
