"""The same problems in other codes, to compare correctness and speed: Pinocchio, MuJoCo, Exudyn."""
