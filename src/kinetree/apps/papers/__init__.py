"""Published systems recomputed: what a paper prints, what Kinetree finds, and whether the two
agree.
"""
