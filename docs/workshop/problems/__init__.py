"""Published problems: models with the values that others computed or measured, and their sources.

The page of the validation (`workshop.validation`) and the test suite read the numbers from here.
"""
