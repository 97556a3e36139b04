"""Figures, tables and drawings of the five papers, one file per system, in the order of the papers."""
