"""Kinetree: the dynamics of machines."""
