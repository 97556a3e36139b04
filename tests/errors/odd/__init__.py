"""Odd arguments for every public function: values (values.py), calls (calls.py) and how their
outcome is judged (judge.py).
"""
