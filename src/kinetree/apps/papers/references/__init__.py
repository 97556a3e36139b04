"""Reference solutions of the published examples; they share no code with the engine."""
