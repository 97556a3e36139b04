"""Models and motions as pictures: one scene, drawn by a web page in any browser, or by
matplotlib.
"""
