"""Robot files: a reader for each format writes `robot.py`, and `build.py` makes the model of it."""
