"""Many rigid contacts with friction: collision of shapes, and one convex problem per time step."""
