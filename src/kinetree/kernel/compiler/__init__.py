"""From the syntax tree of a function to LLVM text, in one pass; types follow from the values.

One `Writer` translates one function. Its class is built up in layers, one file each, which can be
read in this order:

    values.py       a value: its type and its LLVM registers
    text.py         instructions, labels, stack slots
    conversions.py  conversion of a value to another type
    variables.py    the stack slot of a variable, and when its type must be wider
    arithmetic.py   operators and comparisons, and the products that are fused with sums
    addresses.py    numbers in memory, fields of records, arrays of blocks
    memory.py       elements and views of arrays
    functions.py    functions of Python and `math`
    calls.py        calls of inline functions, kernels, addresses, user code
    names.py        names and attributes
    subscripts.py   x[i], x[a:b], items of tuples
    expressions.py  one method for each kind of expression: expr_BinOp, expr_Call, ...
    loops.py        for, while, break, continue
    assignments.py  =, +=, unpacking, filling of arrays
    statements.py   one method for each kind of statement: stmt_If, stmt_Return, ...
    writer.py       arguments, body and result: the text of one function

`source.py` reads the syntax tree of a function, `operators.py` has the operators that LLVM lacks,
and `unit.py` collects translated functions and makes modules of them.

The docstring of a method defines the construct that it translates; `docs/kernel-language.md` is for
those who write kernels.
"""
