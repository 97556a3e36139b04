"""What all compiled functions are made of: the kernel language, its compiler, linear algebra, model
tables and user code. `README.md` in this folder explains why the compiler exists, how to turn it
off, and where things are; a contributor need not read its code.
"""
