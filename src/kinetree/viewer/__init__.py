"""Machines and motions as pictures: one scene, drawn by a page of our own in any browser, or by
matplotlib without one.
"""
