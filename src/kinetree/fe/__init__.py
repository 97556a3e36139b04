"""Flexible bodies from finite elements: matrices of a part, its reduction, and the report of both."""
