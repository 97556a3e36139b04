"""`kinetree studio`: a local page beside a model file that is being written."""
