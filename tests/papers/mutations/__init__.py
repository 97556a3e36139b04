"""Changes of models and methods under which the claims about the papers must fail."""
