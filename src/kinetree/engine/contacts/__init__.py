"""Unilateral contacts between events: modes, loads, impacts, and the location of events."""
