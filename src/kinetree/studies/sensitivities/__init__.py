"""Derivatives of the outputs of a run with respect to parameters."""
